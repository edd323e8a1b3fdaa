"""Loss by loss: what the privacy losses of many releases of one mechanism add up to."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from par_core.figures import lab_loss_walk as figures
from par_core.lab import loss_walk as lab
from par_core.progress import Progress
from par_core.questions.blocks import Block, Formula, Formulas, Note, Sentence
from par_core.questions.mechanism_lab.lab_question import SEED, NoiseQuestion, Range, ToyAnswer
from par_core.questions.question import Ask, anew

FORMULAS = (
    Formula(
        "Mean of the losses of n releases, and the level that few of them exceed",
        r"E\left[\sum_i L_i\right] = n\,D_{\mathrm{KL}}(P\,\|\,Q),\qquad"
        r" \ell_n = \min\left\{\ell : P\left(\sum_i L_i > \ell\right) \le 5\,\%\right\}",
        lab.LossWalk,
        "law of the sum of n independent losses",
        "Worst-case neighbours in every release. Each loss is rounded up before the law of the sum is computed.",
    ),
    Formula(
        "What δ counts of the losses beyond ε",
        r"\delta(\varepsilon) = E\left[\max\left(1 - e^{\varepsilon - \sum_i L_i},\,0\right)\right] \le"
        r" P\left(\sum_i L_i > \varepsilon\right)",
        lab.LossWalk,
        "privacy profile, or hockey-stick divergence",
        "",
    ),
)


@dataclass(frozen=True, repr=False)
class LossByLoss(NoiseQuestion):
    """What do the losses of many releases add up to?"""

    releases: int = 30
    seed: int = 1

    ranges: ClassVar = {"releases": Range("Releases, n", 1, lab.MOST_RELEASES), "seed": SEED}
    moved_by = "releases", "epsilon"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> LossByLossAnswer:
        found = lab.walk(self.kind, self.level, self.releases, delta=self.aim, seed=self.seed)
        return LossByLossAnswer(self, found)


class LossByLossAnswer(ToyAnswer[LossByLoss, lab.LossWalk]):
    """The walks, where they go on average, and how far few of them go."""

    told: ClassVar = {
        "at_most_5_percent_lose_more_than": "level",
        "mean_loss": "mean",
        "epsilon_at_delta_5_percent": "epsilon",
    }

    def story(self) -> Iterator[Block]:
        found = self.found
        releases = f"{found.releases} release{'s' * (found.releases > 1)}"
        end = "ends" if found.above == 1 else "end"
        yield self.titled(
            f"After {releases} {{found.above:d}} of 50 walks {end} above {{found.level}}; at most 5\u00a0% are expected to"
        )
        yield Sentence("Each walk adds up the privacy losses of one series of releases.", evidence_from=found)
        yield self.pictured(
            "loss_walk",
            partial(figures.walks, found),
            f"Sum of the privacy losses against the number of releases, 50 walks. The expected sum after {releases} is {{found.mean}}; "
            "at most 5 % of all walks end above {found.level}.",
        )
        if found.drift >= 1e-4:  # less is not seen
            yield self.said(
                "**They drift and scatter.** A release loses {found.drift} on average, the Kullback–Leibler divergence; all together "
                "{found.mean}. Around it what one release loses another wins back, so that the scatter grows only with √n."
            )
        if math.isfinite(found.largest):
            yield self.said(
                "**Basic composition** charges the full ε for every release, {found.largest} in all. No walk ever loses more."
            )
        else:
            yield Sentence("**No largest loss:** Gaussian noise can lose any amount, so no line lies above all walks.")
        if found.epsilon > 0.0:
            yield self.said(
                "**δ is not this 5\u00a0%.** At δ\u00a0=\u00a05\u00a0% the releases have ε\u00a0=\u00a0{found.epsilon}, "
                "and up to {found.beyond} of walks end above that: a loss that is little above ε hardly counts for δ.",
                term="delta",
            )
        yield Note("The curve holds for where a walk ends. More than 5\u00a0% may be above it somewhere on their way.")
        yield Formulas("loss_walk", FORMULAS)
