"""Figures 1a and 1b of *Privacy at Risk*: how often one release loses more than ε, by dimension and by level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from par_core.evidence import Quantity
from par_core.figures import explicit_risk as figures
from par_core.figures import style
from par_core.figures.drawing import Drawing
from par_core.parameters import check_choice, check_integer, check_number
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Formulas, Missing, Note, Sentence, Words
from par_core.questions.explicit_risk.claimed_and_true import claimed_and_true, why_they_differ
from par_core.questions.explicit_risk.formulas import RISK
from par_core.questions.question import Answer, Ask, Question, anew, levels_around, must_be_published
from par_core.risk import explicit_curves
from par_core.scenario import Scenario


def usual_ks(scenario: Scenario) -> tuple[int, ...]:
    """Return the dimensions that are drawn unless others are asked for."""
    return tuple(sorted({1, 2, 3, scenario.k}))


@dataclass(frozen=True, repr=False)
class _RiskCurves(Question):
    epsilon: float = 0.4
    axis: Literal["risk", "confidence"] = "risk"
    paper_only: bool = False

    by: ClassVar[Literal["k", "epsilon0"]]
    key: ClassVar[str]
    where: ClassVar[str]  # in the paper
    none: ClassVar[str]
    lesson: ClassVar[str]

    def __post_init__(self) -> None:
        must_be_published(self.scenario)
        check_number("epsilon", self.epsilon, above=0.0)
        check_choice("axis", self.axis, ("risk", "confidence"))

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> RiskCurvesAnswer:
        own = explicit_curves.risk_at(self.epsilon, self.scenario.epsilon0, k=self.scenario.k)
        return RiskCurvesAnswer(self, own)

    def curves(self) -> tuple[explicit_curves.RiskCurve, ...]:
        """Return what is drawn; nothing, where the reader has taken every curve away."""
        raise NotImplementedError


@dataclass(frozen=True, repr=False)
class RiskByDimension(_RiskCurves):
    r"""Figure 1a: how often one release loses more than ε, as published and in truth, for answers of k numbers.

    >>> from par_core.scenario import Scenario
    >>> RiskByDimension(Scenario(epsilon0=1.0), ks=(1, 2)).answer().headline.replace("\u00a0", " ")
    'Privacy loss exceeds ε = 0.4 in 87.8 % of releases at worst; the paper claims 47.8 %'
    """

    ks: tuple[int, ...] | None = None  # None: 1, 2, 3 and that of the scenario
    drawn_epsilon0: float | None = None  # None: that of the scenario

    by = "k"
    key = "risk_by_dimension"
    where = "Figure 1a"
    none = "Add at least one dimension to see its curve."
    lesson = (
        "The published risk rises with k. The exact one does not: in the worst case one number takes the whole change."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for k in self.drawn_ks:
            check_integer("ks", k, at_least=1)

    @property
    def drawn_ks(self) -> tuple[int, ...]:
        """The dimensions that have a curve."""
        return usual_ks(self.scenario) if self.ks is None else self.ks

    def curves(self) -> tuple[explicit_curves.RiskCurve, ...]:
        epsilon0 = self.scenario.epsilon0 if self.drawn_epsilon0 is None else self.drawn_epsilon0
        return explicit_curves.by_dimension(self.drawn_ks, epsilon0) if self.drawn_ks else ()


@dataclass(frozen=True, repr=False)
class RiskByLevel(_RiskCurves):
    """Figure 1b: how often one release loses more than ε, as published and in truth, for noise of several levels."""

    epsilon0s: tuple[float, ...] | None = None  # None: that of the scenario, its half and its double
    drawn_k: int | None = None  # None: that of the scenario

    by = "epsilon0"
    key = "risk_by_epsilon0"
    where = "Figure 1b"
    none = "Add at least one level ε₀ to see its curve."
    lesson = "Below its ε₀ every published curve claims less risk than there is: none is a guarantee."

    def __post_init__(self) -> None:
        super().__post_init__()
        for level in self.drawn_epsilon0s:
            check_number("epsilon0s", level, above=0.0)

    @property
    def drawn_epsilon0s(self) -> tuple[float, ...]:
        """The levels that have a curve."""
        return levels_around(self.scenario.epsilon0) if self.epsilon0s is None else self.epsilon0s

    def curves(self) -> tuple[explicit_curves.RiskCurve, ...]:
        k = self.scenario.k if self.drawn_k is None else self.drawn_k
        return explicit_curves.by_epsilon0(self.drawn_epsilon0s, k) if self.drawn_epsilon0s else ()


@dataclass(frozen=True)
class RiskCurvesAnswer(Answer):
    """The published and the exact risk at the reader's setting (`own`), and as curves."""

    question: _RiskCurves
    own: explicit_curves.RiskAt

    @cached_property
    def curves(self) -> tuple[explicit_curves.RiskCurve, ...]:
        """What is drawn."""
        return self.question.curves()

    def numbers(self) -> dict[str, Quantity]:
        return {"exact_risk": self.own.quantity("exact_risk"), "published_risk": self.own.quantity("risk")}

    def story(self) -> Iterator[Block]:
        asked, own, curves = self.question, self.own, self.curves
        yield from claimed_and_true(own)
        if not curves:
            yield Missing(asked.none)
            return
        yield Chart(
            asked.key,
            self._drawn,
            Words(
                "Privacy level against published {axis}, curves: {curves}. At ε = {own.epsilon:g} and ε₀ = {own.epsilon0:g} the published "
                "risk is {own.risk}, the exact one in the worst case {own.exact_risk}.",
                axis=asked.axis,
                curves=len(curves),
                own=own,
            ),
            f"{asked.where} of Privacy at Risk; {curves[0].source}; exact: {curves[0].exact_source}",
        )
        if not asked.paper_only and not any((each.epsilon0, each.k) == (own.epsilon0, own.k) for each in curves):
            yield Note(
                "The diamonds are for your {own.epsilon0:level0} and k\u00a0=\u00a0{own.k:,}, which have no curve here.",
                own=own,
            )
        yield from why_they_differ(own)
        yield Sentence(asked.lesson)
        yield Formulas(asked.key, RISK)

    def _drawn(self) -> Drawing:
        asked = self.question
        drawing = figures.risk_curves(self.curves, by=asked.by, axis=asked.axis, own=self.own)
        return style.as_printed(drawing) if asked.paper_only else drawing
