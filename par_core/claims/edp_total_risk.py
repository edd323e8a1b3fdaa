"""Empirical Differential Privacy, Definition 3 and sections 4 and 5: total risk, adversaries, numerical considerations."""

from __future__ import annotations

import math
from functools import partial
from typing import Final

import numpy as np
from scipy import special

from par_core.claims import lazy_imports
from par_core.claims.catalogue import Claim, Compare, Dial, Paper, Recomputed, worst
from par_core.mechanisms import Laplace


def _one_individual(apart: float, level: float) -> Recomputed:
    deltas = lazy_imports.audit.individual_deltas([0.0], [[apart], [0.0]], epsilon=level, bandwidth=1.0)
    return Recomputed(
        recomputed=lazy_imports.audit.total_risk(deltas),
        exact=Laplace(apart).loss_exceeds(level),
        case=f"ε = {level:g}, Laplace kernels of scale 1, one answer: 0 with the only individual who has data, {apart:g} without",
    )


def _independent(level: float, people: float) -> Recomputed:
    """Individuals with an answer each of their own: what one answer gives away says nothing about the others."""
    number = round(people)
    deltas = np.tile(lazy_imports.audit.individual_deltas([0.0], [[1.0]], epsilon=level, bandwidth=1.0), number)
    chance = Laplace(1.0).loss_exceeds(level)
    return Recomputed(
        recomputed=lazy_imports.audit.total_risk(deltas),
        exact=1.0 - (1.0 - chance) ** number,
        case=f"ε = {level:g}, {number} individuals in independent answers; each δ_i = {deltas[0]:.3f}, compromised with probability"
        f" {chance:.3f}",
    )


def _many_alike(level: float, people: float) -> Recomputed:
    """Individuals with the same records: what gives one of them away gives all of them away."""
    number = round(people)
    deltas = lazy_imports.audit.individual_deltas([0.0], np.ones((number, 1)), epsilon=level, bandwidth=1.0)
    return Recomputed(
        recomputed=lazy_imports.audit.total_risk(deltas),
        exact=Laplace(1.0).loss_exceeds(level),
        case=f"ε = {level:g}, Laplace kernels of scale 1, one answer: 0, and 1 without any one of {number} individuals with the same"
        f" records; each δ_i = {deltas[0]:.3f}, and all are compromised by the same answers",
    )


def _total_against_largest() -> Recomputed:
    rng = np.random.default_rng(34)
    many = [rng.random(size) ** power for size in (2, 3, 10, 1000) for power in (1, 4, 16, 64)]
    return worst(
        "at least",
        [lazy_imports.audit.total_risk(deltas) for deltas in many],
        [deltas.max() for deltas in many],
        lambda i: f"{len(many[i]):,} individuals, largest δ_i = {many[i].max():.3g}; of 16 random lists",
    )


def _buckets() -> Recomputed:
    """δ_i among the databases in which the adversary saw the same, and among those of a bucket of several such."""
    rng = np.random.default_rng(41)
    hidden = []
    for _ in range(20):
        sizes = rng.integers(1, 6, size=3)
        answers = 3.0 * rng.normal(size=sizes.sum())
        without = answers[np.newaxis] - rng.exponential(size=answers.size) * (rng.random(answers.size) < 0.5)
        cells = np.split(np.arange(answers.size), np.cumsum(sizes)[:-1])
        fine = [
            lazy_imports.audit.individual_deltas(answers[cell], without[:, cell], epsilon=0.2, bandwidth=1.0)[0]
            for cell in cells
        ]
        hidden.append(
            float(max(fine) - lazy_imports.audit.individual_deltas(answers, without, epsilon=0.2, bandwidth=1.0)[0])
        )
    return Recomputed(
        exact=max(hidden),
        case="ε = 0.2, buckets of three things that the adversary may see, each in one to five databases, Laplace kernels of scale 1; of"
        f" 20 random buckets {sum(each < 0.0 for each in hidden)} show more than their parts",
    )


def _own_contribution(spread: float, level: float) -> Recomputed:
    return Recomputed(
        exact=Laplace(1.0 / spread).delta(level),
        case=f"ε = {level:g}, a contribution of 1 that the adversary knows, the sum of the others with a Laplace distribution of scale"
        f" {spread:,g}",
    )


def _accepted(databases: float) -> Recomputed:
    """A series that goes up and down in turns: the two halves have nearly the same mean, whatever the T-test."""
    number = round(databases)
    series = np.arange(number) % 2.0
    accepted = float(lazy_imports.stats.ttest_ind(series[: number // 2], series[number // 2 :]).pvalue)
    checks = lazy_imports.audit.independence(series, rng=np.random.default_rng(42), permutations=999).checks
    refused = [check.name for check in checks if check.failed]
    return Recomputed(
        exact=len(refused) if accepted > 0.05 else 0.0,
        case=f"{number} databases with answers 0 and 1 in turns: the T-test accepts with p = {accepted:.3g}; refused by"
        f" {' and '.join(refused) or 'no check'}",
    )


def _exponent(shape: float) -> Recomputed:
    """For the laws with densities proportional to exp(−|x|^shape), around their middle."""
    counts = {}
    for databases in (10_000, 1_000_000):
        half = np.geomspace(1e-7, 2.0, 40_000)  # of the window
        mass = special.gammainc(1.0 / shape, half**shape)
        height = 0.5 / special.gamma(1.0 + 1.0 / shape)
        bias = mass / (2.0 * half) - height
        variance = mass * (1.0 - mass) / (databases * (2.0 * half) ** 2)
        counts[databases] = databases * float(mass[np.argmin(bias**2 + variance)])
    few, many = counts.values()
    return Recomputed(
        exact=math.log(many / few) / math.log(100.0),
        case=f"middle of {_LAWS.get(shape, f'a law proportional to exp(−|x|^{shape:.3g})')}: {few:,.0f} of 10,000 points and"
        f" {many:,.0f} of 1,000,000 have the least squared error, the square root says 100 and 1,000",
    )


def _tail_mass() -> Recomputed:
    """400 answers, of which 20 are in a tail that is empty without the individual, and then 1 by mistake."""
    far = 100.0 * (np.arange(400) < np.array([[20], [0], [1]]))
    empty, mistaken = lazy_imports.audit.individual_deltas(far[0], far[1:], epsilon=3.0, bandwidth=1.0)
    return Recomputed(
        exact=(empty - mistaken) * 400.0,
        case=f"ε = 3; 20 of 400 answers in a tail, empty without the individual: δ = {empty:.3g}; estimated with 1 of 400 there, "
        f"δ = {mistaken:.3g}",
    )


_LAWS = {1.0: "a Laplace distribution", 2.0: "a normal distribution"}

_APART = Dial("Distance of the answers, in kernel scales", 1.0, 0.05, 20.0)
_level = partial(Dial, "ε", 0.5, 0.0, 20.0)

_ALIKE = (_level(), Dial("Individuals with the same records", 20.0, 1.0, 1000.0, whole=True, holds_at=5.0))

_claim_3 = partial(Claim, paper=Paper.EMPIRICAL, section="3 Empirical approach")
_claim_4 = partial(Claim, paper=Paper.EMPIRICAL, section="4 Adversarial setting")
_claim_5 = partial(Claim, paper=Paper.EMPIRICAL, section="5 Numerical considerations")

CLAIMS: Final[tuple[Claim, ...]] = (
    _claim_3(
        id="edp-total-risk",
        where="Definition 3",
        statement="δ* 'is an estimate of the probability that some individual will have their privacy compromised by more than ε'.",
        quantity="P(somebody's |log ratio| > ε), within a tenth",
        published="δ* = 1 − Π(1 − δ_i)",
        holds_if=Compare("exact", "equal to", "recomputed", 0.1),
        recompute=_one_individual,
        dials=(_APART, _level(holds_at=1.0)),
        rests_on=("audit.risk_totals.total_risk", "mechanisms.Laplace.loss_exceeds"),
        more="worse",
        explanation="The paper says 'an estimate' and 'heuristic', so that a tenth is let pass. It misses by far more, and on the unsafe"
        " side, with a single individual and both laws known, where more data would help nothing: δ_i is an excess of probability and"
        " not the probability of a breach. As a summary of the δ_i it does no harm.",
    ),
    _claim_3(
        id="edp-total-risk-above-delta",
        where="section 3, before Definition 3",
        statement="δ, 'being only the worst case for a single individual, often understates the loss of privacy' of all together.",
        quantity="δ* (recomputed: δ)",
        published="often understates the loss of privacy",
        holds_if=Compare("exact", "at least", "recomputed"),
        recompute=_total_against_largest,
        rests_on=("audit.risk_totals.total_risk",),
        more="worse",
        explanation="As numbers: δ* is never below δ. Whether δ* is what is wanted is another claim.",
    ),
    _claim_3(
        id="edp-total-risk-independent",
        where="after Definition 3",
        statement="δ* is 'accurate when the probability of data leakage for individuals is independent'.",
        quantity="P(somebody's |log ratio| > ε), within a tenth",
        published="accurate when the probability of data leakage for individuals is independent",
        holds_if=Compare("exact", "equal to", "recomputed", 0.1),
        recompute=_independent,
        dials=(_level(holds_at=1.0), Dial("Individuals", 2.0, 1.0, 1000.0, whole=True)),
        rests_on=("audit.risk_totals.total_risk", "mechanisms.Laplace.loss_exceeds"),
        more="worse",
        explanation="The rule for independent events is right; the δ_i that go in are not the probabilities of these events.",
    ),
    _claim_3(
        id="edp-total-risk-dependent",
        where="after Definition 3",
        statement="δ* 'will underestimate privacy risks when individuals are known to be dependent'.",
        quantity="P(somebody's |log ratio| > ε)",
        published="will underestimate privacy risks when individuals are known to be dependent",
        holds_if=Compare("exact", "at least", "recomputed"),
        recompute=_many_alike,
        dials=_ALIKE,
        rests_on=("audit.risk_totals.total_risk", "mechanisms.Laplace.loss_exceeds"),
        more="worse",
        explanation="It can overestimate as well: people with the same records are given away by the same answers, all or none, while δ*"
        " goes to 1 with their number. Here it is too large from eight of them on.",
    ),
    _claim_3(
        id="edp-total-risk-minimum",
        where="after Definition 3, last sentence",
        statement="Where the relationship between individuals is uncertain, δ* shows 'the minimum risk of a privacy breach'.",
        quantity="P(somebody's |log ratio| > ε)",
        published="the minimum risk of a privacy breach",
        holds_if=Compare("exact", "at least", "recomputed"),
        recompute=_many_alike,
        dials=_ALIKE,
        rests_on=("audit.risk_totals.total_risk", "mechanisms.Laplace.loss_exceeds"),
        more="worse",
        explanation="It rests on the sentence before it. The risk can be below δ* as well as above.",
    ),
    _claim_4(
        id="edp-adversary-cells",
        where="section 4, after Definition 4",
        statement="To test only 'larger buckets of the adversary data' has 'some cost in the accuracy of the privacy metrics'.",
        quantity="δ that is hidden by a bucket, at most: the largest of its parts less its own",
        published="at some cost in the accuracy of the privacy metrics",
        holds_if=Compare("exact", "above", 0.0),
        recompute=_buckets,
        rests_on=("audit.deltas.individual_deltas",),
        more="worse",
        explanation="The error goes one way: a bucket mixes its parts, and mixing does not raise δ, so that larger buckets show less"
        " than there is and never more. For the same reason the smallest parts stand for all sets Z of Definition 4.",
    ),
    _claim_4(
        id="edp-adversary-own",
        where="section 4, last paragraph",
        statement="For an adversary who knows i's own contribution, Definition 4 'will fail for the individual i in question'.",
        quantity="δ_i given the contribution",
        published="it will fail for the individual i in question, which is to be expected given perfect knowledge of that individual's"
        " contribution",
        holds_if=Compare("exact", "above", 0.0),
        recompute=_own_contribution,
        dials=(
            Dial("Scale of what the others contribute", 1000.0, 0.01, 100_000.0, holds_at=1.0),
            Dial("ε", 0.01, 0.0, 5.0),
        ),
        rests_on=("mechanisms.Laplace.delta",),
        more="worse",
        explanation="It need not: what the others contribute hides it as before. It fails where the answer without i is certain.",
    ),
    _claim_5(
        id="edp-null-hypothesis",
        where="section 5, on independent databases; section 7, on the T-test",
        statement="Independence can 'be verified beforehand through the acceptance of an appropriate null hypothesis', '(e.g. T-test)'.",
        quantity="checks of the order of the databases that refuse what the T-test accepts",
        published="be verified beforehand through the acceptance of an appropriate null hypothesis",
        holds_if=Compare("exact", "at most", 0.0),
        recompute=_accepted,
        dials=(Dial("Databases", 40.0, 4.0, 200.0, whole=True, holds_at=6.0),),
        rests_on=("audit.checks.independence",),
        more="worse",
        explanation="A test can speak against independence, never for it. A T-test compares two means and sees nothing of the order.",
    ),
    _claim_5(
        id="edp-square-root",
        where="section 5, on density estimates",
        statement="'To balance the bias and variance', differences span 'approximately the square root of the number of sample points'.",
        quantity="power of n with which the best number of points grows",
        published="approximately the square root of the number of sample points",
        holds_if=Compare("exact", "equal to", 0.5, 0.05),
        recompute=_exponent,
        dials=(Dial("Shape of the law (2 is normal, 1 is Laplace)", 2.0, 0.4, 3.0, holds_at=0.5),),
        rests_on=("scipy.special.gammainc", "scipy.special.gamma"),
        explanation="A rule of thumb that serves for few points. The squared bias grows like the fourth power of the points' share and"
        " the variance falls like one over their number, so that n^(4/5) balances them; √n leaves nearly all error to the variance.",
    ),
    _claim_5(
        id="edp-tails",
        where="section 5, on bandwidths",
        statement="'A slight overestimation of tail densities can lead to a large overestimation of privacy'.",
        quantity="fall of δ, over the mass that was added to the tail",
        published="a slight overestimation of tail densities can lead to a large overestimation of privacy",
        holds_if=Compare("exact", "above", 1.0),
        recompute=_tail_mass,
        rests_on=("audit.deltas.individual_deltas",),
        more="worse",
        explanation="Mass that is wrongly there hides e^ε times as much. One bandwidth for all, as in section 7, does just that.",
    ),
)
