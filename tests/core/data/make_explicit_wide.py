"""Write explicit_wide.csv: Theorem 4 and its inverses to 25 digits, by a way that shares nothing with par_core.

With g the density of T at x and S = P(T > x), the order rises by
    g_(k+1) = (2k-1)/(2k) g_k + x²/(4k(k-1)) g_(k-1)        S_(k+1) = S_k + x/(2k) g_k
(from the characteristic function (1+w²)^-k), started at g_1 = S_1 = exp(-x) and g_2 = (1+x) exp(-x)/2. It is run in 70
digits, so that the difference 1 - S keeps more than 25. The first lines of `main` hold it against the integral of the
papers' Bessel density. Inverses are bracketed. Run: python tests/core/data/make_explicit_wide.py (half a minute).
"""

import csv
import random
from pathlib import Path

import mpmath as mp

mp.mp.dps = 70


def law(x, k):
    """Return density and survival of T at x."""
    x = mp.mpf(x)
    before, density, survival = mp.mpf(0), mp.exp(-x), mp.exp(-x)
    for order in range(1, k):
        raised = density * (2 * order - 1) / (2 * order)
        raised += x * x / (4 * order * (order - 1)) * before if order > 1 else density * x / 2
        survival += x / (2 * order) * density
        before, density = density, raised
    return density, survival


def solve(target_survival, k, low, high):
    """Find x with P(T > x) = target_survival, by regula falsi (Illinois) on the logarithm."""

    def height(x):
        return -mp.log(law(x, k)[1]) + mp.log(target_survival)

    low, high = mp.mpf(low), mp.mpf(high)
    at_low, at_high, last = height(low), height(high), 0
    assert at_low <= 0 <= at_high
    while abs(high - low) > mp.mpf(10) ** -30 * high:
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        value = height(middle)
        if abs(value) < mp.mpf(10) ** -45 * middle:
            return middle
        if value < 0:
            low, at_low, at_high = middle, value, at_high / 2 if last < 0 else at_high
            last = -1
        else:
            high, at_high, at_low = middle, value, at_low / 2 if last > 0 else at_low
            last = 1
    return high


def main():
    for k in (1, 2, 7):
        bessel = mp.quad(lambda t, k=k: t ** (k - mp.mpf(1) / 2) * mp.besselk(k - mp.mpf(1) / 2, t), [0, 1, 2, 4])
        papers = bessel * 2 ** (2 - k) / (mp.sqrt(2 * mp.pi) * mp.gamma(k))
        assert abs(papers - (1 - law(4, k)[1])) < mp.mpf(10) ** -12
    draw = random.Random(20210)
    rows = []
    for k in (
        1,
        1,
        1,
        2,
        2,
        3,
        3,
        4,
        5,
        5,
        7,
        10,
        10,
        15,
        20,
        20,
        33,
        50,
        75,
        100,
        100,
        200,
        500,
        500,
        1000,
        1000,
        3000,
        10000,
        10000,
    ):
        for low, high in ((1e-8, 1e-3), (1e-3, 0.5), (0.1, 3.0), (1.0, 40.0), (20.0, 700.0)):
            epsilon = low * (high / low) ** draw.random()
            epsilon0 = min(epsilon * (1 + 10 ** draw.uniform(-4, 1)), 700.0)
            wanted, part = round(draw.uniform(0.01, 0.999), 6), draw.uniform(0.05, 0.95)
            (density, above), above0 = law(epsilon, k), law(epsilon0, k)[1]
            exact_wanted = 1 - mp.mpf(wanted) * (1 - above0)
            level = solve(exact_wanted, k, 0, epsilon0)
            stronger = float(1 - above * part)
            calibrated = ""
            if 1 - above < stronger < 1:
                calibrated = mp.nstr(
                    solve(1 - (1 - above) / mp.mpf(stronger), k, epsilon, 4 * mp.sqrt(k) * 50 + 100), 25
                )
            rows.append(
                [
                    k,
                    epsilon0,
                    epsilon,
                    *(mp.nstr(v, 25) for v in (density, (1 - above) / (1 - above0), (above - above0) / (1 - above0))),
                    wanted,
                    mp.nstr(level, 25),
                    stronger,
                    calibrated,
                ]
            )
    with (Path(__file__).parent / "explicit_wide.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(
            [
                "k",
                "epsilon0",
                "epsilon",
                "density",
                "confidence",
                "risk",
                "wanted",
                "epsilon_at",
                "stronger",
                "epsilon0_for",
            ]
        )
        writer.writerows(rows)


if __name__ == "__main__":
    main()
