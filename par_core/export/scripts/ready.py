"""How one release of a plan is made ready: all of a run are proven before anything is measured."""

from fractions import Fraction

from par_core.export.scripts.files import stop
from par_core.export.scripts.made_for import made_for
from par_core.export.scripts.persons import cap
from par_core.export.scripts.plan_of_release import EPSILON, EPSILONS, MOVES, NAME, ONE_PERSON, RHO, ROWS, SUMS_MOVE
from par_core.export.scripts.statistic import measurements, prepare, published


def proven_epsilon(name, mechanisms, one_person, planned):
    """Return the epsilon that OpenDP proves, all parts added up exactly; stop if a part has more than planned."""
    found = [mechanism.map(one_person) for mechanism in mechanisms]
    for epsilon, most in zip(found, planned, strict=True):
        print(f"{name!r}: proven epsilon {epsilon} (planned {most})")
        if not epsilon <= most:
            stop("this release would be less private than planned: nothing was measured")
    return sum(map(Fraction, found))


def proven_rho(name, mechanisms, moves, planned):
    """Return the rho that OpenDP proves of Gaussian noise, all parts added up; stop if it is more than planned."""
    found = sum(mechanism.map(each) for mechanism, each in zip(mechanisms, moves, strict=True))
    print(f"{name!r}: proven rho {found} (planned {planned})")
    if not found <= planned:
        stop("this release would be less private than planned: nothing was measured")
    return found


def ready(table):
    """Return a release, not measured yet: its name, the epsilon and the rho that it spends, and how to publish it."""
    if made_for.capped:
        table = cap(table)
    if made_for.statistic == "mean":  # noqa: SIM102
        if len(table) != ROWS:
            stop(f"{NAME!r}: the table does not have as many rows as planned (ROWS); plan the release again")
    rows = len(table)
    vectors, mechanisms = prepare(table), measurements(rows)
    if not made_for.gaussian:
        if made_for.groups:
            spent, rho = proven_epsilon(NAME, mechanisms[:1], SUMS_MOVE, EPSILONS[:1]), 0.0
            spent += proven_epsilon(NAME, mechanisms[1:], ONE_PERSON, EPSILONS[1:])  # of the counts, if there are any
        else:
            spent, rho = proven_epsilon(NAME, mechanisms, ONE_PERSON, EPSILONS), 0.0
        if spent > EPSILON:
            stop("the parts would spend more than planned: nothing was measured")
    else:
        spent, rho = Fraction(EPSILON), proven_rho(NAME, mechanisms, MOVES, RHO)

    def publish():
        """Measure, and return what is published."""
        return published([mechanism(vector) for mechanism, vector in zip(mechanisms, vectors, strict=True)], rows)

    return NAME, spent, rho, publish
