"""Columns of dates are asked for as text: by year, month or day, in answers and in the scripts alike."""

import datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from par_core.errors import DataError, ParameterError
from par_core.export.release_code import planned_code
from par_core.queries import Condition, Count, CountBy, date_letters, dates_as_text
from par_core.release import plan_release
from par_core.scenario import Neighbours
from tests.core.script_text import namespace

thorough = settings(deadline=None, derandomize=True, max_examples=100)
DAYS = ["2019-12-31", "2020-01-01", "2020-01-31", None, "2020-02-29", "2021-01-01", "2020-01-31"]
TABLE = pd.DataFrame({"day": pd.to_datetime(pd.Series(DAYS))})


@pytest.mark.parametrize(
    ("listed", "counts", "absent"),
    [
        (("2019", "2020", "1999"), [1, 4, 0], 1),
        (("2020-01", "2020-02"), [3, 1], 2),
        (("2020-01-31", "2020-02-29"), [2, 1], 3),
    ],
)
def test_a_list_of_years_months_or_days_counts_by_them(listed, counts, absent):
    found = CountBy(("day",), (listed,)).answer(TABLE)
    assert (found.exact.tolist(), found.absent, found.missing) == (counts, absent, 1)
    with_others = CountBy(("day",), (listed,), other=True).answer(TABLE)
    assert with_others.exact.tolist() == [*counts, absent]


@thorough
@given(
    st.lists(
        st.one_of(st.none(), st.datetimes(datetime.datetime(1700, 1, 1), datetime.datetime(2200, 1, 1))), max_size=9
    ),
    st.sampled_from([4, 7, 10]),
    st.sampled_from(["s", "ms", "us"]),
)
def test_text_is_that_of_the_calendar(moments, letters, unit):
    series = pd.Series(moments, dtype=f"datetime64[{unit}]")
    found = dates_as_text(series, letters)
    expected = [None if each is None else each.date().isoformat()[:letters] for each in moments]
    assert [text for text, missing in zip(found, series.isna(), strict=True) if not missing] == list(
        filter(None, expected)
    )


def test_conditions_on_dates():
    def count(comparison, value):
        return Count(Condition("day", comparison, value)).answer(TABLE).exact.tolist()

    assert count("==", "2020") == [4]
    assert count("!=", "2020-01") == [3]
    assert count("in", ("2020-01-31", "2021-01-01")) == [3]
    with pytest.raises(ParameterError, match="value must be a number for the comparison <"):
        count("<", "2020")


def test_a_time_with_a_zone_counts_in_utc():
    late = pd.DataFrame({"t": pd.to_datetime(["2020-12-31 23:30", "2020-12-31 10:00"]).tz_localize("America/New_York")})
    assert CountBy(("t",), (("2020", "2021"),)).answer(late).exact.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (("2020", "2020-01"), "all years, all months or all days"),
        (("2020-13",), "years, months or days such as"),
        (("2020-02-30",), "years, months or days such as"),
        (("20",), "years, months or days such as"),
        (("٢٠٢٠",), "years, months or days such as"),
        (("2020-01-31 ",), "years, months or days such as"),
        (("Monday",), "years, months or days such as"),
        ((2020,), "years, months or days such as"),
    ],
)
def test_what_is_no_date_is_named(values, message):
    with pytest.raises(ParameterError, match=message):
        date_letters("categories", values)
    if isinstance(values[0], str):
        with pytest.raises(ParameterError, match=message):
            CountBy(("day",), (values,)).answer(TABLE)
    else:
        with pytest.raises(DataError, match="row 1 below the heading, column 'day'"):
            CountBy(("day",), (values,)).answer(TABLE)


@pytest.mark.parametrize("kind", ["csv", "parquet", "parquet days"])
@pytest.mark.parametrize("listed", [("2019", "2020"), ("2020-01", "2020-02"), ("2020-01-31", "2020-02-29")])
def test_a_script_counts_the_same(kind, listed, tmp_path):
    table = TABLE.assign(day=TABLE["day"].dt.date) if kind == "parquet days" else TABLE
    path = tmp_path / ("table.csv" if kind == "csv" else "table.parquet")
    table.to_csv(path, index=False) if kind == "csv" else table.to_parquet(path)
    query = CountBy(("day",), (listed,), other=True, where=Condition("day", "!=", "2021"))
    planned = plan_release(query, 0.5, neighbours=Neighbours.ADD_OR_REMOVE)
    code = planned_code(planned, dates=["day"])
    names = namespace(code.text)
    (cell,) = names["prepare"](names["read"](str(path)))
    counts = np.bincount(cell[cell >= 0], minlength=query.k)
    assert counts.tolist() == query.answer(TABLE).exact.tolist()


def test_a_script_stops_at_what_is_no_date(tmp_path):
    planned = plan_release(CountBy(("day",), (("2019", "2020"),)), 0.5, neighbours=Neighbours.ADD_OR_REMOVE)
    names = namespace(planned_code(planned, dates=["day"]).text)
    (tmp_path / "table.csv").write_text("day\n2020-01-01\nyesterday\n", encoding="utf-8")
    with pytest.raises(
        SystemExit, match="row 2 below the heading, column 'day': a date such as 2020-01-31 is expected"
    ):
        names["prepare"](names["read"](str(tmp_path / "table.csv")))
