"""Sums and means in groups on the page: which question the controls ask, what stays in the session, and the script of a plan."""

import json

import pytest
from click.testing import CliRunner

from par_core.cli import par
from par_core.datasets import census2000
from par_core.plan import Release, from_toml
from par_core.queries import Condition, Groups, Mean, Share, Sum
from par_core.questions.your_table.epsilon0_for_error import Epsilon0ForError
from par_core.questions.your_table.how_far_off import HowFarOff
from par_core.scenario import Neighbours, Scenario
from tests.pages.table_view import cells, chosen, exact, put, select, turn, write

CENSUS = census2000()
BY_STATE = Groups("state", CENSUS.categories["state"])
OLDER = Share(Condition("age", ">=", 50))
MARKER = "zebra4711"
ROWS = 60
OWN = f"{MARKER}ward,{MARKER}pay,day\n" + "".join(
    f"{MARKER}{'ABC'[at % 3]},{'' if at % 7 == 0 else at % 9},2020-0{1 + at % 3}-01\n" for at in range(ROWS)
)


@pytest.fixture
def page(open_page):
    return lambda **settings: open_page("your_table", **settings)


@pytest.fixture
def own(page):
    """The page with a file of one's own, a sum or a mean of its pay with bounds, in groups of its ward."""

    def asked(ask, **settings):
        view = put(page(table="own", ask=ask, own_lo=0, own_hi=8, **settings), OWN.encode(), f"{MARKER}.csv")
        return select(view, "grp", f"{MARKER}ward")

    return asked


@pytest.mark.parametrize(
    ("settings", "query"),
    [
        ({"ask": "sum", "grp": "state"}, Sum("weekly_income", 0, 5000, groups=BY_STATE)),
        (
            {"ask": "sum", "grp": "education", "list": "own", "gcat": "12\n16"},
            Sum("weekly_income", 0, 5000, groups=Groups("education", (12, 16))),
        ),
        ({"ask": "mean", "grp": "state"}, Mean("weekly_income", 0, 5000, groups=BY_STATE)),
        (
            {"ask": "mean", "grp": "state", "nb": "add-or-remove", "n": 70, "m": "gaussian"},
            Mean("weekly_income", 0, 5000, groups=BY_STATE),
        ),
    ],
)
def test_each_query_is_asked_and_its_exact_answer_shown_when_asked_for(page, settings, query):
    view = page(**settings)
    scenario = Scenario(neighbours=settings.get("nb", "replace-one"), mechanism=settings.get("m", "laplace"))
    view.assert_told(HowFarOff(scenario, query, guess=settings.get("n", 1000)))
    assert cells(view)["Cell"].tolist() == list(query.labels)
    truth = query.answer(CENSUS.table)
    assert exact(view) == pytest.approx(truth.exact.tolist(), rel=1e-11)
    assert f"Rows left out, because their group is not on the list: {truth.absent:,}." in view.words
    if isinstance(query, Mean):
        assert (
            f"The smallest group has {truth.sizes.min():,.0f} rows, so its published mean will be within" in view.words
        )
        assert "at least" in view.words
        assert "rows are averaged in each group" in view.words
        assert view.number("n").label == "Rows averaged, at least"


def test_a_wanted_error_of_means_has_no_total(page):
    groups = {"ask": "mean", "grp": "state", "n": 500, "want": 900}
    query = Mean("weekly_income", 0, 5000, groups=BY_STATE)
    for measure in ("each", "all", "average"):
        view = page(tab="wanted", meas=measure, **groups)
        view.assert_told(Epsilon0ForError(Scenario(), query, guess=500, wanted=900.0, measure=measure))
    (error,) = page(tab="wanted", meas="total", **groups).app.error
    assert error.value.replace("\\", "") == "The means of groups have no total: choose another error."


def test_of_a_file_the_list_is_typed_and_stays_in_the_session(own, files):
    view = own("sum")
    assert "Type the publicly known list of categories, one per line." in view.words
    assert not view.charts
    view = write(view, "gcat", f"{MARKER}A\n{MARKER}C\n{MARKER}none")
    assert cells(view)["Cell"].tolist() == [f"{MARKER}A", f"{MARKER}C", f"{MARKER}none"]
    assert exact(view)[2] == 0.0
    assert MARKER not in json.dumps([view.links, view.app.query_params])
    assert "# category lists: typed by the user" in files["plan_csv"]()
    assert MARKER not in files["report"]()
    view = put(view, b"x,y\n1,2\n3,4\n", "other.csv")
    assert chosen(view, "grp").value == "", "the groups of another file do not hold"


def test_a_group_without_rows_has_no_mean(own):
    view = write(own("mean", nb="add-or-remove"), "gcat", f"{MARKER}A\n{MARKER}none").type("own_n", 10)
    turn(view, "exact_")
    assert cells(view)["Exact (private)"].tolist()[1] == "no rows"
    assert "The smallest group has no rows: what is published of it is noise." in view.words


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (f"{MARKER}A\n{MARKER}A", "must not repeat"),
        ("\n".join(map(str, range(10_001))), "must make at most 10000 cells, got 10001"),
    ],
)
def test_a_list_that_makes_no_groups_is_refused_in_a_sentence(own, typed, said):
    (error,) = write(own("sum"), "gcat", typed).app.error
    assert said in error.value.replace("\\", "")


def test_groups_of_dates_are_asked_for_as_dates(own):
    view = write(select(own("sum"), "grp", "day"), "gcat", "2020-01\n2020-02\n2020-03")
    assert len(exact(view)) == 3
    (error,) = write(view, "gcat", "20200131").app.error
    assert "must be years, months or days" in error.value


@pytest.mark.parametrize("neighbours", Neighbours)
def test_page_and_command_write_the_same_script_of_a_plan(own, files, tmp_path, neighbours):
    view = write(own("sum", nb=neighbours.value), "gcat", f"{MARKER}A\n{MARKER}C").press("Put into the plan")
    view = view.choose("ask", "mean").type("own_n", 15).press("Put into the plan")
    view.app.session_state["tab_your_table"] = "Your plan"
    view.run()
    plan, named = from_toml(files["plan_toml"]())
    groups = Groups(f"{MARKER}ward", (f"{MARKER}A", f"{MARKER}C"))
    assert [each.query for each in named] == [
        Sum(f"{MARKER}pay", 0, 8, groups=groups),
        Mean(f"{MARKER}pay", 0, 8, groups=groups),
    ]
    assert plan.releases[1] == Release(named[1].query.shape, size=15, times=2)
    (tmp_path / "plan.toml").write_text(files["plan_toml"](), encoding="utf-8")
    (tmp_path / "people.csv").write_text(OWN, encoding="utf-8")
    code = tmp_path / "release.py"
    asked = ["plan", str(tmp_path / "plan.toml"), str(tmp_path / "people.csv"), "--code", str(code)]
    told = CliRunner().invoke(par, asked)
    assert told.exit_code == 0, told.output
    assert "2 sums of values from 0 to 8" in told.output
    assert "if each of them is over at least 15 rows, your guess" in told.output
    assert code.read_text(encoding="utf-8") == files["plan_code"]()


@pytest.mark.parametrize(
    ("settings", "query"),
    [
        ({}, OLDER),
        ({"where": "state", "cmp": "in", "val": "Ohio,Idaho"}, Share(Condition("state", "in", ("Ohio", "Idaho")))),
        ({"nb": "add-or-remove", "n": 700}, OLDER),
        ({"grp": "state", "n": 300}, Share(OLDER.condition, groups=BY_STATE)),
    ],
)
def test_a_share_is_asked_with_its_condition(page, settings, query):
    view = page(ask="share", **settings)
    neighbours = settings.get("nb", "replace-one")
    view.assert_told(HowFarOff(Scenario(neighbours=neighbours), query, guess=settings.get("n", 1000)))
    assert exact(view) == pytest.approx(query.answer(CENSUS.table).exact.tolist(), rel=1e-11)
    assert "US dollars" not in view.words
    assert "among all rows; a row without a value does not meet it" in view.words
    if "n" in settings:
        assert view.number("n").label == "Rows looked at, at least"
        assert "averaged" not in view.words


def test_a_share_of_a_file_goes_into_the_plan_with_its_names_kept_back(page, files):
    view = put(page(table="own", ask="share"), OWN.encode(), f"{MARKER}.csv")
    assert "Type the value that the condition compares with." in view.words
    view = write(view, "val", f"{MARKER}A").press(f"Put into the plan, with {ROWS} rows as public")
    assert MARKER not in json.dumps([view.links, view.app.query_params])
    assert f"share_n{ROWS}" in view.links["full"]
    view.app.session_state["tab_your_table"] = "Your plan"
    view.run()
    _, (named,) = from_toml(files["plan_toml"]())
    assert named.query == Share(Condition(f"{MARKER}ward", "==", f"{MARKER}A"))
    compile(files["plan_code"](), "release.py", "exec")


def test_a_share_of_persons_with_several_rows_is_told_what_a_mean_is(page):
    """Where each row is replaced by another, their number is public: that is for persons with as many rows each."""
    view = select(page(ask="share", rows=3), "who", "education")
    assert "If persons have different numbers of rows, choose “Added or removed” in the sidebar." in view.words
    assert "among the first 3 rows of every person" in view.words
    view = page(tab="wanted", ask="share", nb="add-or-remove", table="own")
    view = write(put(view, OWN.encode()), "val", f"{MARKER}A")
    assert "Type how many rows are looked at, at least" in view.words
