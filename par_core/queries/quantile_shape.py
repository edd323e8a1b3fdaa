"""What the release of a quantile may tell anybody: which quantile it is, and among how many public candidates it is chosen.

Each candidate c has a score, that of OpenDP's private quantile: how far it is from having alpha of the rows x below it, each of which
is moved to the candidate next to it,

    score(c) = |(1 - alpha)·#(x < c) - alpha·#(x > c)|,  the smaller the better.

A row that appears or disappears moves it by 1 - alpha or alpha, so one person by the larger of both for each of their rows. Rows without a
value are left out, and which those are is private: so a row that is replaced is one that disappears and one that appears, and moves the
score by twice as much. For the median that is no more than if every row had a value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.parameters import check_integer, check_number, shown
from par_core.queries.sensitivity import Part, round_up
from par_core.queries.shapes import Shape
from par_core.scenario import Neighbours

MOST_CANDIDATES = 10_000
AFTER_MOVING = (
    "counted after each value is moved to its nearest candidate"  # the rows that the error of a quantile is in
)
FINEST_ALPHA = 10_000  # OpenDP cuts alpha off after its fourth decimal


@dataclass(frozen=True)
class QuantileShape(Shape):
    """A quantile, chosen among public candidates: alpha from 0.0001 to 0.9999 with four decimals, 2 to 10,000 candidates.

    The sensitivity of its one part is that of the score, in rows.

    >>> QuantileShape(0.5, 366).parts(Neighbours.ADD_OR_REMOVE, 3)[0].sensitivity
    1.5
    >>> QuantileShape(0.95, 366).parts(Neighbours.REPLACE_ONE)[0].sensitivity
    1.9000000000000001
    """

    noun = "quantile"
    is_selection: ClassVar[bool] = True
    k: int = field(default=1, init=False)
    alpha: float = 0.5
    candidates: int = 2

    def __post_init__(self) -> None:
        """Check both."""
        super().__post_init__()
        object.__setattr__(self, "alpha", check_alpha(self.alpha))
        number = check_integer("candidates", self.candidates, at_least=2, at_most=MOST_CANDIDATES)
        object.__setattr__(self, "candidates", number)

    def _parts(self, neighbours: Neighbours, most: int, rows: int | None) -> tuple[Part, ...]:  # noqa: ARG002  # of a mean alone
        changed = most if neighbours is Neighbours.ADD_OR_REMOVE else 2 * most
        below = round(self.alpha * FINEST_ALPHA)
        return (Part("quantile", round_up(Fraction(changed * max(below, FINEST_ALPHA - below), FINEST_ALPHA))),)


@Evidence(PROVEN, source="the value as given")
def check_alpha(value: object) -> float:
    """Return which quantile is meant as a float; ParameterError unless it is 0.0001 to 0.9999 and has four decimals at most.

    >>> check_alpha(0.95)
    0.95
    """
    alpha = check_number("alpha", value, at_least=1 / FINEST_ALPHA, at_most=1 - 1 / FINEST_ALPHA)
    rounded = round(alpha, 4)
    if abs(alpha - rounded) > 1e-9:
        raise ParameterError(f"alpha must have at most four decimals, got {shown(value)}")
    return rounded


@Evidence(PROVEN, source="the quantile itself")
def quantile_name(alpha: float) -> str:
    """Return what a quantile is called.

    >>> quantile_name(0.5), quantile_name(0.01), quantile_name(0.975)
    ('median', '1st percentile', '97.5th percentile')
    """
    part = f"{100 * check_alpha(alpha):.4g}"
    if part == "50":
        return "median"
    ordinal = (
        "th"
        if "." in part or part[-2:] in ("11", "12", "13")
        else {"1": "st", "2": "nd", "3": "rd"}.get(part[-1], "th")
    )
    return f"{part}{ordinal} percentile"
