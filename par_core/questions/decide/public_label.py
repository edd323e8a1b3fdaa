"""A label for people who never heard of ε: who is protected and by how much, how wrong the numbers are, and what is not protected."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, partial
from typing import Any, Self

from par_core.decision import Odds, Total, odds, total
from par_core.errors import ParameterError
from par_core.evidence import MODEL, Quantity
from par_core.export.sentences import Letters
from par_core.figures import public_label as figures
from par_core.parameters import check_choice, check_type, shown
from par_core.plan import Plan, PlanScenario, PlanTotals, in_words
from par_core.progress import Progress
from par_core.queries.sensitivity import AS_MANY
from par_core.questions.blocks import (
    Beside,
    Block,
    Chart,
    File,
    Headline,
    Listed,
    Missing,
    Note,
    Sentence,
    Table,
    Words,
)
from par_core.questions.decide import label_words as words
from par_core.questions.plan_assumptions import assumed
from par_core.questions.question import Answer, Ask, Question, anew, must_be_possible
from par_core.rounding import small
from par_core.scenario import HARDLY_PRIVATE

PRODUCTS = ("Summary statistics", "Machine learning model", "Dataset", "Synthetic data")
"""What may be published, in the words of the registry of deployments."""
LONGEST = {"name": 80, "publisher": 80, "purpose": 160, "contact": 120, "description": 400, "region": 60}
"""How many letters each typed text may have: the label has to fit on one sheet."""
_ON_LABEL = {
    "name": "a name",
    "publisher": "who publishes it",
    "purpose": "what it is for",
    "contact": "a contact",
    "date": "a date",
}
_IN_ENTRY = {"description": "a description", "region": "a region"}


@dataclass(frozen=True, repr=False)
class PublicLabel(Question):
    """What does everybody have to know of what is published: who is protected, how wrong the numbers are, whom to ask?

    The texts are typed by whoever publishes, and have at most as many letters as `LONGEST` says; what is empty is not told. `date` is that
    of the publication, as in 2026-11-28. ParameterError for what is too long, for control characters, and for what is no date.
    """

    name: str = ""
    publisher: str = ""
    purpose: str = ""
    contact: str = ""
    date: str = ""
    description: str = ""  # this and what follows are for the registry alone
    region: str = ""
    product: str = PRODUCTS[0]

    def __post_init__(self) -> None:
        must_be_possible(self.scenario)
        for name, longest in LONGEST.items():
            _check_text(name, getattr(self, name), longest)
        check_choice("product", self.product, PRODUCTS)
        if check_type("date", self.date, str) and not _is_date(self.date):
            raise ParameterError(f"date must be a day as in 2026-11-28, got {shown(self.date)}")

    @property
    def private(self) -> bool:
        return any(getattr(self, each) for each in LONGEST)

    @property
    def public(self) -> Self:
        nothing: dict[str, Any] = dict.fromkeys(LONGEST, "")
        return replace(self, **nothing) if self.private else self

    @property
    def dials(self) -> tuple[str, ...]:
        return () if isinstance(self.scenario, PlanScenario) else ("scenario.epsilon0",)

    @property
    def plan(self) -> Plan:
        """All that is planned; of a scenario its one release, as often as it is made."""
        return PlanScenario.whichever(self.scenario).whole

    def lacks(self, *, registry: bool = False) -> tuple[str, ...]:
        """Return what the label still lacks, or the entry of the registry, in words."""
        wanted = _ON_LABEL | (_IN_ENTRY if registry else {})
        return tuple(said for name, said in wanted.items() if not words.one_line(getattr(self, name)))

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> PublicLabelAnswer:
        plan = self.plan
        offs = tuple(words.far_off(plan, at) for at in range(len(plan.releases)))
        return PublicLabelAnswer(self, odds(self.scenario, releases=self.scenario.releases), total(self.scenario), offs)


@dataclass(frozen=True)
class PublicLabelAnswer(Answer):
    """What guesses about one person come to after all releases, what these spend, and how far off each number is, as far as known."""

    question: PublicLabel
    odds: Odds
    total: Total
    offs: tuple[float | None, ...]

    @cached_property
    def plan(self) -> Plan:
        """All that is planned."""
        return self.question.plan

    @property
    def for_others(self) -> Self:
        return replace(self, question=self.question.public)

    @property
    def right(self) -> Quantity:
        """How many of 100 guesses about one person are right at most, 50 to 100, rounded up: they start from even odds."""
        share = self._if_assumed(self.odds.quantity("if_in"))
        return replace(share, value=math.ceil(100 * share.value), kind="count")

    @property
    def spent(self) -> Quantity:
        """The ε of all releases together at the scenario's δ, rounded up."""
        return self._if_assumed(self.total.quantity("epsilon"))

    def off(self, at: int) -> Quantity | None:
        """Return how far off each number of the release at a place is at most in 95 of 100, in its unit; None where nobody can say."""
        off = self.offs[at]
        return None if off is None else self._if_assumed(PlanTotals.as_quantity("errors", off))

    @property
    def hides_little(self) -> bool:
        """Whether all releases together hardly hide anybody."""
        return self.total.epsilon > HARDLY_PRIVATE or self.right.value == 100

    def _if_assumed(self, found: Quantity) -> Quantity:
        if not self.plan.assumes_as_many or found.evidence is None:
            return found
        source = f"{found.evidence.source}; only if {AS_MANY}"
        return replace(found, evidence=replace(found.evidence, basis=MODEL, source=source))

    def numbers(self) -> dict[str, Quantity]:
        known = ((at, self.off(at)) for at in range(len(self.offs)))
        return {
            "right_of_100_guesses": self.right,
            "share_of_right_guesses": self._if_assumed(self.odds.quantity("if_in")),
            "all_releases_together": self.spent,
        } | {f"release_{at + 1}_within": off for at, off in known if off is not None}

    def story(self) -> Iterator[Block]:
        yield Headline(
            "Of 100 guesses about one person, at most {right} are right; a coin gets 50",
            right=self.right,
            term="guesses",
        )
        many = self.question.scenario.releases
        yield Sentence(
            "So it is {after}, even for somebody who knows everybody else's data.",
            after={1: "after this release", 2: "after both releases"}.get(many, f"after all {many:,} releases"),
        )
        yield self.picture()
        yield from self._files()
        yield self.facts()
        yield self.releases()
        yield self.not_protected()
        yield from self.assumed()

    def picture(self) -> Chart:
        """Return 100 guesses as squares: right by chance, right because of what is published, and wrong."""
        alt = "100 squares: 50 guesses are right by chance, {more} more at most because of what is published."
        return Chart(
            "public_guesses",
            partial(figures.guesses, self.right.value),
            Words(alt, more=self.right.value - 50),
            self.odds.source,
            partial(figures.guesses_table, self.odds, self.right.value),
            caption="Each square is a guess. Nobody guesses better, whatever they know of everybody else.",
            height=60,
        )

    def facts(self, *, named: bool = True) -> Table:
        """Return the questions that everybody asks, with their answers; what nobody has typed is left out, and without `named` the name."""
        asked, delta = self.question, small(self.question.scenario.delta)
        before = {
            "What is published?": asked.name * named,
            "What is it for?": asked.purpose,
            "Who publishes it?": asked.publisher,
        }
        begins = "Quite possibly, as the noise hides little" if self.hides_little else "Not for sure"
        answers = {
            **_typed(before | {"When?": words.in_days(asked.date)}),
            "What is protected?": _plain(words.protected(self.plan)),
            "Could somebody find out whether I am in the data?": Words(
                f"{begins}: somebody who knows everybody else's data, and had no idea about you, is right in at most {{right}} of 100 "
                "guesses. A coin gets 50.",
                right=self.right,
                bare=True,
            ),
            "How wrong can the numbers be?": _plain(words.wrong_by(self.offs)),
            "How are people protected?": _plain(words.how(self.plan)),
            "How strongly, for experts?": Words(
                "Differential privacy with ε = {spent} at δ = {delta}, for everything together.",
                spent=self.spent,
                delta=delta,
                bare=True,
            ),
            "How often is it published?": _plain(words.often(self.plan)),
            **_typed({"Whom do I ask?": asked.contact}),
        }
        return Table({"Question": [*answers], "Answer": [*answers.values()]}, "What everybody asks, and the answers.")

    def releases(self) -> Table:
        """Return what is published, with how far off it is, how often it is made, and what noise it has."""
        plan, number = self.plan, range(len(self.offs))
        names = [_capital(in_words(each)) for each in plan.releases]
        if len(names) > 1:  # what has to be assumed names them by their numbers
            names = [Letters(f"{at}. {each}") for at, each in enumerate(names, start=1)]
        columns: dict[str, list[Words | str]] = {
            "What is published": [Words("{name}", name=each) for each in names],
            "Off by at most, 95 times in 100": [words.within(each) for each in self.offs],
            "How often": [words.times(each.times) for each in plan.releases],
            "Protected by": [words.noise_of(plan, at) for at in number],
        }
        if words.caps_differ(plan):
            columns["Of one person at most"] = [words.cap_of(each) for each in plan.releases]
        return Table(columns, "Each release, how far off its numbers are, how often it is made, and its noise.")

    def not_protected(self) -> Listed:
        """Return what the label does not promise."""
        return Listed(_plain("**What is not protected?**"), tuple(map(_plain, words.not_protected(self.plan))))

    def assumed(self) -> Iterator[Note]:
        """Yield what has to be true for the numbers to hold, if anything."""
        if told := assumed(self.plan):
            yield Note("All this holds if {told}.", told=told)

    def _files(self) -> Iterator[Block]:
        lacks, entry_lacks = self.question.lacks(), self.question.lacks(registry=True)
        made: list[Block] = []
        if not lacks:
            hint = "The label in one file, which prints on one sheet of A4 and can be read on a phone. It holds what you typed."
            made.append(File("public_label", "Label", "public_label.html", self._label, hint))
        if not entry_lacks:
            hint = "The same facts as a draft for the OpenDP registry of deployments. It holds what you typed."
            made.append(File("registry_entry", "Registry entry", "deployment.yaml", self._entry, hint))
        if made:
            yield Beside(tuple(made))
        if entry_lacks:
            what = "the registry entry" if made else "the label and the registry entry"
            yield Missing("To take {what} with you, type {lacks}.", what=what, lacks=_listed(entry_lacks))

    def _label(self) -> str:
        from par_core.questions.decide.label_page import label_page  # late: only who takes it needs a template

        return label_page(self)

    def _entry(self) -> str:
        from par_core.questions.decide.registry_entry import registry_entry  # late, as above

        return registry_entry(self)


def _plain(text: str) -> Words:
    return Words(text, bare=True)


def _typed(texts: Mapping[str, str]) -> dict[str, Words]:
    """Return what was typed under what it is called, letter by letter; without what is empty."""
    lines = {name: words.one_line(text) for name, text in texts.items()}
    return {name: Words("{text}", text=Letters(line)) for name, line in lines.items() if line}


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _listed(parts: tuple[str, ...]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def _check_text(name: str, value: Any, longest: int) -> None:
    """Raise ParameterError for what is no text that people can read; what was typed is not quoted."""
    text = check_type(name, value, str)
    if len(text) > longest:
        raise ParameterError(f"{name} must have at most {longest} letters, got {len(text)}")
    if any(unicodedata.category(each) in ("Cc", "Cs") and each not in "\t\n\r" for each in text):
        raise ParameterError(f"{name} must be text without control characters")


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
