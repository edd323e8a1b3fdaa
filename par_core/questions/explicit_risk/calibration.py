"""Of ε₀, ε and the confidence two give the third: in truth, and by the paper's formula."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from par_core.errors import InfeasibleError
from par_core.evidence import Quantity
from par_core.figures import explicit_risk as figures
from par_core.figures.drawing import Drawing
from par_core.mechanisms import ExactCalibration, calibrate_exactly, default_noise
from par_core.parameters import check_choice, check_number
from par_core.progress import Progress
from par_core.published import explicit
from par_core.questions.blocks import Block, Chart, Formulas, Headline, Sentence, Words
from par_core.questions.explicit_risk.claimed_and_true import THEOREM_4
from par_core.questions.explicit_risk.formulas import CALIBRATION
from par_core.questions.question import Answer, Ask, Question, anew
from par_core.questions.scenario_blocks import only_laplace, release_script, use_epsilon0
from par_core.risk import explicit_curves

Find = Literal["epsilon0", "epsilon", "confidence"]
WORDS: dict[str, str] = {"epsilon0": "ε₀", "epsilon": "ε", "confidence": "confidence"}
_TRUE = {
    "epsilon0": "It takes ε₀ = {true.epsilon0}",
    "epsilon": "The noise gives ε = {true.epsilon}",
    "confidence": "{true.epsilon:level} holds in {true.confidence} of releases",
}
_CLAIMED = {
    "epsilon0": "ε₀ = {found.epsilon0} would do, each number off by {found.error0} on average",
    "epsilon": "ε = {found.epsilon} would hold in {found.confidence} of releases",
    "confidence": "{found.confidence} of releases would be that private",
}


@dataclass(frozen=True, repr=False)
class Calibrated(Question):
    """Which ε₀, ε or confidence do the other two give?"""

    find: Find = "epsilon0"
    epsilon: float = 0.4  # not asked where it is to be found
    confidence: float = 0.6  # not asked where it is to be found

    def __post_init__(self) -> None:
        check_choice("find", self.find, WORDS)
        check_number("epsilon", self.epsilon, above=0.0)
        check_number("confidence", self.confidence, above=0.0, at_most=1.0)

    @property
    def unread(self) -> tuple[str, ...]:
        return (self.find,)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> CalibratedAnswer:
        scenario = self.scenario
        given = {"epsilon": self.epsilon, "wanted": self.confidence, "epsilon0": scenario.epsilon0}
        del given["wanted" if self.find == "confidence" else self.find]
        unit = scenario.noise_scale * scenario.epsilon0
        true = calibrate_exactly(**given, sensitivity=unit)
        try:
            return CalibratedAnswer(self, true, explicit.calibrate(**given, k=scenario.k, sensitivity=unit))
        except InfeasibleError as error:
            return CalibratedAnswer(self, true, None, error.best or 1.0)


@dataclass(frozen=True)
class CalibratedAnswer(Answer):
    """What truly gives the wish, what the paper's formula finds, and where it finds nothing the most confidence that it gives."""

    question: Calibrated
    true: ExactCalibration
    claimed: explicit.Calibration | None
    best: float = 1.0

    def numbers(self) -> dict[str, Quantity]:
        found = {self.question.find: self.true.quantity(self.question.find), "error": self.true.quantity("error0")}
        if self.claimed:
            found |= {"published": self.claimed.quantity(self.question.find)}
        return found

    def story(self) -> Iterator[Block]:
        asked, true = self.question, self.true
        yield Headline(_TRUE[asked.find], true=true)
        who = "every release" if self._always else "{true.confidence} of releases, at worst"
        noise = f"With noise for ε₀ = {{true.epsilon0}} the privacy loss stays within ε = {{true.epsilon}} in {who}"
        yield Sentence(f"{noise}, each number off by {{true.error0}} on average.", true=true, bare=True)
        yield Chart(
            "calibration",
            self._drawn,
            Words(
                "Published and exact confidence in ε = {true.epsilon} against ε₀; in truth {true.confidence} at ε₀ = {true.epsilon0}.",
                true=true,
            ),
            explicit_curves.ConfidenceCurves.evidence.source,
        )
        yield from self._beyond()
        yield from self._claimed()
        yield from release_script(asked.scenario)
        yield from only_laplace("This section is", asked.scenario)
        yield Formulas("calibrate", CALIBRATION)

    @property
    def _always(self) -> bool:
        return bool(self.true.epsilon >= self.true.epsilon0)

    def _beyond(self) -> Iterator[Block]:
        """Say that none but ε₀ = ε gives the wish, or what holds besides, and offer the ε₀."""
        asked, true = self.question, self.true
        if not self._always:
            yield Sentence("Only ε₀ always holds.")
        elif true.confidence > asked.confidence and asked.find != "confidence":
            other = "larger ε₀" if asked.find == "epsilon0" else "smaller ε"
            words = f"No {other} gives {{wanted:percent}}: the confidence stays below {{true.below}}."
            yield Sentence(words, true=true, wanted=asked.confidence, bare=True)
        if asked.find == "epsilon0":
            yield from use_epsilon0(true.quantity("epsilon0"), asked.scenario)

    def _claimed(self) -> Iterator[Block]:
        found = self.claimed
        if found is None:
            yield Sentence(
                "**By the paper's formula** every ε₀ would do: it gives all of them more than {best}. In truth the confidence falls to 0 "
                "as ε₀ grows.",
                best=explicit.Calibration.as_quantity("best", self.best),
                evidence_from=default_noise(1.0),
                claims=(THEOREM_4,),
            )
        elif found.epsilon >= found.epsilon0:
            yield Sentence("The paper's formula says the same.")
        else:
            yield Sentence(
                f"**By the paper's formula** {_CLAIMED[self.question.find]}. In truth the loss stays within {{found.epsilon:level}} in at "
                "worst {found.exact_confidence} of releases, not {found.confidence:percent}.",
                found=found,
                claims=(THEOREM_4,),
            )

    def _drawn(self) -> Drawing:
        asked, true = self.question, self.true
        on_chart = self.claimed if asked.find != "epsilon" else None  # it is about another ε than the chart
        upto = 2 * max(true.epsilon0, on_chart.epsilon0 if on_chart else 0.0)
        curves = explicit_curves.confidence_against_epsilon0(true.epsilon, asked.scenario.k, upto=upto)
        wanted = None if asked.find == "confidence" else asked.confidence
        return figures.calibration(curves, true=true, claimed=on_chart, wanted=wanted)
