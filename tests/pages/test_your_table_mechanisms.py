"""The page on the reader's own table follows the mechanism of the scenario."""

import pytest

from par_core.datasets import census2000
from par_core.queries import CountBy
from par_core.release import plan, share_within
from par_core.rounding import percent
from par_core.scenario import Neighbours

EDUCATION = CountBy(("education",), (tuple(range(9, 17)),))


@pytest.fixture
def page(open_page):
    """Open the page, with settings."""
    return lambda **settings: open_page("your_table", **settings)


def gaussian(**options):
    return plan(EDUCATION, 0.5, neighbours=Neighbours.REPLACE_ONE, mechanism="gaussian", **({"delta": 1e-5} | options))


def test_gaussian_noise_is_taken_along(page, files):
    page(m="gaussian", d=1e-6, stats=4)
    text, code = files["plan_csv"](), files["release_code"]()
    for line in ("mechanism: Gaussian noise", "delta of the release: 1e-06", "statistics that keep both together: 4"):
        assert f"# {line}" in text
    assert "# counts: L2 sensitivity: 1.414213562373095" in text
    assert f"# counts: sigma of the Gaussian noise: {gaussian(delta=1e-6, statistics=4).error.scale!r}" in text
    assert "Laplace" not in text
    assert "DELTA = 1e-06" in code
    assert "STATISTICS = 4 " in code
    compile(code, "release.py", "exec")
    page(m="gaussian", ask="mean", nb="add-or-remove")
    assert "# sum: sigma of the Gaussian noise" in files["plan_csv"]()
    compile(files["release_code"](), "release.py", "exec")


def test_a_mechanism_that_adds_no_noise_to_numbers_has_a_link_to_where_it_can_be_tried(page, files):
    view = page(m="exponential")
    assert [each.proto.query_string for each in view.app.get("page_link")] == ["tab=choose"]
    assert view.app.info[0].value.startswith("The exponential mechanism adds no noise")
    assert "# mechanism: Laplace noise" in files["plan_csv"]()


def test_the_private_chance_of_a_cell_is_that_of_the_noise(page):
    view = page(m="gaussian")
    (toggle,) = (each for each in view.app.toggle if (each.key or "").startswith("exact_"))
    toggle.set_value(True)
    view.run()
    (table,) = (each.value for each in view.app.table if "Exact (private)" in each.value)
    exact = EDUCATION.answer(census2000().table).exact
    told = share_within(exact, gaussian().error.scale, whole=True, mechanism="gaussian")
    assert table["Within 10 %, chance"].tolist() == [percent(each) for each in told.of_each]
