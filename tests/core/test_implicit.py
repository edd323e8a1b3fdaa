"""How far a sample can be trusted: DKW, the exact coverage of a sorted value, and where Theorem 5 fails."""

import json
from math import ceil
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from par_core.errors import InfeasibleError, ParameterError
from par_core.published.sampling import empirical_confidence
from par_core.sampling import (
    coverage,
    rank_for,
    rho_for,
    samples_for_largest,
    samples_formula,
    samples_needed,
    tolerance,
)

FIGURE_2 = json.loads((Path(__file__).parent / "data" / "figures_2_3.json").read_text(encoding="utf-8"))["2"]["curves"]

ALPHAS = st.floats(0.0, 1 - 1e-9)
RHOS = st.floats(1e-6, 1.0)


def test_the_examples_of_the_paper():
    assert tolerance(15_000, 0.01) == pytest.approx(0.9004258632642721, abs=1e-12)
    assert tolerance(10_000, 0.01) == pytest.approx(0.7293294335267746, abs=1e-12)


@pytest.mark.parametrize("rho", [0.0001, 0.001, 0.01, 0.1])
def test_figure_2_as_published(rho):
    curve = FIGURE_2[f"rho={rho:.4f}"]
    assert samples_formula(rho, 1 - np.array(curve["x"])) == pytest.approx(curve["y"], rel=1e-9)


@pytest.mark.parametrize("rho", [0.0001, 0.001, 0.01, 0.1])
def test_figure_2_rounded_up_to_whole_samples(rho):
    curve = FIGURE_2[f"rho={rho:.4f}"]
    alphas = 1 - np.array(curve["x"])
    assert len(alphas) == 49
    # The figure draws the unrounded number; a float of 2e8 carries it to 1e-7.
    assert samples_needed(rho, alphas) == pytest.approx([ceil(y - 1e-6) for y in curve["y"]], abs=0.5)


@given(rho=RHOS, alpha=ALPHAS)
def test_the_samples_needed_meet_the_wish_and_hardly_fewer_do(rho, alpha):
    found = samples_needed(rho, alpha)
    assert tolerance(found, rho) >= alpha
    fewer = found - max(1, found // 10**9)
    assert fewer < 1 or tolerance(fewer, rho) <= alpha + 1e-12


def test_a_wish_that_a_number_of_samples_misses_by_the_last_digit_takes_one_more():
    rng = np.random.default_rng(1)
    number, rho = rng.integers(1, 10**6, 2_000), np.exp(rng.uniform(np.log(1e-3), np.log(0.5), 2_000))
    wanted = np.nextafter(tolerance(number, rho), 1.0)
    asked = (wanted > 0.1) & (wanted < 1.0)
    found = samples_needed(rho[asked], wanted[asked])
    assert (tolerance(found, rho[asked]) >= wanted[asked]).all()
    assert (found == number[asked] + 1).any()


@given(samples=st.integers(1, 10**12), alpha=ALPHAS)
def test_rho_meets_the_wish_and_a_little_less_does_not(samples, alpha):
    rho = rho_for(samples, alpha)
    assert tolerance(samples, rho) >= alpha
    assert tolerance(samples, rho * (1 - 1e-5)) < max(alpha, 1e-12)


def test_too_few_samples_say_nothing():
    assert tolerance(10, 0.1) == 0.0
    assert np.array_equal(tolerance([1, 10], [[0.01], [5.0]]) > 0, [[False, False], [True, True]])


@pytest.mark.parametrize(("samples", "rank", "share"), [(10, 10, 0.9), (25, 20, 0.7), (100, 91, 0.9), (7, 1, 0.01)])
def test_coverage_is_the_binomial_tail(samples, rank, share):
    with mpmath.workdps(40):
        p = mpmath.mpf(share)
        below = [mpmath.binomial(samples, i) * p**i * (1 - p) ** (samples - i) for i in range(rank)]
        truth = float(mpmath.fsum(below))  # fewer than `rank` values lie below the share's quantile
    assert coverage(samples, rank, share=share) == pytest.approx(truth, rel=1e-12)


def test_coverage_by_simulation():
    """The fourth of five sorted uniforms is at least 0.6; 200,000 draws, seed fixed, false alarm below 1e-6 (5 standard deviations)."""
    rng = np.random.default_rng(5)
    draws = np.sort(rng.random((200_000, 5)), axis=1)[:, 3]
    truth = coverage(5, 4, share=0.6)
    assert abs((draws >= 0.6).mean() - truth) < 5 * np.sqrt(truth * (1 - truth) / 200_000)


@given(share=st.floats(0.0, 0.999), wanted=st.floats(0.0, 0.9999))
def test_the_samples_for_the_largest_value_are_the_fewest(share, wanted):
    found = samples_for_largest(share, wanted)
    assert coverage(found, found, share=share) >= wanted - 1e-12
    assert found == 1 or coverage(found - 1, found - 1, share=share) < wanted + 1e-12


@given(samples=st.integers(1, 5000), share=st.floats(0.0, 1.0), wanted=st.floats(0.0, 0.999))
def test_the_rank_is_the_smallest_that_covers(samples, share, wanted):
    best = coverage(samples, samples, share=share)
    if best < wanted:
        with pytest.raises(InfeasibleError) as refused:
            rank_for(samples, share=share, wanted=wanted)
        assert refused.value.best == best
        return
    found = rank_for(samples, share=share, wanted=wanted)
    assert coverage(samples, found, share=share) >= wanted
    assert found == 1 or coverage(samples, found - 1, share=share) < wanted


def test_theorem_5_fails_with_a_free_rho():
    assert empirical_confidence(10, 0.9) == pytest.approx(0.9999998156, abs=1e-9)
    assert empirical_confidence(3, 1.0) == pytest.approx(0.995, abs=1e-3)
    # Truth: the largest of n values covers n/(n + 1) on average.
    grid = (np.arange(100_000) + 0.5) / 100_000
    for samples, mean in ((10, 10 / 11), (3, 3 / 4)):
        assert coverage(samples, samples, share=grid).mean() == pytest.approx(mean, abs=1e-6)
    assert empirical_confidence(10_000, 0.01) < 10_000 / 10_001  # the paper's own rho is safe


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: tolerance(0, 0.1), "samples"),
        (lambda: tolerance(10, 0.0), "rho"),
        (lambda: tolerance(10, float("nan")), "rho"),
        (lambda: samples_needed(0.1, 1.0), "wanted"),
        (lambda: rho_for(100, 1.0), "wanted"),
        (lambda: samples_needed(1e-9, 0.5), "rho"),
        (lambda: rho_for(2.5, 0.5), "samples"),
        (lambda: coverage(10, 11, share=0.5), "rank"),
        (lambda: coverage(10, 0, share=0.5), "rank"),
        (lambda: coverage(10, 5, share=1.5), "share"),
        (lambda: samples_for_largest(1.0, 0.5), "share"),
        (lambda: rank_for(10, share=0.5, wanted=1.0), "wanted"),
        (lambda: empirical_confidence(10, 0.1, share="all"), "share"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ParameterError, match=rf"^{name} must be"):
        call()


def test_what_is_not_certain_is_never_called_so():
    for samples, rank, share in ((10**6, 10**6, 0.5), (10**6, 900_000, 0.5), (10**15, 10**15, 1e-9)):
        assert 1 - 1e-15 < coverage(samples, rank, share=share) < 1
    assert coverage(10**6, 1, share=0.0) == 1
