"""The scenario whose release is the one that is planned for a query: what every page that follows the scenario then speaks of."""

from __future__ import annotations

import math
from dataclasses import replace

from par_core.errors import ParameterError
from par_core.mechanisms import NOISES, drawn
from par_core.parameters import check_type
from par_core.queries import PersonCounts
from par_core.release.planned_release import PlannedRelease
from par_core.scenario import Scenario


def scenario_of(planned: PlannedRelease, scenario: Scenario) -> Scenario | None:
    """Return the scenario with the query, the noise and the neighbours of a plan, so that its errors are those of the plan.

    None where no scenario says the same: of a noisy sum over a noisy count, of a quantile, of what holds only if as many rows replace a
    person's rows, of numbers that one person moves by less in L2 where the noise is for L2 (the sensitivity of a scenario is in L1), and
    of numbers out of the ranges of a scenario.

    >>> from par_core.queries import CountBy
    >>> from par_core.release import plan_release_of
    >>> planned = plan_release_of(CountBy(("education",), ((12, 16),)), Scenario())
    >>> found = scenario_of(planned, Scenario())
    >>> found.k, found.sensitivity, found.mechanism, found.release.error_quantile(0.95) == planned.error.range95
    (2, 2.0, 'discrete-laplace', True)
    """
    check_type("scenario", scenario, Scenario)
    check_type("planned", planned, PlannedRelease)
    if planned.is_pair or planned.is_selection or planned.assumes_as_many:
        return None
    part = planned.parts[0].part
    if part.moves(planned.norm) != part.sensitivity:
        return None
    noise = drawn(whole=part.whole, mechanism=planned.mechanism)
    # One count of persons moves by 1, in however many rows they are.
    most = 1 if isinstance(planned.query, PersonCounts) and part.k == 1 else planned.rows_per_person
    shared = part.sensitivity / most
    near = (shared, math.nextafter(shared, 0.0), math.nextafter(shared, math.inf))
    each = next((each for each in near if each * most == part.sensitivity), near[-1])
    if part.whole and each * most != part.sensitivity:  # whole numbers would no longer be whole
        return None
    try:
        return replace(
            scenario,
            k=part.k,
            sensitivity=each,
            neighbours=planned.neighbours,
            rows_per_person=most,
            mechanism=next(name for name, kind in NOISES.items() if kind is noise),
        )
    except ParameterError:
        return None
