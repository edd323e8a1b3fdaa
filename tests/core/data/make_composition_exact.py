"""Write composition_exact.csv: the tight epsilon of n Laplace releases in many digits, by a way that shares nothing with par_core.

After a factor exp(loss/2) is taken out, one release is half of exp(-epsilon0/2) at each of ±epsilon0 and a flat quarter of it between.
The n-fold law is expanded by how many releases, j, fell on the flat part: whole-number coefficients of
(1 + s)^(n-j)·(1 - s)^j, where s moves by 2·epsilon0, times the power x^(j-1)/(j-1)! from each of n + 1 places downwards.
Each power is integrated in closed form against exp(x/2) - exp(epsilon - x/2). The terms cancel almost completely, so that the sum is run
in so many digits that 40 more change nothing. `main` first holds it against direct double integrals. Run:
python tests/core/data/make_composition_exact.py (some minutes).
"""

import csv
import math
from pathlib import Path

import mpmath as mp

DIGITS = 20


def rows_of_coefficients(n):
    """Yield, for j = 0 to n, the whole-number coefficients of (1 + s)^(n-j)·(1 - s)^j."""
    row = [1]
    for _ in range(n):
        row = [a + b for a, b in zip([*row, 0], [0, *row], strict=True)]
    for _ in range(n + 1):
        yield row
        part = []  # divide by (1 + s), then multiply by (1 - s)
        for value in row[:-1]:
            part.append(value - (part[-1] if part else 0))
        row = [a - b for a, b in zip([*part, 0], [0, *part], strict=True)]


class Composition:
    def __init__(self, epsilon0, n):
        self.epsilon0, self.n = epsilon0, n
        self.rows = list(rows_of_coefficients(n))

    def delta(self, epsilon, *, more=0):
        """Tight delta at epsilon."""
        n, level = self.n, mp.mpf(self.epsilon0)
        with mp.workdps(40 + more + int(0.9 * n + 0.9 * n * self.epsilon0)):
            epsilon, total = mp.mpf(epsilon), mp.mpf(0)
            half, quarter = mp.mpf(1) / 2, mp.mpf(1) / 4
            weights = [math.comb(n, j) * half ** (n - j) * quarter**j for j in range(n + 1)]
            for place in range(n + 1):
                top = (n - 2 * place) * level
                reach = top - epsilon
                if reach <= 0:
                    break
                up, down = mp.exp(top / 2), mp.exp(epsilon - top / 2)
                total += weights[0] * self.rows[0][place] * (up - down)
                # first = integral of u^(j-1)/(j-1)!·exp(-u/2), second = the same with exp(u/2), from 0 to reach
                power = mp.mpf(1)
                low, high = mp.exp(-reach / 2), mp.exp(reach / 2)
                first, second = 2 * (1 - low), 2 * (high - 1)
                for j in range(1, n + 1):
                    total += weights[j] * self.rows[j][place] * (up * first - down * second)
                    power *= reach / j
                    first, second = 2 * (first - power * low), 2 * (power * high - second)
            return total * mp.exp(-n * level / 2)

    def closing_in(self, delta, low, high):
        """Find where delta is met between two ends, by regula falsi (Illinois)."""
        at_low, at_high = (self.delta(end) / delta - 1 for end in (low, high))
        last = 0
        while True:
            point = (low * at_high - high * at_low) / (at_high - at_low)
            value = self.delta(point) / delta - 1
            if abs(value) < mp.mpf(10) ** -(DIGITS + 3) or high - low < mp.mpf(10) ** -(DIGITS + 5) * high:
                return point
            if value > 0:
                low, at_low, at_high = point, value, at_high / 2 if last > 0 else at_high
                last = 1
            else:
                high, at_high, at_low = point, value, at_low / 2 if last < 0 else at_low
                last = -1

    def epsilon(self, delta):
        """Tight epsilon at delta: 0 if delta(0) is not above it."""
        target = mp.log(mp.mpf(delta))
        low, high = mp.mpf(0), mp.mpf(self.epsilon0) * self.n
        start = self.delta(0)
        if start <= mp.mpf(delta):
            return mp.mpf(0)
        assert abs(start / self.delta(0, more=40) - 1) < mp.mpf(10) ** -25
        with mp.workdps(60):
            for _ in range(10):
                middle = (low + high) / 2
                low, high = (middle, high) if mp.log(self.delta(middle)) > target else (low, middle)
            point = self.closing_in(mp.mpf(delta), low, high)
        again = self.delta(point, more=40)
        assert abs(mp.log(again) - target) < mp.mpf(10) ** -(DIGITS + 2)
        return point


def direct_delta(epsilon0, epsilon):
    """Delta of two releases, by integrals over the losses themselves."""
    level, goal = mp.mpf(epsilon0), mp.mpf(epsilon)
    places = [(level, mp.mpf(1) / 2), (-level, mp.exp(-level) / 2)]

    def gain(loss):
        return max(1 - mp.exp(goal - loss), 0)

    def density(loss):
        return mp.exp(-(level - loss) / 2) / 4

    def integral(function, low, high):
        return mp.quad(function, mp.linspace(low, high, 9)) if low < high else mp.mpf(0)

    total = sum(p * q * gain(a + b) for a, p in places for b, q in places)
    for place, chance in places:
        low = min(max(goal - place, -level), level)
        total += 2 * chance * integral(lambda loss, place=place: density(loss) * gain(loss + place), low, level)

    def inner(loss):
        low = min(max(goal - loss, -level), level)
        return density(loss) * integral(lambda other: density(other) * gain(loss + other), low, level)

    return total + integral(inner, -level, goal - level) + integral(inner, max(goal - level, -level), level)


CASES = [
    *((0.1, n, 1e-5) for n in (1, 2, 3, 10, 100, 200, 300)),
    *((0.5, n, 1e-5) for n in (1, 2, 3, 10, 100, 200, 300)),
    *((1.0, n, 1e-5) for n in (1, 2, 3, 10, 100, 200, 300)),
    *((e0, n, delta) for e0 in (1e-4, 0.01) for n, delta in ((1, 1e-12), (7, 1e-12), (30, 1e-5), (300, 1e-5), (300, 1e-12))),
    *((e0, n, delta) for e0 in (0.1, 0.5, 1.0) for n, delta in ((4, 1e-12), (30, 1e-12), (30, 0.1), (300, 1e-12), (300, 0.1))),
    *((e0, n, delta) for e0 in (2.0, 5.0) for n, delta in ((3, 1e-12), (30, 1e-5), (30, 0.1), (100, 1e-12), (300, 1e-5))),
    *((20.0, n, delta) for n, delta in ((2, 1e-12), (5, 1e-5), (30, 1e-12), (30, 1e-5), (40, 0.1), (100, 1e-5))),
]  # fmt: skip


def main():
    for epsilon0, epsilon in ((0.5, 0.2), (1.0, 1.3), (2.0, 0.5)):
        assert abs(Composition(epsilon0, 2).delta(epsilon) - direct_delta(epsilon0, epsilon)) < mp.mpf(10) ** -12
    target = Path(__file__).parent / "composition_exact.csv"
    with target.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["epsilon0", "releases", "delta", "epsilon"])
        for epsilon0, n, delta in CASES:
            writer.writerow([epsilon0, n, delta, mp.nstr(Composition(epsilon0, n).epsilon(delta), DIGITS)])
            file.flush()


if __name__ == "__main__":
    main()
