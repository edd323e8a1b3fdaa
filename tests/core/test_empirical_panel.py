"""Panels: the same records by every way in, cells that cannot be used named by place, subsamples that are what they say."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from par_core.audit.leave_one_out import answers
from par_core.audit.panel import Panel
from par_core.audit.queries import PanelCount, PanelMean, PanelSum
from par_core.errors import DataError, ParameterError

NAN = np.nan
MATRIX = np.array([[1.0, 2.0], [NAN, 4.0], [5.0, NAN]])


def long_table():
    return pd.DataFrame(
        {
            "year": [2002, 2001, 2002, 2001],
            "who": ["a", "a", "b", "c"],
            "amount": [2.0, 1.0, 4.0, 5.0],
        }
    )


def records(panel):
    """Every record as (database, individual, values), whatever the layout."""
    return sorted(
        (panel.databases[place], panel.individuals[code], *np.atleast_1d(value))
        for place, (codes, values) in enumerate(panel)
        for code, value in zip(codes, values, strict=True)
    )


def test_every_way_in_gives_the_same_panel():
    wide = pd.DataFrame({"who": ["a", "b", "c"], "2001": MATRIX[:, 0], "2002": MATRIX[:, 1]})
    arrays = Panel.from_arrays(MATRIX, individuals=list("abc"), databases=[2001, 2002])
    long = Panel.from_long(long_table(), database="year", individual="who", value="amount")
    across = Panel.from_wide(wide, individual="who")
    assert records(arrays) == records(long) == [(2001, "a", 1), (2001, "c", 5), (2002, "a", 2), (2002, "b", 4)]
    assert [(int(year), who, value) for year, who, value in records(across)] == records(long)
    for panel in (arrays, long, across):
        assert panel.sizes().tolist() == [2, 2]
        assert panel.presence().tolist() == [2, 1, 1]
        assert panel.most_records() == 1
        assert panel.matrix is not None
        assert not panel.independent


def test_several_records_are_kept_and_belong_together():
    table = pd.concat([long_table(), pd.DataFrame({"year": [2001], "who": ["a"], "amount": [9.0]})])
    panel = Panel.from_long(table, database="year", individual="who", value="amount")
    assert panel.matrix is None
    assert panel.most_records() == 2
    assert records(panel) == [(2001, "a", 1), (2001, "a", 9), (2001, "c", 5), (2002, "a", 2), (2002, "b", 4)]
    assert panel.presence().tolist() == [2, 1, 1]
    codes, values = panel.part(0, 1, 3)
    assert (codes.tolist(), values.tolist()) == ([2], [5.0])


def test_several_columns_of_values():
    table = long_table().assign(hours=[1.0, 2.0, 3.0, 4.0])
    panel = Panel.from_long(table, database="year", individual="who", value=["amount", "hours"])
    assert records(panel)[0] == (2001, "a", 1.0, 2.0)


def test_a_row_without_a_value_is_no_record_but_its_individual_exists():
    table = pd.concat([long_table(), pd.DataFrame({"year": [2001], "who": ["d"], "amount": [NAN]})])
    panel = Panel.from_long(table, database="year", individual="who", value="amount")
    assert list(panel.individuals) == ["a", "b", "c", "d"]
    assert panel.presence().tolist() == [2, 1, 1, 0]


def test_a_matrix_is_neither_copied_nor_changed_nor_changeable():
    matrix = MATRIX.copy()
    panel = Panel.from_arrays(matrix)
    assert np.shares_memory(panel.matrix, matrix)
    with pytest.raises(ValueError, match="read-only"):
        panel.matrix[0, 0] = 3
    matrix[0, 0] = 3.0  # the caller's own stays the caller's own
    assert list(panel.individuals) == [1, 2, 3]


def test_repr_shows_no_data():
    assert repr(Panel.from_arrays(MATRIX, individuals=list("abc"))) == "Panel(individuals=3, databases=2, columns=1)"


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[1.0, 2.0], [3.0, np.inf]], "row 2, column 2: a number that is infinite"),
        ([[1.0, -1e200]], "row 1, column 2"),
        ([[1.0, NAN], [2.0, NAN]], "no record in 1 of 2 databases: 2"),
        ([1.0, 2.0], "matrix of numbers"),
        ([["a", "b"]], "matrix of numbers"),
        ([[1.0], [1.0, 2.0]], "must be a matrix"),
        (np.zeros((0, 2)), "at least one individual"),
        (np.zeros((2, 0)), "at least one individual and one database"),
    ],
)
def test_matrices_that_cannot_be_used(matrix, message):
    with pytest.raises(DataError, match=message):
        Panel.from_arrays(matrix)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a", "b"], "3 labels are needed, got 2"),
        (["a", "b", "a"], "label 3 is there a second time"),
        (["a", None, "b"], "label 2 is missing"),
    ],
)
def test_labels_that_cannot_be_used(labels, message):
    with pytest.raises(DataError, match=message):
        Panel.from_arrays(MATRIX, individuals=labels)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"amount": [1.0, "x", 2.0, 3.0]}, "row 2 below the heading, column 'amount': text where a number is expected"),
        ({"amount": [1.0, 2.0, np.inf, 3.0]}, "row 3 below the heading, column 'amount'"),
        ({"who": ["a", "b", "c", None]}, "row 4 below the heading, column 'who': the label is missing"),
        ({"year": [1, NAN, 2, 2]}, "row 2 below the heading, column 'year': the label is missing"),
        ({"year": [1, (1, 2), 2, 2]}, "column 'year' mixes labels"),
        ({"amount": [NAN, 1.0, NAN, 2.0]}, "no record in 1 of 2 databases: 2002"),
    ],
)
def test_long_tables_that_cannot_be_used(change, message):
    with pytest.raises(DataError, match=message) as caught:
        Panel.from_long(long_table().assign(**change), database="year", individual="who", value="amount")
    assert "1.0" not in str(caught.value)  # a message names the place, never the value


def test_a_record_with_some_of_its_values_is_refused():
    table = long_table().assign(hours=[1.0, 2.0, NAN, 4.0])
    with pytest.raises(DataError, match="row 3 below the heading, column 'hours': a value is missing while"):
        Panel.from_long(table, database="year", individual="who", value=["amount", "hours"])


def test_wide_tables_that_cannot_be_used():
    table = pd.DataFrame({"who": ["a", "b", "a"], "x": [1.0, 2.0, 3.0]})
    with pytest.raises(DataError, match="row 3 below the heading, column 'who': an individual that has a row already"):
        Panel.from_wide(table, individual="who")
    with pytest.raises(DataError, match="row 1 below the heading, column 'who': text"):
        Panel.from_wide(table)
    with pytest.raises(DataError, match="no column named 'y'"):
        Panel.from_wide(table, databases=["y"])
    assert Panel.from_wide(table, databases=["x"]).sizes().tolist() == [3]


def test_wrong_questions_to_a_table():
    with pytest.raises(ParameterError, match="different columns"):
        Panel.from_long(long_table(), database="year", individual="year", value="amount")
    with pytest.raises(ParameterError, match="at least one column"):
        Panel.from_long(long_table(), database="year", individual="who", value=[])


# --- subsamples of one table -------------------------------------------------------------------------------------


def people(size=200):
    return pd.DataFrame({"income": np.arange(size) * 1.0})


def test_subsamples_have_their_size_and_the_values_of_the_table():
    panel = Panel.from_table(people(), value="income", databases=30, share=0.3, rng=np.random.default_rng(1))
    assert panel.sizes().tolist() == [60] * 30
    assert panel.independent
    assert "independent by construction" in panel.source
    present = ~np.isnan(panel.matrix)
    assert (panel.matrix[present] == np.broadcast_to(np.arange(200.0)[:, None], panel.matrix.shape)[present]).all()
    again = Panel.from_table(people(), value="income", databases=30, share=0.3, rng=np.random.default_rng(1))
    other = Panel.from_table(people(), value="income", databases=30, share=0.3, rng=np.random.default_rng(2))
    assert records(again) == records(panel) != records(other)


def test_everybody_is_drawn_alike_and_databases_are_independent():
    """False alarms: each p-value is below 1e-4 once in 10,000 seeds; the seed is fixed."""
    panel = Panel.from_table(people(), value="income", databases=400, share=0.3, rng=np.random.default_rng(3))
    there = panel.presence()
    spread = ((there - 120) ** 2).sum() / (400 * 0.3 * 0.7) * 199 / 200
    assert 1e-4 < stats.chi2.cdf(spread, 199) < 1 - 1e-4
    inside = ~np.isnan(panel.matrix)
    shared = np.array([np.count_nonzero(inside[:, j] & inside[:, j + 1]) for j in range(0, 400, 2)])
    law = stats.hypergeom(200, 60, 60)
    assert abs(shared.mean() - law.mean()) < 3.9 * law.std() / np.sqrt(len(shared))


def test_persons_are_drawn_with_all_their_rows():
    table = pd.DataFrame({"who": [1, 1, 2, 3, 3, 3, 4, 5], "income": [1.0, 2, 3, 4, 5, 6, NAN, 7]})
    panel = Panel.from_table(
        table, value="income", databases=50, share=0.5, rng=np.random.default_rng(5), individual="who"
    )
    assert list(panel.individuals) == [1, 2, 3, 5]  # 4 has no record
    full = {1: [1.0, 2.0], 2: [3.0], 3: [4.0, 5.0, 6.0], 5: [7.0]}
    for codes, values in panel:
        drawn = np.unique(codes)
        assert len(drawn) == 2
        for code in drawn:
            assert values[codes == code].tolist() == full[panel.individuals[code]]


def test_shares_from_one_person_to_all():
    rng = np.random.default_rng(7)
    one = Panel.from_table(people(), value="income", databases=3, share=1e-9, rng=rng)
    everybody = Panel.from_table(people(), value="income", databases=3, share=1, rng=rng)
    assert one.sizes().tolist() == [1, 1, 1]
    assert answers(everybody, PanelSum()).tolist() == [19_900.0] * 3
    assert answers(everybody, PanelCount()).tolist() == [200.0] * 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"share": 0}, "share must be above 0 and at most 1, got 0"),
        ({"share": 1.1}, "share"),
        ({"databases": 0}, "databases must be a whole number at least 1"),
        ({"databases": 1.5}, "databases"),
        ({"rng": 3}, "rng must be a Generator, got"),
        ({"value": 3}, "value must be the name of a column, got 3"),
    ],
)
def test_wrong_subsamples(change, message):
    wanted = {"value": "income", "databases": 3, "share": 0.5, "rng": np.random.default_rng(1)} | change
    with pytest.raises(ParameterError, match=message):
        Panel.from_table(people(), **wanted)


def test_an_empty_table_is_refused():
    with pytest.raises(DataError, match="no row with a value"):
        Panel.from_table(people(0), value="income", databases=3, share=0.5, rng=np.random.default_rng(1))


def test_the_built_in_sample_of_the_page():
    """60 subsamples of 29,501 persons: a matrix of 14 MB, and the mean is asked of it."""
    from par_core.datasets import census2000

    panel = Panel.from_table(
        census2000().table, value="weekly_income", databases=60, share=0.02, rng=np.random.default_rng(1)
    )
    assert panel.matrix.shape == (29_501, 60)
    assert panel.sizes().tolist() == [590] * 60
    assert abs(answers(panel, PanelMean()).mean() - 1015.51) < 5 * 1686.6 / np.sqrt(60 * 590)


# --- masked cells -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16])
def test_masked_cells_are_missing(dtype):
    """What a mask hides is often a code such as -9999."""
    values = np.array([[1, -9999, 3], [4, 5, -9999], [7, 8, 9]], dtype=dtype)
    masked = np.ma.array(values, mask=values == -9999)
    plain = np.where(values == -9999, np.nan, values.astype(float))
    for given in (masked, list(masked)):
        panel = Panel.from_arrays(given)
        np.testing.assert_array_equal(panel.matrix, plain)
        assert not isinstance(panel.matrix, np.ma.MaskedArray)
    frame = pd.DataFrame(masked, columns=["a", "b", "c"])
    np.testing.assert_array_equal(Panel.from_wide(frame).matrix, plain)
    assert masked.mask.sum() == 2, "what was given stays as it is"


def test_a_mask_that_hides_nothing_changes_nothing():
    values = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(Panel.from_arrays(np.ma.array(values)).matrix, values)


def test_a_masked_label_is_missing():
    with pytest.raises(DataError, match="individuals: label 2 is missing"):
        Panel.from_arrays(np.ones((2, 2)), individuals=np.ma.array(["a", "b"], mask=[0, 1]))
    with pytest.raises(DataError, match="databases must be a sequence"):
        Panel.from_arrays(np.ones((2, 2)), databases=7)
