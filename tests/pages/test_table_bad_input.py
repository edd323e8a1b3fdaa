"""Whatever is brought to the page on the reader's own table: a message, a page that goes on, and nothing lost."""

import pytest

from pages.shared.table_fields import categories_in
from par_core.errors import ParameterError
from tests.pages.table_view import cells, chosen, errors, exact, put, select, typed, write

GOOD = b"group,pay,who\n" + b"".join(
    b"%s,%d,p%d\n" % (b"abc"[at % 3 : at % 3 + 1], at % 40, at // 2) for at in range(60)
)
STAYS = "The table that was open before stays open."


@pytest.fixture
def page(open_page):
    """Open the page with a good table, a list of categories and a setting or two of its own."""
    return write(put(open_page("your_table", table="own", own_lo=0, own_hi=70, e0=0.8), GOOD), "cat", "a\nb")


def assert_nothing_is_lost(view):
    assert typed(view, "cat").value == "a\nb"
    assert chosen(view, "by").options == ["group", "pay", "who"]
    assert view.number("e0").value == 0.8
    assert "Each of 2 published counts is within" in view.words
    assert view.choose("ask", "sum").number("own_hi").value == 70
    assert cells(view.choose("ask", "by"))["Cell"].tolist() == ["a", "b"]


def test_files_that_cannot_be_used_are_answered_and_nothing_is_lost(page):
    for data, message in (
        (b"\x89PNG\r\n\x1a\n", "it looks like a PNG picture."),
        (b"a,b\n1,2\r\n3,4\n5\n", "Row 4 has 1 cell where the first line has 2."),
    ):
        (error,) = errors(put(page, data, "bad.csv"))
        assert message in error
        assert error.endswith(STAYS)
        assert_nothing_is_lost(page)
    put(page, b"other,n\nx,1\ny,2\n")
    assert not errors(page)
    assert chosen(page, "by").options == ["other", "n"]
    assert typed(page, "cat").value == ""


def test_a_formula_is_a_category_like_others_and_shown_as_none(page):
    put(page, b"name,town\nx,=cmd()\ny,+1\nz,=cmd()\n")
    write(select(page, "by", "town"), "cat", "=cmd()")
    assert exact(page) == [2]
    assert [label.replace("\\", "") for label in cells(page)["Cell"]] == ["'=cmd()"]


def test_text_in_a_column_of_numbers_is_named_by_row_and_column(page):
    put(page, b"id,age\n" + b"".join(b"%d,%d\n" % (at, 20 + at) for at in range(30)) + b"30,secret\n31,44\n")
    (note,) = (each for each in page.texts if "read as text" in each)
    assert "Column 2 is read as text" in note
    assert "row 32" in note
    assert "secret" not in note
    assert chosen(page.choose("ask", "sum"), "of").options == ["(choose a column)", "id"]
    put(page, b"age\nold\nnew\n")
    assert "This table has no column of numbers" in page.words


@pytest.mark.parametrize(
    ("key", "number", "message"),
    [
        ("own_hi", 1e15, "Upper bound must be"),
        ("own_hi", -1e13, "Upper bound must be"),
        ("own_lo", 90, "Lower must be below upper, got lower 90 and upper 70"),
    ],
)
def test_bounds_that_cannot_be_used(page, key, number, message):
    before = page.choose("ask", "sum").number(key).value
    (error,) = errors(page.type(key, number))
    assert message in error
    assert not errors(page.type(key, before))
    page.choose("ask", "by")
    assert_nothing_is_lost(page)


def test_a_repaired_file_keeps_every_choice_whose_column_it_still_has(page):
    write(select(page, "by2", "who"), "cat2", "p1\np2")
    select(page, "who", "who").choose("ask", "count")
    write(select(select(page, "where", "pay"), "cmp", "<="), "val", "30")
    select(page.choose("ask", "sum"), "of", "pay").type("own_lo", 0).type("own_hi", 50)
    put(page, GOOD + b"a,60,p30\n")
    assert (page.number("own_lo").value, page.number("own_hi").value) == (0, 50)
    page.choose("ask", "count")
    assert [chosen(page, key).value for key in ("who", "where", "cmp")] == ["who", "pay", "<="]
    assert typed(page, "val").value == "30"
    assert cells(page)["Cell"].tolist() == ["count"]
    assert len(cells(page.choose("ask", "by"))) == 4

    put(page, b"group,pay\na,high\nb,low\n")  # pay holds text now, and who is gone
    assert cells(page)["Cell"].tolist() == ["a", "b"]
    assert [chosen(page, key).value for key in ("by2", "who")] == ["", ""]
    assert typed(page.choose("ask", "count"), "val").value == ""
    put(page.choose("ask", "sum"), GOOD)
    assert (page.number("own_lo").value, page.number("own_hi").value) == (None, None)


@pytest.mark.parametrize("wrong", ["nan", "inf", "-Infinity", "1e400", "1e309", "१२", "0x10", "1_000"])
def test_what_is_no_finite_number_is_no_category(wrong):
    with pytest.raises(ParameterError, match=f"line 2 of the categories must be a .*number.*{wrong}"):
        categories_in(f"1\n{wrong}", "number")


def test_what_is_no_finite_number_is_named_where_it_is_typed(page):
    (error,) = errors(write(select(page, "by", "pay"), "cat", "1\nnan"))
    assert "nan" in error
    select(page.choose("ask", "count"), "where", "pay")
    (error,) = errors(write(page, "val", "1e400"))
    assert "1e400" in error
    assert not errors(write(page, "val", "3"))


def test_nan_and_infinities_in_a_column_are_clamped_and_counted(page):
    put(page, b"pay\n1\nnan\ninf\n-inf\n\n2\n").choose("ask", "sum")
    assert exact(page) == [1 + 70 + 0 + 2]
    assert "missing value in a column that is used: 2." in page.words
