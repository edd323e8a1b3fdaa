"""Whatever is brought to the page on the reader's own table: a message, a page that goes on, and nothing lost."""

import gzip
import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from pages.shared import jobs

GOOD = b"group,pay,who\n" + b"".join(
    b"%s,%d,p%d\n" % (b"abc"[at % 3 : at % 3 + 1], at % 40, at // 2) for at in range(60)
)
STAYS = "The table that was open before stays open."


@pytest.fixture
def page(open_page):
    """Open the page with a good table, a list of categories and a setting or two of its own."""
    view = open_page("your_table", table="own", own_lo=0, own_hi=70, e0=0.8)
    view.app.session_state[jobs.AT_ONCE] = True
    put(view, GOOD)
    return write(view, "cat", "a\nb", area=True)


def put(view, data, name="table.csv"):
    view.app.file_uploader[0].set_value((name, data, "text/csv"))
    return view.run()


def write(view, key, text, area=False):
    (view.app.text_area if area else view.app.text_input)(key=f"_own_table_{key}").set_value(text)
    return view.run()


def select(view, key, value):
    view.app.selectbox(key=f"_own_table_{key}").set_value(value)
    return view.run()


def errors(view):
    return [each.value.replace("\\", "") for each in view.app.error]


def cells(view):
    """The table of cells: a grid, or a plain table once it holds the exact answer."""
    (table,) = (each.value for each in [*view.app.dataframe, *view.app.table] if "Within, 95 of 100" in each.value)
    return table


def exact(view):
    return [float(text.replace(",", "")) for text in cells(view)["Exact (private)"]]


def reveal(view):
    (toggle,) = (each for each in view.app.toggle if (each.key or "").startswith("exact_"))
    toggle.set_value(True)
    return view.run()


def assert_nothing_is_lost(view):
    assert view.app.text_area(key="_own_table_cat").value == "a\nb"
    assert view.app.selectbox(key="_own_table_by").options == ["group", "pay", "who"]
    assert view.number("e0").value == 0.8
    assert "Each of 2 published counts is within" in view.words
    assert view.choose("ask", "sum").number("own_hi").value == 70
    assert cells(view.choose("ask", "by"))["Cell"].tolist() == ["a", "b"]


def picture():
    file = io.BytesIO()
    Image.new("RGB", (8, 8)).save(file, "PNG")
    return file.getvalue()


def parquet(**columns):
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


MEGABYTE = 2**20
REFUSED = {
    "empty": (lambda: b"", "The file is empty."),
    "names only": (lambda: b"a,b\n", "The file has column names but no rows below them."),
    "10^5 columns": (
        lambda: (",".join(f"c{at}" for at in range(10**5)) + "\n" + "1," * (10**5 - 1) + "1\n").encode(),
        "The first line has 100,000 columns; at most 1,000 can be opened.",
    ),
    "a renamed picture": (picture, "it looks like a PNG picture."),
    "duplicate names": (lambda: b"a,b,a\n1,2,3\n", "Columns 1 and 3 have the same name. Rename one of them."),
    "a short row": (lambda: b"a,b\n1,2\r\n3,4\n5\n", "Row 4 has 1 cell where the first line has 2."),
    "cut UTF-16": (lambda: "a,b\n1,2\n".encode("utf-16")[:-1], "holds bytes that are not UTF-16."),
    "a gzip bomb": (
        lambda: gzip.compress(bytes(MEGABYTE)) * 300,
        "The gzip file holds more than 250 MB when unpacked.",
    ),
    "a Parquet bomb": (
        lambda: parquet(a=pa.DictionaryArray.from_arrays(np.zeros(500_000, "i4"), ["x" * 100_000])),
        "The Parquet file holds more than 250 MB when unpacked.",
    ),
    "a Parquet file of 60 million cells": (
        lambda: parquet(**{f"c{at}": pa.nulls(1_000_000, pa.int8()) for at in range(60)}),
        "The file has 60 columns of 1,000,000 rows; at most 50,000,000 cells can be opened.",
    ),
}


def test_files_that_cannot_be_used_are_answered_and_nothing_is_lost(page):
    for make, message in REFUSED.values():
        put(page, make(), "bad.csv")
        (error,) = errors(page)
        assert message in error
        assert error.endswith(STAYS)
        assert_nothing_is_lost(page)
    put(page, b"other,n\nx,1\ny,2\n")
    assert not errors(page)
    assert page.app.selectbox(key="_own_table_by").options == ["other", "n"]


TEXT = "name,town\nMüller,Zürich\nHélène,Genève\nJosé,Málaga\n"
READ = {
    "latin-1": (TEXT.encode("latin-1"), "Zürich", 1),
    "UTF-16": (TEXT.encode("utf-16"), "Zürich", 1),
    "mixed line ends": (b"name,town\nx,A\r\ny,B\rz,A\n", "A", 2),
    "a formula": (b"name,town\nx,=cmd()\ny,+1\nz,=cmd()\n", "=cmd()", 2),
}


@pytest.mark.parametrize("kind", READ)
def test_a_file_that_can_be_used_is_read_for_what_it_is(page, kind):
    data, town, rows = READ[kind]
    put(page, data)
    assert not errors(page)
    select(page, "by", "town")
    write(page, "cat", town, area=True)
    found = exact(reveal(page))
    assert [label.replace("\\", "") for label in cells(page)["Cell"]] == [f"'{town}" if town.startswith("=") else town]
    assert found == [rows]


def test_a_single_column_can_be_added_up(page):
    put(page, b"pay\n1\n2\n50\n")
    page.choose("ask", "sum")
    assert exact(reveal(page)) == [53.0]


def test_text_in_a_column_of_numbers_is_named_by_row_and_column(page):
    put(page, b"id,age\n" + b"".join(b"%d,%d\n" % (at, 20 + at) for at in range(30)) + b"30,secret\n31,44\n")
    (note,) = (each for each in page.texts if "read as text" in each)
    assert "Column 2 is read as text" in note
    assert "row 32" in note
    assert "secret" not in note
    page.choose("ask", "sum")
    assert page.app.selectbox(key="_own_table_of").options == ["(choose a column)", "id"]
    put(page, b"age\n1\nold\n3\n4\n5\n")
    assert "This table has no column of numbers" in page.words
    assert any("row 3" in each for each in page.texts)


@pytest.mark.parametrize("number", [1e15, -1e13])
def test_bounds_out_of_range(page, number):
    page.choose("ask", "sum").type("own_hi", number)
    (error,) = errors(page)
    assert "Upper bound must be" in error
    page.type("own_hi", 70)
    assert not errors(page)
    page.choose("ask", "by")
    assert_nothing_is_lost(page)


def test_a_repaired_file_keeps_every_choice_whose_column_it_still_has(page):
    select(page, "by2", "who")
    write(page, "cat2", "p1\np2", area=True)
    select(page, "who", "who")
    page.choose("ask", "count")
    select(page, "where", "pay")
    select(page, "cmp", "<=")
    write(page, "val", "30")
    page.choose("ask", "sum")
    select(page, "of", "pay")
    page.type("own_lo", 0).type("own_hi", 50)
    put(page, GOOD + b"a,60,p30\n")
    assert (page.number("own_lo").value, page.number("own_hi").value) == (0, 50)
    assert page.app.selectbox(key="_own_table_who").value == "who"
    page.choose("ask", "count")
    assert page.app.selectbox(key="_own_table_where").value == "pay"
    assert page.app.selectbox(key="_own_table_cmp").value == "<="
    assert page.app.text_input(key="_own_table_val").value == "30"
    assert cells(page)["Cell"].tolist() == ["count"]
    page.choose("ask", "by")
    assert len(cells(page)) == 4

    put(page, b"group,pay\na,high\nb,low\n")  # pay holds text now, and who is gone
    assert cells(page)["Cell"].tolist() == ["a", "b"]
    assert page.app.selectbox(key="_own_table_by2").value == ""
    assert page.app.selectbox(key="_own_table_who").value == ""
    page.choose("ask", "count")
    assert page.app.text_input(key="_own_table_val").value == ""
    page.choose("ask", "sum")
    put(page, GOOD)
    assert (page.number("own_lo").value, page.number("own_hi").value) == (None, None)


def test_bounds_the_wrong_way_round(page):
    page.choose("ask", "sum").type("own_lo", 90)
    (error,) = errors(page)
    assert "Lower must be below upper, got lower 90 and upper 70" in error
    page.type("own_lo", 0)
    assert not errors(page)
    page.choose("ask", "by")
    assert_nothing_is_lost(page)


NOT_FINITE = ("nan", "inf", "-Infinity", "1e400", "1e309", "१२", "0x10", "1_000")


def test_what_is_no_finite_number_is_no_category_and_no_value(page):
    select(page, "by", "pay")
    for typed in NOT_FINITE:
        write(page, "cat", f"1\n{typed}", area=True)
        (error,) = errors(page)
        assert typed in error
    page.choose("ask", "count")
    select(page, "where", "pay")
    for typed in NOT_FINITE:
        write(page, "val", typed)
        (error,) = errors(page)
        assert typed in error
    write(page, "val", "3")
    assert not errors(page)


def test_nan_and_infinities_in_a_column_are_clamped_and_counted(page):
    put(page, b"pay\n1\nnan\ninf\n-inf\n\n2\n")
    page.choose("ask", "sum")
    assert exact(reveal(page)) == [1 + 70 + 0 + 2]
    assert "missing value in a column that is used: 2." in page.words


def test_a_category_that_the_table_lacks_and_one_that_the_list_lacks(page):
    write(page, "cat", "a\nnowhere", area=True)
    found = exact(reveal(page))
    assert found == [20, 0]
    assert "not on the list: 40." in page.words
