"""Write composition_brackets.csv: random releases at one level or at several, with their tight delta and epsilon in many digits.

After a factor exp(loss/2) is taken out, the two-sided transform of one release at level e is exp(-e/2)/2 times
(1 + 1/(2s))·exp(s·e) + (1 - 1/(2s))·exp(-s·e). The product over all releases is expanded; a term exp(s·a)/s^j stands for
(a - x)^(j-1)/(j-1)! below a, and is integrated in closed form. The terms cancel almost completely, so that the sum is run in so many
digits that 40 more change nothing. `main` first holds the result against a recursion over one release after another, by direct
integration, and against the expansion in make_composition_exact.py. Run:
python tests/core/data/make_composition_brackets.py (some minutes).
"""

import csv
import itertools
import math
import sys
from collections import Counter
from functools import lru_cache
from pathlib import Path

import mpmath as mp
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from make_composition_exact import Composition

DIGITS = 40
SEED = 20_260_101


@lru_cache(maxsize=4096)
def coefficients(plus, minus):
    """Whole-number coefficients of (1 + t)^plus·(1 - t)^minus, lowest first."""
    row = [1]
    for sign in (1,) * plus + (-1,) * minus:
        row = [a + sign * b for a, b in zip([*row, 0], [0, *row], strict=True)]
    return row


class Mixed:
    """Releases at several levels, which are numbers or their decimal texts; epsilons and deltas come out as mpf."""

    def __init__(self, written, counts):
        levels = [float(each) for each in written]
        self.levels, self.counts, self.n = written, counts, sum(counts)
        self.digits = 60 + int(0.9 * self.n + 0.9 * float(np.dot(levels, counts)))
        self.places = Counter()
        with mp.workdps(self.digits):
            levels = [mp.mpf(each) for each in written]
            self.total = mp.fsum(level * count for level, count in zip(levels, counts, strict=True))
            for downs in itertools.product(*(range(count + 1) for count in counts)):
                top = self.total - 2 * mp.fsum(level * down for level, down in zip(levels, downs, strict=True))
                ways = math.prod(math.comb(count, down) for count, down in zip(counts, downs, strict=True))
                self.places[top, sum(downs)] += ways

    def parts(self, epsilon, *, more=0):
        """Return E[1; loss > epsilon] and E[exp(-loss); loss > epsilon]."""
        with mp.workdps(self.digits + more):
            epsilon, chance, other = mp.mpf(epsilon), mp.mpf(0), mp.mpf(0)
            for (top, downs), ways in self.places.items():
                reach = top - epsilon
                if reach <= 0:
                    continue
                row = coefficients(self.n - downs, downs)
                # first = integral of u^(j-1)/(j-1)!·exp(-u/2) over 2^j, second = the same with exp(u/2), from 0 to reach
                low, high = mp.exp(-reach / 2), mp.exp(reach / 2)
                up, down = mp.mpf(row[0]), mp.mpf(row[0])
                first, second, power = 1 - low, high - 1, mp.mpf(1)
                for j in range(1, self.n + 1):
                    up += row[j] * first
                    down += row[j] * second
                    power *= reach / (2 * j)
                    first, second = first - power * low, power * high - second
                half = mp.exp(top / 2)
                chance += ways * up * half
                other += ways * down / half
            scale = mp.exp(-self.total / 2) / 2**self.n
            return chance * scale, other * scale

    def delta(self, epsilon, *, more=0):
        """Return the tight delta at epsilon."""
        with mp.workdps(self.digits + more):
            chance, other = self.parts(epsilon, more=more)
            return chance - mp.exp(mp.mpf(epsilon)) * other

    def epsilon(self, delta, start):
        """Return the tight epsilon at delta, 0 where nothing is left to guarantee: Newton's steps on logarithms, kept in a bracket."""
        with mp.workdps(self.digits):
            goal = mp.mpf(delta)
            if self.delta(0) <= goal:
                return mp.mpf(0)
            low, high, point = mp.mpf(0), self.total, mp.mpf(start)
            for _ in range(400):
                chance, other = self.parts(point)
                slope = mp.exp(point) * other
                value = chance - slope
                low, high = (point, high) if value > goal else (low, point)
                if value > goal / 2 and value < (1 + goal) / 2:
                    small = value if goal < 0.5 else 1 - value
                    step = small * mp.log(small / (goal if goal < 0.5 else 1 - goal)) / slope
                    following = point + (step if goal < 0.5 else -step)
                else:
                    following = (low + high) / 2
                if not low < following < high:
                    following = (low + high) / 2
                if abs(following - point) <= mp.mpf(10) ** -DIGITS * self.total or low == high:
                    return following
                point = following
            raise AssertionError((self.levels, self.counts, delta))


def added(levels, counts, epsilon):
    """Return delta by taking one release off and integrating over its loss: shares nothing with the expansion."""
    if sum(counts) == 1:
        level = mp.mpf(levels[0])
        if epsilon >= level:
            return mp.mpf(0)
        return -mp.expm1(-(level - epsilon) / 2) if epsilon > -level else 1 - mp.exp(epsilon)
    rest = [*counts[:-1], counts[-1] - 1]
    used = len(levels) if rest[-1] else len(levels) - 1
    level = mp.mpf(levels[-1])

    def before(goal):
        return added(levels[:used], rest[:used], goal)

    tops = [
        mp.fsum(sign * mp.mpf(each) for sign, each in zip(signs, singles, strict=True))
        for singles in [[each for each, count in zip(levels[:used], rest[:used], strict=True) for _ in range(count)]]
        for signs in itertools.product((1, -1), repeat=len(singles))
    ]
    kinks = sorted({-level, level, *(epsilon - top for top in tops if -level < epsilon - top < level)})
    inside = mp.quad(lambda loss: mp.exp(-(level - loss) / 2) / 4 * before(epsilon - loss), kinks)
    return before(epsilon - level) / 2 + mp.exp(-level) * before(epsilon + level) / 2 + inside


def check():
    """Hold the expansion against the recursion, and against the other expansion."""
    for levels, counts in (([0.5], [2]), ([0.3, 1.1], [1, 1]), ([10.0, 12.0], [1, 1]), ([0.2, 0.7], [2, 1])):
        for share in (0.0, 0.31, 0.9):
            releases = Mixed(levels, counts)
            epsilon = share * releases.total
            assert abs(releases.delta(epsilon) / added(levels, counts, epsilon) - 1) < mp.mpf(10) ** -12, (
                levels,
                share,
            )
    for level, n in ((0.1, 7), (2.0, 30), (20.0, 5)):
        for share in (0.0, 0.31, 0.9):
            one, other = Mixed([level], [n]).delta(share * n * level), Composition(level, n).delta(share * n * level)
            assert abs(one / other - 1) < mp.mpf(10) ** -20
    releases = Mixed([10.0, 0.37], [3, 4])
    assert abs(releases.delta(0.5) / releases.delta(0.5, more=40) - 1) < mp.mpf(10) ** -DIGITS


def any_level(rng):
    kind = rng.integers(4)
    if kind == 0:
        return float(rng.integers(1, 51))
    if kind == 1:
        return max(round(float(np.exp(rng.uniform(math.log(0.01), math.log(50)))), 2), 0.01)
    return float(np.exp(rng.uniform(math.log(1e-4 if kind == 2 else 5.0), math.log(50))))


def any_epsilon(rng, levels, counts):
    """From 0 to the top, at both ends and on the atoms and beside them too."""
    total = float(np.dot(levels, counts))
    kind = rng.integers(6)
    if kind == 0:
        return 0.0 if rng.random() < 0.5 else total * float(10 ** rng.uniform(-16, -2))
    if kind == 1:
        return total * (1 - float(10 ** rng.uniform(-15, -2)))
    if kind == 2:
        atom = abs(
            sum(level * (count - 2 * int(rng.integers(count + 1))) for level, count in zip(levels, counts, strict=True))
        )
        return min(float(rng.choice([atom, np.nextafter(atom, 0), np.nextafter(atom, np.inf)])), total)
    return total * float(rng.random())


def cases(number, *, mixed, seed):
    """Yield levels, counts, epsilon, its delta, and the epsilon at the nearest float to that delta (None outside the range)."""
    rng = np.random.default_rng(seed)
    found = 0
    while found < number:
        if mixed:
            different = int(rng.integers(2, 5))
            levels = sorted({any_level(rng) for _ in range(different)})
            counts = [int(each) for each in rng.integers(1, 7 if different < 4 else 4, size=len(levels))]
            if len(levels) < 2:
                continue
        else:
            levels = [any_level(rng)]
            counts = [round(float(np.exp(rng.uniform(0, math.log(40)))))]
        epsilon = any_epsilon(rng, levels, counts)
        # One level is the float that it is; several are the decimal numbers that they are written as.
        written = [repr(level) for level in levels] if mixed else levels
        releases = Mixed(written, counts)
        with mp.workdps(releases.digits):
            asked = mp.mpf(repr(epsilon) if mixed else epsilon)
            if not 0 <= asked < releases.total:
                continue
        delta = releases.delta(asked)
        near = min(max(float(delta), 1e-15), 1 - 2**-53)
        yield levels, counts, epsilon, delta, near, releases.epsilon(near, asked)
        found += 1


def main(scalar=1100, mixed=1000):
    check()
    target = Path(__file__).parent / "composition_brackets.csv"
    with target.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["epsilon0", "releases", "at_epsilon", "delta", "at_delta", "epsilon"])
        for number, several in ((scalar, False), (mixed, True)):
            for levels, counts, epsilon, delta, near, root in cases(number, mixed=several, seed=SEED + several):
                with mp.workdps(2000):
                    digits = DIGITS + max(0, -int(mp.log10(1 - delta)))  # so that the distance to 1 keeps its own
                    row = [" ".join(map(repr, levels)), " ".join(map(str, counts)), repr(epsilon)]
                    writer.writerow([*row, mp.nstr(delta, digits), repr(near), mp.nstr(root, DIGITS)])
                file.flush()


if __name__ == "__main__":
    main()
