"""What the report says, part by part: sentences and rows with their numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup, escape

from par_core.composition import exact_mixed
from par_core.composition.of_mechanism import mixed_of
from par_core.datasets import deployments
from par_core.decision import LARGEST, ErrorWish, MoneyWish, ReleasesWish, Wish
from par_core.export.report_found import Found, wished_total
from par_core.export.sentences import marked
from par_core.figures.decision_words import (
    and_list,
    colliding,
    is_narrow,
    levels_of,
    name_of,
    number_of,
    own_level,
    promise_of,
    would_give,
)
from par_core.figures.money import money
from par_core.figures.quantities import written
from par_core.mechanisms import MECHANISMS, NOISES
from par_core.risk.attacks import believed_after
from par_core.rounding import amount, small
from par_core.scenario import FIELDS, Neighbours, Scenario
from par_core.standing import MODEL, PROVEN, Quantity, Standing

WORTH = {
    "Proven": "a theorem that holds, computed exactly or rounded to the safe side",
    "By your model": "computed exactly from amounts and a model of cost that you assume, and no better than these",
}
"""What the marks beside the numbers mean."""

_BOLD, _MARK = re.compile(r"\*\*(.+?)\*\*"), re.compile("\1(.+?)\1")


def said(template: str, *, currency: str = "", standing: Standing | None = None, **values: Any) -> Markup:
    """Return sentences as HTML: every number on its safe side, marked with its standing in words, and everything else escaped.

    `standing` is that of a last sentence whose numbers are words already.
    """
    end = f" \1{worth(standing)}\1" if standing else ""
    text = str(escape(marked(template, values, _mark, currency=currency) + end))
    return Markup(_MARK.sub(r'<span class="worth">\1</span>', _BOLD.sub(r"<strong>\1</strong>", text)))


def _mark(quantity: Quantity) -> str:
    assert quantity.standing is not None, "said by the caller"
    return f"\1{worth(quantity.standing)}\1"


def worth(standing: Standing) -> str:
    """Return the mark of a standing."""
    return standing.value.capitalize()


def reached(wish: Wish, scenario: Scenario) -> Quantity:
    """Return what a scenario reaches of a wish's number."""
    found = Quantity(wish.reached(scenario), wish.told.kind, wish.worth, wish.told.toward, beside=wish.number)
    if isinstance(wish, ReleasesWish):
        return found.within(scenario.releases * scenario.release.largest_loss)
    return found


@dataclass(frozen=True)
class WishRow:
    """A wish in words, the levels that meet it, what the scenario's own level reaches and whether that is enough."""

    wish: str
    levels: str
    reached: str
    met: bool
    worth: str


def plan(scenario: Scenario, *, planned: bool = True) -> str:
    """Return the mechanism, the number of releases, `planned` or an example, and what they publish in a few words."""
    releases = f"{scenario.releases:,} {'planned' if planned else 'example'} release{'s' * (scenario.releases > 1)}"
    number = scenario.k * scenario.statistics
    each = f"{number:,} numbers" if number > 1 else "one number"
    return f"{mechanism_name(scenario)}, {releases} of {each}, sensitivity {amount(scenario.sensitivity, 4)}"


def mechanism_name(scenario: Scenario) -> str:
    """Return what the scenario's mechanism is called, as a sentence begins with it."""
    name = MECHANISMS[scenario.mechanism].name
    return name[0].upper() + name[1:]


# --- the decision -----------------------------------------------------------------------------------------------------


def headline(found: Found, *, examples: bool = False) -> str:
    """Return the decision in one line; nothing is decided by wishes that are `examples`."""
    scenario, decision = found.scenario, found.decision
    if decision is None:
        return f"{mechanism_name(scenario)} cannot be used here"
    if not found.wishes:
        return f"ε₀ = {own_level(scenario.epsilon0)}, and no wish to decide by"
    if examples:
        return "Not decided yet: the wishes are examples"
    if decision.collision is not None or not decision.possible:
        return "No ε₀ meets all wishes" if len(found.wishes) > 1 else "No ε₀ meets the wish"
    if decision.missed(scenario.epsilon0):
        return f"Not decided yet: take ε₀ {levels_of(decision, beside=scenario.epsilon0)}"
    return f"Take ε₀ = {own_level(scenario.epsilon0)}"


def decision_sentences(found: Found, *, examples: bool = False) -> list[Markup]:
    """Return what to do and why, in two to four sentences; of wishes that are `examples`, that nobody has made them."""
    scenario, decision = found.scenario, found.decision
    own = f"ε₀ = {own_level(scenario.epsilon0)}"
    if decision is None:
        reason = found.refused[:1].upper() + found.refused[1:]
        sentences = [said("{reason}. Choose another mechanism, or other numbers for this one.", reason=reason)]
        wished = "; ".join(promise_of(each, None, scenario) for each in found.wishes)
        return [*sentences, said("The wishes: {wished}.", wished=wished)] if wished else sentences
    if not found.wishes:
        first = said(
            "No wish was switched on, so nothing speaks for one level over another.",
        )
    elif examples and decision.possible:
        first = said(
            "Nobody has made these wishes: they are examples. ε₀ {levels} would meet {every}.",
            standing=decision.standing,
            levels=levels_of(decision, beside=scenario.epsilon0),
            every=_every(found.wishes),
        )
    elif examples:
        first = said(
            "Nobody has made these wishes: they are examples. No ε₀ would meet {every}.", every=_every(found.wishes)
        )
    elif decision.collision is not None:
        first = _collision(found)
    elif not decision.possible:
        never = [name_of(wish) for wish, band in zip(found.wishes, decision.bands, strict=True) if not band.possible]
        first = said(
            "No level meets this wish: {never}. Change it, or plan fewer releases.",
            never=never[0],
        )
    elif scenario.epsilon0 > LARGEST == decision.high:
        first = said(
            "ε₀ {levels} meets {every}. Levels above {largest:g}, such as the scenario’s {own}, are not checked.",
            standing=decision.standing,
            levels=levels_of(decision, beside=scenario.epsilon0),
            every=_every(found.wishes),
            largest=LARGEST,
            own=own,
        )
    elif failing := decision.missed(scenario.epsilon0):
        first = said(
            "ε₀ {levels} meets {every}. The scenario’s {own} misses {missed}.",
            standing=decision.standing,
            levels=levels_of(decision, beside=scenario.epsilon0),
            every=_every(found.wishes),
            own=own,
            missed=and_list([name_of(each) for each in failing]),
        )
    else:
        first = said(
            "It meets {every}." if decision.only is not None else "It meets {every}; so does every ε₀ {levels}.",
            standing=decision.standing,
            every=_every(found.wishes),
            levels=levels_of(decision, beside=scenario.epsilon0),
        )
    return [first, *_gives(found)]


def _every(wishes: Sequence[Wish]) -> str:
    number, names = len(wishes), and_list([name_of(each) for each in wishes])
    return f"{ {1: 'the wish', 2: 'both wishes'}.get(number, f'all {number} wishes') } ({names})"


def _collision(found: Found) -> Markup:
    assert found.decision, "asked before"
    collision = found.decision.collision
    assert collision, "asked before"
    words = colliding(found.decision, whose="the ")
    return said(
        "{colliding}: every level misses one of them. {gives}.",
        standing=collision.standing,
        colliding=words[0].upper() + words[1:],
        gives=would_give(found.decision, found.scenario.currency),
    )


def _gives(found: Found) -> list[Markup]:
    """Return what the scenario's level gives: accuracy, and what an attacker may learn."""
    scenario, sentences = found.scenario, []
    if scenario.mechanism in NOISES:
        sentences.append(
            said(
                "At ε₀ = {own} each published number is within **±{error}** of the truth in 95 of 100 releases.",
                own=own_level(scenario.epsilon0),
                error=_error(scenario),
            )
        )
    belief = believed_after(scenario, 0.5, releases=scenario.releases)
    often = " in all but {belief.rare} of releases" if belief.rare else ""
    after = f"after {_all_of(scenario.releases)}" if scenario.releases > 1 else "after the release"
    sentences.append(
        said(
            f"Someone who is 50 % sure that a person is in the data is at most **{{belief.believed}}** sure {after}{often}.",
            belief=belief,
        )
    )
    return sentences


def _all_of(releases: int) -> str:
    return "both releases" if releases == 2 else f"all {releases:,} releases"


def _error(scenario: Scenario) -> Quantity:
    return reached(ErrorWish(1.0), scenario)


# --- the wishes -------------------------------------------------------------------------------------------------------


def wish_rows(found: Found) -> list[WishRow]:
    """Return a row for each wish."""
    if found.decision is None:
        return []
    rows, scenario = [], found.scenario
    for wish, band in zip(found.wishes, found.decision.bands, strict=True):
        here = reached(wish, scenario)
        levels = "none"
        if band.possible:
            fine = is_narrow(found.decision)
            levels = levels_of(band, fine=fine, beside=scenario.epsilon0).removeprefix("of ")
        promise, met = promise_of(wish, band, scenario), bool(here.value <= wish.number)
        row = (
            promise[0].upper() + promise[1:],
            levels,
            written(here, currency=scenario.currency),
            met,
            worth(wish.worth),
        )
        rows.append(WishRow(*row))
    return rows


# --- what it gives ----------------------------------------------------------------------------------------------------


def odds_sentences(found: Found) -> Markup | None:
    """Return what the icon array shows, in words."""
    if found.odds is None:
        return None
    number = found.odds.releases
    together = f"{_all_of(number)} together point" if number > 1 else "one release points"
    return said(
        f"{together.capitalize()} to a person being in the data in {{odds.if_in}} of cases if they are, and in {{odds.if_out}} if they "
        "are not. That is the average; one outcome can reveal more. The closer the two numbers, the less anyone learns about a "
        "person’s record.",
        odds=found.odds,
    )


def numbers_sentences(found: Found) -> Markup | None:
    """Return what the made-up numbers are, and how far off they come out; of what adds no noise to a number nothing."""
    numbers, scenario = found.numbers, found.scenario
    if scenario.mechanism not in NOISES:
        return None
    if numbers is None:
        return said("The noise is too large to be drawn.")
    size = "" if numbers.weight == 1 else f", each {amount(numbers.weight)}"
    return said(
        "**These numbers are made up**: {number} counts of {rows:,} rows in all{size}{alone}. The range is real: whatever the data, each "
        "is within ±{found.error} of the truth in 95 of 100 releases{shared}.",
        rows=numbers.rows,
        number=len(numbers.exact),
        alone=", each from a release of its own" if scenario.k * scenario.statistics == 1 else "",
        size=size,
        found=numbers,
        shared=f", with ε₀ shared by {scenario.statistics:,} statistics" if scenario.statistics > 1 else "",
    )


def spent_sentences(found: Found) -> Markup:
    """Return what all releases spend, against the wish or the sum of their levels."""
    scenario, spent = found.scenario, found.spent
    if spent is None:
        return said("What all releases spend together cannot be computed for these numbers.")
    wished = wished_total(found.wishes, scenario.delta)
    level = spent.exact.quantity("upper", spent.at).within(math.inf if wished is None else wished)
    added = Quantity(spent.basic[spent.at], "level", PROVEN, "up")
    who = f"{_all_of(scenario.releases)} together are" if scenario.releases > 1 else "the one release is"
    sentence = (
        f"{who.capitalize()} (ε, δ)-differentially private with **ε = {{level}}** at δ = {small(scenario.delta)}."
    )
    has_delta = bool(
        scenario.release.guarantee and scenario.release.guarantee.delta
    )  # which would be shared among the summands
    if not has_delta and added.value > level.value * (1 + 1e-6):
        sentence += " Adding up their levels would give {added}."
    if wished is not None:
        sentence += f" The wish of at most {amount(wished, 4)} is {'met' if level.value <= wished else 'missed'}."
    return said(sentence, level=level, added=added)


def also_sentences(scenario: Scenario, rows: Sequence[tuple[float, float]]) -> Markup:
    """Return what a list of releases at levels of their own spends together."""
    levels, counts = [level for level, _ in rows], [int(count) for _, count in rows]
    if scenario.as_published:
        exact = exact_mixed(levels, counts, delta=scenario.delta)
    else:
        releases = [replace(scenario, epsilon0=level).release for level in levels]
        exact = mixed_of(releases, counts, delta=scenario.delta)
    listed = ", ".join(f"{count:,} at ε₀ = {own_level(level)}" for level, count in zip(levels, counts, strict=True))
    return said(
        "The list of releases on the page Composition ({listed}) spends **ε = {level}** by itself, at δ = {delta}.",
        listed=listed,
        level=exact.quantity("upper"),
        delta=small(scenario.delta),
    )


def money_sentences(found: Found) -> Markup | None:
    """Return what a breach would cost, if the reader asked about money."""
    wish = next((each for each in found.wishes if isinstance(each, MoneyWish)), None)
    if wish is None or found.decision is None:
        return None
    scenario = found.scenario
    full = Quantity(scenario.stakeholders * scenario.compensation, "money", MODEL, "up")
    return said(
        "A breach would cost **{cost}** on average; the wish is at most {wished}. Without any protection it would cost {full}: "
        "{persons} for each of {number:,} people.",
        cost=reached(wish, scenario),
        wished=number_of(wish, scenario.currency),
        full=full,
        currency=scenario.currency,
        persons=money(scenario.compensation, scenario.currency, coins=True),
        number=scenario.stakeholders,
    )


# --- what stands at the end -------------------------------------------------------------------------------------------


def duty_rows(found: Found, ticked: Collection[str]) -> list[tuple[str, str, str, str]]:
    """Return what a reviewer asks: the question, what the scenario says, what that is worth, and whether it is answered."""
    states = {"answered": "answered", "open": "open", "against": "fails"}
    return [
        (
            each.question,
            each.says,
            worth(each.standing) if each.standing else "",
            "yes, says the author" if each.state == "open" and each.key in ticked else states[each.state],
        )
        for each in found.duties
    ]


def scenario_rows(
    scenario: Scenario, *, money: bool, planned: bool = True, without: Sequence[str] = ()
) -> list[tuple[str, str]]:
    """Return the fields of a scenario with their values; those about `money` where it is asked about; `planned` as in `plan`."""
    left_out = (*without, *(() if money else ("compensation", "currency")))
    examples = () if planned else ("releases",)
    return [
        (field.label, _value(getattr(scenario, field.name)) + " (an example)" * (field.name in examples))
        for field in FIELDS
        if field.name not in left_out
    ]


def _value(value: Any) -> str:
    if isinstance(value, Neighbours):
        return {Neighbours.REPLACE_ONE: "replaced by another", Neighbours.ADD_OR_REMOVE: "added or removed"}[value]
    if isinstance(value, str):
        return MECHANISMS[value].name if value in MECHANISMS else value
    return f"{value:,}" if isinstance(value, int) else small(value) if 0 < value < 0.001 else amount(value, 6)


def method(scenario: Scenario) -> list[str]:
    """Return in short how all was computed."""
    neighbours = {
        Neighbours.REPLACE_ONE: "one person’s rows are exchanged for another’s, and the number of persons is public",
        Neighbours.ADD_OR_REMOVE: "one person’s rows are added or removed",
    }[scenario.neighbours]
    return [
        "Definition: a release is (ε, δ)-differentially private if, for every two neighbouring tables and every event, the probabilities "
        "of the event differ by a factor of at most exp(ε), but for δ.",
        f"Neighbours: {neighbours}; one person has at most {scenario.rows_per_person:,} row{'s' * (scenario.rows_per_person > 1)}.",
        f"Mechanism: {MECHANISMS[scenario.mechanism].name}, set to ε₀ = {own_level(scenario.epsilon0)} for each release.",
        "Composition: privacy covers all releases, counted exactly or rounded up; the error is per release.",
        "Each level was checked.",
    ]


def sources(found: Found) -> list[str]:
    """Return where the numbers come from, each once."""
    named = [each.source for each in (found.decision.bands if found.decision else ())]
    named += [each.source for each in (found.odds, found.numbers) if each]
    named += [found.spent.exact.source] if found.spent else []
    others = f"deployments: {deployments.SOURCE}. {deployments.NOTE}"
    return list(dict.fromkeys([*named, *(each.source for each in found.duties), others]))
