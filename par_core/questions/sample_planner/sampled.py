"""Figure 7: how far one person's data move a query, sampled from pairs of neighbouring tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from typing import Annotated, Final, Literal, Self

from par_core import sampling
from par_core.errors import InfeasibleError
from par_core.evidence import Quantity, quantity_of
from par_core.export.sentences import counted
from par_core.figures import sample_planner as figures
from par_core.figures.quantities import format_quantity
from par_core.progress import Progress
from par_core.published import coupled
from par_core.questions.blocks import (
    Block,
    Caution,
    Chart,
    Formulas,
    Headline,
    Note,
    Notice,
    Own,
    Sentence,
    Table,
    Take,
    Words,
)
from par_core.questions.question import Answer, Ask, Question, anew
from par_core.questions.sample_planner.both_sources import LEAST_SENSITIVITY, MOST_SENSITIVITY
from par_core.questions.sample_planner.bounded import Rho, Seed
from par_core.questions.sample_planner.formulas import SAMPLED
from par_core.questions.sample_planner.table_sample import TableSample
from par_core.questions.scenario_blocks import only_laplace
from par_core.randomness import seeded
from par_core.rounding import percent
from par_core.sampling import CoveringChoice, FittedPopulation, MeanOf, QuantileOf, SensitivitySample, SumOf, VarianceOf
from par_core.scenario import Scenario

Laws = tuple[tuple[str, str], ...]
"""Columns with the distribution that each is drawn from; the others have the likeliest."""

MOST_SHARE: Final = 0.999999


@dataclass(frozen=True, repr=False)
class SampledPairs(TableSample):
    """How far do sampled pairs of neighbouring tables move a query?"""

    laws: Laws | None = None  # distributions that new rows are drawn from; None: pairs are of rows of the table
    rows: Annotated[int, 1, 10_000_000] = 1_000  # of each data set
    pairs: Annotated[int, 10, 1_000_000] = 15_000
    seed: Seed = 1

    long = "Drawing pairs"
    heavy = True

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> Answer:
        frame, fitted = self.frame, None
        if self.laws is not None:
            if progress:
                progress(0.0)
            fitted = sampling.fit_population(frame[list(self.query.used_columns)], laws=dict(self.laws))
        sample = sampling.sample_sensitivity(
            self.query, fitted or frame, rows=self.rows, pairs=self.pairs, rng=seeded(self.seed), progress=progress
        )
        return SampledPairsAnswer(self, sample, fitted)


@dataclass(frozen=True)
class SampledPairsAnswer(Answer):
    """The sample, and the distributions that its rows were drawn from, if any."""

    question: SampledPairs
    sample: SensitivitySample
    fitted: FittedPopulation | None


@dataclass(frozen=True, repr=False)
class SampledSensitivity(SampledPairs):
    """How far does one person move a query, in a share of all pairs of neighbouring tables?"""

    share: Annotated[float, 0.001, MOST_SHARE] = 0.9  # of pairs to cover
    sure: Annotated[float, 0.5, MOST_SHARE] = 0.9  # with this probability
    rho: Rho = 0.01  # of Theorem 5
    axis: Literal["plain", "log"] = "plain"

    long = ""

    @property
    def public(self) -> Self:
        # Which distributions were chosen names the columns of a file.
        return super().public if self.laws is None or not self.private else replace(super().public, laws=())

    @property
    def given(self) -> Mapping[str, str]:
        fitted = {} if self.laws is None else {"Pairs from": "fitted distributions"}
        return {**super().given, **fitted}

    def needs(self) -> tuple[Question, ...]:
        if self.laws is None and self.rows >= len(self.frame):
            return ()  # a pair takes one row more than each of its tables
        drawn = {each.name: getattr(self, each.name) for each in fields(SampledPairs)}
        return (SampledPairs(**drawn | {"scenario": Scenario(), "unnamed": False}),)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> SampledSensitivityAnswer:
        drawn = [of(each) for each in self.needs()]
        return SampledSensitivityAnswer(self, drawn[0] if drawn else None)


@dataclass(frozen=True)
class SampledSensitivityAnswer(Answer):
    """The sampled sensitivity that covers the share; nothing, where the table has too few rows."""

    question: SampledSensitivity
    drawn: SampledPairsAnswer | None

    @property
    def for_others(self) -> Self:
        return replace(self, question=replace(self.question, unnamed=True))

    @cached_property
    def chosen(self) -> CoveringChoice | InfeasibleError:
        """The smallest sampled value that covers the share as surely as asked, or why there is none."""
        assert self.drawn
        try:
            return self.drawn.sample.for_share(self.question.share, self.question.sure)
        except InfeasibleError as error:
            return error

    @property
    def value(self) -> float:
        """The sensitivity that is marked: the largest, where none covers the share."""
        assert self.drawn
        found = self.chosen
        return found.value if isinstance(found, CoveringChoice) else float(self.drawn.sample.values[-1])

    @property
    def place(self) -> float:
        """The share of the sample that it covers."""
        found = self.chosen
        return found.rank / found.samples if isinstance(found, CoveringChoice) else 1.0

    def numbers(self) -> dict[str, Quantity]:
        if not self.drawn:
            return {}
        sample = self.drawn.sample
        bound = {} if sample.worst_case is None else {"no_pair_exceeds": sample.quantity("worst_case")}
        return {"moves_at_most": sample.as_quantity("values", self.value), **bound}

    def story(self) -> Iterator[Block]:
        asked = self.question
        yield from only_laplace("This page is", asked.scenario)
        if not self.drawn:
            yield from self._too_few_rows()
            return
        sample, fitted = self.drawn.sample, self.drawn.fitted
        yield from self._headline(sample)
        if fitted and fitted.ill_fitting:
            names = ", ".join("one column" if asked.own else each for each in fitted.ill_fitting)
            yield Caution(
                "The distribution of {names} does not fit. The sensitivity is that of the distribution, not of your data. Choose another "
                "one, or draw rows of a table.",
                names=names,
            )
        yield Chart(
            "sampled_sensitivity",
            lambda: figures.sensitivity_cdf(
                sample, share=self.place, confidence=asked.sure, unit=self._unit, log=asked.axis == "log"
            ),
            Words(
                "Share of {sample.pairs:,} sampled pairs up to each sensitivity, with a band of {sure:percent}. Marked: {value} at a share "
                "of {share:percent}.",
                sample=sample,
                sure=asked.sure,
                value=sample.as_quantity("values", sample.quantile(self.place)),
                share=self.place,
            ),
            f"{sample.source}; figure 7",
            table=partial(sampling.sample_table, sample, asked.sure),
            notes={
                "query": asked.query.label,
                "rows per data set": str(asked.rows),
                "pairs": str(asked.pairs),
                "seed": str(asked.seed),
                "drawn from": "rows of the table" if asked.laws is None else "fitted distributions",
                "standing": f"{sample.evidence.basis.value}; {sample.limits}",
            },
        )
        yield from self._which_value()
        if fitted:
            yield from _fit(fitted, asked)
        yield from self._worst_case(sample)
        drawn_from = "the fitted distributions, and it holds for pairs of these only."
        if asked.laws is None:
            rows = counted(len(asked.frame), "row")
            drawn_from = f"the same {rows}: it holds for the pairs of this table, not for other people."
        yield Note(
            f"The pairs are drawn independently from {drawn_from} A sensitivity sampled from private data is private itself: sample public "
            "data of the same kind, or keep the number to yourself."
        )
        yield self._as_published(sample)
        yield Formulas("sampled_sensitivity", SAMPLED)

    def _too_few_rows(self) -> Iterator[Block]:
        """Say what to do where the table is too small for such pairs."""
        most, rows = len(self.question.frame), self.question.rows
        yield Notice(
            f"A pair of neighbours of {counted(rows, 'row')} each needs {rows + 1:,} different rows; the table has {most:,}. Take fewer "
            "rows per data set, or draw new rows from fitted distributions. What is sampled is the sensitivity of a table of that size, "
            "and the smaller a table, the further one person moves it."
        )
        # What is taken goes into the link: half of the reader's own rows does not.
        if most >= 2 and self.question.own is None:
            yield Take(f"Take {counted(most // 2, 'row')} per data set", {"rows": most // 2})

    def _headline(self, sample: SensitivitySample) -> Iterator[Block]:
        asked, found, value = self.question, self.chosen, sample.as_quantity("values", self.value)
        covered, sure = f"in the {sample.pairs:,} sampled pairs", "For"
        if isinstance(found, CoveringChoice):
            covered = Words("in {found.share} of pairs", found=found).told()
            sure = Words("With {found.certainty} certainty for", found=found).told()
        else:
            yield Caution(
                f"Too few pairs for this: even the largest of {sample.pairs:,} covers {{share}} of all pairs with a probability of "
                "{best} only. Draw more, or wish for less. The largest is marked.",
                share=CoveringChoice.as_quantity("share", asked.share),
                best=CoveringChoice.as_quantity("certainty", found.best or 0.0),
                bare=True,
            )
        unit = f" {self._unit}" if self._unit else ""
        yield Headline(
            "One person moves the {label} by at most {value} {covered}",
            label=asked.label,
            value=format_quantity(value) + unit,
            covered=covered,
            term="sampled_sensitivity",
        )
        rare = ": rare pairs can move it further" * (sample.worst_case is None or self.value < sample.worst_case)
        tables = f"{sure} tables of {counted(asked.rows, 'row')}"
        yield Sentence(f"{tables}, but **never a bound**{rare}.", evidence_from=sample, claims=())

    def _which_value(self) -> Iterator[Block]:
        """Say which of the sampled values is marked, and of a regression what it measures."""
        if isinstance(self.chosen, CoveringChoice):
            yield Sentence(
                "Number {chosen.rank:,} of {chosen.samples:,} is marked: the smallest that covers {chosen.share} of all pairs "
                f"{self._drawn_from} with a probability of {{chosen.certainty}}, counted exactly.",
                chosen=self.chosen,
                bare=True,
            )
        if isinstance(self.question.query, sampling.RidgeOf):
            yield Sentence("It is the sum of the changes of all coefficients, for a target from 0 to 1.")

    @property
    def _unit(self) -> str:
        """The unit of the answer in words; "" where none is known, or the answer is a number of rows or of no unit."""
        query = self.question.query
        if not isinstance(query, MeanOf | SumOf | QuantileOf | VarianceOf):
            return ""
        unit = self.question.known.units.get(query.column, "")
        return query.asks.unit(unit) if unit else ""

    @property
    def _drawn_from(self) -> str:
        return "that could be drawn from " + ("this table" if self.question.laws is None else "these distributions")

    def _worst_case(self, sample: SensitivitySample) -> Iterator[Block]:
        """Say which number the noise is to be for: what no pair exceeds, where that is known; and offer to carry the ratio on."""
        if sample.worst_case is None:
            yield Sentence(
                "**Which number for the noise?** No bound is known here that all pairs keep, so there is only the sampled one. Pairs "
                "beyond it are less private than ε₀ by the same factor: a pair twice as far apart has 2·ε₀."
            )
            return
        yield Sentence(
            "**No pair exceeds {sample.worst_case}**. Take this number for the noise: then everybody has ε₀, and nothing has to be "
            "sampled.",
            sample=sample,
        )
        if not all(LEAST_SENSITIVITY <= each <= MOST_SENSITIVITY for each in (self.value, sample.worst_case)):
            return
        if self.question.own is None:
            yield Own("carry_on")
            return
        # The sampled value is one of the reader's own data: it goes into no link.
        yield Sentence(
            "With noise for the sampled one instead, pairs at this bound would be as private as {ratio}·ε₀, not as ε₀. It is not carried "
            "on to “Both sources”, since that would put a number from your table into the link.",
            ratio=format_quantity(quantity_of(coupled.eta_of_bound, sample.worst_case, self.value)),
        )

    def _as_published(self, sample: SensitivitySample) -> Sentence:
        """Say which value the paper's theorem takes for the same share."""
        rho, wanted = self.question.rho, self.question.share
        try:
            found = sample.for_confidence(wanted, rho)
        except InfeasibleError as error:
            return Sentence(
                f"By Theorem 5 with ρ = {rho:g}, {sample.pairs:,} pairs reach an empirical confidence of at most {{best}}; "
                f"{percent(wanted)} is out of reach.",
                best=sampling.PublishedChoice.as_quantity("best", error.best or 0.0),
            )
        return Sentence(
            f"Theorem 5 takes {{found.value}} for an empirical confidence of {percent(wanted)}: the quantile at {{found.confidence2}}, "
            f"with ρ = {rho:g}. Of all pairs {self._drawn_from} it covers at least {{found.mean_coverage}} on average; {{found.wanted}} "
            "with a probability of at least {found.certainty}.",
            found=found,
        )


def _fit(fitted: FittedPopulation, asked: SampledSensitivity) -> Iterator[Block]:
    """Show how well each distribution fits."""
    yield Table(
        {
            "Column": [asked.name_of(each.name) for each in fitted.columns],
            "Distribution": [each.law.value for each in fitted.columns],
            "Distance": [f"{each.distance:.4f}" for each in fitted.columns],
            "By chance": [f"{each.chance:.4f}" for each in fitted.columns],
            "Verdict": [each.verdict for each in fitted.columns],
        },
        alt="How well the fitted distribution of each column fits.",
    )
    several = "The columns are drawn independently of each other: relations between them are lost."
    yield Note(
        "Distance: how far the shares of values below any point differ (Kolmogorov-Smirnov); by chance alone it would stay below the next "
        "number in 95 of 100 tables.",
        evidence_from=fitted,
        then=several * (len(fitted.columns) > 1),
    )
