"""Scenarios side by side: what a change does to the budget."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

from par_core import cost, rounding
from par_core.errors import ParameterError
from par_core.evidence import Quantity
from par_core.figures.compared_budgets import Compared, compared, compared_table, ranked
from par_core.figures.money import brief_money
from par_core.figures.quantities import format_quantity
from par_core.progress import Progress
from par_core.questions.blocks import Block, Caution, Chart, Headline, Note, Sentence, Table, Words
from par_core.questions.budget_minimiser.breach import CLAIM, NAMES, NOT_EXPECTED, Breach, in_one_line, sources
from par_core.questions.question import Answer, Ask, anew
from par_core.questions.scenario_blocks import only_laplace
from par_core.rounding import amount
from par_core.scenario import FIELDS
from par_core.scenario import exact_text as in_full

LETTERS = "ABCD"
_FIELDS = {each.name: each.label for each in FIELDS} | {each.name: NAMES[each.name] for each in fields(Breach)[1:]}
_ROWS = (
    "Average error",
    "At ε₀ alone",
    "Least, claimed",
    "Saving, claimed",
    "Least, true",
    "Saving, true",
    "All planned releases",
)


@dataclass(frozen=True, repr=False)
class ComparedBudgets(Breach):
    """What does a breach cost in the scenario, and in others that were kept?"""

    kept: tuple[Breach, ...] = ()

    def __post_init__(self) -> None:
        usable, wrong = self.compared
        if not usable:
            raise ParameterError(wrong[0])

    @property
    def unread(self) -> tuple[str, ...]:
        return ("neighbours", "delta", *self.unused)

    @property
    def own(self) -> Breach:
        """The scenario with its cost of a breach, without the others."""
        return Breach(**{each.name: getattr(self, each.name) for each in fields(Breach)})

    @property
    def compared(self) -> tuple[dict[str, Breach], list[str]]:
        """What is compared, by its names, and why others are left out: their numbers contradict each other."""
        usable, wrong = dict(zip(LETTERS, self.kept, strict=False)), list[str]()
        if self.own not in self.kept:
            usable["Present"] = self.own
        for name, each in [*usable.items()]:
            try:
                each.model  # noqa: B018  # asked for the sake of its error
            except ParameterError as error:
                wrong.append(f"{name} is left out: {error}.")
                del usable[name]
        return usable, wrong

    @property
    def given(self) -> dict[str, str]:
        return {f"{name}: a breach costs": each.in_words for name, each in self.compared[0].items()}

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> ComparedBudgetsAnswer:
        usable, wrong = self.compared
        found = []
        for name, each in usable.items():
            level, k, currency = each.scenario.epsilon0, each.scenario.k, each.scenario.currency
            found.append(
                Compared(name, currency, *(cost.optimum(each.model, level, k=k, truth=truth) for truth in cost.TRUTHS))
            )
        return ComparedBudgetsAnswer(self, usable, tuple(wrong), tuple(found))


@dataclass(frozen=True)
class ComparedBudgetsAnswer(Answer):
    """The scenarios with their optima, by name, and why others are left out."""

    question: ComparedBudgets
    compared: dict[str, Breach]
    wrong: tuple[str, ...]
    found: tuple[Compared, ...]

    def numbers(self) -> dict[str, Quantity]:
        return {
            f"{each.name}_{told}_{truth}": found.quantity(name)
            for each in self.found
            for truth, found in (("as_published", each.published), ("in_truth", each.exact))
            for told, name in (("least", "budget"), ("saving", "saving"), ("share_saved", "share_saved"))
            # Amounts are told in the currency of the scenario.
            if name == "share_saved" or each.currency == self.question.scenario.currency
        }

    def story(self) -> Iterator[Block]:
        yield from only_laplace("This section is", self.question.scenario)
        yield from map(Caution, self.wrong)
        yield from self._headline()
        budgets = (
            f"{each.name} {_told(each, 'budget', exact=False)} as published, {_told(each, 'budget')} in truth"
            for each in self.found
        )
        yield Chart(
            "compared_scenarios",
            lambda: compared(self.found),
            Words(f"Least budget of each scenario: {'; '.join(budgets)}."),
            sources(self.found[0].published, self.found[0].exact),
            table=partial(compared_table, self.found, [*map(_inputs, self.compared.values())]),
            notes={f"limits, {each.name}": each.exact.limits for each in self.found},
        )
        yield self._table()
        yield Note(
            "Amounts are not converted. The least is an average over releases; the amount at ε₀ alone is enough after any one release, "
            "the last row after all planned ones."
        )
        yield NOT_EXPECTED
        for name, each in self.compared.items():
            yield from (Caution(f"{name}: {said}") for said in (*each.doubts(), *each.next_to_nothing))

    def _headline(self) -> Iterator[Block]:
        if len(self.found) == 1:
            first = "Change something" if self.question.kept else "Keep this scenario, change something"
            yield Headline(f"{first}, and see both side by side")
            return
        if len({each.currency for each in self.found}) > 1:
            yield Headline("The scenarios use different currencies: compare the shares saved")
            return
        rank, currency = ranked(self.found), self.found[0].currency
        *others, last = (each.name for each in rank.least)
        names = f"{', '.join(others)} and {last}" if others else last
        need, same = "need" if others else "needs", len(rank.least) == len(self.found)
        low, high = rank.low.name, rank.high.name
        yield Headline(
            f"{names} {need} the {'same' if same else 'least'} in truth: {_told(rank.low, 'budget')} on average"
        )
        claim = f"{high} and {low} need the same"
        if gap := rank.published_gap:
            claim = f"{high} needs {brief_money(abs(gap), currency)} {'more' if gap > 0 else 'less'} than {low}"
        worth = replace(rank.low.published.quantity("budget"), holds=gap == rank.gap)
        truly: dict[str, Any] = (
            {} if same else {"more": Quantity(rank.gap, "money", rank.high.exact.evidence), "currency": currency}
        )
        words = f"On average {high} needs {{more}} more than {low}. " * (not same)
        yield Sentence(
            f"{words}The published formula says that {claim}.", evidence_from=worth, claims=(CLAIM,), **truly
        )

    def _table(self) -> Table:
        asked = self.compared.values()
        differing = [
            name for name in _FIELDS if name != "epsilon0" and len({_written(each, name) for each in asked}) > 1
        ]
        labels = ["ε₀", "A breach costs", *(_FIELDS[name] for name in differing), *_ROWS]
        columns = {each.name: self._column(each, differing) for each in self.found}
        return Table({"Scenario": labels, **columns}, "The scenarios side by side.")

    def _column(self, each: Compared, differing: list[str]) -> list[str]:
        own = self.compared[each.name]
        cells = [amount(own.scenario.epsilon0, 4), own.in_words, *map(own.cell, differing)]
        cells += [rounding.error(own.scenario.noise_scale), _told(each, "baseline")]
        for exact in (False, True):
            cells.append(f"{_told(each, 'budget', exact=exact)} at ε\u00a0=\u00a0{_told(each, 'epsilon', exact=exact)}")
            cells.append(f"{_told(each, 'saving', exact=exact)} ({_told(each, 'share_saved', exact=exact)})")
        planned = format_quantity(own.together.quantity("money"), currency=each.currency)
        return [*cells, f"{planned} of the full {own.full} ({own.together.releases:,})"]


def _told(each: Compared, name: str, *, exact: bool = True) -> str:
    return format_quantity((each.exact if exact else each.published).quantity(name), currency=each.currency)


def _written(each: Breach, name: str) -> str:
    value = getattr(each if name in NAMES else each.scenario, name)
    return in_full(value) if isinstance(value, float) else in_one_line(int(value) if isinstance(value, bool) else value)


def _inputs(each: Breach) -> dict[str, object]:
    inputs: dict[str, object] = {label: _written(each, name) for name, label in _FIELDS.items()}
    return {**inputs, "budget after all planned releases": each.together.money}
