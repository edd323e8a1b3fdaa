"""What a label for everybody says of a plan, in words that ask for no knowledge: the numbers come from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from par_core.errors import ParameterError
from par_core.mechanisms import MECHANISMS, NOISES, PermuteAndFlip
from par_core.plan import Plan, Release, off_in_words
from par_core.queries.shapes import CountsShape
from par_core.rounding import error
from par_core.scenario import Neighbours

_TURNS_LINES = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}  # what would write the rest of a line backwards


def one_line(text: str) -> str:
    """Return a typed text on one line, without what cannot be seen."""
    shown = "".join(each if each.isprintable() or each in "\u200c\u200d" else " " for each in text)
    return " ".join("".join(each for each in shown if ord(each) not in _TURNS_LINES).split())


def times(number: int) -> str:
    """Return how often something is published."""
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def in_days(text: str) -> str:
    """Return a date in ISO 8601 as people write it; of none, nothing."""
    day = date.fromisoformat(text) if text else None
    return f"{day.day} {day:%B %Y}" if day else ""


def protected(plan: Plan) -> str:
    """Return who is protected, and from what, in one sentence."""
    one = all(each.rows_per_person == 1 for each in plan.releases)
    it, within = ("it is", "it") if one else ("these are", "them")
    among = "there at all" if _hides_who_is_in(plan) else "theirs or somebody else's"
    who = "no more rows than the list below says" if caps_differ(plan) else f"at most {most_of(plan)}"
    return f"Each person with {who} in {_each_time(plan)}: whether {it} {among}, and what is recorded in {within}."


def _hides_who_is_in(plan: Plan) -> bool:
    """Whether nobody can tell who is in the data: of answers by randomised response everybody sees how many there are."""
    answered = any(each.mechanism == "randomised-response" for each in plan.releases)
    return plan.neighbours is Neighbours.ADD_OR_REMOVE and not answered


def _each_time(plan: Plan) -> str:
    return "the data" if plan.number == 1 else "each release"


def most_of(plan: Plan) -> str:
    """Return how much of the data may be about one person at most; where the releases differ, from the least to the most."""
    if not caps_differ(plan):
        return cap_of(plan.releases[0])
    caps = [each.rows_per_person for each in plan.releases]
    return f"{min(caps):,} to {max(caps):,} rows (see each release)"


def cap_of(release: Release) -> str:
    """Return how much of what one release is about may be about one person."""
    most = release.rows_per_person
    return f"{most:,} {_noun(release)}{'s' * (most > 1)}"


def caps_differ(plan: Plan) -> bool:
    """Whether one person may have more rows in one release than in another, or groups in place of rows."""
    return len({cap_of(each) for each in plan.releases}) > 1


def _noun(release: Release) -> str:
    return "group" if isinstance(release.shape, CountsShape) and release.shape.persons else "row"


def noise_of(plan: Plan, at: int) -> str:
    """Return what protects the release at a place: "Laplace noise"."""
    mechanism = plan.releases[at].mechanism
    if plan.releases[at].shape.is_selection:
        return PermuteAndFlip.name
    if mechanism not in NOISES:
        return MECHANISMS[mechanism].name
    names = dict.fromkeys(each.name for each in plan.noises(at))
    return f"{' and '.join(names)} noise"


def how(plan: Plan) -> str:
    """Return how the plan protects, in one sentence."""
    if any(each.shape.is_selection for each in plan.releases):
        return "A computer lets chance play a part in every number before it is published."
    if all(each.mechanism in NOISES for each in plan.releases):
        return "Before publication, a computer changes every number by a random amount, called noise."
    if any(each.mechanism == "randomised-response" for each in plan.releases):
        return "Chance changes some of the answers before anybody counts them."
    return "Chance has a part in choosing what is published."


def far_off(plan: Plan, at: int) -> float | None:
    """Return how far off each number of the release at a place is at most in 95 of 100; None where no number or no guess says it."""
    if plan.releases[at].mechanism not in NOISES:
        return None
    try:
        return plan.error(at)
    except ParameterError:  # a mean over a private number of rows of which nobody has guessed it
        return None


def within(release: Release, off: float | None) -> str:
    """Return how far off a number is at most, in its own unit; of a quantile, in rows between it and the true one."""
    if off is None:
        return "not known"
    return off_in_words(release, error(off)) if off else "±0"


def wrong_by(plan: Plan, offs: tuple[float | None, ...]) -> str:
    """Return how wrong the numbers can be, in one sentence."""
    known = [each for each in offs if each is not None]
    if not known:
        return "This plan does not say how far off they are: ask the publisher."
    if len(offs) == 1 and plan.releases[0].shape.is_selection:
        rows = f"{error(known[0])} row{'s' * (known[0] != 1)}"
        return f"95 times in 100, at most {rows} of the data, rounded the same way, lie between this number and the true one."
    if len(offs) == 1:
        off = within(plan.releases[0], known[0])
        return f"In at least 95 of 100 cases a number is within {off} of the true one; otherwise it is further off."
    missing = " Where it is not known, ask the publisher." if len(known) < len(offs) else ""
    ranks = ""
    if any(each.shape.is_selection for each in plan.releases):
        ranks = " Ranks are rows of the data, rounded the same way, between that number and the true one."
    off = "In at least 95 of 100 cases a number is no further off than the list below says; otherwise it is."
    return off + ranks + missing


def often(plan: Plan) -> str:
    """Return how often anything is published, in words that everybody understands."""
    if plan.number == 1:
        return "Once. To publish more about the same people would weaken the protection."
    said = times(plan.number)
    if len(plan.releases) > 1:
        said += " in all, as the list below says"
        if len({each.times for each in plan.releases}) == 1:
            said = f"{times(plan.releases[0].times)}, everything each time: {plan.number:,} releases"
    return (
        f"{said[0].upper()}{said[1:]}. This label counts all of that; "
        "to publish more about the same people would weaken the protection."
    )


def not_protected(plan: Plan) -> Iterator[str]:
    """Yield what the label does not promise, each in a sentence."""
    yield "People with more rows than said above are less protected."
    yield "The numbers may tell something about people like you, even if you are not in the data."
    yield "What a family or another group shares is easier to guess than what is about one person alone."
    yield "What others already know about you stays known."
    if not _hides_who_is_in(plan):
        yield "How many people are in the data is no secret."
    yield "This label does not cover how the data are stored, or anything else that is published from them."
