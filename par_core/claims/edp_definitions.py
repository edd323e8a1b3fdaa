"""Empirical Differential Privacy, sections 1 to 3: the definitions, their consequences, post-processing and composition."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from par_core.claims import lazy_imports
from par_core.claims.catalogue import Claim, Compare, Dial, Paper, Recomputed, worst
from par_core.mechanisms import Laplace, max_posterior

_LEVELS = (0.1, 0.5, 0.9)

_Floats = NDArray[np.float64]


def _unbounded_sum() -> Recomputed:
    """Two sums that differ by one summand: whatever is released is on the wrong side of the middle for one of them."""
    bound = 1e6
    apart = lazy_imports.classical.classical_sensitivity(lazy_imports.queries.PanelSum(), bounds=(0.0, bound))
    mistaken = 1.0 - max_posterior(0.5, 1.0)
    return Recomputed(
        exact=apart / 2.0 * mistaken / bound,
        case=f"ε = 1, summands from 0 to {bound:,.0f}; any ε-private release is half a summand off, for one of two neighbours,"
        f" with probability {mistaken:.3f} or more",
    )


def _more_concentrated() -> Recomputed:
    rng = np.random.default_rng(61)
    scales, names = [], []
    scale_of = {
        "∞-Wasserstein": lazy_imports.noise.wasserstein_scale,
        "Hausdorff": lazy_imports.noise.hausdorff_scale,
    }
    for spread in (0.0, 0.5, 5.0):
        for _ in range(5):
            own = rng.random((30, 41))
            answers = own.sum(axis=0) + spread * rng.normal(size=41)
            for distance, scale in scale_of.items():
                scales.append(scale(answers, answers - own, epsilon=0.5).scale)
                names.append(f"noise by the {distance} distance")
    return worst(
        "at most",
        scales,
        lazy_imports.classical.classical_sensitivity(lazy_imports.queries.PanelSum(), bounds=(0.0, 1.0)) / 0.5,
        lambda i: f"{names[i]}, ε = 0.5, sums over 41 databases of 30 values between 0 and 1; 15 random panels",
    )


def _failure(apart: float, level: float) -> Recomputed:
    return Recomputed(
        recomputed=lazy_imports.audit.individual_deltas([0.0], [[apart]], epsilon=level, bandwidth=1.0)[0],
        exact=Laplace(apart).loss_exceeds(level),
        case=f"ε = {level:g}, Laplace kernels of scale 1, one answer: 0 with the individual, {apart:g} without",
    )


def _lemma_1() -> Recomputed:
    rng = np.random.default_rng(31)
    answers = rng.exponential(3.0, size=20)
    moved = np.concatenate([np.ones((1, 20)), rng.random((20, 20)), (rng.random((20, 20)) < 0.3).astype(float)])
    inherent = lazy_imports.audit.individual_deltas(answers, answers - moved, epsilon=_LEVELS, bandwidth=1.0)
    return worst(
        "at most",
        inherent,
        Laplace(1.0).delta(_LEVELS),
        lambda i: (
            f"ε = {_LEVELS[i % 3]:g}; Laplace noise of scale 1, a query of sensitivity 1, 20 equally likely databases, 41 individuals"
        ),
    )


def _lemma_1_converse() -> Recomputed:
    """Whether two fair coins differ: the four databases are the four ways they can fall."""
    noise = 0.001
    coins = lazy_imports.audit.Panel.from_arrays(np.array([[0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 1.0]]))
    found = lazy_imports.audit.answers(coins, _odd)
    without = lazy_imports.audit.leave_one_out(coins, _odd)
    inherent = lazy_imports.audit.individual_deltas(found, without, epsilon=0.0, bandwidth=noise).max()
    classical = max(
        lazy_imports.audit.individual_deltas(found[[at]], without[:, [at]], epsilon=400.0, bandwidth=noise).max()
        for at in range(4)
    )
    return Recomputed(
        exact=classical - inherent,
        case=f"whether two coins differ, noise of scale {noise:g}: inherent δ = {inherent:g} at ε = 0, classical δ = {classical:g} at 400",
    )


def _odd(values: _Floats) -> float:
    return float(values.sum() % 2.0)


def _theorem_1() -> Recomputed:
    rng = np.random.default_rng(32)
    found, claimed, names = [], [], []
    for databases in (1, 8):
        answers = 3.0 * rng.normal(size=databases)
        without = answers - rng.exponential(size=(4, databases)) * (rng.random((4, databases)) < 0.7)
        density, *others = (lazy_imports.audit.fit_density(sample, bandwidth=1.0) for sample in (answers, *without))
        for level in _LEVELS:
            found.append(lazy_imports.audit.quadrature_deltas(density, others, epsilon=level).value)
            claimed.append(lazy_imports.audit.individual_deltas(answers, without, epsilon=level, bandwidth=1.0))
            names.append(f"answers: {databases}, ε = {level:g}")
    return worst(
        "at most",
        np.concatenate(found),
        np.concatenate(claimed),
        lambda i: f"{names[i // 4]}, of 8 random individuals with three ε each; Laplace kernels of scale 1",
    )


def _lemma_2() -> Recomputed:
    """Size alone, whose density is that of the answers and their opposites on one half of the line, and further noise."""
    rng = np.random.default_rng(33)
    answers = 3.0 * rng.normal(size=10)
    without = answers - rng.exponential(size=(10, 10))
    before = lazy_imports.audit.individual_deltas(answers, without, epsilon=0.1, bandwidth=1.0)
    mirrored, mirrored_without = np.append(answers, -answers), np.hstack([without, -without])
    after = [lazy_imports.audit.individual_deltas(mirrored, mirrored_without, epsilon=0.1, bandwidth=1.0)]
    names = ["their size alone"]
    for scale in (1.1, 2.0, 8.0):
        after.append(lazy_imports.audit.individual_deltas(answers, without, epsilon=0.1, bandwidth=scale))
        names.append(f"noise that widens the kernels to {scale:g}")
    return worst(
        "at most",
        np.concatenate(after),
        np.tile(before, len(after)),
        lambda i: (
            f"{names[i // 10]}, ε = 0.1; of 10 random individuals and four g; 10 answers, Laplace kernels of scale 1, taken as known"
        ),
    )


def _estimated_anew(*, fixed: bool) -> Recomputed:
    """δ before and after each g, where it exceeds the one before by most."""
    before, after, names = [], [], []
    for databases in (50, 200):
        answers = special.ndtri((np.arange(databases) + 0.5) / databases)
        deltas = []
        for g in _PROCESSED.values():
            known, without = g(answers), g(answers - 0.3)
            width = 1.0 if fixed else float(known.std()) * databases**-0.2
            deltas.append(
                float(lazy_imports.audit.individual_deltas(known, [without], epsilon=0.2, bandwidth=width)[0])
            )
        furthest = 1 + int(np.argmax(deltas[1:]))
        before.append(deltas[0])
        after.append(deltas[furthest])
        names.append(list(_PROCESSED)[furthest])
    kernels = "scale 1" if fixed else "a scale of the answers' standard deviation times n^(−1/5)"
    return Recomputed(
        recomputed=before,
        exact=after,
        case=f"50 and 200 answers spread like a standard normal distribution, 0.3 less without the individual; ε = 0.2, Laplace kernels of"
        f" {kernels}; it is largest after g(x) = {' and '.join(names)}, of 10·x, e^x, tanh x and x rounded down",
    )


_PROCESSED: dict[str, Callable[[_Floats], _Floats]] = {
    "x": lambda x: x,
    "10·x": lambda x: 10.0 * x,
    "e^x": np.exp,
    "tanh x": np.tanh,
    "x rounded down": np.floor,
}


def _sum_with_and_without() -> Recomputed:
    rng = np.random.default_rng(35)
    own = rng.integers(1, 1000, size=(100, 41)).astype(np.float64)
    own[0] = rng.integers(1, 10, size=41)
    panel = lazy_imports.audit.Panel.from_arrays(own)
    total = lazy_imports.audit.answers(panel, lazy_imports.queries.PanelSum())
    rest = lazy_imports.audit.leave_one_out(panel, lazy_imports.queries.PanelSum())[0]
    alone = []
    for query in (total, rest):  # without the individual, both give the rest
        width = float(lazy_imports.audit.fit_density(query, bandwidth="fixed").bandwidths[0])
        alone.append(lazy_imports.audit.individual_deltas(query, rest[np.newaxis], epsilon=0.05, bandwidth=width)[0])
    return Recomputed(
        exact=(*alone, np.abs(total - rest - own[0]).max()),
        case="ε = 0.05, sums over 41 databases of 99 values from 1 to 999 and one from 1 to 9, that of the individual",
    )


def _joint_density(contribution: float, level: float) -> Recomputed:
    """δ of (sum, sum without i) by kernels; the answers without i are (sum without i) twice."""
    sums = 100.0 * special.ndtri((np.arange(41) + 0.5) / 41)
    width = float(lazy_imports.audit.fit_density(sums, bandwidth="fixed").bandwidths[0])
    # Each kernel moves by it along one axis, and no δ can be above that of two kernels so far apart.
    claimed = lazy_imports.audit.individual_deltas([0.0], [[contribution]], epsilon=level, bandwidth=width)[0]
    # What is computed from the pair cannot have a larger δ than the pair (Lemma 2): its difference, with a trace of noise.
    found = sums - (sums - contribution)
    revealed = lazy_imports.audit.individual_deltas(
        found, np.zeros((1, 41)), epsilon=level, bandwidth=0.001 * contribution
    )[0]
    return Recomputed(
        recomputed=claimed,
        exact=revealed,
        case=f"ε = {level:g}, a contribution of {contribution:g}, 41 normal sums of standard deviation 100; Laplace kernels of scale"
        f" {width:.3g} for each sum",
    )


_claim_1 = partial(Claim, paper=Paper.EMPIRICAL, section="1 Introduction")
_claim_2 = partial(Claim, paper=Paper.EMPIRICAL, section="2 Problem statement")
_claim_3 = partial(Claim, paper=Paper.EMPIRICAL, section="3 Empirical approach")

CLAIMS: Final[tuple[Claim, ...]] = (
    _claim_1(
        id="edp-unbounded-sum",
        where="section 1",
        statement="Sums whose summands have no bound 'require infinite noise' for classical differential privacy.",
        quantity="least mean error of a private sum, for the worse of two neighbours, over the largest summand",
        published="such queries require infinite noise",
        holds_if=Compare("exact", "above", 0.0),
        recompute=_unbounded_sum,
        rests_on=("mechanisms.max_posterior", "audit.classical.classical_sensitivity"),
        more="worse",
        explanation="No mechanism can press the error below a share of the largest summand: without a bound on these it has none.",
    ),
    _claim_1(
        id="edp-more-concentrated",
        where="section 1.1, third contribution, and section 3, last paragraph",
        statement="The noise that the method adds is more concentrated than that of classical differential privacy.",
        quantity="scale of the noise (recomputed: Laplace noise, sensitivity/ε)",
        published="more concentrated noise samples than those that would be provided by classical differential privacy",
        recompute=_more_concentrated,
        rests_on=("audit.noise.wasserstein_scale", "audit.classical.classical_sensitivity"),
        more="worse",
        explanation="No answer moves by more than the sensitivity, so neither distance is above it. But less is promised for that noise:"
        " nothing against somebody who knows the other records; and noise by the Hausdorff distance does not even keep what is promised.",
    ),
    _claim_2(
        id="edp-failure-probability",
        where="section 2, last paragraph; section 3; Definition 3",
        statement="'The failure probability δ' is that with which the log-likelihoods with and without somebody differ by more than ε.",
        quantity="P(|log ratio| > ε)",
        published="the failure probability δ",
        recompute=_failure,
        dials=(
            Dial("Distance of the answers, in kernel scales", 1.0, 0.05, 20.0),
            Dial("ε", 0.5, 0.0, 20.0, holds_at=1.0),
        ),
        rests_on=("audit.deltas.individual_deltas", "mechanisms.Laplace.loss_exceeds"),
        more="worse",
        explanation="The formula of Theorem 1 is an excess of probability: of each answer that fails only the part beyond e^ε is"
        " counted. What fails is far more often so: 0.847 against δ = 0.221. Theorem 1 itself does not need this reading.",
    ),
    _claim_3(
        id="edp-lemma-1",
        where="Lemma 1",
        statement="A query that is classically (ε, δ)-differentially private is inherently so, whatever the law of the databases.",
        quantity="inherent δ, where it is closest to the classical one",
        published="inherently (ε, δ)-differentially private",
        recompute=_lemma_1,
        rests_on=("audit.deltas.individual_deltas", "mechanisms.Laplace.delta"),
        more="worse",
        explanation="An average of inequalities over the databases.",
    ),
    _claim_3(
        id="edp-lemma-1-converse",
        where="Lemma 1, last sentence",
        statement="A query can be inherently private without being classically so.",
        quantity="classical minus inherent δ",
        published="the converse is not true",
        holds_if=Compare("exact", "above", 0.0),
        recompute=_lemma_1_converse,
        rests_on=("audit.deltas.individual_deltas", "audit.leave_one_out.leave_one_out"),
        more="worse",
        explanation="The law of the answers may stay, though each answer changes. Whoever knows the other coin learns everything.",
    ),
    _claim_3(
        id="edp-theorem-1",
        where="Theorem 1 (and Algorithms 1 and 2)",
        statement="With δ_i the larger of the two integrals of what one density has beyond e^ε times the other, the query is empirically"
        " (ε, δ)-differentially private.",
        quantity="largest P(E) − e^ε·P_i(E), or the other way round, over all events E: by quadrature (recomputed: in closed form)",
        published="δ_i = max(∫(p − e^ε·p_i)₊, ∫(p_i − e^ε·p)₊)",
        holds_if=Compare("exact", "at most", "recomputed", 1e-8),
        recompute=_theorem_1,
        rests_on=("audit.deltas.individual_deltas", "audit.quadrature.quadrature_deltas"),
        more="worse",
        explanation="No smaller δ will do: where the integrand is positive it is reached. It speaks of the estimated densities only.",
    ),
    _claim_3(
        id="edp-lemma-2",
        where="Lemma 2",
        statement="Whatever is computed from an inherently (ε, δ)-differentially private answer is inherently so too.",
        quantity="δ after post-processing of known densities, where it is closest to that before",
        published="g∘f is inherently (ε, δ)-differentially private",
        recompute=_lemma_2,
        rests_on=("audit.deltas.individual_deltas",),
        more="worse",
        explanation="Every event of the result is an event of the answer, and randomness in g averages.",
    ),
    _claim_3(
        id="edp-lemma-2-estimated",
        where="after Lemma 2",
        statement="With densities estimated anew after post-processing, (ε′, δ′) 'exceeds (ε, δ) by any fixed margin with probability"
        " approaching zero' as the samples grow.",
        quantity="δ after post-processing (recomputed: before), with a margin of 0.005",
        published="exceeds (ε, δ) by any fixed margin with probability approaching zero as the number of samples g(f(X)) grows",
        holds_if=Compare("exact", "at most", "recomputed", 0.005),
        recompute=partial(_estimated_anew, fixed=False),
        rests_on=("audit.deltas.individual_deltas",),
        convention="The estimates, which the paper calls approximations, find the true law in the end: the bandwidth goes to 0.",
        as_printed=partial(_estimated_anew, fixed=True),
        more="worse",
        explanation="Estimates that find the true laws find their δ, which does not grow (Lemma 2). Kernels of a fixed bandwidth blur"
        " the answer, and its tenfold less, at every number of samples: then δ belongs to the bandwidth, not to the query.",
    ),
    _claim_3(
        id="edp-composition-sum",
        where="section 3, example of composition",
        statement="A sum, and that without individual i, 'can be arbitrarily private even though together they clearly reveal' i's part.",
        quantity="δ of the sum, δ of the sum without i, and the error with which both together give the contribution",
        published="they can be arbitrarily private even though together they clearly reveal i's contribution",
        holds_if=Compare("exact", "equal to", (0.0, 0.0, 0.0)),
        recompute=_sum_with_and_without,
        rests_on=("audit.leave_one_out.leave_one_out", "audit.deltas.individual_deltas"),
        explanation="Their difference is the contribution. So privacy of this kind cannot be added up over queries.",
    ),
    _claim_3(
        id="edp-composition-joint",
        where="section 3, on composition",
        statement="What two queries reveal together is found when 'we jointly put both queries through the above privacy validation"
        " process', with their two-dimensional densities.",
        quantity="δ of both queries, at least (recomputed: by the process, at most)",
        published="we must jointly put both queries through the above privacy validation process",
        recompute=_joint_density,
        dials=(Dial("Contribution of the individual", 1.0, 0.1, 10_000.0, holds_at=5000.0), Dial("ε", 0.1, 0.0, 5.0)),
        rests_on=("audit.deltas.individual_deltas",),
        more="worse",
        explanation="That they must be looked at together is right; that the process sees it depends on the kernels, of which the paper"
        " says nothing in two dimensions. The pairs lie on a line. Products of kernels as wide as each query alone asks for blur it:"
        " every kernel moves along one axis only, and the process finds δ = 0 where everything is revealed.",
    ),
)
