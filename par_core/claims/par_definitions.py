"""Privacy at Risk, sections 2 and 3 without composition: definitions, approximate privacy, mixing, post-processing."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from par_core.claims import dials
from par_core.claims.catalogue import Claim, Compare, Dial, Paper, Recomputed, worst
from par_core.mechanisms import Laplace
from par_core.published import definitions, explicit
from par_core.risk import relaxations

_LEVELS0 = (0.1, 0.5, 1.0, 2.5, 5.0)
_RARE = 0.05  # share of ones in a table whose rows are nearly all zero
_RARELY_DIFFER = 2 * _RARE * (1 - _RARE)  # how often two such rows differ; where they agree the loss is 0
_PER_PAIR = "For each fixed pair of neighbours, as in the proof, with its own true risk. Definition 5 averages over pairs from the data."

_Floats = NDArray[np.float64]


def _events() -> Recomputed:
    """Outputs above and below a cut: no other events tell two neighbours further apart."""
    levels0 = np.array(_LEVELS0)[:, np.newaxis]
    found = relaxations.thresholded_loss(levels0, levels0, threshold=np.linspace(-4.0, 5.0, 37))
    losses = np.abs([found.loss_above, found.loss_below]) / levels0
    return Recomputed(exact=losses.max(), case="ε0 from 0.1 to 5, outputs above and outputs below each of 37 cuts")


def _larger_level() -> Recomputed:
    levels0 = np.array(_LEVELS0)[:, np.newaxis]
    deltas = Laplace(levels0).delta(levels0 * np.array([1.001, 1.5, 10.0]))
    return Recomputed(exact=deltas.max(), case="Laplace noise, ε0 from 0.1 to 5, at 1.001, 1.5 and 10 times ε0")


def _every_set(epsilon0: float, epsilon: float) -> Recomputed:
    """All outputs above both answers as one set: with two rows that differ its loss is never another than ε0."""
    loss = relaxations.thresholded_loss(epsilon, epsilon0, threshold=1.0).loss_above
    return Recomputed(
        recomputed=explicit.risk(epsilon, epsilon0),
        exact=0.5 * float(abs(loss) > epsilon),  # two fair coins differ half of the time
        case=f"count of rows that are fair coins, ε0 = {epsilon0:g}, ε = {epsilon:g}; Z = all outputs above both exact answers",
    )


def _no_risk_from_epsilon0() -> Recomputed:
    levels0 = np.array(_LEVELS0)[:, np.newaxis]
    levels = levels0 * np.array([1.0, 1.001, 1.5, 10.0])
    return Recomputed(
        recomputed=explicit.risk(levels, levels0).max(),
        exact=Laplace(levels0).loss_exceeds(levels).max(),
        case="ε0 from 0.1 to 5, ε from ε0 to 10·ε0",
    )


def _loss_within_epsilon0() -> Recomputed:
    responses = [1.0 - float(relaxations.mixture_exceeds(level0, [level0], shares=[1.0])) for level0 in _LEVELS0]
    cases = [f"{noise}, ε0 = {level0:g}" for noise in ("Laplace noise", "randomised response") for level0 in _LEVELS0]
    return worst("equal to", [Laplace(_LEVELS0).loss_within(_LEVELS0), responses], 1.0, cases.__getitem__)


def _weaker_delta() -> Recomputed:
    """A mechanism with tight (epsilon, delta), asked for a smaller epsilon: Laplace noise, for which all are known."""
    level0, share, target = np.array(list(product((0.1, 0.5, 1.0, 2.5), (0.5, 0.9, 1.0), (0.1, 0.5, 0.9)))).T
    level, smaller = level0 * share, level0 * (target * share)
    return worst(
        "at most",
        Laplace(level0).delta(smaller),
        definitions.relaxed_delta(level, Laplace(level0).delta(level), to=smaller),
        lambda i: f"Laplace noise, ε0 = {level0[i]:g}, from ε = {level[i]:.3g} to ε' = {smaller[i]:.3g}",
    )


def _grid_of_levels() -> tuple[_Floats, _Floats]:
    levels0 = np.repeat(_LEVELS0, 19)
    return levels0 * np.tile(np.linspace(0.05, 0.95, 19), len(_LEVELS0)), levels0


def _theorem_2_per_pair() -> Recomputed:
    level, level0 = _grid_of_levels()
    found = relaxations.approximate_delta(level, level0)
    return worst(
        "at most",
        found.exact,
        found.sound,
        lambda i: f"Laplace noise, ε0 = {level0[i]:g}, ε = {level[i]:.3g}, neighbours that differ",
    )


def _theorem_2_averaged() -> Recomputed:
    return Recomputed(
        recomputed=_RARELY_DIFFER * Laplace(1.0).loss_exceeds(0.5),
        exact=Laplace(1.0).delta(0.5),
        case=f"count of rows that are 1 with probability {_RARE:g}, ε0 = 1, ε = 0.5: risk averaged, δ of a pair that differs",
    )


def _delta_and_risk() -> Recomputed:
    noise = Laplace(1.0)
    return Recomputed(recomputed=noise.delta(0.5), exact=noise.loss_exceeds(0.5), case="Laplace noise, ε0 = 1, ε = 0.5")


def _theorem_2_fed(level0: float, level: float) -> Recomputed:
    found = relaxations.approximate_delta(level, level0)
    return Recomputed(recomputed=found.published, exact=found.exact, case=f"ε0 = {level0:g}, ε = {level:g}, k = 1")


def _mixture(first: float, second: float) -> Recomputed:
    claimed = definitions.mixed_risk(first, second, share=0.5)
    used = f"randomised response at {first:g} or, with probability ½, at {second:g} (on answers of its own)"
    return Recomputed(
        recomputed=1.0 - claimed.risk,
        exact=1.0 - relaxations.mixture_exceeds(claimed.epsilon, [first, second], shares=[0.5, 0.5]),
        case=f"{used}; ε' = {claimed.epsilon:g}",
    )


def _threshold(level0: float, level: float) -> Recomputed:
    found = relaxations.thresholded_loss(level, level0)
    told = f"told is only whether the output is above ½: the loss is always ±{abs(found.loss_above):.3f}"
    return Recomputed(
        recomputed=found.exceeds_before,
        exact=found.exceeds_after,
        case=f"Laplace noise, ε0 = {level0:g}, ε = {level:g}; {told}",
    )


def _lemma_3_per_pair() -> Recomputed:
    level, level0 = _grid_of_levels()
    cuts = np.array([-1.0, 0.0, 0.3, 0.5, 1.0, 2.0])[:, np.newaxis]
    found = relaxations.thresholded_loss(level, level0, threshold=cuts)

    def case(i: int) -> str:
        cut, pair = divmod(i, level.size)
        return f"ε0 = {level0[pair]:g}, ε = {level[pair]:.3g}, released is only whether the output is above {cuts[cut, 0]:g}"

    return worst("at most", found.delta_after, found.exceeds_before, case)


def _lemma_3_averaged() -> Recomputed:
    found = relaxations.thresholded_loss(0.5, 1.0)
    return Recomputed(
        recomputed=_RARELY_DIFFER * found.exceeds_before,
        exact=found.delta_after,
        case=f"rows are 1 with probability {_RARE:g}, ε0 = 1, ε = 0.5, told is only whether the output is above ½; risk averaged, exact δ",
    )


_claim_2 = partial(Claim, section="2 Background")
_claim_3 = partial(Claim, section="3 Privacy at risk")
_claim_3_1 = partial(Claim, section="3.1 Composition")
_claim_3_2 = partial(Claim, section="3.2 Convexity and post-processing")

CLAIMS: Final[tuple[Claim, ...]] = (
    _claim_2(
        id="par-theorem-1",
        where="Theorem 1 (both preprints: Theorem 5)",
        statement="Laplace noise of scale sensitivity/ε0 is ε0-differentially private.",
        quantity="largest |ln(P(event | x)/P(event | y))|, in units of ε0",
        published="ε0-differentially private",
        holds_if=Compare("exact", "at most", 1.0),
        recompute=_events,
        rests_on=("risk.relaxations.thresholded_loss",),
        more="worse",
        explanation="The ratio of two shifted Laplace densities, and so of any event, is at most e^ε0, which it reaches in the tails.",
    ),
    _claim_2(
        id="par-weaker-level",
        where="section 2, after Definition 1 (both preprints: the same)",
        statement="What is ε-differentially private is so for every larger level too.",
        quantity="smallest δ at the larger level",
        published="also ε'-differentially private for any ε' > ε",
        holds_if=Compare("exact", "equal to", 0.0),
        recompute=_larger_level,
        rests_on=("mechanisms.Laplace.delta",),
        more="worse",
        explanation="A larger factor e^ε' only weakens what is asked for.",
    ),
    _claim_3(
        id="par-definition-5-every-set",
        where="Theorem 4 with Definition 5, equation 1 (preprint: Theorem 10, Definition 6; first preprint: Theorem 12, Definition 6)",
        statement="The risk of Theorem 4 holds, as Definition 5 asks, for every set Z of outputs.",
        quantity="P(|ln(P(M(x) ∈ Z)/P(M(y) ∈ Z))| > ε), over neighbours drawn from fair coins",
        published="for all Z ⊆ Range(M)",
        recompute=_every_set,
        dials=(dials.level0(1.0), dials.level(0.5, holds_at=1.0)),
        rests_on=("risk.relaxations.thresholded_loss", "published.explicit.risk"),
        more="worse",
        explanation="Once Z is fixed the noise plays no part any more: the loss of Z is one number for each pair, and of a set in the tail"
        " it is ±ε0. The proofs take for Z the one output that is drawn, of which the definition says nothing.",
    ),
    _claim_3(
        id="par-definition-5-no-risk",
        where="Definition 5, text after it; Corollary 3, second line (both preprints: Definition 6)",
        statement="From ε0 on, the privacy at risk is 0.",
        quantity="P(|loss| > ε) for ε ≥ ε0",
        published=0.0,
        holds_if=Compare("exact", "equal to", "published"),
        recompute=_no_risk_from_epsilon0,
        rests_on=("mechanisms.Laplace.loss_exceeds", "published.explicit.risk"),
        more="worse",
        explanation="The loss of an ε0-differentially private mechanism never leaves ±ε0.",
    ),
    _claim_3(
        id="par-footnote-2",
        where="footnote 2",
        statement="An (ε, δ)-differentially private mechanism is also (ε', δ')-differentially private for a smaller ε'.",
        quantity="δ' that the mechanism needs at ε' (recomputed: what the footnote allows)",
        published="δ' = e^ε − e^ε' + δ",
        recompute=_weaker_delta,
        rests_on=("published.definitions.relaxed_delta", "mechanisms.Laplace.delta"),
        more="worse",
        explanation="e^ε·p ≤ e^ε'·p + (e^ε − e^ε') for every probability p. Loose: Laplace noise needs only 1 − e^(−(ε0 − ε')/2).",
    ),
    _claim_3(
        id="par-theorem-2",
        where="Theorem 2, proof in appendix A",
        statement="A mechanism with privacy at risk (ε, γ) is (ε, γ)-approximately differentially private.",
        quantity="smallest δ at ε (recomputed: the true risk)",
        published="(ε, γ)",
        recompute=_theorem_2_per_pair,
        rests_on=("risk.relaxations.approximate_delta", "mechanisms.Laplace.loss_exceeds", "mechanisms.Laplace.delta"),
        convention=_PER_PAIR,
        as_printed=_theorem_2_averaged,
        more="worse",
        explanation="For one pair losses above ε have probability at most γ, the rest keeps ε. An averaged risk may be too small.",
    ),
    _claim_3(
        id="par-theorem-2-with-theorem-4",
        where="Theorem 2 with Theorem 4's risk (preprint: Theorem 10; first preprint: Theorem 12)",
        statement="Laplace noise is (ε, γ)-approximately differentially private with γ the risk of Theorem 4.",
        quantity="smallest δ at ε (recomputed: Theorem 4's risk)",
        published="δ = 1 − P(T ≤ ε)/P(T ≤ ε0)",
        recompute=_theorem_2_fed,
        dials=(dials.level0(2.5, holds_at=1.0), dials.level(2.0, holds_at=0.5)),
        rests_on=("risk.relaxations.approximate_delta",),
        more="worse",
        explanation="A sound theorem fed with a false number. For one number it happens to hold up to ε0 = ln 3.",
    ),
    _claim_3(
        id="par-footnote-3",
        where="footnote 3 and the paragraph before Theorem 2",
        statement="The converse of Theorem 2 is not true: δ does not bound the probability of a larger loss.",
        quantity="P(|loss| > ε) (recomputed: smallest δ at ε)",
        published="the converse is not true",
        holds_if=Compare("exact", "above", "recomputed"),
        recompute=_delta_and_risk,
        rests_on=("mechanisms.Laplace.loss_exceeds", "mechanisms.Laplace.delta"),
        more="worse",
        explanation="δ counts only by how much the loss passes ε; the probability counts that it does.",
    ),
    _claim_3_1(
        id="par-lemma-1",
        where="Lemma 1 (both preprints: Lemma 8)",
        statement="The privacy loss of an ε0-differentially private mechanism stays within ±ε0.",
        quantity="P(|loss| ≤ ε0)",
        published=1.0,
        holds_if=Compare("exact", "equal to", "published"),
        recompute=_loss_within_epsilon0,
        rests_on=("mechanisms.Laplace.loss_within", "risk.relaxations.mixture_exceeds"),
        more="better",
        explanation="Differential privacy, applied to the outputs with a loss above ε0: they can only have probability 0.",
    ),
    _claim_3_2(
        id="par-lemma-2",
        where="Lemma 2 (first preprint: Lemma 10)",
        statement="A mixture of two mechanisms holds the averaged level with the averaged confidence.",
        quantity="P(|loss| ≤ ε') of the mixture",
        published="risk 1 − pγ1 − (1−p)γ2 at ε' = (pγ1ε1 + (1−p)γ2ε2)/(pγ1 + (1−p)γ2)",
        holds_if=Compare("exact", "at least", "recomputed"),
        recompute=_mixture,
        dials=(Dial("ε of the one", 0.1, 0.01, 5.0, holds_at=1.0), Dial("ε of the other", 1.0, 0.01, 5.0)),
        rests_on=("risk.relaxations.mixture_exceeds", "published.definitions.mixed_risk"),
        more="better",
        explanation="The proof averages the bounds on the two losses. A release has one of them, half of the time above the average.",
    ),
    _claim_3_2(
        id="par-corollary-2",
        where="Corollary 2",
        statement="Privacy at risk does not survive every processing of the output.",
        quantity="P(|loss| > ε) after processing (recomputed: before)",
        published="does not satisfy the post-processing property",
        holds_if=Compare("exact", "above", "recomputed"),
        recompute=partial(_threshold, level0=1.0, level=0.8),
        rests_on=("risk.relaxations.thresholded_loss",),
        more="worse",
        explanation="A threshold is enough: it merges outputs of small and of large loss, and all of them end up above ε.",
    ),
    _claim_3_2(
        id="par-first-preprint-lemma-11",
        paper=Paper.FIRST_PREPRINT,
        where="Lemma 11, withdrawn (the final paper's Corollary 2 states the opposite)",
        statement="Privacy at risk of a differentially private mechanism survives processing of the output.",
        quantity="P(|loss| > ε) after processing (recomputed: before)",
        published="satisfies the post-processing property",
        recompute=_threshold,
        dials=(dials.level0(1.0), dials.level(0.8, holds_at=0.9)),
        rests_on=("risk.relaxations.thresholded_loss",),
        more="worse",
        explanation="The authors have withdrawn it: the preprint that followed leaves it out, and Corollary 2 of the final paper states the"
        " opposite. Only the bound ε0 survives. The risk of Laplace noise, which is as the lemma asks, rises to 1 behind a threshold.",
    ),
    _claim_3_2(
        id="par-lemma-3",
        where="Lemma 3",
        statement="After any processing, privacy at risk (ε, γ) leaves (ε, γ)-approximate differential privacy.",
        quantity="smallest δ at ε after processing (recomputed: the true risk before)",
        published="(ε, γ)",
        recompute=_lemma_3_per_pair,
        rests_on=("risk.relaxations.thresholded_loss",),
        convention=_PER_PAIR,
        as_printed=_lemma_3_averaged,
        more="worse",
        explanation="Theorem 2, and approximate privacy survives processing. It needs the risk of the pair, as Theorem 2 does.",
    ),
)
