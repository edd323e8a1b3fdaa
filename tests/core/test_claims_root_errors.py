"""The independent errors of the papers: every failure is one of them or falls with one, and no error is counted twice."""

from dataclasses import replace

import pytest

from par_core.claims import CLAIMS, REFUTED, REPRODUCED
from par_core.claims.root_errors import root_errors
from par_core.claims.theorems import NODES, falls_with
from par_core.errors import ParameterError
from tests.core.catalogue_found import catalogue_found


def roots(**changed):
    """The errors by name, once the verdicts of some claims are others than they are."""
    verdicts = {name.replace("-", "_"): each for name, each in catalogue_found().items()}
    for name, outcome in changed.items():
        verdicts[name] = replace(verdicts[name], verdict=outcome)
    return {each.name: each for each in root_errors(verdicts.values())}


def test_each_failure_is_one_error_or_falls_with_one():
    refuted = {name for name, each in catalogue_found().items() if each.refuted}
    own = [name for each in roots().values() for name in each.claims]
    falling = {name for each in roots().values() for name in each.falling}
    assert len({*own}) == len(own), "no failure is two errors"
    assert {*own}.isdisjoint(falling)
    assert refuted == {*own, *(falling & refuted)}
    assert falling - refuted == {name for name in catalogue_found() if falls_with(name, catalogue_found().get)}


def test_what_carries_theorem_4_further_is_no_error_of_its_own():
    found = roots()
    assert next(iter(found)) == "PaR Equation 15", "the first that most falls with"
    falling = found["PaR Equation 15"].falling
    for name in ("equation-17", "lemma-11", "theorem-4", "corollary-4", "theorem-6", "case-1-guarantee", "figure-1a"):
        assert f"par-{name}" in falling
    assert not {"PaR Lemma 11", "PaR Theorem 4", "PaR Theorem 6"} & {*found}
    assert "par-case-1-five-coefficients" in found["PaR Section 6.2, case 1"].claims, (
        "a slip beside the theorem's fault"
    )
    falling = {"edp-theorem-2", "edp-figure-1-width", "edp-figure-1-scale", "edp-figure-1"}
    assert {*found["EDP Proposition 1"].falling} == falling
    assert found["EDP Proposition 1"].places == ("Theorem 2", "Figure 1")


def test_one_error_less_or_more_is_counted():
    """Were equation 15 true, Lemma 11 would be the first error on the way to Theorem 4, or a step below it."""
    without = roots(par_equation_15=REPRODUCED)
    assert "PaR Equation 15" not in without
    assert "par-theorem-4" in without["PaR Equation 17"].falling
    alone = roots(par_equation_15=REPRODUCED, par_equation_17=REPRODUCED, par_preprint_equation_16=REPRODUCED)
    assert "par-theorem-4" in alone["PaR Lemma 11"].falling
    more = roots(lecture_semantic=REFUTED)
    assert {*more} == {*roots(), "lecture-semantic"}


def test_a_claim_outside_of_the_map_repeats_another_that_is_outside_too():
    on_map = {name for node in NODES for name in (*node.claims, *node.together, *node.where_used)}
    repeating = [each for each in CLAIMS if each.follows]
    assert repeating
    for claim in repeating:
        assert on_map.isdisjoint((claim.id, *claim.follows))
        assert all(catalogue_found()[each].refuted for each in (claim.id, *claim.follows))
        assert all(claim.id in roots()[each].falling for each in claim.follows)
    assert "lecture-response-interval-holds" in roots(lecture_response_interval=REPRODUCED)


def test_the_whole_catalogue_is_needed():
    with pytest.raises(ParameterError, match="^verdicts must be those of the whole catalogue"):
        root_errors([catalogue_found()["par-theorem-4"]])
