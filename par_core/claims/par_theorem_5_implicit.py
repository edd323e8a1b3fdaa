"""Privacy at Risk, sections 4.2 and 4.3 with appendices C and D: sampled sensitivities, alone and with the noise."""

from __future__ import annotations

import math
from functools import partial
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.claims import dials, lazy_imports
from par_core.claims.catalogue import Claim, Compare, Dial, Recomputed, worst
from par_core.mechanisms import Laplace
from par_core.published import coupled, explicit
from par_core.published.sampling import empirical_confidence

_SECTION_4_2 = "4.2 Implicit randomness"
_SECTION_C = "Appendix C, proof of Theorem 5"
_SECTION_D = "Appendix D, proof of Theorem 6"

# The printed values of figures 2 and 3 are the published script's, on its own grids: computed, not digitised.
_RHOS = (0.0001, 0.001, 0.01, 0.1)
_FIGURE_2_RISKS = (5 / 49, 25 / 49)
_LEVELS_3 = (12 / 49, 37 / 49)
_RHOS_3A, _SAMPLES_3A = (0.010, 0.012, 0.015, 0.020), 10_000
_SAMPLES_3B, _RHO_3B = (10_000, 15_000, 20_000, 25_000), 0.01

_AXIS_2 = "The axis shows 1 − α, while the text calls γ2 what α is multiplied with."
_AXIS_3 = "The axis shows 1 − γ̂3, and η = 1 + 2·0.01/0.15 in every curve; neither 2 nor 0.15 stands in the text."

_Floats = NDArray[np.float64]


def _equation_13() -> Recomputed:
    samples, rho = np.array(list(product((1, 2, 5, 10, 30, 60, 1000), (0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)))).T
    says = (rho**2 * samples > math.log(2.0) / 2.0) & (rho**2 * samples < 7.0)  # α above 0, and no 1 but for rounding
    samples, rho = samples[says], rho[says]
    return worst(
        "at least",
        lazy_imports.stats.kstwo.cdf(rho, samples),
        lazy_imports.sampling.tolerance(samples, rho),
        lambda i: f"{samples[i]:,g} samples, ρ = {rho[i]:g}, of 1 to 1,000 samples and ρ from 0.03 to 0.9",
    )


def _figure_2(*, axis_is_alpha: bool) -> Recomputed:
    alphas = np.array(_FIGURE_2_RISKS) if axis_is_alpha else 1.0 - np.array(_FIGURE_2_RISKS)
    return Recomputed(
        recomputed=np.log10([lazy_imports.sampling.samples_formula(rho, alphas) for rho in _RHOS]),
        exact=np.tile(np.log10(lazy_imports.sampling.samples_in_the_mean(alphas)), len(_RHOS)),
        case="5/49 and 25/49 for ρ = 0.0001, 0.001, 0.01, 0.1; exact: fewest pairs whose largest value covers a new one with probability α",
    )


def _rise_as_rho_falls() -> Recomputed:
    alphas = np.linspace(0.0, 0.99, 50)
    heights = np.log10([lazy_imports.sampling.samples_formula(rho, alphas) for rho in _RHOS])
    return Recomputed(recomputed=-np.diff(heights, axis=0).max(), case="ρ of figure 2, α from 0 to 0.99; in decades")


def _fall_along_the_axis(*, axis_is_alpha: bool) -> Recomputed:
    axis = np.linspace(0.01, 0.99, 99)
    heights = np.log10(lazy_imports.sampling.samples_formula(0.01, axis if axis_is_alpha else 1.0 - axis))
    return Recomputed(recomputed=-np.diff(heights).max(), case="ρ = 0.01, the axis from 0.01 to 0.99; in decades")


def _mean_coverage(samples: ArrayLike, rank: ArrayLike) -> NDArray[np.float64]:
    """Mean share of a continuous law below a sorted sample value: that share follows a Beta law."""
    number, place = np.asarray(samples), np.asarray(rank)
    return np.asarray(lazy_imports.stats.beta.mean(place, number + 1.0 - place))


def _theorem_5_free_rho(samples: float, rho: float) -> Recomputed:
    return Recomputed(
        recomputed=empirical_confidence(int(samples), rho),
        exact=_mean_coverage(samples, samples),
        case=f"the largest of {int(samples):,} samples, ρ = {rho:g}; any continuous law",
    )


def _theorem_5_where_used() -> Recomputed:
    cases = [(_SAMPLES_3A, rho) for rho in _RHOS_3A] + [(number, _RHO_3B) for number in _SAMPLES_3B]
    risks = np.arange(1, 50) / 49.0
    cases += [(int(lazy_imports.sampling.samples_formula(rho, 1 - risk)) + 1, rho) for rho in _RHOS for risk in risks]
    samples, rho = np.array(cases).T
    shares = np.array([0.4, 0.85, 0.9, 1.0])[:, np.newaxis]
    claimed = empirical_confidence(samples, rho, share=shares)
    rank = np.ceil(shares * samples)  # of Definition 7's value among those sorted
    return worst(
        "at least",
        _mean_coverage(samples, rank),
        claimed,
        lambda i: (
            f"{cases[i % len(cases)][0]:,} samples, ρ = {cases[i % len(cases)][1]:g}, γ2 ="
            f" {shares[i // len(cases), 0]:g}, of all settings of figures 2 and 3 with γ2 = 0.4, 0.85, 0.9 and 1"
        ),
    )


def _on_the_event(samples: float, share: float) -> Recomputed:
    """Take ρ = 1, where the event is certain, and any different values: a distribution function sees ranks alone."""
    number = int(samples)
    sample = lazy_imports.sampling.SensitivitySample(np.arange(1.0, number + 1.0), rows=1)
    rank = sample.quantile(share)  # the values are their own ranks
    return Recomputed(
        recomputed=sample.cdf(rank),
        exact=_mean_coverage(number, rank),
        case=f"{rank:g} of {number:,} samples are not above Δ_S, the quantile at {share:g}; ρ = 1, where C_ρ is certain",
    )


def _table_off(rows: float, rho: float) -> Recomputed:
    """Compare the sensitivities of all pairs of rows of a table with their law, at the nine deciles of the law."""
    number = int(rows)
    values = np.sort(np.random.default_rng(7).exponential(size=number))
    deciles = -np.log(np.arange(1, 10) / 10.0)
    beyond = np.arange(1, number + 1)  # each pair is counted once, at the smaller of its rows
    pairs = number * (number - 1) / 2.0
    share = np.array([(np.searchsorted(values, values + each, "right") - beyond).sum() / pairs for each in deciles])
    return Recomputed(
        recomputed=rho,
        exact=np.abs(share - lazy_imports.stats.expon.cdf(deciles)).max(),
        case=f"a table of {number:,} exponential rows, drawn with a fixed seed, the sum as query; all pairs of its rows, ρ = {rho:g}",
    )


def _count_of_halves(share: float) -> Recomputed:
    """Count rows that are exactly ½: of two rows drawn, just one is with probability 2·share·(1 − share)."""
    below_1 = np.nextafter(1.0, 0.0)  # at 1 itself a quantile is an end, whether or not anything happens there
    return Recomputed(
        recomputed=lazy_imports.stats.bernoulli.ppf(below_1, 2.0 * share * (1.0 - share)),
        exact=lazy_imports.sampling.SumOf("is ½", (0, 1)).worst_case(1),
        case=f"how many rows are exactly ½; a row is with probability {share:g}, and else uniform on [0, 1]",
    )


def _known_law() -> Recomputed:
    hits, chance, share = np.array(list(product((1, 5, 50), (0.1, 0.5), (0.1, 0.5, 0.9, 0.99)))).T
    return worst(
        "at least",
        lazy_imports.stats.binom.cdf(lazy_imports.stats.binom.ppf(share, hits, chance), hits, chance),
        share,
        lambda i: f"S binomial of {hits[i]:g} with probability {chance[i]:g}, γ2 = {share[i]:g}",
    )


def _risk_3(
    epsilon: _Floats, samples: ArrayLike, rho: _Floats, *, level0: float = 1.0, own_eta: bool = False
) -> _Floats:
    """1 − empirical confidence3 on the axes of figure 3: ε0 = 1, k = 1, confidence2 = 1."""
    ratio = coupled.eta(rho, 0.15) if own_eta else coupled.PAPER_ETA
    return np.asarray(
        1.0 - coupled.confidence(epsilon, level0, eta=ratio, alpha=lazy_imports.sampling.tolerance(samples, rho))
    )


def _figure_3(samples: tuple[int, ...], rhos: tuple[float, ...], *, axis_is_confidence: bool) -> Recomputed:
    number, rho = np.array(samples)[:, np.newaxis], np.array(rhos)[:, np.newaxis]
    risk = _risk_3(np.array(_LEVELS_3), number, rho)
    varied = [f"{each:g}" for each in rhos] if len(rhos) > 1 else [f"{each:,}" for each in samples]
    return Recomputed(
        recomputed=1.0 - risk if axis_is_confidence else risk,
        exact=1.0 - Laplace(coupled.PAPER_ETA).loss_within(_LEVELS_3) * lazy_imports.sampling.tolerance(number, rho),
        case=f"ε = 12/49 and 37/49 for each of {', '.join(varied)}; exact: with the exact confidence of the noise",
    )


def _step_along_rho(
    samples: float = _SAMPLES_3A, level0: float = 1.0, *, sign: float, own_eta: bool = False
) -> Recomputed:
    """Smallest step of the risk, times `sign`, from one curve of figure 3a to the next."""
    rhos = np.array(_RHOS_3A)[:, np.newaxis]
    risks = _risk_3(np.linspace(0.05, 1.0, 20), int(samples), rhos, level0=level0, own_eta=own_eta)
    case = f"{int(samples):,} samples, ρ = 0.010, 0.012, 0.015, 0.020, ε0 = {level0:g}, ε from 0.05 to 1"
    return Recomputed(recomputed=(sign * np.diff(risks, axis=0)).min(), case=case + own_eta * ", η = 1 + 2·ρ/0.15")


def _rise_with_samples(rho: float, level0: float) -> Recomputed:
    samples = np.array(_SAMPLES_3B)[:, np.newaxis]
    risks = _risk_3(np.linspace(0.05, 1.0, 20), samples, np.array(rho), level0=level0)
    case = f"ρ = {rho:g}, 10,000 to 25,000 samples, ε0 = {level0:g}, ε from 0.05 to 1"
    return Recomputed(recomputed=np.diff(risks, axis=0).min(), case=case)


def _theorem_6(level0: float, level: float) -> Recomputed:
    setting = f"k = 1, ε0 = {level0:g}, ε = {level:g}, η = 1.1333, γ2 = 1, 15,000 samples, ρ = 0.01"
    return Recomputed(
        recomputed=coupled.confidence(
            level, level0, eta=coupled.PAPER_ETA, alpha=lazy_imports.sampling.tolerance(15_000, 0.01)
        ),
        exact=Laplace(coupled.PAPER_ETA * level0).loss_within(level),
        case=f"{setting}; a pair that differs by the whole sensitivity",
    )


def _density_ratios() -> Recomputed:
    """Draw pairs of answers, within Δ_S and beyond it, and outputs near them."""
    rng, noise, largest = np.random.default_rng(19), Laplace(0.5, sensitivity=0.15), []
    for k in (1, 2, 5):
        apart = 0.15 * np.repeat((0.1, 1.0, 10.0), 1_000)
        towards = rng.normal(size=(3_000, k))
        moved = apart[:, np.newaxis] * towards / np.abs(towards).sum(axis=1, keepdims=True)
        off = noise.sample(np.zeros(k), 3_000, rng)
        logs = (noise.log_density(off) - noise.log_density(off - moved)).sum(axis=1)
        largest.append(np.abs(logs / (0.5 * apart / 0.15)).max())
    case = "ε = 0.5, answers 0.1, 1 and 10 times Δ_S apart: 1,000 pairs and outputs each, drawn at random, for 1, 2 and 5 numbers"
    return Recomputed(exact=max(largest), case=case)


def _corollary_4(level0: float, level: float, *, eta: float = coupled.PAPER_ETA) -> Recomputed:
    return Recomputed(
        recomputed=explicit.confidence(level, eta * level0),
        exact=Laplace(level0).loss_within(level),
        case=f"k = 1, ε0 = {level0:g}, ε = {level:g}, η = {eta:.5g}; neighbours that differ by the sampled sensitivity, and so lie in B",
    )


def _corollary_4_at_epsilon0(level0: float, eta: float) -> Recomputed:
    return _corollary_4(level0, level0, eta=eta)


def _rare_giant(giant: float, order: float) -> Recomputed:
    often = (1.0 - 1e-5) ** 10_000
    law = f"S = 1, or {giant:g} with probability 10^-5, which none of 10,000 samples is (probability {often:.3f})"
    return Recomputed(
        recomputed=coupled.eta(0.01, 1.0, order=order),
        exact=coupled.eta_of_bound(giant, 1.0),
        case=f"{law}; ρ = 0.01, c = {order:g}",
    )


def _unit_of_eta(unit: float, sampled: float) -> Recomputed:
    ratio = coupled.eta(0.01, sampled)
    return Recomputed(
        recomputed=(ratio, coupled.eta(0.01, sampled, unit=unit)),
        exact=(ratio, ratio),
        case=f"ρ = 0.01, c = 2, Δ_S = {sampled:g} dollars, then the same told in units of {unit:,g} dollars",
    )


def _at_the_largest() -> Recomputed:
    """F_n at the largest value that there can be, for any samples up to it."""
    samples = (10, 100, 1_000)
    reached = [lazy_imports.sampling.SensitivitySample(np.arange(1.0, n + 1.0), rows=1).cdf(float(n)) for n in samples]
    rho = lazy_imports.sampling.rho_for(samples, 0.9)
    return worst("at most", reached, 1.0 + rho, lambda i: f"{samples[i]:,} samples, ρ = {rho[i]:.3f}, so that α = 0.9")


def _steepest(mean: float) -> Recomputed:
    """Rise of an exponential distribution function from 0 on, by the length of the way."""
    way = mean / 1_000.0
    return Recomputed(
        exact=lazy_imports.stats.expon.cdf(way, scale=mean) / way,
        case=f"S exponential with mean {mean:g}, from 0 to {way:g}",
    )


def _lower_bound(rho: float, sampled: float) -> Recomputed:
    return Recomputed(
        recomputed=coupled.eta(rho, sampled, order=1.0),
        exact=coupled.eta_of_bound(1.0, sampled),
        case=(
            f"a query of sensitivity 1{', such as a count' if sampled == 1 else ''}, of which the largest sampled one is"
            f" {sampled:g}; ρ = {rho:g}"
        ),
    )


def _lemma_13(ones: float, level: float) -> Recomputed:
    differ = 2.0 * ones * (1.0 - ones)  # where two rows agree, the loss is 0
    rows = f"count of rows that are 1 with probability {ones:g}"
    return Recomputed(
        recomputed=coupled.confidence(level, 1.0, eta=1.0, alpha=lazy_imports.sampling.tolerance(25_000, 0.01)),
        exact=1.0 - differ * Laplace(1.0).loss_exceeds(level),
        case=f"{rows}, η = 1, γ2 = 1, ε0 = 1, ε = {level:g}, 25,000 samples, ρ = 0.01; averaged over pairs",
    )


_claim_4_2 = partial(Claim, section=_SECTION_4_2)
_claim_4_3 = partial(Claim, section="4.3 Explicit and implicit randomness")
_claim_c = partial(Claim, section=_SECTION_C)
_claim_d = partial(Claim, section=_SECTION_D)


CLAIMS: Final[tuple[Claim, ...]] = (
    _claim_4_2(
        id="par-equation-13",
        where="equation 13, and the last step of equation 21 (preprint: equation 20; first preprint: equations 13 and 22)",
        statement="With probability at least α the empirical distribution of n samples is nowhere further than ρ from the true one.",
        quantity="P(sup |F_n − F| ≤ ρ)",
        published="α = 1 − 2·e^(−2ρ²n)",
        holds_if=Compare("exact", "at least", "recomputed"),
        recompute=_equation_13,
        rests_on=("sampling.tolerance", "scipy.stats.kstwo.cdf"),
        more="better",
        explanation="The inequality of Dvoretzky, Kiefer and Wolfowitz with Massart's constant, for independent pairs.",
    ),
    _claim_4_2(
        id="par-theorem-5",
        where="Theorem 5 (preprint: Theorem 11; first preprint: Theorem 13)",
        statement="The sensitivity sampled at γ2 covers a pair with probability at least γ2·α, for every ρ that goes into α.",
        quantity="P(S ≤ Δ_S)",
        published="γ̂2 ≥ γ2·(1 − 2·e^(−2ρ²n))",
        holds_if=Compare("exact", "at least", "recomputed"),
        recompute=_theorem_5_free_rho,
        dials=(Dial("Samples", 10, 1, 100_000, whole=True), Dial("ρ", 0.9, 0.001, 1.0, holds_at=0.3)),
        rests_on=("scipy.stats.beta.mean", "published.sampling.empirical_confidence"),
        more="better",
        explanation="It loses a −ρ: within ρ of the empirical distribution the true one may be as low as γ2 − ρ, and ρ can be chosen so"
        " large that α is all but 1. Right is: coverage at least γ2 − ρ with probability α; or, with no ρ at all, the rank-th of n"
        " sorted values covers rank/(n + 1) on average. It fails once ρ is above sqrt(ln(2(n + 1))/(2n)).",
    ),
    _claim_4_2(
        id="par-theorem-5-where-used",
        where="Theorem 5, as used for figures 2 and 3 and in section 6.2",
        statement="With the numbers of samples and the ρ of the paper the bound holds.",
        quantity="P(S ≤ Δ_S), where it is closest to the bound",
        published="γ̂2 ≥ γ2·(1 − 2·e^(−2ρ²n))",
        holds_if=Compare("exact", "at least", "recomputed"),
        recompute=_theorem_5_where_used,
        rests_on=("published.sampling.empirical_confidence", "scipy.stats.beta.mean"),
        more="better",
        explanation="The paper's ρ are small for its numbers of samples, so that α stays below what the samples truly cover.",
    ),
    _claim_4_2(
        id="par-figure-2",
        where="Figure 2 (first preprint: figure 4)",
        statement="The curves of the number of samples against privacy at risk γ2, for ρ = 0.0001, 0.001, 0.01 and 0.1.",
        quantity="logarithm (base 10) of the height of the curves at two risks, as the published script draws them",
        printed="8.1725 7.8344 6.1725 5.8344 4.1725 3.8344 2.1725 1.8344",
        recompute=partial(_figure_2, axis_is_alpha=False),
        rests_on=("sampling.samples_formula", "sampling.samples_in_the_mean"),
        convention=_AXIS_2,
        as_printed=partial(_figure_2, axis_is_alpha=True),
        more="worse",
        explanation="The drawing is equation 13 solved for n. For the confidence that Theorem 5 is about far fewer pairs are enough.",
    ),
    _claim_4_2(
        id="par-figure-2-error",
        where="section 4.2, text on figure 2",
        statement="A smaller ρ takes more samples.",
        quantity="smallest rise from one ρ to the next, in decades",
        published="higher number of samples in order to have lower error rate",
        holds_if=Compare("recomputed", "above", 0.0),
        recompute=_rise_as_rho_falls,
        rests_on=("sampling.samples_formula",),
        explanation="The samples grow like 1/ρ²: a tenth of the ρ takes a hundred times the samples.",
    ),
    _claim_4_2(
        id="par-figure-2-risk",
        where="section 4.2, text on figure 2",
        statement="The number of samples falls as the privacy at risk rises.",
        quantity="smallest fall along the axis, in decades",
        published="reduces",
        holds_if=Compare("recomputed", "above", 0.0),
        recompute=partial(_fall_along_the_axis, axis_is_alpha=False),
        rests_on=("sampling.samples_formula",),
        convention=_AXIS_2,
        as_printed=partial(_fall_along_the_axis, axis_is_alpha=True),
        explanation="True of 1 − α. The more certain the band is to be, the more samples it takes.",
    ),
    _claim_4_2(
        id="par-subsampling-immune",
        where="section 4.2, on the two ways to sample",
        statement="Since the second way involves sub-sampling, it is immune to the problem of an ill-fit distribution.",
        quantity="sup |F_table − F|, at least, F_table that of all pairs in the table (recomputed: ρ)",
        published="immune to this problem",
        recompute=partial(_table_off, rows=212_605, rho=0.01),
        rests_on=("numpy.searchsorted", "scipy.stats.expon.cdf"),
        convention="In a large population, on which the quality of the estimates depends by the paper's next sentence: its own table, with"
        " section 6's ρ of 0.01.",
        as_printed=partial(_table_off, rows=212_605, rho=0.0001),
        more="worse",
        explanation="Nothing is fitted, so nothing is fitted badly. But the table is a sample itself: its law is off by about 0.001 for"
        " 212,605 rows, more pairs do not help, and α does not count it. It is far within section 6's ρ of 0.01; figure 2's ρ of 0.0001"
        " cannot be kept with this table.",
    ),
    _claim_4_2(
        id="par-definition-7-largest",
        where="after Definition 7 (preprint: Definition 12; first preprint: Definition 14)",
        statement="If the law F of S were known, the sensitivity of the query would be Δ_f = F^(−1)(1).",
        quantity="largest |f(x) − f(y)| of any neighbours (recomputed: F^(−1)(1))",
        published="Δ_f = F^(−1)(1)",
        holds_if=Compare("exact", "equal to", "recomputed"),
        recompute=partial(_count_of_halves, share=0.01),
        rests_on=("sampling.SumOf.worst_case", "scipy.stats.bernoulli.ppf"),
        convention="The 'sensitivity of a query for a specified data-generation distribution', as the section has it: of data that occur.",
        as_printed=partial(_count_of_halves, share=0.0),
        more="worse",
        explanation="Of data that occur it is right, and for any continuous query. Only what happens with probability 0 makes a"
        " difference, which a quantile does not see and Definition 2 does: how many rows are exactly ½ has sensitivity 1, yet two"
        " rows drawn uniformly from [0, 1] never differ in it, so that F^(−1)(1) = 0.",
    ),
    _claim_4_3(
        id="par-theorem-6",
        where="Theorem 6 and equation 7 (preprint: Theorem 13; first preprint: Theorem 15)",
        statement="A release with noise for ε0 and a sampled sensitivity is as private as ε with confidence at least γ3·α.",
        quantity="P(|loss| ≤ ε)",
        published="γ̂3 ≥ P(T ≤ ε)/P(T ≤ η·ε0)·γ2·(1 − 2·e^(−2ρ²n))",
        holds_if=Compare("exact", "at least", "recomputed"),
        recompute=_theorem_6,
        dials=(dials.level0(1.0), dials.level(0.5, holds_at=1.2)),
        rests_on=("mechanisms.Laplace.loss_within", "published.coupled.confidence"),
        more="better",
        explanation="Theorem 4's fault, carried over to η·ε0. For one number, and η the true ratio, the exact confidence of the noise at"
        " η·ε0 may stand in place of the ratio, and γ2·α is then not even needed. Theorem 5's fault comes on top where ρ is large.",
    ),
    _claim_4_3(
        id="par-figure-3a",
        where="Figure 3a (first preprint: figures 5 and 7)",
        statement="The curves of ε against privacy at risk γ3, for 10,000 samples and ρ = 0.010, 0.012, 0.015 and 0.020.",
        quantity="horizontal position of the curves at two levels, as the published script draws them",
        printed="0.7664 0.4299 0.7156 0.3060 0.6868 0.2357 0.6799 0.2188",
        recompute=partial(_figure_3, samples=(_SAMPLES_3A,), rhos=_RHOS_3A, axis_is_confidence=False),
        rests_on=("published.coupled.confidence", "mechanisms.Laplace.loss_within"),
        convention=_AXIS_3,
        as_printed=partial(_figure_3, samples=(_SAMPLES_3A,), rhos=_RHOS_3A, axis_is_confidence=True),
        more="worse",
        explanation="The drawing follows Theorem 6 with ρ in α only. The exact risk is far to the right of every curve.",
    ),
    _claim_4_3(
        id="par-figure-3a-order",
        where="section 4.3, text on figure 3a",
        statement="For given samples and level the risk falls as ρ grows.",
        quantity="smallest fall of the risk from one ρ to the next, on the figure's axis",
        published="decreases with the value of error parameter",
        holds_if=Compare("recomputed", "above", 0.0),
        recompute=partial(_step_along_rho, sign=-1.0),
        rests_on=("published.coupled.confidence", "published.coupled.eta"),
        convention=_AXIS_3,
        as_printed=partial(_step_along_rho, sign=-1.0, own_eta=True),
        explanation="It rests on holding η fixed. With the η that Lemma 12 gives for each ρ the risk rises again from 0.015 to 0.020.",
    ),
    _claim_4_3(
        id="par-figure-3a-explanation",
        where="section 4.3, reason given for figure 3a",
        statement="A smaller ρ reduces the risk.",
        quantity="smallest rise of the risk from one ρ to the next larger one, on the figure's axis",
        published="smaller values of the error parameter … Therefore, we observe the reduction in the risk",
        holds_if=Compare("recomputed", "above", 0.0),
        recompute=partial(_step_along_rho, sign=1.0),
        dials=(Dial("Samples", _SAMPLES_3A, 100, 1_000_000, whole=True), dials.level0(1.0)),
        rests_on=("published.coupled.confidence",),
        explanation="The opposite of the sentence before: a smaller ρ is met less surely, and the risk grows. Only γ̂3 is reduced.",
    ),
    _claim_4_3(
        id="par-figure-3b",
        where="Figure 3b (first preprint: figures 6 and 7)",
        statement="The curves of ε against privacy at risk γ3, for ρ = 0.01 and 10,000, 15,000, 20,000 and 25,000 samples.",
        quantity="horizontal position of the curves at two levels, as the published script draws them",
        printed="0.7664 0.4299 0.7115 0.2961 0.6914 0.2469 0.6840 0.2288",
        recompute=partial(_figure_3, samples=_SAMPLES_3B, rhos=(_RHO_3B,), axis_is_confidence=False),
        rests_on=("published.coupled.confidence", "mechanisms.Laplace.loss_within"),
        convention=_AXIS_3,
        as_printed=partial(_figure_3, samples=_SAMPLES_3B, rhos=(_RHO_3B,), axis_is_confidence=True),
        more="worse",
        explanation="The drawing follows Theorem 6. The exact risk is far to the right of every curve.",
    ),
    _claim_4_3(
        id="par-figure-3b-order",
        where="section 4.3, text on figure 3b",
        statement="For a given ρ and level the risk rises with the number of samples.",
        quantity="smallest rise of the risk from one number of samples to the next, on the figure's axis",
        published="the risk increases with the number of samples",
        holds_if=Compare("recomputed", "above", 0.0),
        recompute=_rise_with_samples,
        dials=(Dial("ρ", _RHO_3B, 0.001, 0.1), dials.level0(1.0)),
        rests_on=("published.coupled.confidence",),
        explanation="On that axis it falls: at ε = 0.5 from 0.577 to 0.427. The confidence rises, but so read, figure 3a's text fails.",
    ),
    _claim_c(
        id="par-equation-19",
        where="equation 19 (preprint: equation 18; first preprint: equation 19)",
        statement="The densities of an output under two neighbours differ by a factor of at most e^(ε·‖f(y) − f(x)‖₁/Δ_S).",
        quantity="largest logarithm of the factor, in units of ε·‖f(y) − f(x)‖₁/Δ_S",
        published="e^(ε·‖f(y) − f(x)‖₁/Δ_S)",
        holds_if=Compare("exact", "at most", 1.0),
        recompute=_density_ratios,
        rests_on=("mechanisms.Laplace.log_density",),
        more="worse",
        explanation="The triangle inequality in the exponent. A pair within Δ_S is protected to ε; others of the same release may not be.",
    ),
    _claim_c(
        id="par-theorem-5-on-its-event",
        where="equation 21, third step (preprint: equation 20; first preprint: equation 22)",
        statement="Where the empirical distribution is within ρ of the true one, a pair is covered with probability F_n(Δ_S).",
        quantity="P(S ≤ Δ_S) given the event",
        published="P(B | C_ρ) = F_n(Δ_S)",
        holds_if=Compare("exact", "at least", "recomputed"),
        recompute=_on_the_event,
        dials=(Dial("Samples", 10, 1, 100_000, whole=True), Dial("γ2", 1.0, 0.01, 1.0)),
        rests_on=("scipy.stats.beta.mean", "sampling.SensitivitySample.cdf"),
        more="better",
        explanation="This is the step that loses the −ρ: a new pair follows F, not F_n, and on the event F is at least F_n − ρ.",
    ),
    _claim_d(
        id="par-corollary-4",
        where="Corollary 4 (preprint: Corollary 24; first preprint: Corollary 26)",
        statement="For a pair within the sampled sensitivity the loss is at most ε with probability P(T ≤ ε)/P(T ≤ η·ε0).",
        quantity="P(|loss| ≤ ε) for a pair in B",
        published="P(A | B) = P(T ≤ ε)/P(T ≤ η·ε0)",
        holds_if=Compare("exact", "at least", "recomputed"),
        recompute=_corollary_4,
        dials=(dials.level0(1.0), dials.level(0.5, holds_at=1.0)),
        rests_on=("mechanisms.Laplace.loss_within", "published.explicit.confidence"),
        more="better",
        explanation="Theorem 4 once more, here at η·ε0.",
    ),
    _claim_d(
        id="par-corollary-4-at-epsilon0",
        where="Corollary 4 (preprint: Corollary 24; first preprint: Corollary 26)",
        statement="The same, at ε = ε0.",
        quantity="P(|loss| ≤ ε0) for a pair in B",
        published="P(A | B) = P(T ≤ ε)/P(T ≤ η·ε0)",
        holds_if=Compare("exact", "equal to", "recomputed"),
        recompute=_corollary_4_at_epsilon0,
        dials=(dials.level0(1.0), Dial("η", coupled.PAPER_ETA, 1.0, 3.0, holds_at=1.0)),
        rests_on=("mechanisms.Laplace.loss_within", "published.explicit.confidence"),
        more="better",
        explanation="A second fault, on the safe side: a pair in B differs by at most Δ_S, so that its loss never exceeds ε0.",
    ),
    _claim_d(
        id="par-lemma-12",
        where="Lemma 12 (preprint: Lemma 25; first preprint: Lemma 27)",
        statement="The true sensitivity exceeds the largest sampled one by a factor of order 1 + ρ/Δ*.",
        quantity="true over sampled sensitivity",
        published="Δ_f/Δ* = 1 + O(ρ/Δ*)",
        recompute=_rare_giant,
        dials=(Dial("Rare sensitivity", 1000.0, 1.0, 10_000.0, holds_at=1.01), Dial("Constant c", 2.0, 1.0, 1000.0)),
        rests_on=("published.coupled.eta", "published.coupled.eta_of_bound"),
        more="worse",
        explanation="Distribution functions within ρ may have largest values far apart. With one above 1000 it fails for any constant c.",
    ),
    _claim_d(
        id="par-lemma-12-unit",
        where="Lemma 12 (preprint: Lemma 25; first preprint: Lemma 27)",
        statement="1 + c·ρ/Δ* is a ratio of two sensitivities.",
        quantity="ratio in dollars, and in thousands of dollars (exact: a ratio has no unit, so the second equals the first)",
        published="1 + O(ρ/Δ*)",
        holds_if=Compare("exact", "equal to", "recomputed"),
        recompute=_unit_of_eta,
        dials=(
            Dial("Other unit, in dollars", 1000.0, 0.01, 10_000.0, holds_at=1.0),
            Dial("Sampled sensitivity, in dollars", 0.15, 0.01, 10.0),
        ),
        rests_on=("published.coupled.eta",),
        explanation="ρ is a probability and Δ* has the query's unit, so that ρ/Δ* depends on the unit.",
    ),
    _claim_d(
        id="par-equation-23",
        where="equation 23 (first preprint: equation 24)",
        statement="The empirical distribution function at F^(−1)(1) is at most 1 + ρ.",
        quantity="F_n(F^(−1)(1))",
        published="1 + ρ",
        recompute=_at_the_largest,
        rests_on=("sampling.SensitivitySample.cdf", "sampling.rho_for"),
        explanation="True, and empty: it is 1, since no sampled value lies above the largest possible one.",
    ),
    _claim_d(
        id="par-lemma-12-lipschitz",
        where="proof of Lemma 12 (preprint: Lemma 25; first preprint: Lemma 27)",
        statement="A cumulative distribution function is 1-Lipschitz.",
        quantity="|F(a) − F(b)|/|a − b|",
        published="a cumulative distribution function is 1-Lipschitz",
        holds_if=Compare("exact", "at most", 1.0),
        recompute=_steepest,
        dials=(Dial("Mean sensitivity", 0.15, 0.01, 10.0, holds_at=2.0),),
        rests_on=("scipy.stats.expon.cdf",),
        explanation="Its slope is the density, which has no bound and changes with the unit: an exponential distribution of mean 0.15"
        " starts with a slope of 6.7. The empirical one, of which it is used, jumps.",
    ),
    _claim_d(
        id="par-lemma-12-lower-bound",
        where="proof of Lemma 12, last line (preprint: Lemma 25; first preprint: Lemma 27)",
        statement="The true sensitivity is at least 1 + ρ/Δ* times the largest sampled one.",
        quantity="true over sampled sensitivity",
        published="1 + ρ/Δ* ≤ Δ_f/Δ*",
        holds_if=Compare("exact", "at least", "recomputed"),
        recompute=_lower_bound,
        dials=(Dial("ρ", 0.01, 0.001, 0.5), Dial("Largest sampled sensitivity", 1.0, 0.01, 1.0, holds_at=0.5)),
        rests_on=("published.coupled.eta", "published.coupled.eta_of_bound"),
        more="worse",
        explanation="Of a count, as soon as one sampled pair differs, the largest sampled sensitivity is the true one, 1: the ratio is"
        " 1. The left side of the line before, which the proof replaces by ρ, is |1 − 1|, which is 0. And a lower bound is no use where"
        " an upper one is needed.",
    ),
    _claim_d(
        id="par-lemma-13",
        where="Lemma 13 (preprint: Lemma 26; first preprint: Lemma 28)",
        statement="The probability of Theorem 6, averaged over pairs from the data-generating distribution.",
        quantity="P(|loss| ≤ ε), averaged over neighbours drawn from fair coins",
        published="P(T ≤ ε)/P(T ≤ η·ε0)·γ2·(1 − 2·e^(−2ρ²n))",
        holds_if=Compare("exact", "at least", "recomputed"),
        recompute=_lemma_13,
        dials=(dials.ones(holds_at=0.05), dials.level(0.5)),
        rests_on=("mechanisms.Laplace.loss_exceeds", "published.coupled.confidence"),
        more="better",
        explanation="Averaging does not save it, although half of the pairs lose nothing at all: Theorem 4's fault is larger.",
    ),
    _claim_d(
        id="par-equation-25-known-law",
        where="after equation 25 (first preprint: equation 26)",
        statement="With the law of the sensitivity known, its quantile covers a pair with probability γ2, and no α is needed.",
        quantity="P(S ≤ F^(−1)(γ2)), where it is closest to γ2",
        published="free from the term that accounts for the accuracy of sampled estimate",
        holds_if=Compare("exact", "at least", "recomputed"),
        recompute=_known_law,
        rests_on=("scipy.stats.binom.cdf", "scipy.stats.binom.ppf"),
        more="better",
        explanation="By definition F^(−1)(γ2) covers γ2 of all pairs or more. The ratio in equation 25 has Theorem 4's fault all the same.",
    ),
)
