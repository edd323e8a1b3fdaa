"""Numbers under stress: every public call and every question at the ends of what they allow, against 50 digits where these are known.

Run: make extreme-values, or make extreme-values OPTIONS="--number 20 --only Laplace"

What is known in closed form (noise, choices, randomised response, their composition, published formulas, samples) is computed again with
mpmath. An answer may be above the truth where that promises less, and never below it; where more is promised by less than 1e-12 of the
number, that is counted as a rounding for errors and printed formulas, and as unsafe for a level, a delta or a loss. Elsewhere numbers
must be finite, shares lie from 0 to 1, and ends enclose what they are ends of. Exit code 1 where anything is unsafe or has a traceback.
"""

from __future__ import annotations

import argparse
import math
import random
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import mpmath as mp
import numpy as np
from scipy import special

from par_core import questions
from par_core.composition import basic, compose, exact, optimal_pure
from par_core.composition.accountants import advanced, of_zcdp, rdp, zcdp
from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.evidence import Quantity
from par_core.mechanisms import DiscreteLaplace, Exponential, Gaussian, Laplace, RandomisedResponse, max_posterior
from par_core.published import explicit
from par_core.sampling import coverage, rho_for, samples_needed, tolerance
from par_core.scenario import FIELDS, Scenario
from tests.core import test_hostile_values as hostile

SEED = 20261128
HANGS = 60.0  # seconds
LAST_DIGITS = mp.mpf(10) ** -12
DIGITS = 50
REFUSED = (ParameterError, InfeasibleError, DataError)
LEAST = mp.mpf(5e-324)


class HangError(BaseException):
    """A call took too long; no handler of the project catches it."""


@dataclass
class Cases:
    """What became of the cases of one kind."""

    what: str
    cases: int = 0
    refused: int = 0
    rounded: int = 0
    off: float = 0.0
    longest: float = 0.0
    slowest: str = ""
    unsafe: list[str] = field(default_factory=list)
    tracebacks: list[str] = field(default_factory=list)

    def call(self, case: object, function: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """Return what a call answers; None where it refuses, or fails."""
        start = time.perf_counter()
        signal.setitimer(signal.ITIMER_REAL, HANGS)
        self.cases += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                return function(*given, **named)
        except REFUSED as error:
            self.refused += 1
            if "\n" in str(error) or not str(error):
                self.unsafe.append(f"no sentence: {error!r}: {case}")
        except (Exception, HangError) as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            self.tracebacks.append(
                f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}: {error}: {case}"[:500]
            )
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            if (spent := time.perf_counter() - start) > self.longest:
                self.longest, self.slowest = spent, str(case)
        return None

    def holds(
        self, case: object, found: Any, truth: Any, *, toward: Literal["up", "down"], strict: bool = True
    ) -> None:
        """Hold an answer against the truth: it may be off toward one side only."""
        if found is None:
            return
        if not (isinstance(found, float | int) and not math.isnan(found)):
            self.unsafe.append(f"{found!r}: {case}")
            return
        if math.isinf(found):
            short = mp.mpf(0) if (found > 0) == (toward == "up") else mp.inf
        else:
            short = (truth - mp.mpf(found)) * (1 if toward == "up" else -1)
        if short <= 0:
            return
        part = short / abs(truth) if truth else mp.inf
        self.off = max(self.off, float(part)) if short > LEAST else self.off
        if short <= LEAST or (not strict and part <= LAST_DIGITS):
            self.rounded += 1
        else:
            self.unsafe.append(f"{found!r} and not {mp.nstr(truth, 20)}, off by {mp.nstr(part, 3)} of it: {case}")

    def must(self, case: object, *, fact: bool, what: str) -> None:
        if not fact:
            self.unsafe.append(f"{what}: {case}")

    def row(self) -> str:
        """Return a line of the table."""
        counts = (self.cases, self.refused, len(self.unsafe), self.rounded, len(self.tracebacks))
        return (
            f"| {self.what} | {' | '.join(f'{each:,}' for each in counts)} | {self.off:.0e} | {self.longest:,.2f} s |"
        )


# --- what is drawn ---

ENDS = (
    5e-324,
    1e-308,
    1e-300,
    1e-200,
    1e-17,
    1e-8,
    0.5,
    1.0,
    36.7,
    700.0,
    709.8,
    745.2,
    1e6,
    1e16,
    1e154,
    1e300,
    1.7e308,
)
SHARES = (5e-324, 1e-300, 1e-17, 1e-12, 1e-5, 0.25, 0.5, 0.75, 1 - 1e-5, 1 - 1e-12, 1 - 2**-53)


def level(draw: random.Random) -> float:
    return draw.choice((draw.choice(ENDS), math.exp(draw.uniform(-20, 7)), math.exp(draw.uniform(-700, 700))))


def share(draw: random.Random) -> float:
    return draw.choice(
        (draw.choice(SHARES), draw.random(), 10 ** draw.uniform(-300, 0), 1 - 10 ** draw.uniform(-16, 0))
    )


def below(draw: random.Random, top: float) -> float:
    """A level up to another: next to it, next to 0, or between."""
    part = draw.choice((0.0, 1.0, 0.5, draw.random(), 10 ** draw.uniform(-300, 0), 1 - 10 ** draw.uniform(-16, 0)))
    return draw.choice((part * top, np.nextafter(top, 0.0).item(), np.nextafter(top, math.inf).item()))


# --- mechanisms in closed form ---


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


class OfGauss:
    """The truth of Gaussian noise whose neighbours are mu apart."""

    def __init__(self, mu: float, moves: int) -> None:
        self.moves = moves
        self.made = Gaussian(1.0, mu)
        self.mu = mp.mpf(mu)
        self.top = mp.mpf(min(max(mu * (mu / 2 + 8), 1e-300), 1e300))

    def delta(self, e: Any) -> Any:
        return mp.ncdf(self.mu / 2 - e / self.mu) - mp.exp(e) * mp.ncdf(-self.mu / 2 - e / self.mu)

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


def mechanism(name: str, number: int) -> Cases:
    """One mechanism: every answer about its loss and its error."""
    cases, draw = Cases(name), random.Random(f"{SEED} {name}")
    for _ in range(number):
        given = level(draw), draw.choice((1, 1, 2, 3, draw.randint(1, 40)))
        if name == "Gaussian":  # the truth of one farther apart has more digits than anybody computes
            given = math.exp(draw.uniform(-30, 5)), 1
        with mp.workdps(_digits(given[0])):
            truth = cases.call(("made", *given), KINDS[name], *given)
        if truth is None:
            continue
        noise, top = truth.made, float(truth.top)
        e, rate, prior = below(draw, top), share(draw), share(draw)
        if draw.random() < 0.5:  # next to where the best attack changes
            rate = min(
                max(
                    math.exp(-min(top, 700.0) * draw.randint(0, given[1]) / given[1])
                    / draw.choice((1.0, 2.0, 1 + math.exp(-min(top, 700.0))))
                    * draw.choice((1.0, 1 - 1e-13, 1 + 1e-9)),
                    5e-324,
                ),
                1.0,
            )
        at = (name, given, e)
        with mp.workdps(_digits(e, top)):
            cases.holds((*at, "delta"), cases.call(at, noise.delta, e), truth.delta(mp.mpf(e)), toward="up")
            found = cases.call(at, noise.loss_exceeds, e, two_sided=False)
            cases.holds((*at, "exceeds"), found, truth.exceeds(mp.mpf(e)), toward="up")
            if name != "exponential mechanism":
                found = cases.call(at, noise.loss_exceeds, e)
                cases.holds((*at, "beyond"), found, 1 - truth.within(mp.mpf(e)), toward="up")
            found = cases.call(at, noise.loss_within, e)
            cases.holds((*at, "within"), found, truth.within(mp.mpf(e)), toward="down")
            cases.holds(
                (*at, "advantage"), cases.call(at, getattr, noise, "advantage"), truth.delta(mp.mpf(0)), toward="up"
            )
            found = cases.call((*at, rate), noise.epsilon, rate)
            if found is not None:
                with mp.workdps(_digits(found, top)):
                    cases.holds((*at, rate, "epsilon"), rate, truth.delta(mp.mpf(found)), toward="up")
        with mp.workdps(_digits(rate, top if name != "Gaussian" else 1.0)):
            found = cases.call((*at, rate), noise.tradeoff, rate)
            cases.holds((*at, rate, "tradeoff"), found, truth.missed(mp.mpf(rate)), toward="down")
        if name != "Gaussian":
            with mp.workdps(_digits(prior, top)):
                found = cases.call((*at, prior), noise.posterior, prior)
                odds = mp.mpf(prior) / (prior + (1 - mp.mpf(prior)) * mp.exp(-truth.top))
                cases.holds((*at, prior, "posterior"), found, odds, toward="up")
        if hasattr(noise, "exceeds"):
            off = draw.choice((0.0, draw.random() * 40 * noise.mean_error, level(draw)))
            with mp.workdps(DIGITS):
                found = cases.call((*at, off), noise.exceeds, off)
                cases.holds(
                    (*at, off, "error exceeds"), found, truth.error_exceeds(mp.mpf(off)), toward="up", strict=False
                )
        if name == "Laplace":
            k, part = draw.choice((1, 2, 10_000)), share(draw)
            with mp.workdps(_digits(part, 1.0)):
                found = cases.call((*at, part, k), noise.all_error, part, k)
                cases.holds(
                    (*at, part, k, "error"), found, truth.error_within(mp.mpf(part), k), toward="up", strict=False
                )
    return cases


def _digits(*values: float) -> int:
    """So many that 50 are left where numbers next to each other are subtracted."""
    small = min(abs(each) for each in values if each) if any(values) else 1.0
    return DIGITS + 20 + max(0, -2 * math.floor(math.log10(small)))


# --- composition ---


def response_after(epsilon0: Any, number: int, e: Any) -> Any:
    """Delta of so many releases of randomised response with two categories: the worst of every pure mechanism."""
    truth = 1 / (1 + mp.exp(-epsilon0))
    terms = (
        mp.binomial(number, flips)
        * truth**number
        * mp.exp(-flips * epsilon0)
        * -mp.expm1(e - (number - 2 * flips) * epsilon0)
        for flips in range(number // 2 + 1)
        if (number - 2 * flips) * epsilon0 > e
    )
    return mp.fsum(terms)


def composition(number: int) -> Cases:
    """Releases of randomised response, of Gaussian noise, and one of Laplace noise: the ends enclose the truth, accountants stay above."""
    cases, draw = Cases("composition"), random.Random(SEED)
    for _ in range(number):
        e0 = draw.choice((1e-8, 1e-6, 0.5, 50.0, math.exp(draw.uniform(-14, 3.9))))
        times, delta = (
            draw.choice((1, 2, 3, 10, draw.randint(1, 400))),
            draw.choice((1e-15, 1e-5, 0.5, 10 ** draw.uniform(-250, -0.01))),
        )
        at = (e0, times, delta)
        with mp.workdps(2 * DIGITS):
            kinds: dict[str, tuple[Any, Callable[[Any], Any]]] = {
                "response": (
                    RandomisedResponse(e0),
                    lambda e, e0=e0, times=times: response_after(mp.mpf(e0), times, e),
                ),
            }
            if e0 < 5:
                mu = mp.mpf(1) / mp.mpf(e0 and 1 / e0) * mp.sqrt(times)
                kinds["Gaussian"] = (
                    Gaussian(1 / e0),
                    lambda e, mu=mu: mp.ncdf(mu / 2 - e / mu) - mp.exp(e) * mp.ncdf(-mu / 2 - e / mu),
                )
            if times == 1:
                kinds["Laplace"] = (Laplace(e0), lambda e, e0=e0: OfLaplace(e0, 1).delta(e))
            for kind, (made, after) in kinds.items():
                found = cases.call((kind, *at), lambda made=made, at=at: exact(made, at[1], delta=at[2]))
                if found is None:
                    continue
                cases.must(
                    (kind, *at), fact=found.lower <= found.value <= found.upper, what="ends that enclose nothing"
                )
                cases.holds((kind, *at, "upper"), delta, after(mp.mpf(found.upper)), toward="up")
                if found.lower > 0:
                    gap = mp.mpf(found.lower) * (1 - mp.mpf(10) ** -30)
                    cases.holds((kind, *at, "lower"), delta, after(gap), toward="down")
                whole = cases.call((kind, *at), lambda made=made, at=at: compose(made, at[1]).delta(at[0]))
                cases.holds((kind, *at, "delta"), whole, after(mp.mpf(e0)), toward="up")
            found = cases.call(at, lambda at=at: optimal_pure(at[0], at[1], delta=at[2]))
            if found is not None:
                cases.holds((*at, "optimal"), delta, response_after(mp.mpf(e0), times, mp.mpf(found)), toward="up")
            for accountant in (basic, advanced, zcdp, rdp):
                found = cases.call(at, lambda a=accountant, at=at: a(at[0], at[1], delta=at[2]))
                truth = {
                    basic: lambda e0, times, _: mp.mpf(e0) * times,
                    advanced: _advanced,
                    zcdp: lambda e0, times, delta: min(
                        _at_best_order(lambda a: mp.mpf(e0) ** 2 / 2 * times * (1 + a), delta), mp.mpf(e0) * times
                    ),
                    rdp: lambda e0, times, delta: min(
                        _at_best_order(lambda a: times * _renyi(a, mp.mpf(e0)), delta), mp.mpf(e0) * times
                    ),
                }[accountant](e0, times, delta)
                cases.holds((*at, accountant.__name__), found, truth, toward="up", strict=False)
    return cases


def _advanced(e0: float, times: int, delta: float) -> Any:
    e = mp.mpf(e0)
    return e * mp.sqrt(2 * times * -mp.log(delta)) + times * e * mp.expm1(e)


def _renyi(above: Any, e0: Any) -> Any:
    order = 1 + above
    inside = order / (2 * order - 1) * mp.exp((order - 1) * e0) + (order - 1) / (2 * order - 1) * mp.exp(-order * e0)
    return mp.log(inside) / above


def _at_best_order(divergence: Callable[[Any], Any], delta: float) -> Any:
    def epsilon(log_above: Any) -> Any:
        above = mp.exp(log_above)
        return divergence(above) - mp.log1p(1 / above) - (mp.log(delta) + mp.log1p(above)) / above

    start = min(range(-12, 17), key=epsilon)
    low, high = mp.mpf(start - 1), mp.mpf(start + 1)
    for _ in range(70):
        one, two = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, two) if epsilon(one) < epsilon(two) else (one, high)
    return max(epsilon((low + high) / 2), 0)


# --- printed formulas, samples ---


def total_cdf(x: Any, k: int) -> Any:
    """P(T <= x), a mixture of Gamma distributions with one to k parts."""
    weights = (2 * mp.binomial(k - 1 + j, j) * mp.mpf(2) ** -(k + j) for j in range(k))
    return mp.fsum(weight * mp.gammainc(k - j, 0, x, regularized=True) for j, weight in enumerate(weights))


def printed(number: int) -> Cases:
    """Theorem 4 as it is printed, and its inverses put back in."""
    cases, draw = Cases("Theorem 4 as printed"), random.Random(SEED)
    for _ in range(number):
        e0, k = math.exp(draw.uniform(-18, 5)), draw.choice((1, 2, 5, draw.randint(1, 60)))
        e, wish = (
            e0 * draw.choice((draw.random(), 1 - 10 ** draw.uniform(-12, 0), 1e-9)),
            draw.choice((draw.random(), 1 - 1e-9, 1e-9)),
        )
        at = (e, e0, k, wish)
        with mp.workdps(DIGITS + 4 * k):
            inside = total_cdf(mp.mpf(e), k)
            truth = inside / total_cdf(mp.mpf(e0), k)
            for way in ("up", "down"):
                cases.holds(
                    (*at, "t_cdf"),
                    cases.call(at, lambda at=at: explicit.t_cdf(at[0], k=at[2])),
                    inside,
                    toward=way,
                    strict=False,
                )
                cases.holds(
                    (*at, "confidence"),
                    cases.call(at, lambda at=at: explicit.confidence(*at[:2], k=at[2])),
                    truth,
                    toward=way,
                    strict=False,
                )
            cases.holds(
                (*at, "risk"),
                cases.call(at, lambda at=at: explicit.risk(*at[:2], k=at[2])),
                1 - truth,
                toward="up",
                strict=False,
            )
            found = cases.call(at, lambda at=at: explicit.epsilon_at(at[3], at[1], k=at[2]))
            if found is not None:
                back = total_cdf(mp.mpf(found), k) / total_cdf(mp.mpf(e0), k)
                cases.holds((*at, "epsilon_at"), wish, back, toward="down", strict=False)
            found = cases.call(at, lambda at=at: explicit.epsilon0_for(at[0], at[3], k=at[2]))
            if found is not None:
                back = inside / total_cdf(mp.mpf(found), k)
                cases.holds((*at, "epsilon0_for"), wish, back, toward="down", strict=False)
    return cases


def samples(number: int) -> Cases:
    """How many samples, and what they cover."""
    cases, draw = Cases("samples"), random.Random(SEED)
    for _ in range(number):
        n, rho = (
            draw.choice((1, 2, 10, 10**6, draw.randint(1, 300))),
            draw.choice((1e-4, 0.5, 1.0, 10 ** draw.uniform(-6, 0))),
        )
        wish, part = share(draw), share(draw)
        with mp.workdps(60):
            found = cases.call((n, rho), lambda n=n, rho=rho: tolerance(n, rho))
            truth = max(1 - 2 * mp.exp(-2 * mp.mpf(rho) ** 2 * n), 0)  # below that nothing is said
            cases.holds((n, rho, "tolerance"), found, truth, toward="down", strict=False)
            found = cases.call((rho, wish), lambda rho=rho, wish=wish: samples_needed(rho, wish))
            if found is not None and math.isfinite(found):
                back = 1 - 2 * mp.exp(-2 * mp.mpf(rho) ** 2 * mp.mpf(found))
                cases.holds((rho, wish, "samples"), wish, back, toward="down", strict=False)
            found = cases.call((n, wish), lambda n=n, wish=wish: rho_for(n, wish))
            if found is not None:
                back = 1 - 2 * mp.exp(-2 * mp.mpf(found) ** 2 * n)
                cases.holds((n, wish, "rho"), wish, back, toward="down", strict=False)
        if n <= 300:
            rank = draw.randint(1, n)
            with mp.workdps(400):
                found = cases.call((n, rank, part), lambda n=n, rank=rank, part=part: coverage(n, rank, share=part))
                p = mp.mpf(part)
                truth = mp.fsum(mp.binomial(n, j) * p**j * (1 - p) ** (n - j) for j in range(rank))
                cases.holds((n, rank, part, "coverage"), found, truth, toward="down", strict=False)
    return cases


def beliefs(number: int) -> Cases:
    """The strongest belief, and what zero-concentrated privacy comes to."""
    cases, draw = Cases("beliefs and zCDP"), random.Random(SEED)
    for _ in range(number):
        prior, e = share(draw), level(draw)
        with mp.workdps(_digits(prior)):
            found = cases.call((prior, e), lambda prior=prior, e=e: max_posterior(prior, e))
            truth = mp.mpf(prior) / (prior + (1 - mp.mpf(prior)) * mp.exp(-mp.mpf(e)))
            cases.holds((prior, e), found, truth, toward="up")
        rho, delta = 10 ** draw.uniform(-12, 5), 10 ** draw.uniform(-250, -0.01)
        with mp.workdps(DIGITS):
            found = cases.call((rho, delta), lambda rho=rho, delta=delta: of_zcdp(rho, delta=delta))
            cases.holds(
                (rho, delta, "zcdp"),
                found,
                _at_best_order(lambda a, rho=rho: rho * (1 + a), delta),
                toward="up",
                strict=False,
            )
    return cases


# --- every public call, every question ---


LONG = ("size", "runs", "rows", "permutations")  # of these many take long, and say nothing new


def calls(number: int) -> Cases:
    """Every public call with extreme numbers in all of its numeric parameters together."""
    cases, draw = Cases("every public call"), random.Random(SEED)
    for call in hostile.CALLS:
        names = [each for each in hostile.hostile_to(call) if _is_number(hostile.argument_or_none(call, each))]
        for _ in range(max(number // 50, 1) if names else 0):
            values = {
                each: _extreme(draw, hostile.argument_or_none(call, each))
                for each in draw.sample(names, draw.randint(1, len(names)))
            }
            values = {name: value for name, value in values.items() if name not in LONG}
            trouble = cases.call((call, values), lambda call=call, values=values: _trouble(call, values))
            if trouble:
                cases.unsafe.append(f"{trouble}: {call} {values}")
    return cases


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _extreme(draw: random.Random, good: float) -> float:
    if isinstance(good, int):
        return draw.choice((1, 2, 3, 10, 1000, good))
    return draw.choice((level(draw), share(draw), good))


def _trouble(call: str, values: dict[str, Any]) -> str | None:
    function, answer = hostile.asked(call, values)
    numbers = list(hostile.numbers_in(answer))
    if any(map(math.isnan, numbers)) and not hostile.documented(function, answer, r"\bnan\b"):
        return "answers NaN"
    if any(map(math.isinf, numbers)) and not hostile.documented(function, answer, r"infinit|\binf\b"):
        return "answers infinity"
    return None


def every_question(number: int) -> Cases:
    """Every question with a scenario, and fields of its own, at the ends of what they allow."""
    cases, draw = Cases("every question"), random.Random(SEED)
    for name in questions.__all__:
        kind = getattr(questions, name)
        if not (isinstance(kind, type) and issubclass(kind, questions.question.Question)):
            continue
        for _ in range(max(number // 25, 1)):
            scenario = _scenario(draw)
            own = _own_fields(draw, kind)
            case = f"{name} {own} {scenario!r}"
            answer = cases.call(case, lambda kind=kind, scenario=scenario, own=own: _answered(kind, scenario, own))
            for key, quantity in (answer or {}).items():
                for value in (
                    np.asarray(quantity.value, dtype=object).ravel().tolist() if isinstance(quantity, Quantity) else ()
                ):
                    if isinstance(value, float) and math.isnan(value):
                        cases.unsafe.append(f"{key} is no number: {case}")
                    elif (
                        quantity.kind == "share" and isinstance(value, float | int) and not -1e-12 <= value <= 1 + 1e-12
                    ):
                        cases.unsafe.append(f"{key} is a share of {value}: {case}")
                    elif (
                        quantity.kind in ("level", "error")
                        and "loss" not in key
                        and isinstance(value, float | int)
                        and value < 0
                    ):
                        cases.unsafe.append(f"{key} is {value}: {case}")
    return cases


def _answered(kind: Any, scenario: Scenario, own: dict[str, Any]) -> dict[str, Quantity]:
    question = kind(scenario, **own)
    answer = question.answer()
    for block in answer.story():
        repr(block)
    return dict(answer.numbers())


def _scenario(draw: random.Random) -> Scenario:
    """A scenario with one to four fields at an end of what they may be, or next to it."""
    while True:
        given = {}
        for each in draw.sample(FIELDS, draw.randint(1, 4)):
            if each.at_least is None or each.at_most is None:
                continue
            low, high = each.at_least, each.at_most
            whole = isinstance(getattr(Scenario(), each.name), int)
            given[each.name] = draw.choice(
                (
                    low,
                    high,
                    int(math.exp(draw.uniform(0, math.log(high))))
                    if whole
                    else math.exp(draw.uniform(math.log(max(low, 1e-15)), math.log(high))),
                )
            )
        given["mechanism"] = draw.choice(
            ("laplace", "laplace", "discrete-laplace", "gaussian", "randomised-response", "exponential")
        )
        try:
            return Scenario(**given)
        except ParameterError:
            continue


def _own_fields(draw: random.Random, kind: Any) -> dict[str, Any]:
    """Now and then extreme numbers in the fields of a question itself."""
    hints = get_type_hints(kind)
    found = {}
    for each in fields(kind):
        hint = hints[each.name]
        several = [part for part in get_args(hint) if part is not NoneType]
        hint = several[0] if NoneType in get_args(hint) and len(several) == 1 else hint
        if each.name == "scenario" or draw.random() < 0.6 or each.name in (*LONG, "people"):
            continue
        if hint is float:
            found[each.name] = draw.choice((share(draw), level(draw), math.exp(draw.uniform(-10, 5))))
        elif hint is int:
            found[each.name] = draw.choice((1, 2, 3, 100, 10_000))
        elif get_origin(hint) is Literal:
            found[each.name] = draw.choice(get_args(hint))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--number", type=int, default=1000, help="of each kind; of a call a fiftieth, of a question a twenty-fifth"
    )
    parser.add_argument("--only", default="", help="what to try, by a part of its name")
    given = parser.parse_args()
    signal.signal(signal.SIGALRM, _hangs)
    parts: dict[str, Callable[[], Cases]] = {name: lambda name=name: mechanism(name, given.number) for name in KINDS}
    parts |= {
        "composition": lambda: composition(given.number // 4),
        "Theorem 4 as printed": lambda: printed(given.number // 4),
        "samples": lambda: samples(given.number),
        "beliefs and zCDP": lambda: beliefs(given.number),
        "every public call": lambda: calls(given.number),
        "every question": lambda: every_question(given.number),
    }
    print(
        "| what | cases | refused | unsafe | by roundings | tracebacks | largest part | longest |\n|---|---|---|---|---|---|---|---|"
    )
    found = []
    for what, run in parts.items():
        if given.only.lower() in what.lower():
            found.append(run())
            print(found[-1].row(), flush=True)
    for each in found:
        print(f"{each.what}, the longest: {each.slowest}"[:300], file=sys.stderr)
        for fault in [*each.tracebacks[:15], *each.unsafe[:15]]:
            print(f"{each.what}: {fault}", file=sys.stderr)
    return int(any(each.unsafe or each.tracebacks for each in found))


def _hangs(*_: object) -> None:
    raise HangError("hangs")


if __name__ == "__main__":
    sys.exit(main())
