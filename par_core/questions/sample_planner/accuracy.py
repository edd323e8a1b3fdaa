"""Figure 6: the error of a regression with noise, beside the confidence in its level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Literal, Self

from par_core.evidence import Quantity, quantity_of
from par_core.export.sentences import level, level0
from par_core.figures import sample_planner as figures
from par_core.figures.drawing import Drawing
from par_core.mechanisms import default_noise
from par_core.progress import Progress, portion
from par_core.published import explicit
from par_core.questions.blocks import Block, Caution, Chart, Formulas, Headline, Missing, Note, Sentence, Words
from par_core.questions.question import Answer, Ask, Question, anew
from par_core.questions.sample_planner.bounded import Seed
from par_core.questions.sample_planner.formulas import ACCURACY
from par_core.questions.sample_planner.table_sample import PRESETS, REGRESSION, TableSample
from par_core.questions.scenario_blocks import only_laplace
from par_core.randomness import seeded
from par_core.regression import RidgeUtility, utility
from par_core.risk import explicit_curves
from par_core.rounding import amount
from par_core.sampling import RidgeOf
from par_core.scenario import Scenario

Level = Annotated[float, 1e-4, 100.0]
_LOWEST, _HIGHEST, _POINTS = 0.1, 0.99, 50  # the levels of figure 6
_FIRST_LEVEL = 1.0  # of the runs: those that are shown follow from them without a fit
_HARDLY = 0.98  # of the error of guessing: from here on a regression says next to nothing


@dataclass(frozen=True, repr=False)
class RegressionRuns(TableSample):
    """How far off is a regression with noise, in runs? No level belongs to them: the error at any follows from the runs."""

    query: RidgeOf = REGRESSION
    runs: Annotated[int, 2, 2_000] = 50
    seed: Seed = 1
    noise: Literal["proven", "published"] = "proven"  # for which sensitivity

    long = "Fitting"
    heavy = True

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> Answer:
        tell = portion(progress)
        tell(0.0)
        problem = self.query.prepare(self.frame)
        tell(0.01)
        found = utility(
            problem,
            [_FIRST_LEVEL],
            penalty=self.query.penalty,
            runs=self.runs,
            rng=seeded(self.seed),
            sensitivity=self.noise,
            progress=portion(tell, 0.01),
        )
        return RegressionRunsAnswer(self, found)


@dataclass(frozen=True)
class RegressionRunsAnswer(Answer):
    """The runs."""

    question: RegressionRuns
    found: RidgeUtility


@dataclass(frozen=True, repr=False)
class RegressionError(RegressionRuns):
    """How far off is a regression with noise, beside the confidence in its level?"""

    epsilon: Level = 0.4  # hoped for
    noise_epsilon0: Level = 0.8  # of the noise
    epsilon0s: tuple[Level, ...] = (0.6, 0.8, 1.0)  # whose confidence is drawn

    long = ""

    @property
    def given(self) -> Mapping[str, str]:
        return {**super().given, "Noise for": f"the {self.noise} sensitivity"}

    @property
    def levels(self) -> tuple[float, ...]:
        """The levels of figure 6 and the reader's own, rising."""
        own = (self.epsilon, self.noise_epsilon0, *self.epsilon0s)
        highest = max(own)
        last = (
            _HIGHEST if highest <= 1 else highest
        )  # an ε₀ of 1 is a point more and leaves those of the figure in place
        even = (_LOWEST + (last - _LOWEST) * at / (_POINTS - 1) for at in range(_POINTS))
        return tuple(sorted({*even, *own}))

    def needs(self) -> tuple[Question, ...]:
        runs = self.runs, self.seed, self.noise
        return (RegressionRuns(Scenario(), self.query, self.table, self.own, self.drop, False, *runs),)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> RegressionErrorAnswer:
        (runs,) = self.needs()
        return RegressionErrorAnswer(self, of(runs).found.at(self.levels))


@dataclass(frozen=True)
class RegressionErrorAnswer(Answer):
    """The error at every level that is drawn."""

    question: RegressionError
    found: RidgeUtility

    @property
    def for_others(self) -> Self:
        return replace(self, question=replace(self.question, unnamed=True))

    def error(self, epsilon: float) -> float:
        """Return the mean error with noise for one of the levels."""
        return float(self.found.mean_in_unit[self.question.levels.index(epsilon)])

    @property
    def with_noise(self) -> float:
        """The mean error at the reader's ε₀."""
        return self.error(self.question.noise_epsilon0)

    @cached_property
    def curves(self) -> tuple[explicit_curves.RiskCurve, ...]:
        """The confidence, for each ε₀."""
        upto = float(self.found.epsilons[-1])
        return explicit_curves.by_epsilon0(self.question.epsilon0s, self.question.query.k, upto=upto)

    def numbers(self) -> dict[str, Quantity]:
        found = self.found
        errors = {
            "off_by": self.with_noise,
            "off_by_without_noise": found.non_private_mean_in_unit,
            "off_by_guessing": found.guess_mean_in_unit,
        }
        return {name: Quantity(error, "number", found.evidence) for name, error in errors.items()}

    def story(self) -> Iterator[Block]:
        asked, found = self.question, self.found
        yield from only_laplace("This page is", asked.scenario)
        yield from self._headline()
        if not asked.epsilon0s:
            yield Missing("Add at least one ε₀ to see its confidence.")
            yield from self._about_the_error()
            return
        yield Chart(
            "accuracy_of_regression",
            self._drawn,
            Words(
                "Left axis: confidence in ε for ε₀ = {levels}, as published and exact. Right axis: error of the regression with noise for "
                "ε, mean of {runs} runs with one standard deviation; at ε₀ = {own:g} it is {error}, without noise {without}.",
                levels=", ".join(f"{each:g}" for each in asked.epsilon0s),
                runs=found.runs,
                own=asked.noise_epsilon0,
                error=amount(self.with_noise),
                without=amount(found.non_private_mean_in_unit),
            ),
            f"{found.source}; confidence: {self.curves[0].source}",
            table=lambda: figures.utility_table(self._drawn()),
            notes={
                "runs": str(found.runs),
                "seed": str(asked.seed),
                "penalty": f"{found.penalty:g}",
                "L1 sensitivity of the coefficients": f"{found.sensitivity:.6g} ({found.sensitivity_choice})",
                "proven L1 sensitivity": f"{found.proven_sensitivity:.6g}",
                "rows fitted and tested": f"{found.rows_fitted} and {found.rows_tested}",
                "standing": f"{found.evidence.basis.value}; {found.limits}",
            },
        )
        yield from self._about_the_error()
        yield from self._about_the_noise()
        yield Formulas("accuracy_of_regression", ACCURACY)

    @property
    def _unit(self) -> str:
        return self.question.known.units.get(self.question.query.target, "")

    def _drawn(self) -> Drawing:
        asked = self.question
        # It names no column of an upload, and shows none of its markup.
        column = "what is predicted" if asked.own else asked.query.target
        unit = f"unit: {self._unit}" if self._unit else f"unit of {column}"
        own = explicit_curves.risk_at(asked.epsilon, asked.noise_epsilon0, k=asked.query.k)
        return figures.utility_figure(self.found, self.curves, unit=unit, own=own)

    def _headline(self) -> Iterator[Block]:
        """Say how far off the regression is, and whether that is better than a guess."""
        asked, found, guess = self.question, self.found, self.found.guess_mean_in_unit
        yield Headline(
            f"With noise for {level0(asked.noise_epsilon0)} the regression is off by {amount(self.with_noise)}, without noise by "
            f"{amount(found.non_private_mean_in_unit)}",
            term="rmse",
        )
        useless = self.with_noise > guess
        yield Sentence(
            "{guessing} off by {guess}, in {unit}.",
            guessing="That is **no better than guessing** the same for everybody,"
            if useless
            else "Guessing the same for everybody is",
            guess=amount(guess),
            unit=self._unit or f"the unit of {asked.name_of(asked.query.target)}",
            evidence_from=found,
            claims=(),
        )
        if not found.is_enough:
            yield Caution(
                "The noise is too small: not a valid guarantee. The published sensitivity is below the proven one: nothing shows that "
                "this noise gives ε₀. Choose the noise for the proven sensitivity."
            )

    def _about_the_error(self) -> Iterator[Block]:
        asked, found = self.question, self.found
        larger = asked.epsilon < asked.noise_epsilon0
        stronger = f"With noise for {level(asked.epsilon)} the regression would be off by {amount(self.error(asked.epsilon))}. "
        yield Sentence(
            f"{stronger * larger}All errors are means of {found.runs:,} runs, each with its own split and noise, on rows that were not "
            "fitted.",
            evidence_from=found,
            claims=(),
        )
        if found.non_private_mean_in_unit > _HARDLY * found.guess_mean_in_unit:
            yield Sentence(
                "Even without noise it hardly beats guessing: the paper’s scaling keeps only the proportions of a row. Try an intercept "
                "and a smaller λ."
            )
        if larger:
            yield Sentence(
                "**What the larger ε₀ costs:** as private as {epsilon:level} in {held} of releases at worst; the paper claims {claimed}.",
                epsilon=asked.epsilon,
                claimed=quantity_of(explicit.confidence, asked.epsilon, asked.noise_epsilon0, k=asked.query.k),
                held=quantity_of(default_noise(asked.noise_epsilon0).loss_within, asked.epsilon),
            )
        if asked.own is None:
            yield Note(PRESETS[asked.table].stands_for)

    def _about_the_noise(self) -> Iterator[Block]:
        found, k = self.found, self.question.query.k
        moved = f"the {k} coefficients" if k > 1 else "the coefficient"
        start = f"Replacing one of {found.rows_fitted:,} rows moves {moved} by at most {{moves}}{' in all' * (k > 1)}"
        about = "for a target from 0 to 1 and rows of length 1."
        if found.sensitivity_choice == "proven":
            yield Sentence(f"{start}, {about}", moves=found.quantity("proven_sensitivity"))
        else:
            goes_with = "It goes with a penalty that grows with the rows, as here; the" if found.is_enough else "The"
            yield Sentence(
                f"{start}, by the formula of the published script; the proven bound is {{found.proven_sensitivity}}, {about} {goes_with} "
                "script itself fits with a penalty that does not grow: there one income can move a coefficient by 0.99 where 0.344 was "
                "used. It also gave the intercept no noise: its figure is not ε-private.",
                moves=found.as_quantity("published_sensitivity", found.sensitivity),
                found=found,
            )
        yield Note(
            "The intercept is one of the coefficients: it is scaled, bounded and noised like the others."
            if self.question.query.intercept
            else "Without an intercept: nothing is released in its place."
        )
