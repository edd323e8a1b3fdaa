"""Long work: every function with `progress` tells the share that is done, and ends without a trace where that raises."""

import importlib
import inspect
import pkgutil
from itertools import chain, pairwise

import numpy as np
import pandas as pd
import pytest

import par_core
import par_distributed
from par_core.audit import audit, individual_deltas, intervals, leave_one_out
from par_core.audit.adversary import audit_given, random_groups
from par_core.audit.joint import joint_audit
from par_core.audit.other_densities import delta_curves
from par_core.audit.outputs import refute, refute_tradeoff, try_on
from par_core.audit.panel import Panel
from par_core.audit.queries import PanelSum
from par_core.claims import check_all
from par_core.composition import exact, exact_delta
from par_core.composition.planned_releases import exact_after, exact_together
from par_core.errors import ParameterError
from par_core.ledger.example import EXAMPLE_DATA_SET, example_ledger
from par_core.ledger.remaining import spent_by_day
from par_core.mechanisms import Laplace, RandomisedResponse
from par_core.progress import Cancelled, portion
from par_core.queries import Condition, Count, PersonCount, Sum, cap_rows
from par_core.regression import RidgeProblem, utility
from par_core.risk import explicit_curves
from par_core.risk.simulation import simulate_exceedance
from par_core.sampling import MeanOf, sample_sensitivity
from par_core.scenario import Neighbours, Scenario

ROWS = 120_001  # three times what is looked at between two calls
ANSWERS = np.random.default_rng(1).normal(size=(60, 20)) + np.eye(60)[:1].T * 1.5
PANEL = Panel.from_arrays(ANSWERS)
AUDIT = audit(PANEL, PanelSum())
TABLE = pd.DataFrame({"who": np.arange(ROWS) // 2, "x": np.arange(ROWS) % 7, "y": 1.0})
PROBLEM = RidgeProblem([[1.0]] * 200_000, np.arange(200_000) % 2, names=("one",))
OUTPUTS = np.random.default_rng(1).laplace(size=(2, 60_000)) + np.array([[1.0], [0.0]])
LARGE = Condition("x", ">", 3)
CAP = {"person": "who", "rows_per_person": 1}


def rng():
    return np.random.default_rng(3)


def curves(**more):
    return [each.deltas for each in delta_curves(AUDIT, 0, epsilons=[0.1], **more)]


def at(**more):
    return AUDIT.at(0.01, **more).deltas


def deltas(**more):
    without = np.tile(ANSWERS[:2], (10_000, 1))
    return individual_deltas(ANSWERS[0], without, epsilon=0.1, bandwidth=1.0, **more)


KNOWN = np.arange(20) % 3
GIVEN = audit_given(AUDIT, KNOWN, fewest=2)
BOTH = joint_audit(AUDIT, audit(PANEL, lambda values: float(values.max())))
RECORDS = example_ledger(Neighbours.REPLACE_ONE).of(EXAMPLE_DATA_SET)
WORK = {
    "par_core.claims.check_all": lambda **more: [verdict.reason for verdict in check_all(**more)],
    "par_core.composition.exact.exact": lambda **more: exact([[0.5], [3.0]], [40, 300], delta=1e-12, **more).upper,
    "exact of a mechanism": lambda **more: exact(RandomisedResponse(0.3), [*range(1, 30)], delta=1e-6, **more).upper,
    "par_core.composition.exact.exact_delta": lambda **more: exact_delta(0.5, [90, 150], epsilon=20.0, **more).upper,
    "par_core.composition.planned_releases.exact_after": lambda **more: (
        exact_after(Scenario(statistics=3), [4, 40, 400_000], delta=1e-6, **more).upper
    ),
    "par_core.composition.planned_releases.exact_together": lambda **more: (
        exact_together([Scenario(statistics=3), Scenario(epsilon0=0.2)], [40, 4], delta=1e-6, **more).upper
    ),
    "par_core.audit.auditing.AuditResult.at": at,
    "par_core.audit.auditing.audit": lambda **more: audit(PANEL, PanelSum(), **more).delta,
    "par_core.audit.adversary.audit_given": lambda **more: audit_given(AUDIT, KNOWN, fewest=2, **more).at(0.1).deltas,
    "par_core.audit.adversary.random_groups": lambda **more: random_groups(GIVEN, 0.1, rng=rng(), **more).worst,
    "par_core.audit.adversary.GivenAudit.intervals": lambda **more: [
        each.delta for each in GIVEN.intervals(0.1, **more)
    ],
    "par_core.audit.joint.JointAudit.at": lambda **more: BOTH.at(0.1, **more).together,
    "par_core.audit.joint.JointAudit.curve": lambda **more: BOTH.curve(0, **more).together,
    "par_core.audit.deltas.individual_deltas": deltas,
    "par_core.audit.intervals.intervals": lambda **more: intervals(AUDIT, 0.1, **more).delta,
    "par_core.audit.leave_one_out.leave_one_out": lambda **more: leave_one_out(PANEL, PanelSum(), **more),
    "par_core.audit.other_densities.delta_curves": curves,
    "par_core.audit.outputs.refutation.refute": lambda **more: refute(*OUTPUTS, 1.0, **more).wealth,
    "par_core.audit.outputs.refutation.refute_tradeoff": lambda **more: (
        refute_tradeoff(*OUTPUTS, Laplace(1.0), **more).wealth
    ),
    "par_core.audit.outputs.trying.try_on": lambda **more: try_on(*OUTPUTS, 1.0, **more).refutation.wealth,
    "par_core.ledger.remaining.spent_by_day": lambda **more: [
        each.epsilon for _, each in spent_by_day(RECORDS, delta=1e-6, **more)
    ],
    "par_core.risk.explicit_curves.simulate": lambda **more: (
        explicit_curves.simulate(1.0, 1, even=False, size=2_000_000, seed=1, **more).share
    ),
    "par_core.sampling.sampled.sample_sensitivity": lambda **more: (
        sample_sensitivity(MeanOf("y"), TABLE, rows=5, pairs=200_001, rng=rng(), **more).values
    ),
    "par_core.risk.simulation.simulate_exceedance": lambda **more: (
        simulate_exceedance(0.5, 1.0, size=2_000_000, rng=rng(), **more).share
    ),
    "par_core.queries.person_counts.PersonCounts.answer": lambda **more: (
        PersonCount(LARGE, person="who").answer(TABLE, **more).exact
    ),
    "par_core.queries.person_counts.PersonCounts.kept": lambda **more: (
        PersonCount(LARGE, person="who").kept(TABLE, **CAP, **more).number
    ),
    "par_core.queries.persons.cap_rows": lambda **more: cap_rows(TABLE, "who", rows_per_person=1, **more)["x"],
    "par_core.queries.amounts.TableAmount.blanks": lambda **more: Sum("y", 0, 1).blanks(TABLE, **CAP, **more),
    "par_core.queries.table_query.TableQuery.answer": lambda **more: Count(LARGE).answer(TABLE, **CAP, **more).exact,
    "par_core.queries.table_query.TableQuery.kept": lambda **more: Count(LARGE).kept(TABLE, **CAP, **more).number,
    "par_core.regression.accuracy.utility": lambda **more: (
        utility(PROBLEM, [0.5], penalty=0.1, runs=12, rng=rng(), **more).rmse
    ),
}


def public_functions():
    ours = [pkgutil.walk_packages(each.__path__, f"{each.__name__}.") for each in (par_core, par_distributed)]
    for found in chain(*ours):
        module = importlib.import_module(found.name)
        places = [(found.name, module), *((f"{found.name}.{name}", kind) for name, kind in vars(module).items())]
        for place, owner in places:
            if owner is module or (inspect.isclass(owner) and owner.__module__ == module.__name__):
                for name, function in vars(owner).items():
                    if inspect.isfunction(function) and function.__module__ == module.__name__ and name[0] != "_":
                        yield f"{place}.{name}", function


def test_no_long_work_is_left_out():
    below = [pair for pair in public_functions() if not pair[0].startswith("par_core.questions.")]  # which hand it on
    long = {name for name, function in below if "progress" in inspect.signature(function).parameters} - {
        "par_core.composition.loss_distribution.laws",  # the inside of `exact`
        "par_core.composition.step_by_step.epsilons",
        "par_core.composition.step_by_step.deltas",
        "par_distributed.auditing.audit_dataset",  # has a test of its own, beside its cluster
    }
    assert long - {"par_core.progress.portion"} == set(WORK) - {"exact of a mechanism"}


@pytest.mark.parametrize("name", WORK)
def test_the_share_rises_and_what_progress_raises_ends_the_work(name):
    work, told = WORK[name], []
    found = work(progress=told.append)
    assert told == sorted(told)
    assert told[0] > 0
    assert told[-1] == 1
    for last in {0, len(told) // 2, len(told) - 1}:
        left = last

        def stop(share):  # noqa: ARG001  # it does not matter how much is done
            nonlocal left
            left -= 1
            if left < 0:
                raise Cancelled

        with pytest.raises(Cancelled):
            work(progress=stop)
        assert left == -1, "the work goes on"
    np.testing.assert_array_equal(found, work())  # whether it is told of or not, and after it was stopped
    with pytest.raises(ParameterError, match="^progress must be callable, got 3$"):
        work(progress=3)


def test_portions_of_portions_follow_one_another_and_never_go_back():
    draw = np.random.default_rng(8)
    for _ in range(300):
        told = []
        outer = np.sort(draw.random(4)).tolist()
        for start, end in pairwise(outer):
            inner = np.linspace(0.0, 1.0, int(draw.integers(2, 9))).tolist()
            for low, high in pairwise(inner):
                tell = portion(portion(told.append, start, end), low, high)
                for share in np.sort(draw.random(3)).tolist():
                    tell(share)
                tell(1.0)
        assert told == sorted(told)
        assert told[-1] == outer[-1]
    portion(None)(0.5)
