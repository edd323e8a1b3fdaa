"""The page on the reader's own table follows the mechanism of the scenario."""

import pytest

from par_core.datasets import census2000
from par_core.queries import CountBy, Mean, Sum
from par_core.release import compare_noise, plan, share_within
from par_core.rounding import error as shown
from par_core.rounding import percent
from par_core.scenario import Neighbours, Scenario

EDUCATION = CountBy(("education",), (tuple(range(9, 17)),))


@pytest.fixture
def page(open_page):
    """Open the page, with settings."""
    return lambda **settings: open_page("your_table", **settings)


def gaussian(query=EDUCATION, epsilon=0.5, neighbours=Neighbours.REPLACE_ONE, **options):
    return plan(query, epsilon, neighbours=neighbours, mechanism="gaussian", **({"delta": 1e-5} | options))


def test_gaussian_noise_is_planned_said_and_taken_along(page, files):
    view, planned = page(m="gaussian", d=1e-6, stats=4), gaussian(delta=1e-6, statistics=4)
    error = planned.error
    assert f"Each of 8 published counts is within {shown(error.range95)} of the truth" in view.words
    assert f"within {shown(error.all95)}, and their total within {shown(error.total95)}" in view.words
    assert "For ε₀ = 0.5 and δ = 10⁻⁶, which all 4 statistics keep together." in view.words
    assert "Gaussian noise follows the L2 sensitivity, here 1.42." in view.words
    assert "Gaussian noise, L2 sensitivity 1.415, one of 4 statistics" in view.charts[
        "error_against_epsilon0"
    ].title.replace("<br>", " ")
    text, code = files["plan_csv"](), files["release_code"]()
    for line in ("mechanism: Gaussian noise", "delta of the release: 1e-06", "statistics that keep both together: 4"):
        assert f"# {line}" in text
    assert "# counts: L2 sensitivity: 1.414213562373095" in text
    assert f"# counts: sigma of the Gaussian noise: {error.scale!r}" in text
    assert "Laplace" not in text
    assert "DELTA = 1e-06" in code
    assert "STATISTICS = 4 " in code
    compile(code, "release.py", "exec")


@pytest.mark.parametrize("mechanism", ["laplace", "discrete-laplace", "gaussian"])
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("ask", ["by", "sum"])
def test_a_query_is_offered_to_the_scenario_only_if_its_noise_stays_the_same(page, mechanism, neighbours, ask):
    """A scenario knows one sensitivity, in L1: what it then says of the noise must be what this page says."""
    view = page(m=mechanism, nb=neighbours.value, ask=ask)
    offered = [each for each in view.app.button if "Decide and the report" in each.label]
    if offered:
        view.press(offered[0].label)
    session, query = view.app.session_state, EDUCATION if ask == "by" else Sum("weekly_income", 0, 5000)
    planned = plan(query, 0.5, neighbours=neighbours, mechanism=mechanism, delta=1e-5)
    scenario = Scenario(0.5, sensitivity=session["s"], mechanism=mechanism, neighbours=neighbours)
    same = scenario.release.scale == pytest.approx(planned.error.scale)
    assert same or not offered
    assert offered or same or (mechanism, neighbours, ask) == ("gaussian", Neighbours.REPLACE_ONE, "by")


def test_the_default_page_says_which_noise_is_more_accurate_and_where_they_cross(page, files):
    found = compare_noise(plan(EDUCATION, 0.5, neighbours=Neighbours.REPLACE_ONE), epsilon0=0.5, delta=1e-5)
    assert (
        f"Laplace noise is more accurate here at the same ε₀ and δ = 10⁻⁵: ±12, Gaussian noise ±{shown(found.gaussian)}. Gaussian "
        f"noise wins from {found.statistics} such statistics in one release, and for all at once from about 1,600 cells."
    ) in page().words
    assert "# mechanism: Laplace noise" in files["plan_csv"]()
    assert "Gaussian noise is more accurate here" in page(stats=found.statistics).words
    assert "Laplace noise is more accurate here" in page(stats=found.statistics - 1).words


def test_a_mean_over_a_private_number_of_rows_with_gaussian_noise(page, files):
    view = page(m="gaussian", ask="mean", nb="add-or-remove")
    planned = gaussian(Mean("weekly_income", 0, 5000), neighbours=Neighbours.ADD_OR_REMOVE)
    assert f"within {shown(planned.quotient_error(size=1000).range95)} US dollars a week" in view.words
    assert "a noisy sum is divided by a noisy count. They keep ε₀ and δ together." in view.words
    assert "# sum: sigma of the Gaussian noise" in files["plan_csv"]()
    compile(files["release_code"](), "release.py", "exec")


@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        ("randomised-response", "Randomised response adds no noise to a table’s numbers: this page plans with Laplace"),
        ("exponential", "The exponential mechanism adds no noise to a table’s numbers: this page plans with Laplace"),
        ("discrete-laplace", ""),
    ],
)
def test_other_mechanisms_are_planned_with_laplace_noise(page, files, mechanism, words):
    usual = page()
    code = files["release_code"]()
    view = page(m=mechanism)
    assert files["release_code"]() == code
    assert words in view.words
    assert not words or words not in usual.words
    assert ("draws discrete Laplace noise in any case" in page(m=mechanism, ask="sum").words) is (not words)
    assert "draws discrete Laplace" not in view.words, "counts get it as planned"
    assert "Each of 8 published counts is within 12 of the truth" in view.words


def test_the_epsilon0_for_a_wanted_error_is_that_of_gaussian_noise(page):
    view = page(m="gaussian", tab="wanted", stats=4)
    assert "ε₀ = 2.24 keeps each of 8 published counts within ±10" in view.words
    assert "That is enough, at δ = 10⁻⁵" in view.words
    assert gaussian(epsilon=2.24, statistics=4).error.range95 <= 10 < gaussian(epsilon=2.23, statistics=4).error.range95
    assert "every ε keeps the error as small as wanted" in page(m="gaussian", tab="wanted", want=1e6).words.replace(
        "\\", ""
    )


def test_the_private_chance_of_a_cell_is_that_of_the_noise(page):
    view = page(m="gaussian")
    (toggle,) = (each for each in view.app.toggle if (each.key or "").startswith("exact_"))
    toggle.set_value(True)
    view.run()
    (table,) = (each.value for each in view.app.table if "Exact (private)" in each.value)
    exact = EDUCATION.answer(census2000().table).exact
    told = share_within(exact, gaussian().error.scale, whole=True, mechanism="gaussian")
    assert table["Within 10 %, chance"].tolist() == [percent(each) for each in told.of_each]
