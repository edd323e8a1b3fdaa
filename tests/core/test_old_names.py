"""Names of the version before: they warn whoever uses them, and do what the new ones do."""

import sys
from importlib import import_module

import numpy as np
import pytest

from par_core import composition, cost, evidence, mechanisms, parameters, queries, questions, release, scenario
from par_core.audit import drawn_densities, variance_and_quantile
from par_core.audit import queries as panel_queries
from par_core.claims import catalogue
from par_core.composition import basic, compare, exact, exact_delta, most_releases, within_target
from par_core.export import run_limit
from par_core.export.scenario_code import scenario_code
from par_core.figures import composition as figures
from par_core.figures import quantities
from par_core.mechanisms import Gaussian, Laplace
from par_core.published import composition as published
from par_core.queries import amounts, counts
from par_core.questions.composition import exact_within_target, how_many_releases
from par_core.questions.paper_check import catalogue as checked
from par_core.questions.parsing import question_of
from par_core.release import splitting

SCRIPT = scenario_code(scenario.Scenario())
GOAL = {"epsilon": 1.0, "delta": 1e-5}


def standing():
    import par_core.standing as module

    return module


def by_old_path():
    import par_core.audit.curves as module

    return module


def release_module():
    from par_core.release.plan import PlannedRelease

    return PlannedRelease


def planned_by_path():
    from par_core.release.plan import plan

    return plan


CALLS = {
    "par_core.mechanisms.strongest_belief": lambda: (mechanisms.strongest_belief, mechanisms.max_posterior),
    "par_core.mechanisms.StrongestBelief": lambda: (mechanisms.StrongestBelief, mechanisms.MaxPosterior),
    "largest_compositions": lambda: (composition.largest_compositions, composition.most_releases),
    "par_core.release.made_up_counts": lambda: (release.made_up_counts, release.synthetic_counts),
    "par_core.release.MadeUp": lambda: (release.MadeUp, release.SyntheticRelease),
    "MadeUpCounts": lambda: (questions.MadeUpCounts, questions.SyntheticCounts),
    "par_core.parameters.one_whole": lambda: (parameters.one_whole, parameters.check_integer),
    "par_core.parameters.real": lambda: (parameters.real, parameters.check_numbers),
    "par_core.queries.counts.Count": lambda: (counts.Count, queries.Count),
    "par_core.queries.amounts.Sum": lambda: (amounts.Sum, queries.Sum),
    "par_core.queries.amounts.Mean": lambda: (amounts.Mean, queries.Mean),
    "par_core.audit.variance_and_quantile.Quantile": lambda: (
        variance_and_quantile.Quantile,
        variance_and_quantile.PanelQuantile,
    ),
    "par_core.audit.queries.Variance": lambda: (panel_queries.Variance, variance_and_quantile.PanelVariance),
    "par_core.queries.Question": lambda: (queries.Question, queries.TableQuery),
    "par_core.cost.sensitivity_of": lambda: (cost.sensitivity_of, cost.sensitivity_analysis),
    "par_core.standing": lambda: (standing(), evidence),
    "par_core.evidence.Standing": lambda: (evidence.Standing, evidence.Basis),
    "par_core.evidence.Declaration": lambda: (evidence.Declaration, evidence.Evidence),
    "par_core.evidence.declare": lambda: (evidence.declare, evidence.Evidence),
    "par_core.evidence.declaration_of": lambda: (evidence.declaration_of, evidence.evidence_of),
    "par_core.evidence.Told": lambda: (evidence.Told, evidence.stated),
    "par_core.scenario.written": lambda: (scenario.written, scenario.exact_text),
    "par_core.figures.quantities.written": lambda: (quantities.written, quantities.format_quantity),
    "par_core.claims.catalogue.written": lambda: (catalogue.written, catalogue.format_numbers),
    "par_core.release.splitting.written": lambda: (splitting.written, splitting.decimal_fraction),
    "Laplace.standing": lambda: (Laplace(0.5).standing, Laplace(0.5).evidence.basis),
    "Plan": lambda: (composition.Plan, within_target.WithinTarget),
    "par_core.composition.within_target.Plan": lambda: (within_target.Plan, within_target.WithinTarget),
    "ReleasePlan": lambda: (questions.ReleasePlan, questions.HowManyReleases),
    "par_core.questions.composition.how_many_releases.ReleasePlan": lambda: (
        how_many_releases.ReleasePlan,
        questions.HowManyReleases,
    ),
    "par_core.questions.composition.exact_within_target.ExactPlan": lambda: (
        exact_within_target.ExactPlan,
        exact_within_target.ExactWithinTarget,
    ),
    "par_core.release.plan": lambda: (release.plan, release.plan_release),
    "par_core.release.plan_scenario": lambda: (release.plan_scenario, release.plan_release_of),
    "par_core.export.run_limit.YearPlan": lambda: (run_limit.YearPlan, run_limit.RunLimit),
    "par_core.export.run_limit.plan_of_table": lambda: (run_limit.plan_of_table, run_limit.limit_of_table),
    "par_core.export.run_limit.plan_of_scenario": lambda: (run_limit.plan_of_scenario, run_limit.limit_of_scenario),
    "ScenarioCode.year": lambda: (SCRIPT.year, SCRIPT.limit),
    "par_core.figures.composition.plans": lambda: (figures.plans, figures.allowed_bars),
    "par_core.questions.paper_check.catalogue.Ledger": lambda: (checked.Ledger, checked.Catalogue),
    "par_core.audit.curves": lambda: (by_old_path(), drawn_densities),
    "Laplace.error": lambda: (Laplace(0.5).error(0.95), Laplace(0.5).error_quantile(0.95)),
    "Gaussian.error": lambda: (Gaussian(2.0).error(0.95), Gaussian(2.0).error_quantile(0.95)),
    "WithinTarget.compositions": lambda: (most_releases("basic", 0.1, **GOAL).compositions, 10),
    "Comparison.compositions": lambda: (compare(0.1, [3], delta=1e-5).compositions.tolist(), [3]),
    "the argument compositions of basic": lambda: (basic(0.1, compositions=3), basic(0.1, releases=3)),
    "the argument compositions of exact": lambda: (exact(0.1, compositions=3, delta=1e-5), exact(0.1, 3, delta=1e-5)),
    "the argument compositions of exact_delta": lambda: (
        exact_delta(0.1, compositions=3, epsilon=0.1),
        exact_delta(0.1, 3, epsilon=0.1),
    ),
    "the argument compositions of compare": lambda: (
        compare(0.1, compositions=[3], delta=1e-5).exact,
        exact(0.1, [3], delta=1e-5),
    ),
    "the argument compositions of at_risk": lambda: (
        published.at_risk(0.1, compositions=3, delta=1e-5),
        published.at_risk(0.1, 3, delta=1e-5),
    ),
}


def test_a_module_by_its_old_path_stays_what_it_is():
    with pytest.warns(DeprecationWarning, match="^par_core.claims.gravity is now par_core.claims.error_severity"):
        import par_core.claims.gravity as old
    assert (old.__name__, old.__spec__.name) == ("par_core.claims.error_severity",) * 2


MODULES = {
    "claims.ledger": "claims.catalogue",
    "composition.plans": "composition.within_target",
    "export.ledger_files": "export.catalogue_files",
    "export.plan_words": "export.release_meaning",
    "export.year_plan": "export.run_limit",
    "questions.composition.exact_plan": "questions.composition.exact_within_target",
    "questions.composition.plans_table": "questions.composition.within_target_table",
    "questions.composition.release_plan": "questions.composition.how_many_releases",
    "questions.paper_check.ledger": "questions.paper_check.catalogue",
}


@pytest.mark.parametrize("old", MODULES)
def test_modules_of_other_plans_and_ledgers_open_by_their_old_paths(old):
    sys.modules.pop(f"par_core.{old}", None)
    with pytest.warns(DeprecationWarning, match=f"^par_core.{old} is now par_core.{MODULES[old]}"):
        module = import_module(f"par_core.{old}")
    assert module is import_module(f"par_core.{MODULES[old]}")


@pytest.mark.parametrize("asked", [release_module, planned_by_path])
def test_a_module_whose_name_was_a_call_too_opens_and_hides_no_call(asked):
    with pytest.warns(DeprecationWarning, match="^par_core.release.plan is now par_core.release.planned_release"):
        assert asked() in (release.PlannedRelease, release.plan_release)
    with pytest.warns(DeprecationWarning, match="^par_core.release.plan is now plan_release"):
        assert release.plan is release.plan_release


def test_a_question_by_its_old_name_is_parsed():
    assert type(question_of("ReleasePlan", {"target": "2"})) is questions.HowManyReleases


@pytest.mark.parametrize("name", CALLS)
def test_an_old_name_warns_whoever_uses_it_and_does_what_the_new_one_does(name):
    with pytest.warns(DeprecationWarning, match=f"^{name} is now ") as told:
        old, new = CALLS[name]()
    assert [each.filename for each in told] == [__file__]
    np.testing.assert_equal(old, new)


def test_a_new_name_does_not_warn_and_another_is_none(recwarn):
    assert exact(0.1, releases=3, delta=1e-5)
    assert Laplace(0.5).error_quantile(0.5)
    assert parameters.check_list("x", [1])
    assert not recwarn.list
    with pytest.raises(AttributeError, match="module 'par_core.mechanisms' has no attribute 'nothing'"):
        mechanisms.nothing  # noqa: B018
