"""The release script is offered where a level is calibrated or decided, for the scenario as it stands."""

import pytest

PLACES = [("explicit_risk", "calibrate"), ("decide", "decide")]
ONE_WISH = {"explicit_risk": {}, "decide": {"we": 0, "wbv": 0.999}}  # that the level meets


def constants(text):
    held = {"__name__": "script"}
    exec(compile(text, "release.py", "exec"), held)
    return held


@pytest.mark.parametrize("mechanism", ["laplace", "discrete-laplace", "gaussian"])
@pytest.mark.parametrize(("page", "tab"), PLACES)
def test_the_script_is_that_of_the_scenario(open_page, files, page, tab, mechanism):
    view = open_page(page, tab=tab, m=mechanism, e0=0.7, k=3, s=2, rel=4, **ONE_WISH[page])
    held = constants(files["scenario_code"]())
    assert (held["EPSILON"], held["NUMBERS"], held["SENSITIVITY"], held["PLAN"]["runs"]) == (0.7, 3, 2, 4)
    if page == "explicit_risk":
        before = files["scenario_code"]
        view.turn("e0", 0.9)
        assert constants(before())["EPSILON"] == 0.7, "a file is that of the page on which it is clicked"
        assert constants(files["scenario_code"]())["EPSILON"] == 0.9


@pytest.mark.parametrize("settings", [{"m": "randomised-response"}, {"m": "discrete-laplace", "s": 0.5}])
@pytest.mark.parametrize(("page", "tab"), PLACES)
def test_there_is_none_where_none_can_be(open_page, files, page, tab, settings):
    open_page(page, tab=tab, **settings)
    assert "scenario_code" not in files


def test_there_is_none_where_wishes_collide(open_page, files):
    view = open_page("decide", k=3, s=2, rel=4)
    assert "collide" in view.words
    assert "scenario_code" not in files


def test_there_is_none_for_a_level_that_misses_a_wish(open_page, files):
    view = open_page("decide", we=0, wbv=0.6, e0=0.7)
    assert "misses your belief" in view.words
    assert "scenario_code" not in files


def test_the_script_of_a_table_has_a_run_for_each_statistic_of_each_release(open_page, files):
    open_page("your_table", rel=3, stats=2, d=1e-6)
    plan = constants(files["release_code"]())["PLAN"]
    assert (plan["runs"], plan["delta_of_all"]) == (6, 1e-6)
