"""What a script does for one statistic of a column of numbers, beside what it does for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from par_core.export import script_gaussian as gaussian
from par_core.export import script_text as pieces
from par_core.mechanisms import Norm
from par_core.queries import statistics


@dataclass(frozen=True)
class AmountScript:
    """How a script makes a statistic of a noisy sum over all rows, as text of the script.

    `does` says so in its head, for noise in either norm. `clamped` is the function with what each row adds, and `ends` are the least and
    the most of that; "" where these are the bounds. `rest` is done to the noisy sum; `shifted` in its place where the sum is taken of the
    values less LOWER, None where it never is.
    """

    does: Mapping[Norm, str]
    rest: str = ""
    shifted: str | None = None
    clamped: str = pieces.CLAMPED
    ends: str = ""


AMOUNT_SCRIPTS: Final[Mapping[type[statistics.Statistic], AmountScript]] = {
    statistics.Sum: AmountScript({"L1": pieces.SUM_DOES, "L2": gaussian.SUM_DOES}, shifted=" + rows * LOWER"),
    statistics.Mean: AmountScript(
        {"L1": pieces.MEAN_DOES, "L2": gaussian.MEAN_DOES}, rest=" / ROWS", shifted=" / ROWS + LOWER"
    ),
}
"""How a script publishes each of `par_core.queries.AMOUNTS`, where it is one release."""
