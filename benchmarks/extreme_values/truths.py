"""What is true of a mechanism, in closed form: with as many digits as mpmath is told to take."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mpmath as mp
from scipy import special

from par_core.mechanisms import DiscreteLaplace, Exponential, Gaussian, Laplace, RandomisedResponse


class OfLaplace:
    """The truth of Laplace noise; one of discrete noise and of a choice is like it where it says no other."""

    def __init__(self, epsilon0: float, moves: int) -> None:
        self.top, self.moves = mp.mpf(epsilon0), moves
        self.made: Any = Laplace(epsilon0, float(moves))

    def delta(self, e: Any) -> Any:
        return -mp.expm1(-(self.top - e) / 2) if e < self.top else mp.mpf(0)

    def exceeds(self, e: Any) -> Any:
        return 1 - mp.exp(-(self.top - e) / 2) / 2 if e < self.top else mp.mpf(0)

    def within(self, e: Any) -> Any:
        return -mp.exp(-(self.top - e) / 2) * mp.expm1(-e) / 2 if e < self.top else mp.mpf(1)

    def missed(self, rate: Any) -> Any:
        lines = (-mp.expm1(self.top + mp.log(rate)) if rate else mp.mpf(1), mp.exp(-self.top) * (1 - rate))
        middle = mp.exp(-self.top) / (4 * rate) if rate and mp.exp(-self.top) <= 2 * rate <= 1 else mp.mpf(0)
        return max(*lines, middle)

    def error_within(self, share: Any, k: int) -> Any:
        return -mp.log(-mp.expm1(mp.log(share) / k)) * self.moves / self.top

    def error_exceeds(self, off: Any) -> Any:
        return mp.exp(-off * self.top / self.moves)


class OfResponse(OfLaplace):
    def __init__(self, epsilon0: float, moves: int) -> None:
        super().__init__(epsilon0, moves)
        self.made = RandomisedResponse(epsilon0, moves + 1)
        self.truth = 1 / (1 + moves * mp.exp(-self.top))

    def delta(self, e: Any) -> Any:
        return -mp.expm1(e - self.top) * self.truth if e < self.top else mp.mpf(0)

    def exceeds(self, e: Any) -> Any:
        return self.truth if e < self.top else mp.mpf(0)

    def within(self, e: Any) -> Any:
        return (self.moves - 1) * mp.exp(-self.top) * self.truth if e < self.top else mp.mpf(1)

    def missed(self, rate: Any) -> Any:
        low = mp.exp(-self.top)
        lines = (-mp.expm1(self.top + mp.log(rate)) if rate else mp.mpf(1), low * (1 - rate))
        return max(*lines, (self.moves + 1) * low * self.truth - rate)


class OfChoice(OfLaplace):
    def __init__(self, epsilon0: float, moves: int) -> None:
        super().__init__(epsilon0, moves)
        self.made = Exponential(epsilon0, float(moves))

    def delta(self, e: Any) -> Any:
        return mp.expm1((e - self.top) / 2) ** 2 / -mp.expm1(-self.top) if e < self.top else mp.mpf(0)

    def exceeds(self, e: Any) -> Any:
        return mp.expm1(e - self.top) / mp.expm1(-self.top) if e < self.top else mp.mpf(0)

    def within(self, e: Any) -> Any:
        if e < self.top / 2:
            return mp.mpf(0)
        return mp.exp(e - self.top) * mp.expm1(-e) / mp.expm1(-self.top) if e < self.top else mp.mpf(1)

    def missed(self, rate: Any) -> Any:
        low = mp.exp(-self.top)
        return low * (1 - rate) / (low - rate * mp.expm1(-self.top))


class OfDiscrete(OfLaplace):
    def __init__(self, epsilon0: float, moves: int) -> None:
        super().__init__(epsilon0, moves)
        self.made = DiscreteLaplace(epsilon0, moves)
        self.step = self.top / moves
        self.q = mp.exp(-self.step)

    def _atoms(self) -> Iterator[tuple[Any, Any]]:
        """Losses and how likely each is."""
        yield self.top, 1 / (1 + self.q)
        for x in range(1, self.moves):
            yield self.top - 2 * x * self.step, self.q**x * -mp.expm1(-self.step) / (1 + self.q)
        yield -self.top, self.q**self.moves / (1 + self.q)

    def delta(self, e: Any) -> Any:
        return mp.fsum(-mp.expm1(e - loss) * chance for loss, chance in self._atoms() if loss > e)

    def exceeds(self, e: Any) -> Any:
        return mp.fsum(chance for loss, chance in self._atoms() if loss > e)

    def within(self, e: Any) -> Any:
        return mp.fsum(chance for loss, chance in self._atoms() if abs(loss) <= e) if e < self.top else mp.mpf(1)

    def missed(self, rate: Any) -> Any:
        left, missed = mp.mpf(rate), mp.mpf(0)
        for loss, chance in self._atoms():
            other = chance * mp.exp(-loss)
            part = min(left / other, 1)
            missed, left = missed + (1 - part) * chance, left - part * other
        return missed

    def error_exceeds(self, off: Any) -> Any:
        return 2 * self.q ** (mp.floor(off) + 1) / (1 + self.q)


def gaussian_delta(mu: Any, e: Any) -> Any:
    return mp.ncdf(mu / 2 - e / mu) - mp.exp(e) * mp.ncdf(-mu / 2 - e / mu)


class OfGauss:
    """The truth of Gaussian noise whose neighbours are mu apart."""

    def __init__(self, mu: float, _: int) -> None:
        self.made = Gaussian(1.0, mu)
        self.mu = mp.mpf(mu)
        self.top = mp.mpf(min(max(mu * (mu / 2 + 8), 1e-300), 1e300))

    def delta(self, e: Any) -> Any:
        return gaussian_delta(self.mu, e)

    def exceeds(self, e: Any) -> Any:
        return mp.ncdf(self.mu / 2 - e / self.mu)

    def within(self, e: Any) -> Any:
        return mp.ncdf(e / self.mu - self.mu / 2) - mp.ncdf(-e / self.mu - self.mu / 2)

    def missed(self, rate: Any) -> Any:
        if rate == 1:
            return mp.mpf(0)
        z = mp.mpf(-float(special.ndtri(float(rate))))  # as a start
        for _ in range(8):
            z += (mp.ncdf(-z) - rate) / mp.npdf(z)
        return mp.ncdf(z - self.mu)

    def error_exceeds(self, off: Any) -> Any:
        return mp.erfc(off / mp.sqrt(2)) if off < 1e6 else mp.mpf(0)


KINDS: dict[str, Callable[[float, int], Any]] = {
    "Laplace": OfLaplace,
    "discrete Laplace": OfDiscrete,
    "randomised response": OfResponse,
    "exponential mechanism": OfChoice,
    "Gaussian": OfGauss,
}
