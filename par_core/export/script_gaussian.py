"""Fixed text of the release scripts with Gaussian noise, and why its exact law may be relied on.

OpenDP draws discrete Gaussian noise, for sums in whole steps and for counts in steps finer than any float, and proves rho = (Δ/σ)²/2 of
zero-concentrated differential privacy. Its own way from there to (epsilon, delta) holds for any mechanism with this rho, and asks for
about a tenth more noise than Gaussian noise needs. The scripts print it, and rely on the exact law of noise with μ = sqrt(2·rho).

That law holds in steps h of a sum as well, but for a part in 10^7. Spread the draws of m sums evenly over their steps, which rounding
undoes: within R = sqrt(m) + 40 standard deviations, beyond which less than e^-800 lies, their density is that of continuous noise times
exp(±η), η <= R·sqrt(m)·h/(2σ), and the loss is off by at most κ = μ·sqrt(m)·h/(2σ). So delta is at most exp(η)·delta(epsilon - κ) of
continuous noise. The steps are chosen such that sqrt(m)·h is below 2^-29·σ for every epsilon0 up to 700: η is below 10^-7, and what κ
does is smaller. A part in 10^7 more noise makes up for both, and plans have it: delta falls at least in proportion as σ grows wherever
it is convex in μ (at epsilon0 = 0 and for large delta it is not; there the steps are finer still, and η far below the margin).
"""

from __future__ import annotations

IMPORTS = "from scipy import integrate, special\n"
REQUIREMENT = "scipy>=1.14"

COUNT_DOES = "  - counts the rows that meet the condition, and adds Gaussian noise"
COUNTS_DOES = "  - counts the rows in each cell, and adds Gaussian noise to each"
SUM_DOES = "  - clamps the values to the bounds, adds them up, and adds Gaussian noise"
MEAN_DOES = "  - clamps the values to the bounds, adds them up, adds Gaussian noise, and divides by ROWS"
PAIR_DOES = """\
  - clamps the values to the bounds, adds them up, and adds Gaussian noise
  - counts the rows under the mean, and adds Gaussian noise
  - prints their quotient, with a count of 1 at least, clamped to the bounds; this costs no further epsilon"""


COUNTS_PREPARE = '''
def prepare(table):
    """Return what is measured: the counts of all cells."""
    counted = {cells}
    return [np.bincount(counted[counted >= 0], minlength=CELLS).astype(float)]


def measurements(rows):
    """Return the measurement of each part of the release; the number of rows is not used."""
    return [noisy_counts(NOISE[0])]


def published(noisy, rows):
    """Return what is published. To round it, or to set negative counts to 0, costs no privacy."""
    return list(zip(LABELS, noisy[0], strict=True))
'''
PAIR_PREPARE = '''
def prepare(table):
    """Return what is measured: the values, and the number of rows under the mean."""
    return [steps(clamped(table)), np.array([np.count_nonzero(chosen(table))], dtype=float)]


def measurements(rows):
    """Return the measurement of each part of the release."""
    return [noisy_sum(rows, NOISE[0]), noisy_counts(NOISE[1])]


def published(noisy, rows):
    """Return what is published: the quotient (the noisy sum and the noisy count could be published as well)."""
    return [("mean", min(max(noisy[0] * STEP / max(noisy[1][0], 1), LOWER), UPPER))]
'''

CHECK = """\
    spent = [mechanism.map(moves) for mechanism, moves in zip(mechanisms, MOVES, strict=True)]
    rho = STATISTICS * sum(spent)  # OpenDP's own proof
    delta = proven_delta(rho)
    print(f"proven delta {delta} at epsilon {EPSILON} (planned {DELTA})")
    print(f"OpenDP's own bound, for any noise with this rho of {rho}: epsilon {opendp_epsilon(rho)}")
    if not delta <= DELTA:
        stop("this release would be less private than planned: nothing was measured")
"""
