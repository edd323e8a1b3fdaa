"""What setting negative counts to 0 does to the error, given the true value.

It happens after the noise is added, so it costs no privacy. It shrinks the expected error, but what is cut off is always
on the same side: small counts come out too large on average, and sums of many clamped cells come out far too large.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms import drawn
from par_core.parameters import FloatOrArray, check_integers, check_number, check_numbers, check_type, like_input

_LAW = "integrals and sums of the distribution of the noise, closed form"
_LARGEST_SCALE = 1e300


@dataclass(frozen=True)
class ProcessedError(Result):
    """Error of numbers after clamping, in their unit.

    `expected` is the mean absolute error of each number and `bias` what it is too large by on average; both depend on
    the true value and are as private as it is (`repr` hides them). `worst_expected` and `worst_bias` hold for every
    true value.
    """

    expected: FloatOrArray = field(repr=False)
    bias: FloatOrArray = field(repr=False)
    worst_expected: FloatOrArray
    worst_bias: FloatOrArray
    whole: bool
    clamped: bool
    QUANTITIES = quantities(
        expected=stated("error", "up"), bias=stated("error", "up"), worst_expected=stated("error", "up")
    )
    evidence = Evidence(PROVEN, source=_LAW)


def processed_error(
    truth: ArrayLike, scale: ArrayLike, *, whole: bool = False, clamped: bool = False, mechanism: str = "laplace"
) -> ProcessedError:
    """Return the error of noisy numbers that may be clamped at 0 afterwards, in the shape of the broadcast arguments.

    The true values are private, or public guesses: whole numbers if `whole`, and at least 0 if `clamped`, where negative noisy numbers
    are set to 0. The scale of the noise, above 0 and at most 1e300, is in their unit. The noise is what release scripts draw for a
    `mechanism` of `par_core.mechanisms.MECHANISMS`.

    >>> found = processed_error([0, 5], 2.0, clamped=True)
    >>> found.bias.round(3).tolist(), found.worst_bias
    ([1.0, 0.082], 1.0)
    """
    width = check_numbers("scale", scale, above=0.0, at_most=_LARGEST_SCALE)
    values = _truth(truth, whole=whole, clamped=clamped)
    noise = drawn(whole=whole, mechanism=mechanism).with_scale(width)
    mean = np.asarray(noise.mean_error)
    cut = np.asarray(noise.mean_beyond(values)) if clamped else np.zeros(np.broadcast(values, width).shape)
    return ProcessedError(
        expected=like_input(mean - cut),
        bias=like_input(cut),
        worst_expected=like_input(mean),
        worst_bias=like_input(0.5 * mean if clamped else np.zeros(mean.shape)),
        whole=whole,
        clamped=clamped,
    )


@dataclass(frozen=True)
class ShareWithin(Result):
    """How many cells come out near their true value: `share` on average over releases, and the chance of each cell.

    Made from true values, it is as private as they are; `repr` hides it.
    """

    share: float = field(repr=False)
    of_each: NDArray[np.float64] = field(repr=False)
    tolerance: float
    evidence = Evidence(PROVEN, source=_LAW)


def share_within(
    truth: ArrayLike,
    scale: float,
    *,
    tolerance: float = 0.1,
    whole: bool = False,
    clamped: bool = False,
    mechanism: str = "laplace",
) -> ShareWithin:
    """Return the expected share of cells whose released value is within `tolerance` (10 %) of the true one.

    Truth, scale, whole, clamped and mechanism are as in `processed_error`. The tolerance, in (0, 1), is a part of the true value, read as
    written, so that 0.1 is a tenth. A true 0 is within 10 % only if it comes out as 0, which takes whole numbers or clamping.

    >>> round(share_within([10, 100, 1000], 2.0).share, 3)
    0.796
    """
    width = check_number("scale", scale, above=0.0)
    part = check_number("tolerance", tolerance, above=0.0, below=1.0)
    values = np.abs(np.atleast_1d(_truth(truth, whole=whole, clamped=clamped)))
    allowed = part * values
    if whole:  # a tenth of 30 is 3, not a little more or less
        exact = Fraction(repr(part))
        allowed = np.array([float(exact * int(value)) for value in values.flat]).reshape(values.shape)
    outside = np.asarray(drawn(whole=whole, mechanism=mechanism).with_scale(width).exceeds(allowed))
    if clamped:
        outside = np.where(values == 0.0, 0.5 * outside, outside)  # all that is below 0 comes out as 0
    return ShareWithin(share=float(1.0 - outside.mean()), of_each=1.0 - outside, tolerance=part)


def _truth(truth: ArrayLike, *, whole: bool, clamped: bool) -> NDArray[np.float64]:
    check_type("whole", whole, bool)
    values = (
        check_numbers("truth", truth, at_least=0.0)
        if check_type("clamped", clamped, bool)
        else check_numbers("truth", truth)
    )
    if whole:
        check_integers("truth", truth, at_least=0 if clamped else -(2**53))
    return values
