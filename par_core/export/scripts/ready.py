"""How one release of a plan is made ready: all of a run are proven before anything is measured."""

from fractions import Fraction

from par_core.export.scripts.files import stop
from par_core.export.scripts.made_for import made_for
from par_core.export.scripts.persons import cap
from par_core.export.scripts.plan_of_release import EPSILON, EPSILONS, MOVES, NAME, ONE_PERSON, RHO, ROWS
from par_core.export.scripts.statistic import measurements, prepare, published


def ready(table):
    """Return a release that is not measured yet: its name, the epsilon and the rho that it spends, how to publish it."""
    if made_for.capped:
        table = cap(table)
    if made_for.statistic == "mean":  # noqa: SIM102
        if len(table) != ROWS:
            stop(f"{NAME!r}: the table does not have as many rows as planned (ROWS); plan the release again")
    rows = len(table)
    vectors, mechanisms = prepare(table), measurements(rows)
    if not made_for.gaussian:
        # These lines fit where a script has them, further to the left.
        # fmt: off
        proven = [mechanism.map(ONE_PERSON) for mechanism in mechanisms]  # OpenDP's own proof, part by part
        for epsilon, planned in zip(proven, EPSILONS, strict=True):
            print(f"{NAME!r}: proven epsilon {epsilon} (planned {planned})")
            if not epsilon <= planned:
                stop("this release would be less private than planned: nothing was measured")
        spent, rho = sum(map(Fraction, proven)), 0.0
        if spent > EPSILON:
            stop("the parts would spend more than planned: nothing was measured")
        # fmt: on
    else:
        # OpenDP's own proof; what epsilon and delta go with it is proven for all Gaussian releases together.
        rho = sum(mechanism.map(moves) for mechanism, moves in zip(mechanisms, MOVES, strict=True))
        print(f"{NAME!r}: proven rho {rho} (planned {RHO})")
        if not rho <= RHO:
            stop("this release would be less private than planned: nothing was measured")
        spent = Fraction(EPSILON)

    def publish():
        """Measure, and return what is published."""
        return published([mechanism(vector) for mechanism, vector in zip(mechanisms, vectors, strict=True)], rows)

    return NAME, spent, rho, publish
