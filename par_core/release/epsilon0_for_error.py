"""From the error that will do to the epsilon0 of a whole release, in a number that can be typed."""

from __future__ import annotations

import decimal
import math
from fractions import Fraction

from par_core.errors import InfeasibleError
from par_core.evidence import PROVEN, Evidence
from par_core.parameters import check_choice, check_integer, check_type
from par_core.release.error import Measure
from par_core.release.planned_release import PlannedRelease, epsilon_for_query
from par_core.release.splitting import LARGEST_EVEN, split_evenly

_MOST_DIGITS = 15  # every decimal of so many digits comes back from a float as it was typed
_OF_ONE_NUMBER = {
    Measure.ALL95: Measure.RANGE95,
    Measure.TOTAL95: Measure.RANGE95,
    Measure.TOTAL_EXPECTED: Measure.EXPECTED,
}


@Evidence(
    PROVEN,
    source="noise in L1 by basic composition over the statistics, in L2 as one release, solved for epsilon0 and rounded up",
    limits="for a quotient from the upper bounds on its error; the smallest epsilon is then found to nine digits",
).of("level", "up")
def epsilon0_for_release(
    wanted: float,
    planned: PlannedRelease,
    *,
    statistics: int = 1,
    measure: Measure = Measure.RANGE95,
    rows: int | None = None,
    size: float | None = None,
    digits: int = 4,
) -> float:
    """Smallest epsilon0 of so many digits for a whole release, with which the error of one statistic is as small as wanted.

    Put back in, that is planned with so many statistics, the number meets the wish; one step less in its last digit does not.

    `wanted`, above 0, is the largest error that will do, in the unit of the answer, and `measure` which one is meant; one number is all of
    them, and its own total. `planned` has the query, neighbours, rows per person and mechanism of the statistic, and delta; its own
    epsilon plays no part. Up to a million statistics share epsilon0 as in `par_core.release.plan_release`, this one among them. `rows` and
    `size` are as in `par_core.release.epsilon_for_query`: for a mean, the public number of rows, or a guess of a private one. epsilon0
    has up to 15 decimal `digits`. InfeasibleError as in `epsilon_for_query`, and if epsilon0 would be beyond the largest float.

    >>> from par_core.queries import CountBy
    >>> from par_core.release import plan_release
    >>> from par_core.scenario import Neighbours
    >>> planned = plan_release(CountBy(("education",), ((12, 16),)), 0.5, neighbours=Neighbours.REPLACE_ONE)
    >>> epsilon0_for_release(10, planned), epsilon0_for_release(10, planned, statistics=3)
    (0.5687, 1.707)
    """
    query = check_type("planned", planned, PlannedRelease).query
    meant = Measure(check_choice("measure", measure, Measure))
    most = check_integer("digits", digits, at_least=1, at_most=_MOST_DIGITS)
    shares = check_integer("statistics", statistics, at_least=1, at_most=LARGEST_EVEN)
    epsilon = epsilon_for_query(
        wanted,
        query,
        neighbours=planned.neighbours,
        rows_per_person=planned.rows_per_person,
        rows=rows,
        measure=_OF_ONE_NUMBER.get(meant, meant) if query.k == 1 else meant,
        size=size,
        weights=planned.weights,
        mechanism=planned.mechanism,
        delta=planned.delta,
        statistics=shares,
    )
    if planned.norm == "L2":
        shares = 1
    short = decimal.Context(prec=most, rounding=decimal.ROUND_FLOOR)
    exact = Fraction(epsilon) * shares
    shown = short.divide(decimal.Decimal(exact.numerator), decimal.Decimal(exact.denominator))
    # From below: the next number up will do as a rule, but 0.1 itself does where 0.1 is needed, though as a float it is above.
    while not math.isinf(float(shown)):
        if split_evenly(float(shown), shares).parts[0] >= epsilon:
            return float(shown)
        shown = short.next_plus(shown)
    raise InfeasibleError("no finite epsilon0 makes the error as small as wanted")
