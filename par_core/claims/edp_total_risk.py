"""Empirical Differential Privacy, Definition 3 and sections 4 and 5: total risk, adversaries, numerical considerations.

`par_core.empirical` is imported where a claim is checked: it brings pandas, which is heavy.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from par_core import privacy_loss
from par_core.claims.ledger import Claim, Compare, Evidence, Paper, Relation, worst

_SECTION_3 = "3 Empirical approach"
_SECTION_4 = "4 Adversarial setting"
_SECTION_5 = "5 Numerical considerations"

_Floats = NDArray[np.float64]


# Definition 3


def _one_individual() -> Evidence:
    from par_core.empirical import individual_deltas, total_risk

    deltas = individual_deltas([0.0], [[1.0], [0.0]], epsilon=0.5, bandwidth=1.0)
    return Evidence(
        recomputed=float(total_risk(deltas)),
        exact=float(privacy_loss.loss_exceeds(0.5, 1.0)),
        case="ε = 0.5, Laplace kernels of scale 1, one answer: 0 with the only individual who has data, 1 without",
    )


def _two_independent(chance: float) -> Callable[[], Evidence]:
    def recompute() -> Evidence:
        from par_core.empirical import individual_deltas, total_risk

        deltas = np.tile(individual_deltas([0.0], [[1.0]], epsilon=0.5, bandwidth=1.0), 2)
        outcomes = [(one, other) for one in (False, True) for other in (False, True)]
        weights = [math.prod(chance if each else 1.0 - chance for each in pair) for pair in outcomes]
        return Evidence(
            recomputed=float(total_risk(deltas)),
            exact=math.fsum(weight for weight, pair in zip(weights, outcomes, strict=True) if any(pair)),
            case=f"ε = 0.5; two individuals, independent of each other, each with δ_i = {deltas[0]:.3f} and compromised with"
            f" probability {chance:.3f}",
        )

    return recompute


def _same_tail() -> Evidence:
    """Two individuals with the same records: what gives one of them away gives the other away."""
    from par_core.empirical import individual_deltas, total_risk

    shift = 0.5 - 2.0 * math.log(0.8)
    deltas = individual_deltas([0.0], [[shift], [shift]], epsilon=0.5, bandwidth=1.0)
    return Evidence(
        recomputed=float(total_risk(deltas)),
        exact=float(deltas[0]),
        case="ε = 0.5, two individuals with the same records and δ_i = 0.2; each compromised with probability δ_i, by the same answers",
    )


def _total_against_largest() -> Evidence:
    from par_core.empirical import total_risk

    rng = np.random.default_rng(34)
    many = [rng.random(size) ** power for size in (2, 3, 10, 1000) for power in (1, 4, 16, 64)]
    return worst(
        Relation.AT_LEAST,
        [total_risk(deltas) for deltas in many],
        [deltas.max() for deltas in many],
        lambda i: f"{len(many[i]):,} individuals, largest δ_i = {many[i].max():.3g}; of 16 random lists",
    )


# Section 4


def _own_contribution() -> Evidence:
    return Evidence(
        exact=float(privacy_loss.delta(0.01, 1.0 / 1000.0)),
        case="ε = 0.01, a contribution of 1 that the adversary knows, the sum of the others with a Laplace law of scale 1,000",
    )


def _union_of_cells() -> Evidence:
    rng = np.random.default_rng(41)
    factor, unions, largest = math.exp(0.2), [], []
    for _ in range(200):
        cells = int(rng.integers(2, 6))
        weights = rng.dirichlet(np.ones(cells))
        with_all, without = rng.dirichlet(np.full(5, 0.5), size=(2, cells))
        fine = np.maximum(_excess(with_all, without, factor=factor), _excess(without, with_all, factor=factor))
        one, other = weights @ with_all, weights @ without
        unions.append(float(max(_excess(one, other, factor=factor), _excess(other, one, factor=factor))))
        largest.append(float(fine.max()))
    return worst(
        Relation.AT_MOST, unions, largest, lambda _: "ε = 0.2, of 200 random laws of five answers in two to five cells"
    )


def _excess(one: _Floats, other: _Floats, *, factor: float) -> _Floats:
    return np.asarray(np.maximum(one - factor * other, 0.0).sum(axis=-1))


# Section 5


def _accepted() -> Evidence:
    """A series that goes up and down in turns: the two halves have the same mean, whatever the T-test."""
    series = np.tile([0.0, 1.0], 20)
    difference = float(series[:20].mean() - series[20:].mean())  # the statistic of the test is a multiple of it
    centred = series - series.mean()
    return Evidence(
        exact=abs(float(centred[1:] @ centred[:-1] / (centred @ centred))),
        case=f"40 databases whose answers are 0 and 1 in turns; the halves' means differ by {difference:g}, so that the T-test"
        " accepts with p = 1",
    )


def _exponent() -> Evidence:
    counts = {}
    for databases in (10_000, 1_000_000):
        half = np.geomspace(1e-3, 2.0, 40_000)  # of the window, in standard deviations
        mass = special.ndtr(half) - special.ndtr(-half)
        height = 1.0 / math.sqrt(2.0 * math.pi)
        bias = mass / (2.0 * half) - height
        variance = mass * (1.0 - mass) / (databases * (2.0 * half) ** 2)
        counts[databases] = databases * float(mass[np.argmin(bias**2 + variance)])
    few, many = counts.values()
    return Evidence(
        exact=math.log(many / few) / math.log(100.0),
        case=f"middle of a normal law: {few:,.0f} of 10,000 points and {many:,.0f} of 1,000,000 have the least squared error, the"
        " square root says 100 and 1,000",
    )


def _tail_mass() -> Evidence:
    factor, beyond, error = math.exp(3.0), 0.05, 0.0025
    before = _excess(np.array([1.0 - beyond, beyond]), np.array([1.0, 0.0]), factor=factor)
    after = _excess(np.array([1.0 - beyond, beyond]), np.array([1.0 - error, error]), factor=factor)
    return Evidence(
        exact=float(before - after) / error,
        case=f"ε = 3; 1 answer in 20 is in a tail that is empty without the individual: δ = 0.05; estimated with {error:g} there,"
        f" δ = {after:g}",
    )


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        id="edp-total-risk",
        paper=Paper.EMPIRICAL,
        section=_SECTION_3,
        where="Definition 3",
        statement="δ* is the probability that some individual is compromised by more than ε.",
        quantity="P(somebody's |log ratio| > ε)",
        published="δ* = 1 − Π(1 − δ_i)",
        compare=Compare.FORMULA,
        relation=Relation.EQUAL,
        recompute=_one_individual,
        explanation="δ_i is an excess of probability and not the probability of a breach, so that it fails for a single individual"
        " already. As a summary of the δ_i it does no harm.",
    ),
    Claim(
        id="edp-total-risk-above-delta",
        paper=Paper.EMPIRICAL,
        section=_SECTION_3,
        where="section 3, before Definition 3",
        statement="δ, the worst case of a single individual, understates what all individuals risk together.",
        quantity="δ* (recomputed: δ)",
        published="often understates the loss of privacy",
        compare=Compare.FORMULA,
        relation=Relation.AT_LEAST,
        recompute=_total_against_largest,
        explanation="As numbers: δ* is never below δ. Whether δ* is what is wanted is another claim.",
    ),
    Claim(
        id="edp-total-risk-independent",
        paper=Paper.EMPIRICAL,
        section=_SECTION_3,
        where="after Definition 3",
        statement="δ* is accurate where the individuals' leaks are independent.",
        quantity="P(somebody is compromised)",
        published="accurate when the probability of data leakage for individuals is independent",
        compare=Compare.FORMULA,
        relation=Relation.EQUAL,
        recompute=_two_independent(-math.expm1(-0.25)),
        convention="δ_i is taken for the probability that individual i is compromised, which it is not.",
        as_printed=_two_independent(1.0 - math.exp(-0.5) * math.sinh(0.25)),
        explanation="The rule for independent events is right; the probabilities that go into it are not.",
    ),
    Claim(
        id="edp-total-risk-dependent",
        paper=Paper.EMPIRICAL,
        section=_SECTION_3,
        where="after Definition 3",
        statement="Where individuals are dependent, δ* underestimates the risk.",
        quantity="P(somebody is compromised), even if each is with probability δ_i",
        published="will underestimate privacy risks when individuals are known to be dependent",
        compare=Compare.FORMULA,
        relation=Relation.AT_LEAST,
        recompute=_same_tail,
        explanation="It can overestimate as well: two people with the same records are given away by the same answers, 0.2 of them and"
        " not 0.36. Only leaks that avoid each other make δ* too small.",
    ),
    Claim(
        id="edp-total-risk-minimum",
        paper=Paper.EMPIRICAL,
        section=_SECTION_3,
        where="after Definition 3, last sentence",
        statement="Where dependence is uncertain, δ* is the least that the risk can be.",
        quantity="P(somebody is compromised), even if each is with probability δ_i",
        published="the minimum risk of a privacy breach",
        compare=Compare.FORMULA,
        relation=Relation.AT_LEAST,
        recompute=_same_tail,
        explanation="It rests on the sentence before it. With probabilities in place of the δ_i the least would be the largest of them.",
    ),
    Claim(
        id="edp-adversary-cells",
        paper=Paper.EMPIRICAL,
        section=_SECTION_4,
        where="Definition 4 and the paragraph after it",
        statement="Privacy for every single thing that the adversary may know is privacy for all sets of them.",
        quantity="δ given a set of cells, where it is closest to the largest δ of its cells",
        published="all sets of potential adversary information Z",
        compare=Compare.FORMULA,
        relation=Relation.AT_MOST,
        recompute=_union_of_cells,
        explanation="Mixing does not raise δ. It also shows which way larger buckets err: they hide what smaller ones show, so that the"
        " cost in accuracy is always privacy that is not there.",
    ),
    Claim(
        id="edp-adversary-own",
        paper=Paper.EMPIRICAL,
        section=_SECTION_4,
        where="section 4, last paragraph",
        statement="For an adversary who knows individual i's own contribution, Definition 4 fails for i.",
        quantity="δ_i given the contribution",
        published="it will fail for the individual i in question",
        implies=0.0,
        compare=Compare.PROMISE,
        relation=Relation.ABOVE,
        recompute=_own_contribution,
        explanation="It need not: what the others contribute stays unknown and hides the contribution as before. It fails where the"
        " answer without i is certain.",
    ),
    Claim(
        id="edp-null-hypothesis",
        paper=Paper.EMPIRICAL,
        section=_SECTION_5,
        where="section 5, on independent databases; section 7, on the T-test",
        statement="That the databases are independent is verified by accepting a null hypothesis, for example by a T-test.",
        quantity="size of the correlation of neighbouring databases that the test accepts",
        published="be verified beforehand through the acceptance of an appropriate null hypothesis",
        implies=0.0,
        compare=Compare.PROMISE,
        relation=Relation.AT_MOST,
        recompute=_accepted,
        explanation="A test can speak against independence, never for it. A T-test compares two means and sees nothing of the order; with a"
        " few dozen databases no test sees weak dependence.",
    ),
    Claim(
        id="edp-square-root",
        paper=Paper.EMPIRICAL,
        section=_SECTION_5,
        where="section 5, on density estimates",
        statement="Differences of the empirical distribution across about √n points balance bias and variance.",
        quantity="power of n with which the best number of points grows",
        published="approximately the square root of the number of sample points",
        implies=0.5,
        compare=Compare.PROMISE,
        relation=Relation.EQUAL,
        tolerance=0.05,
        recompute=_exponent,
        explanation="A rule of thumb that serves for few points. The squared bias grows like the fourth power of the points' share and"
        " the variance falls like one over their number, so that n^(4/5) balances them; √n leaves nearly all error to the variance.",
    ),
    Claim(
        id="edp-tails",
        paper=Paper.EMPIRICAL,
        section=_SECTION_5,
        where="section 5, on bandwidths",
        statement="A slight overestimate of the density in the tails can hide much of δ.",
        quantity="fall of δ, over the mass that was added to the tail",
        published="a slight overestimation of tail densities can lead to a large overestimation of privacy",
        implies=1.0,
        compare=Compare.PROMISE,
        relation=Relation.ABOVE,
        recompute=_tail_mass,
        explanation="Mass that is wrongly there hides e^ε times as much. One bandwidth for all, as in section 7, does just that.",
    ),
)
