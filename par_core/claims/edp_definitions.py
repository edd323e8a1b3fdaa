"""Empirical Differential Privacy, sections 1 to 3: the definitions, their consequences, post-processing and composition.

`par_core.empirical` knows tables, and with them pandas, which is heavy: it is imported where a claim is checked.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from par_core import privacy_loss
from par_core.claims.ledger import Claim, Compare, Evidence, Paper, Relation, worst

_SECTION_1 = "1 Introduction"
_SECTION_2 = "2 Problem statement"
_SECTION_3 = "3 Empirical approach"

_LEVELS = (0.1, 0.5, 0.9)

_Floats = NDArray[np.float64]


# Sections 1 and 2


def _unbounded_sum() -> Evidence:
    """Two sums that differ by one summand: whatever is released is on the wrong side of the middle for one of them."""
    return Evidence(
        exact=0.5 / (1.0 + math.e),
        case="ε = 1; any ε-private release is half a summand off, for one of two neighbours, with probability 1/(1 + e) or more",
    )


def _more_concentrated() -> Evidence:
    from par_core.empirical.noise import hausdorff_scale, wasserstein_scale

    rng = np.random.default_rng(61)
    scales, names = [], []
    for spread in (0.0, 0.5, 5.0):
        for _ in range(5):
            own = rng.random((30, 41))
            answers = own.sum(axis=0) + spread * rng.normal(size=41)
            for scale, distance in ((wasserstein_scale, "∞-Wasserstein"), (hausdorff_scale, "Hausdorff")):
                scales.append(scale(answers, answers - own, epsilon=0.5).scale)
                names.append(f"noise by the {distance} distance")
    return worst(
        Relation.AT_MOST,
        scales,
        1.0 / 0.5,
        lambda i: f"{names[i]}, ε = 0.5, sums over 41 databases of 30 values between 0 and 1; 15 random panels",
    )


def _failure_probability() -> Evidence:
    from par_core.empirical import individual_deltas

    claimed = individual_deltas([0.0], [[1.0]], epsilon=0.5, bandwidth=1.0)[0]
    return Evidence(
        recomputed=float(claimed),
        exact=float(privacy_loss.loss_exceeds(0.5, 1.0)),
        case="ε = 0.5, Laplace kernels of scale 1, one answer: 0 with the individual, 1 without",
    )


# Section 3: Lemma 1, Theorem 1


def _lemma_1() -> Evidence:
    from par_core.empirical import individual_deltas

    rng = np.random.default_rng(31)
    answers = rng.exponential(3.0, size=20)
    moved = np.concatenate([np.ones((1, 20)), rng.random((20, 20)), (rng.random((20, 20)) < 0.3).astype(float)])
    inherent = individual_deltas(answers, answers - moved, epsilon=_LEVELS, bandwidth=1.0)
    return worst(
        Relation.AT_MOST,
        inherent,
        privacy_loss.delta(_LEVELS, 1.0),
        lambda i: (
            f"ε = {_LEVELS[i % 3]:g}, of three: Laplace noise of scale 1 on a query of sensitivity 1, 20 equally likely databases,"
            " 41 individuals"
        ),
    )


def _lemma_1_converse() -> Evidence:
    """Exclusive or of two fair coins, without noise."""
    with_both = _law([one ^ other for one in (0, 1) for other in (0, 1)])
    without = _law([0, 1])
    inherent = _hockey_stick(with_both, without, level=0.0)
    classical = _hockey_stick(_law([1]), _law([0]), level=500.0)
    return Evidence(
        exact=classical - inherent,
        case="whether two fair coins differ, no noise: inherent δ = 0 at every ε, classical δ = 1 at ε = 500",
    )


def _law(answers: list[int]) -> _Floats:
    return np.bincount(answers, minlength=2) / len(answers)


def _hockey_stick(one: ArrayLike, other: ArrayLike, *, level: float) -> float:
    """Smallest δ with which two discrete laws are within (level, δ) of each other, both ways."""
    first, second = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    factor = math.exp(level)
    return float(max(np.maximum(first - factor * second, 0.0).sum(), np.maximum(second - factor * first, 0.0).sum()))


def _theorem_1() -> Evidence:
    from par_core.empirical import individual_deltas

    rng = np.random.default_rng(32)
    found, claimed, names = [], [], []
    for databases in (1, 8):
        answers = 3.0 * rng.normal(size=databases)
        without = answers - rng.exponential(size=(4, databases)) * (rng.random((4, databases)) < 0.7)
        claimed.append(individual_deltas(answers, without, epsilon=_LEVELS, bandwidth=1.0).ravel())
        for row in without:
            for level in _LEVELS:
                found.append(max(_excess(answers, row, level=level), _excess(row, answers, level=level)))
                names.append(f"{databases} answers, ε = {level:g}")
    return worst(
        Relation.AT_MOST,
        found,
        np.concatenate(claimed),
        lambda i: f"{names[i]}, of 8 random individuals with three ε each; Laplace kernels of scale 1",
    )


def _excess(one: _Floats, other: _Floats, *, level: float) -> float:
    """P(E) − e^level·P_i(E) for the event E that makes it largest; Laplace kernels of scale 1, by bisection."""
    factor = math.exp(level)

    def gap(x: _Floats) -> _Floats:
        heights = [np.exp(-np.abs(x[:, np.newaxis] - sample)).mean(axis=1) for sample in (one, other)]
        return np.asarray(heights[0] - factor * heights[1])

    def upto(x: _Floats) -> _Floats:
        masses = []
        for sample in (one, other):
            apart = x[:, np.newaxis] - sample
            half = 0.5 * np.exp(-np.abs(apart))
            masses.append(np.where(apart < 0.0, half, 1.0 - half).mean(axis=1))
        return np.asarray(masses[0] - factor * masses[1])

    points = np.sort(np.concatenate([one, other]))
    low, high = points[:-1].copy(), points[1:].copy()  # between neighbouring answers the sign changes at most once
    begins, ends = gap(points[:-1]) > 0.0, gap(points[1:]) > 0.0
    for _ in range(45):
        middle = (low + high) / 2.0
        same = (gap(middle) > 0.0) == begins
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    parts = begins @ (upto(low) - upto(points[:-1])) + ends @ (upto(points[1:]) - upto(low))
    tails = max(float(upto(points[:1])[0]), 0.0) + max(float(1.0 - factor - upto(points[-1:])[0]), 0.0)
    return float(parts + tails)


# Section 3: Lemma 2 and composition


def _lemma_2() -> Evidence:
    """Known densities, rounded to buckets, and the buckets then confused at random."""
    from par_core.empirical import individual_deltas

    rng = np.random.default_rng(33)
    answers = 3.0 * rng.normal(size=10)
    without = answers - rng.exponential(size=(10, 10))
    before = individual_deltas(answers, without, epsilon=0.1, bandwidth=1.0)
    after, names = [], []
    for width in (0.1, 1.0, 4.0):
        edges = np.arange(-40.0, 40.0 + width, width)
        channel = rng.dirichlet(np.full(6, 0.3), size=len(edges) + 1)
        known = _buckets(answers, edges)
        for row in without:
            other = _buckets(row, edges)
            after += [
                _hockey_stick(known, other, level=0.1),
                _hockey_stick(known @ channel, other @ channel, level=0.1),
            ]
            names += [
                f"rounded to multiples of {width:g}",
                f"rounded to multiples of {width:g}, then one of 6 letters at random",
            ]
    return worst(
        Relation.AT_MOST,
        after,
        np.tile(np.repeat(before, 2), 3),
        lambda i: (
            f"{names[i]}, ε = 0.1; 10 random individuals, 10 answers, Laplace kernels of scale 1 as the known densities"
        ),
    )


def _buckets(sample: _Floats, edges: _Floats) -> _Floats:
    """Probability of each bucket, the two open ones included, for Laplace kernels of scale 1."""
    apart = edges[:, np.newaxis] - sample
    half = 0.5 * np.exp(-np.abs(apart))
    upto = np.where(apart < 0.0, half, 1.0 - half).mean(axis=1)
    return np.diff(upto, prepend=0.0, append=1.0)


def _post_processing_one_bandwidth() -> Evidence:
    from par_core.empirical import individual_deltas

    before: list[float] = []
    after: list[float] = []
    for databases in (100, 400):
        answers = special.ndtri((np.arange(databases) + 0.5) / databases)
        for factor, found in ((1.0, before), (10.0, after)):
            without = factor * (answers - 0.09)
            found.append(float(individual_deltas(factor * answers, [without], epsilon=0.1, bandwidth=1.0)[0]))
    return Evidence(
        recomputed=tuple(before),
        exact=tuple(after),
        case="100 and 400 answers spread like a standard normal law, 0.09 less without the individual; Laplace kernels of scale 1 before"
        " and after g(x) = 10·x; ε = 0.1",
    )


def _post_processing_in_the_limit() -> Evidence:
    before = _normal_delta(0.09, level=0.1)
    edges = np.arange(-20.0, 21.0)
    rounded = _hockey_stick(
        *(np.diff(special.ndtr(edges + moved), prepend=0.0, append=1.0) for moved in (0.0, 0.09)), level=0.1
    )
    return Evidence(
        recomputed=(before, before),
        exact=(_normal_delta(0.9 / 10.0, level=0.1), rounded),
        case="a standard normal law, 0.09 less without the individual, ε = 0.1; after g(x) = 10·x, and after rounding to whole numbers",
    )


def _normal_delta(shift: float, *, level: float) -> float:
    """δ(level) of two normal laws that lie `shift` standard deviations apart."""
    above, below = shift / 2.0 - level / shift, -shift / 2.0 - level / shift
    return float(special.ndtr(above) - math.exp(level) * special.ndtr(below))


def _sum_with_and_without() -> Evidence:
    alone = _normal_delta(1.0 / 1000.0, level=0.05)
    together = _hockey_stick(
        [1.0, 0.0], [0.0, 1.0], level=0.05
    )  # the difference of the two is 1, and 0 without the individual
    return Evidence(
        exact=(alone, together),
        case="ε = 0.05, a contribution of 1 to a sum with a normal law of standard deviation 1,000; one query, and both",
    )


def _joint_density(*, along_the_difference: bool) -> Evidence:
    """δ of (sum, sum without i) by kernels; the answers without i are (sum without i) twice."""
    from par_core.empirical import fit_density, individual_deltas

    sums = 100.0 * special.ndtri((np.arange(41) + 0.5) / 41)
    width = float(fit_density(sums, bandwidth="fixed").bandwidths[0])
    if along_the_difference:
        difference = np.ones(41)
        own = float(fit_density(difference, bandwidth="fixed").bandwidths[0])
        claimed = float(individual_deltas(difference, np.zeros((1, 41)), epsilon=0.1, bandwidth=own)[0])
    else:  # each kernel moves by 1 along one axis, and no δ can be above that of two kernels 1 apart
        claimed = float(privacy_loss.delta(0.1, 1.0 / width))
    kernels = (
        "kernels along the sum and along the difference"
        if along_the_difference
        else f"products of Laplace kernels of scale {width:.3g}, the likeliest for one sum"
    )
    return Evidence(
        recomputed=claimed,
        exact=1.0,
        case=f"ε = 0.1, a contribution of 1, 41 sums spread like a normal law of standard deviation 100; {kernels}",
    )


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        id="edp-unbounded-sum",
        paper=Paper.EMPIRICAL,
        section=_SECTION_1,
        where="section 1",
        statement="A sum whose summands have no bound needs infinite noise for classical differential privacy.",
        quantity="least mean error of a private sum, for the worse of two neighbours, over the largest summand",
        published="such queries require infinite noise",
        implies=0.0,
        compare=Compare.PROMISE,
        relation=Relation.ABOVE,
        recompute=_unbounded_sum,
        explanation="The error is a share of the largest summand that no mechanism can press to 0, so that it has no bound where the"
        " summands have none.",
    ),
    Claim(
        id="edp-more-concentrated",
        paper=Paper.EMPIRICAL,
        section=_SECTION_1,
        where="section 1.1, third contribution, and section 3, last paragraph",
        statement="The noise that the method adds is more concentrated than that of classical differential privacy.",
        quantity="scale of the noise (recomputed: Laplace noise, sensitivity/ε)",
        published="more concentrated noise samples than those that would be provided by classical differential privacy",
        compare=Compare.FORMULA,
        relation=Relation.AT_MOST,
        recompute=_more_concentrated,
        explanation="No answer moves by more than the sensitivity, so neither distance is above it. But less is promised for that noise:"
        " nothing against somebody who knows the other records; and noise by the Hausdorff distance does not even keep what is promised.",
    ),
    Claim(
        id="edp-failure-probability",
        paper=Paper.EMPIRICAL,
        section=_SECTION_2,
        where="section 2, last paragraph; section 3; Definition 3",
        statement="δ is the probability that the log-likelihoods with and without an individual differ by more than ε.",
        quantity="P(|log ratio| > ε)",
        published="the failure probability δ",
        compare=Compare.FORMULA,
        relation=Relation.AT_MOST,
        recompute=_failure_probability,
        explanation="The formula of Theorem 1 is an excess of probability: of each answer that fails only the part beyond e^ε is"
        " counted. What fails is far more often so: 0.847 against δ = 0.221. Theorem 1 itself does not need this reading.",
    ),
    Claim(
        id="edp-lemma-1",
        paper=Paper.EMPIRICAL,
        section=_SECTION_3,
        where="Lemma 1",
        statement="A query that is classically (ε, δ)-differentially private is inherently so, whatever the law of the databases.",
        quantity="inherent δ, where it is closest to the classical one",
        published="inherently (ε, δ)-differentially private",
        compare=Compare.FORMULA,
        relation=Relation.AT_MOST,
        recompute=_lemma_1,
        explanation="An average of inequalities over the databases.",
    ),
    Claim(
        id="edp-lemma-1-converse",
        paper=Paper.EMPIRICAL,
        section=_SECTION_3,
        where="Lemma 1, last sentence",
        statement="A query can be inherently private without being classically so.",
        quantity="classical minus inherent δ",
        published="the converse is not true",
        implies=0.0,
        compare=Compare.PROMISE,
        relation=Relation.ABOVE,
        recompute=_lemma_1_converse,
        explanation="The law of the answers need not change, although each single answer may. Whoever knows the other coin learns"
        " everything.",
    ),
    Claim(
        id="edp-theorem-1",
        paper=Paper.EMPIRICAL,
        section=_SECTION_3,
        where="Theorem 1 (and Algorithms 1 and 2)",
        statement="With δ_i the larger of the two integrals of what one density has beyond e^ε times the other, the query is empirically"
        " (ε, δ)-differentially private.",
        quantity="largest P(E) − e^ε·P_i(E), or the other way round, over all events E",
        published="δ_i = max(∫(p − e^ε·p_i)₊, ∫(p_i − e^ε·p)₊)",
        compare=Compare.FORMULA,
        relation=Relation.AT_MOST,
        recompute=_theorem_1,
        explanation="Right, and no smaller δ will do: the event on which the integrand is positive reaches it. It speaks of the two"
        " estimated densities, not of the true ones.",
    ),
    Claim(
        id="edp-lemma-2",
        paper=Paper.EMPIRICAL,
        section=_SECTION_3,
        where="Lemma 2",
        statement="Whatever is computed from an inherently (ε, δ)-differentially private answer is inherently so too.",
        quantity="δ after post-processing of known densities, where it is closest to that before",
        published="g∘f is inherently (ε, δ)-differentially private",
        compare=Compare.FORMULA,
        relation=Relation.AT_MOST,
        recompute=_lemma_2,
        explanation="Every event of the result is an event of the answer, and randomness in g averages.",
    ),
    Claim(
        id="edp-lemma-2-estimated",
        paper=Paper.EMPIRICAL,
        section=_SECTION_3,
        where="after Lemma 2",
        statement="With densities estimated anew after post-processing, δ exceeds the one before by a fixed margin ever more seldom as the"
        " samples grow.",
        quantity="δ after post-processing (recomputed: before)",
        published="(ε′, δ′) exceeds (ε, δ) by any fixed margin with probability approaching zero as the number of samples grows",
        compare=Compare.FORMULA,
        relation=Relation.AT_MOST,
        recompute=_post_processing_in_the_limit,
        convention="The estimator finds the true densities in the end, so that the bandwidth goes to 0 as the samples grow.",
        as_printed=_post_processing_one_bandwidth,
        explanation="With kernels of a given bandwidth it fails at every number of samples: the kernels blur the answer, and its"
        " tenfold less. Then δ belongs to the bandwidth, not to the query.",
    ),
    Claim(
        id="edp-composition-sum",
        paper=Paper.EMPIRICAL,
        section=_SECTION_3,
        where="section 3, example of composition",
        statement="A sum and the same sum without one individual can each be arbitrarily private, and together reveal the individual.",
        quantity="δ of one, and of both",
        published="arbitrarily private even though together they clearly reveal i's contribution",
        implies=(0.0, 1.0),
        compare=Compare.PROMISE,
        relation=Relation.EQUAL,
        recompute=_sum_with_and_without,
        explanation="Their difference is the contribution. So privacy of this kind cannot be added up over queries.",
    ),
    Claim(
        id="edp-composition-joint",
        paper=Paper.EMPIRICAL,
        section=_SECTION_3,
        where="section 3, on composition",
        statement="The process with the two-dimensional density of both queries shows what they reveal together.",
        quantity="δ of both queries (recomputed: by the process)",
        published="we must jointly put both queries through the above privacy validation process",
        compare=Compare.FORMULA,
        relation=Relation.AT_MOST,
        recompute=lambda: _joint_density(along_the_difference=True),
        convention="The kernels fit the line on which the pairs of answers lie, such as kernels along the difference.",
        as_printed=lambda: _joint_density(along_the_difference=False),
        explanation="Products of kernels as wide as each query alone asks for blur that line: without the individual every kernel moves"
        " by the contribution along one axis, and the process finds δ = 0 where everything is revealed.",
    ),
)
