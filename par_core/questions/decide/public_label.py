"""A label for people who never heard of ε: who is protected and by how much, how wrong the numbers are, and what is not protected."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Any, Self

from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import Quantity
from par_core.export.sentences import Letters, every
from par_core.figures import public_label as figures
from par_core.parameters import check_choice, check_type, shown
from par_core.plan import Plan, PlanScenario, in_words
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
    More,
    Note,
    Sentence,
    Table,
    Words,
)
from par_core.questions.decide import label_words as words
from par_core.questions.decide.label_facts import LabelFacts, label_facts
from par_core.questions.plan_assumptions import for_errors
from par_core.questions.question import Answer, Ask, Question, anew, must_be_possible
from par_core.rounding import small

PRODUCTS = ("Summary statistics", "Machine learning model", "Dataset", "Synthetic data")
"""What may be published, in the words of the registry of deployments."""
LONGEST = {"name": 80, "publisher": 80, "purpose": 160, "unit": 80, "contact": 120, "description": 400, "region": 60}
"""How many letters each typed text may have: the label has to fit on one sheet."""
LONGEST_NAME = 60
"""How many letters the name of a release may have."""
_ON_LABEL = {
    "name": "a name",
    "publisher": "who publishes it",
    "purpose": "what it is for",
    "unit": "what one row is",
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
    unit: str = ""  # what one row of the data is
    contact: str = ""
    date: str = ""
    description: str = ""  # this and what follows are for the registry alone
    region: str = ""
    product: str = PRODUCTS[0]
    names: tuple[
        str, ...
    ] = ()  # what the publisher calls each release, in their order; an empty one is called by what it is

    def __post_init__(self) -> None:
        must_be_possible(self.scenario)
        for name, longest in LONGEST.items():
            _check_text(name, self.texts[name], longest)
        for each in self.names:
            _check_text("names", each, LONGEST_NAME)
        check_choice("product", self.product, PRODUCTS)
        if check_type("date", self.date, str) and not _is_date(self.date):
            raise ParameterError(f"date must be a day as in 2026-11-28, got {shown(self.date)}")

    @property
    def private(self) -> bool:
        return any(self.names) or any(self.texts[each] for each in LONGEST)

    @property
    def public(self) -> Self:
        nothing: dict[str, Any] = dict.fromkeys(LONGEST, "")
        return replace(self, names=(), **nothing) if self.private else self

    @property
    def dials(self) -> tuple[str, ...]:
        return () if isinstance(self.scenario, PlanScenario) else ("scenario.epsilon0",)

    @property
    def texts(self) -> dict[str, str]:
        """What the publisher says of the publication, by the names of the fields."""
        return {
            "name": self.name,
            "publisher": self.publisher,
            "purpose": self.purpose,
            "unit": self.unit,
            "contact": self.contact,
            "date": self.date,
            "description": self.description,
            "region": self.region,
            "product": self.product,
        }

    def lacks(self, *, registry: bool = False) -> tuple[str, ...]:
        """Return what the label still lacks, or the entry of the registry, in words."""
        wanted = _ON_LABEL | (_IN_ENTRY if registry else {})
        return tuple(said for name, said in wanted.items() if not words.one_line(self.texts[name]))

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> PublicLabelAnswer:
        return PublicLabelAnswer(self, label_facts(self.scenario))


@dataclass(frozen=True)
class PublicLabelAnswer(Answer):
    """The numbers of the label, and what of it is picture, tables and words."""

    question: PublicLabel
    found: LabelFacts

    @property
    def for_others(self) -> Self:
        return replace(self, question=self.question.public)

    @property
    def plan(self) -> Plan:
        """All that is planned."""
        return self.found.plan

    def numbers(self) -> dict[str, Quantity]:
        found = self.found
        known = ((at, found.off(at)) for at in range(len(found.offs)))
        return {"right_of_100_guesses": found.right, "all_releases_together": found.spent} | {
            f"release_{at + 1}_within": off for at, off in known if off is not None
        }

    def story(self) -> Iterator[Block]:
        yield Headline(
            "Of 100 guesses about one person, at most {right} are right; tossing a coin gets 50",
            right=self.found.right,
            term="guesses",
        )
        yield Sentence(
            "That holds after {releases} (ε = {spent} in all), even against somebody who knows everybody else's data.",
            spent=self.found.spent,
            releases=self._releases,
        )
        yield self.picture()
        yield from self._files()
        yield More("label_words", "What the label says", self._words)
        yield from self.assumed()

    @property
    def _releases(self) -> str:
        return every(self.question.scenario.releases, "release", one="this")

    def _words(self) -> Iterator[Block]:
        yield self.facts()
        yield self.releases()
        yield self.not_protected()

    def picture(self) -> Chart:
        """Return 100 guesses as squares: right by chance, right because of what is published, and wrong."""
        alt = "100 squares: 50 guesses are right by chance, {more} more at most because of what is published."
        return Chart(
            "public_guesses",
            partial(figures.guesses, self.found.right.value),
            Words(alt, more=self.found.right.value - 50),
            self.found.odds.source,
            partial(figures.guesses_table, self.found.odds, self.found.right.value),
            caption=f"Each square is a guess after {self._releases}, by somebody who knows everybody else's data and at first "
            "nothing about you.",
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
        begins = "Quite possibly: the protection is weak" if self.found.hides_little else "Not for sure"
        answers = {
            **_typed(before | {"When?" if self.plan.number == 1 else "First published": words.in_days(asked.date)}),
            "What is protected?": _plain(words.protected(self.plan)),
            **_typed({"What is one row?": asked.unit}),
            "Could somebody find out whether I am in the data?": Words(
                f"{begins}. Even somebody who knows everybody else's data, and at first nothing about you, is right in at most "
                "{right} of 100 guesses on average, after {releases}. Tossing a coin gets 50.",
                right=self.found.right,
                releases=self._releases,
                bare=True,
            ),
            "How wrong can the numbers be?": _plain(words.wrong_by(self.plan, self.found.offs)),
            "How are people protected?": _plain(words.how(self.plan)),
            "How strongly, for experts?": Words(
                "Differential privacy with ε = {spent} and δ = {delta}, for {releases} together. A smaller ε protects more.",
                releases=self._releases,
                spent=self.found.spent,
                delta=delta,
                bare=True,
            ),
            "How often is it published?": _plain(words.often(self.plan)),
            **_typed({"Whom do I ask?": asked.contact}),
        }
        return Table({"Question": [*answers], "Answer": [*answers.values()]}, "What everybody asks, and the answers.")

    def releases(self) -> Table:
        """Return what is published, with how far off it is, how often it is made, and what noise it has."""
        plan, number = self.plan, range(len(self.found.offs))
        called = itertools.zip_longest(plan.releases, self.question.names[: len(plan.releases)])
        names = [_capital(words.one_line(name or "") or in_words(each)) for each, name in called]
        if len(names) > 1:  # what has to be assumed names them by their numbers
            names = [f"{at}. {each}" for at, each in enumerate(names, start=1)]
        columns: dict[str, list[Words | str]] = {
            "What is published": [Words("{name}", name=Letters(each)) for each in names],
            "Off by at most, 95 times in 100": [
                words.within(*each) for each in zip(plan.releases, self.found.offs, strict=True)
            ],
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
        if told := for_errors(self.plan):
            yield Note("The errors hold only if {told}.", told=told)
        if self.plan.assumes_as_many:
            yield Note("All this holds if {told}.", told=AS_MANY)

    def _files(self) -> Iterator[Block]:
        lacks, entry_lacks = self.question.lacks(), self.question.lacks(registry=True)
        made: list[Block] = []
        if not lacks:
            hint = "The label in one file, which prints on one sheet of A4 and can be read on a phone. It holds what you typed."
            made.append(File("public_label", "Label", "public_label.html", self.label, hint))
        if not entry_lacks:
            hint = "The same facts as a draft for the OpenDP registry of deployments. It holds what you typed."
            made.append(File("registry_entry", "Registry entry", "deployment.yaml", self.entry, hint))
        if made:
            yield Beside(tuple(made))
        if lacks or entry_lacks:  # one after the other: a label is enough for most
            what, rest = ("label", lacks) if lacks else ("registry entry", entry_lacks)
            yield Missing("To take the {what} with you, type {rest}.", what=what, rest=_listed(rest))

    def label(self) -> str:
        """Return the label as an HTML file; InfeasibleError where a text is missing."""
        self._must_say_all(self.question.lacks())
        from par_core.questions.decide.label_page import label_page  # late: only who takes it needs a template

        return label_page(
            self.question.name,
            headline=self.headline,
            picture=self.picture(),
            facts=self.facts(named=False),
            releases=self.releases(),
            beneath=(self.not_protected(), *self.assumed()),
        )

    def entry(self) -> str:
        """Return the entry of the registry as YAML, a draft; InfeasibleError where a text is missing."""
        self._must_say_all(self.question.lacks(registry=True))
        from par_core.questions.decide.registry_entry import registry_entry  # late, as above

        return registry_entry(self.found, self.question.texts)

    def _must_say_all(self, lacks: tuple[str, ...]) -> None:
        if lacks:
            raise InfeasibleError(f"the label still lacks {_listed(lacks)}")


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
