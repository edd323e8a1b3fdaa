"""The votes of PATE's teachers: what their noisy maxima spend, as *Privacy at Risk* counts it in table 1, and as proven."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal, Self

import pandas as pd

from par_core.composition import VoteComposition, compose_votes
from par_core.cost import CostModel
from par_core.datasets import digit_votes, synthetic_votes
from par_core.evidence import Quantity
from par_core.figures import pate_votes as figures
from par_core.figures.quantities import format_quantity
from par_core.mechanisms.noisy_max import MOST_QUERIES, vote_table
from par_core.parameters import check_integer, check_number
from par_core.progress import Progress
from par_core.published.pate import TABLE_1
from par_core.questions.blocks import Block, Chart, Formulas, Headline, Note, Sentence, Table, Words
from par_core.questions.composition import formulas
from par_core.questions.composition.exact_count import LARGEST_LEVEL, usual_epsilon0
from par_core.questions.question import Answer, Ask, Question, anew
from par_core.questions.scenario_blocks import only_laplace
from par_core.rounding import small
from par_core.scenario import HARDLY_PRIVATE, Scenario
from par_core.tables import table as tables

BuiltIn = Literal["synthetic", "digits"]
LEAST_HOPED = 1e-8
PRINTED_EPSILON0, PRINTED_EPSILON, PRINTED_DELTA, PRINTED_MOMENTS = 0.1, 0.08, 1e-5, 8  # of the paper's table 1
PRINTED_QUERIES = tuple(TABLE_1)
_POINTS, _BENDS = 50, 12  # numbers of queries that are drawn: evenly, and from 1 on by a factor
# Queries that are counted at every stop of a dial, and at every stop of ε₀, which takes longer.
_QUICK, _EXACT_QUICK = 2_000, 100
_ABOUT = {
    "any_votes": "The noisy counts behind each answer, composed: it holds for every table of votes.",
    "these_votes": "From how rarely the class with the most votes loses, in both directions. The number itself gives something of the "
    "votes away: protect it before you publish it.",
    "plain": "Also from these votes, but in one direction only, and rougher. It gives something away too.",
    "at_risk": "A weighted mean of e^ε and e^ε₀ in place of e^ε₀. The paper has no proof of it.",
    "script": "Index slip: one query is counted as often as there are queries. Mean over all choices.",
}


@dataclass(frozen=True, repr=False)
class Votes(Question):
    """What do the noisy votes on many queries spend together, as Privacy at Risk counts it and as proven?"""

    table: BuiltIn = "synthetic"
    queries: int = 1_000  # answered, as far as there are so many in the table
    drawn_epsilon0: float | None = None  # of each query; None: that of the scenario, where it can be counted
    epsilon: float | None = None  # hoped for; None: where the published cost is least, as in the paper
    drawn_delta: float | None = None  # of all together; None: that of the scenario
    moments: int = 8
    own: tables.Table | None = None  # in place of the built-in one: a file of the reader's

    def __post_init__(self) -> None:
        check_integer("queries", self.queries, at_least=1, at_most=MOST_QUERIES)
        check_number("drawn_epsilon0", self.level_of_each, above=0.0)
        check_number("epsilon", self.hoped, above=0.0)
        vote_table(self.votes)  # DataError for what are no votes

    @property
    def given(self) -> Mapping[str, str]:
        return super(Votes, replace(self, drawn_epsilon0=self.level_of_each, epsilon=self.hoped)).given

    @property
    def unread(self) -> tuple[str, ...]:
        return ("epsilon0", "k", "sensitivity", "rows_per_person", "statistics", "releases", "neighbours")

    @property
    def private(self) -> bool:
        return self.own is not None

    @property
    def public(self) -> Self:
        return replace(self, own=None)

    @property
    def votes(self) -> pd.DataFrame:
        """A row for each query, a column for each class."""
        return _built_in(self.table) if self.own is None else self.own.frame

    @property
    def level_of_each(self) -> float:
        """The level of each query."""
        return usual_epsilon0(self.scenario) if self.drawn_epsilon0 is None else self.drawn_epsilon0

    @property
    def hoped(self) -> float:
        """The level hoped for."""
        return cheapest_epsilon(self.scenario) if self.epsilon is None else self.epsilon

    @property
    def delta_of_all(self) -> float:
        """The δ of all queries together."""
        return self.scenario.delta if self.drawn_delta is None else self.drawn_delta

    @property
    def as_printed(self) -> bool:
        """Whether all but the number of queries is as in the paper's table 1."""
        levels = (self.level_of_each, self.hoped, self.delta_of_all, self.moments)
        printed = (PRINTED_EPSILON0, PRINTED_EPSILON, PRINTED_DELTA, PRINTED_MOMENTS)
        return self.table == "synthetic" and not self.private and levels == printed

    @property
    def dials(self) -> tuple[str, ...]:
        rows = len(self.votes)
        if rows > _QUICK:
            return ()
        return ("epsilon", *["drawn_epsilon0", "scenario.epsilon0"] * (min(self.queries, rows) <= _EXACT_QUICK))

    def apart_from(self, path: str) -> str:
        # The code of a table of the reader's own does not tell it from another one like it.
        return super().apart_from(path) + (self.own.digest if self.own else "")

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> VotesAnswer:
        count = compose_votes(
            self.votes,
            self.level_of_each,
            delta=self.delta_of_all,
            epsilon=self.hoped,
            moments=self.moments,
            numbers=_places(min(self.queries, len(self.votes))),
        )
        return VotesAnswer(self, count)


@dataclass(frozen=True)
class VotesAnswer(Answer):
    """What the queries spend by each count, after some of them and after all."""

    question: Votes
    count: VoteComposition

    def numbers(self) -> dict[str, Quantity]:
        return {name: self.count.quantity(name, -1) for name in _ABOUT}

    def story(self) -> Iterator[Block]:
        asked, count = self.question, self.count
        number = int(count.numbers[-1])
        many, spend = (f"{number:,} noisy votes", "spend") if number > 1 else ("1 noisy vote", "spends")
        yield Headline(
            f"{many} with {{count.epsilon0:level0}} {spend} at most ε = {{count.any_votes[-1]}}; the paper’s count: {{count.at_risk[-1]}}",
            count=count,
            claims=(count.quantity("at_risk", -1).claim,),
            bare=True,
        )
        yield Sentence(
            "That holds whatever the votes, at δ\u00a0=\u00a0{delta}; these votes alone spend at most ε = {count.these_votes[-1]}.",
            delta=small(count.delta),
            count=count,
            term="data_dependent",
        )
        yield Chart(
            "votes_spent",
            lambda: figures.votes(count),
            Words(
                "Privacy spent against the number of queries. After {number:,}: any votes {count.any_votes[-1]}, these votes alone "
                "{count.these_votes[-1]}; PATE’s bound {count.plain[-1]}, with PaR {count.at_risk[-1]}, by the script {count.script[-1]}.",
                number=number,
                count=count,
            ),
            count.source,
        )
        yield Sentence(
            "Teachers are models, each trained on other people’s data. All vote on each query, and the class with the most votes after "
            "noise is published (PATE). PaR is Privacy at Risk."
        )
        yield self._table()
        yield from self._claim()
        if asked.queries > len(asked.votes):
            yield Note(f"There are {len(asked.votes):,} queries in this table: all of them are counted.")
        yield from only_laplace("Votes are counted here", asked.scenario)
        yield Formulas("votes", formulas.VOTES)

    def _table(self) -> Table:
        told = self.numbers()
        names = [Words("**{name}**", name=figures.NAMES[name], evidence_from=each) for name, each in told.items()]
        columns: dict[str, Sequence[Words | str]] = {
            "Count": names,
            "ε": [*map(format_quantity, told.values())],
            "What it is": [*_ABOUT.values()],
        }
        return Table(columns, "Privacy spent by all queries that are counted, by each count.")

    def _claim(self) -> Iterator[Block]:
        """Say what became of the claim."""
        asked, count = self.question, self.count
        if count.any_votes[-1] > HARDLY_PRIVATE:
            yield Sentence(
                "Anyone planning without the votes must use the first number. At such an ε next to nothing is protected: lower ε₀, or "
                "answer fewer queries."
            )
        if count.epsilon >= count.epsilon0:
            yield Sentence("Choose ε below ε₀ to see what the paper takes off PATE’s bound.")
        elif count.at_risk[-1] < count.these_votes[-1]:
            yield Sentence("**The claim is below everything that is proven for these votes**: it is no guarantee.")
        else:
            yield Sentence(
                "Here the claim is not below what is proven for these votes. That is luck: PATE’s bound is loose there, and nothing proves "
                "what privacy at risk takes off it."
            )
        number = int(count.numbers[-1])
        if asked.as_printed and number in TABLE_1:
            plain, at_risk = TABLE_1[number]
            yield Sentence(
                f"Table 1 prints {plain} without privacy at risk, quoted from PATE, and {at_risk} with it, from votes that were not "
                "published."
            )


@lru_cache(maxsize=256)  # a page asks for it wherever it stands
def cheapest_epsilon(scenario: Scenario) -> float:
    """Return the level hoped for, unless another one is asked for: where the published cost is least, as in the paper."""
    found = float(f"{CostModel(1.0).optimum(scenario.epsilon0, truth='published').epsilon:.4g}")
    return found if LEAST_HOPED <= found <= LARGEST_LEVEL else cheapest_epsilon(Scenario())


@cache
def _built_in(name: BuiltIn) -> pd.DataFrame:
    return (digit_votes if name == "digits" else synthetic_votes)().table


def _places(queries: int) -> list[int]:
    """Return the numbers of queries that are drawn: all of a few, else evenly spread ones, and more at the start, where curves bend."""
    if queries <= _POINTS:
        return list(range(1, queries + 1))
    even = (round(queries * each / _POINTS) for each in range(1, _POINTS + 1))
    return sorted({*even, *(round(queries ** (each / _BENDS)) for each in range(_BENDS))})
