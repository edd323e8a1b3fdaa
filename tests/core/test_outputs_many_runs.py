"""Mechanisms audited from their outputs in 1,000 runs each: the long form of `test_outputs.py`, for `make test-nightly`.

It prints how often a true claim is refuted, and after how many pairs half the noise is, in the median, beside the pairs that a fixed
sample needs for as many runs.
"""

import math

import numpy as np
import pytest

from par_core.audit.outputs.betting import lines_of
from par_core.audit.outputs.fixed_sample import lower_bounds
from par_core.mechanisms import Gaussian
from tests.core.test_outputs import RUNS, level, outputs, refuted_after

pytestmark = pytest.mark.nightly

PART = 50  # runs in the memory at once
MOST = {0.2: 12_000, 0.5: 4_000, 1.0: 2_000, 2.0: 2_000}  # pairs, by the claimed epsilon
every_level = pytest.mark.parametrize("epsilon", MOST)


def in_parts(epsilon, pairs, share, ask):
    """Ask of 1,000 runs, some at a time."""
    parts = (outputs(epsilon, pairs, share=share, runs=PART, seed=seed) for seed in range(RUNS // PART))
    return np.concatenate([ask(*each) for each in parts])


def refuted_by_fixed_sample(epsilon, pairs, share=1.0):
    """In which share of runs so many pairs at once refute."""
    bounds = in_parts(epsilon, pairs, share, lambda *both: lower_bounds(*both, delta=0.0, level=0.95)[0])
    return float(np.mean(bounds > epsilon))


def pairs_needed(epsilon, share_of_runs):
    """The fewest pairs, a tenth too many at most, with which a fixed sample refutes half the noise in such a share of runs."""
    pairs = 20
    while refuted_by_fixed_sample(epsilon, pairs, share=0.5) < share_of_runs:
        pairs = math.ceil(1.1 * pairs)
    return pairs


@every_level
def test_a_true_claim_is_refuted_in_at_most_5_of_100_runs(epsilon, capsys):
    after = in_parts(epsilon, MOST[epsilon], 1.0, lambda *both: refuted_after(*both, level(epsilon)))
    with capsys.disabled():
        print(f"\ntrue epsilon {epsilon}: refuted in {np.isfinite(after).mean():.1%} of runs")
    assert np.isfinite(after).mean() <= 0.05


@every_level
@pytest.mark.parametrize("pairs", [50, 400, 3_000])
def test_the_bound_is_above_the_truth_in_at_most_5_of_100_runs(epsilon, pairs, capsys):
    above = refuted_by_fixed_sample(epsilon, pairs)
    with capsys.disabled():
        print(f"\ntrue epsilon {epsilon}, {pairs} pairs at once: the bound is above it in {above:.1%} of runs")
    assert above <= 0.05


@every_level
def test_half_the_noise_is_refuted_in_at_least_99_of_100_runs_and_sooner(epsilon, capsys):
    after = in_parts(epsilon, MOST[epsilon], 0.5, lambda *both: refuted_after(*both, level(epsilon)))
    median, slow = np.median(after), np.quantile(after, 0.99, method="higher")
    fixed, fixed_slow = pairs_needed(epsilon, 0.5), pairs_needed(epsilon, 0.99)
    with capsys.disabled():
        print(
            f"\nclaimed epsilon {epsilon}, half the noise: refuted after {median:g} pairs in the median, {slow:g} in 99 of 100 runs; "
            f"a fixed sample needs {fixed} for half of the runs, {fixed_slow} for 99 of 100"
        )
    assert np.isfinite(after).mean() >= 0.99
    assert median < fixed


@pytest.mark.parametrize(("share", "least", "most"), [(1.0, 0.0, 0.05), (0.5, 0.99, 1.0)], ids=["true", "half"])
def test_the_curve_of_gaussian_noise(share, least, most, capsys):
    claimed, rng, after = Gaussian(2.0), np.random.default_rng(1), []
    for _ in range(RUNS // PART):
        noise = share * claimed.sigma * rng.normal(size=(2, PART, 2_000))
        after.append(refuted_after(noise[0] + 1.0, noise[1], lines_of(claimed)))
    with capsys.disabled():
        refuted = np.isfinite(after).mean()
        print(
            f"\ncurve of Gaussian noise, {share:g} of it: refuted in {refuted:.1%} of runs, the median pair {np.median(after):g}"
        )
    assert least <= np.isfinite(after).mean() <= most
