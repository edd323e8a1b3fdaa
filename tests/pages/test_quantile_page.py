"""The page asks for a quantile: its candidates, and which one; of an upload nothing is read off the file."""

import pytest

from par_core.datasets import census2000
from par_core.plan import from_address, from_toml
from par_core.queries import Condition, Quantile
from par_core.questions import Epsilon0ForError, HowFarOff
from par_core.release import plan_release, quantile_within
from par_core.rounding import amount
from par_core.scenario import Neighbours, Scenario
from tests.pages.table_view import cells, errors, exact, put, select
from tests.pages.test_your_plan import link, open_section

MEDIAN = Quantile("weekly_income", 0, 5000, 20)
OWN = ("cost,who\n" + "".join(f"{at % 40 + 0.5},p{at}\n" for at in range(600))).encode()


@pytest.fixture
def page(open_page):
    return lambda **settings: open_page("your_table", **settings)


def test_the_controls_ask_for_a_quantile(page):
    view = page().choose("ask", "quantile")
    view.assert_told(HowFarOff(Scenario(), MEDIAN))
    assert "One of 251 values is published: 0 to 5,000 in steps of 20." in view.words
    assert "In 95 of 100 releases at most 31 rows lie between published and true median" in view.words
    assert cells(view)["Within, 95 of 100"].tolist() == ["31 ranks"]
    view.type("qa", 0.9).type("stp", 50).assert_told(HowFarOff(Scenario(), Quantile("weekly_income", 0, 5000, 50, 0.9)))
    georgia = Condition("state", "==", "Georgia")
    view = page(
        ask="quantile", of="age", lo=0, hi=110, stp=1, only=1, where="state", cmp="==", val="Georgia", m="gaussian"
    )
    view.assert_told(HowFarOff(Scenario(mechanism="gaussian"), Quantile("age", 0, 110, 1, 0.5, georgia)))
    view = page(tab="wanted", ask="quantile", want=20)
    view.assert_told(Epsilon0ForError(Scenario(), MEDIAN, wanted=20.0))
    assert view.number("want").help == "In rows between the published value and the true one."
    assert view.choose("ask", "sum").number("want").help == "In the unit of the published number."


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"lo": 10, "hi": 5}, "lower must be below upper"),
        ({"stp": 9000}, "step must leave two candidates at least"),
        ({"stp": 0.005}, "step must leave 10,000 candidates at most, got 1,000,001"),
        ({"qa": 0.12345}, "alpha must have at most four decimals"),
    ],
)
def test_what_cannot_be_used_is_a_sentence(page, settings, said):
    view = page(ask="quantile", **settings)
    assert any(said.casefold() in each.casefold() for each in errors(view))


def test_the_steward_alone_sees_how_far_off_it_is_in_the_unit_of_the_column(page):
    view = page(ask="quantile", e0=0.02)
    assert "come out within" not in view.words
    answer = MEDIAN.answer(census2000().table)
    assert exact(view) == answer.exact.tolist()
    planned = plan_release(MEDIAN, 0.02, neighbours=Neighbours.REPLACE_ONE)
    near = amount(quantile_within(planned, answer).within, 4)
    unit = census2000().units["weekly_income"]
    assert f"On this table 95 of 100 releases come out within {near} {unit} of the exact median." in view.words
    assert "exact" not in view.links["full"]


def test_a_quantile_of_an_upload_waits_for_what_is_publicly_known(page):
    view = put(page(table="own", ask="quantile"), OWN)
    assert "Type the lowest and the highest value that can be published, and the step between them." in view.words
    select(view, "of", "cost")
    view.type("own_lo", 0).type("own_hi", 40).type("own_stp", 0.5)
    assert "One of 81 values is published: 0 to 40 in steps of 0.5." in view.words
    assert "rows lie between published and true median" in view.words
    assert "stp=20" in view.links["full"], "that of the built-in table, which plays no part"
    assert exact(view)[0] == Quantile("cost", 0, 40, 0.5).answer(_frame()).exact[0]


def test_which_quantile_of_an_upload_is_asked_for_is_in_no_link(page):
    view = put(page(table="own", ask="quantile", qa=0.75), OWN)
    view = select(view, "of", "cost").type("own_lo", 0).type("own_hi", 40).type("own_stp", 0.5)
    assert "between published and true median" in view.words, "a link says nothing of a file"
    view.type("_own_table_qa", 0.9)
    assert "between published and true 90th percentile" in view.words
    assert "qa=0.75" in view.links["full"], "that of the built-in table, which plays no part"
    assert "0.9" not in view.links["full"]
    assert "between published and true 90th percentile" in view.choose("ask", "sum").choose("ask", "quantile").words
    (error,) = errors(view.type("_own_table_qa", 2))
    assert "Share of rows below (0.5: the median) must be" in error
    view.type("_own_table_qa", None)
    assert "Type which share of the rows is below the quantile" in view.words, "what is emptied does not stay in force"
    assert not view.charts
    view = put(view, b"x,y\n1.5,2\n3,4\n", "other.csv")
    assert (view.number("own_stp").value, view.number("_own_table_qa").value) == (None, 0.5), (
        "they are of another column"
    )


def _frame():
    import io

    import pandas as pd

    return pd.read_csv(io.BytesIO(OWN))


def test_it_goes_into_a_plan_with_its_script_and_its_file(page, files):
    view = page(ask="quantile").press("Put into the plan")
    view = open_section(view.choose("ask", "count").press("Put into the plan"))
    first, second = from_address(link(view)["plan"])
    assert link(view)["plan"].startswith("2~quantile_d251")
    assert (first.shape, second.shape.noun) == (MEDIAN.shape, "counts")
    assert "Ranks are rows" in view.words
    assert "Chosen by permute and flip: it gets no noise." in view.words
    assert [each.key for each in view.app.selectbox if (each.key or "").startswith("_kind_")] == ["_kind_1"]
    labels = [each.label for each in view.app.number_input if (each.key or "").startswith("_wish_")]
    assert labels == ["Largest error that will do, in ranks", "Largest error that will do"]
    script = files["plan_code"]()
    compile(script, "release.py", "exec")
    assert "CANDIDATES_R1 = [each / 1 for each in range(0, 5001, 20)]" in script
    _, named = from_toml(files["plan_toml"]())
    assert named[0].query == MEDIAN


def test_beside_gaussian_noise_it_gets_its_part_of_the_level_as_a_choice_does(page):
    """Noise in L2 of a plan is one release, of which a part is a larger level alone; a choice has its part and no more."""
    view = page(m="gaussian", ask="count").press("Put into the plan").choose("ask", "quantile")
    view.assert_told(HowFarOff(Scenario(epsilon0=0.25), MEDIAN))
    assert "In the plan it would get ε₀ = 0.25 of that" in view.words
    view.press("Put into the plan")
    assert link(view)["plan"].endswith("~quantile_d251_t2")
    view.assert_told(HowFarOff(Scenario(epsilon0=0.25), MEDIAN))
