"""Files as spreadsheets and people write them: the right numbers, or the sentence that fits; never a guess that nobody is told of."""

import datetime
import itertools
import time

import numpy as np
import pandas as pd
import pytest

from par_core.errors import DataError, ParameterError
from par_core.tables.file_format import FileFormat
from par_core.tables.table import read_table

TWO = "1.234 may mean 1234 or 1.2340"
TITLE = "The first line is a title"
OPEN = "quotation mark is opened and not closed"
MAYBE = "The first line is taken as column names. Is it a title, or is a name missing?"
SPANS = "A column name with a line break holds separators. Is a quotation mark not closed there?"
INF = float("inf")
HOURS = ["1.2.2020 10:00", "1.2.2020 24:00"]
MINUTES = ["3.2.2020 9:60", "4.2.2020 9:00"]
DAYS = [datetime.datetime(2020, 4, 3), datetime.datetime(2021, 12, 31)]
ROWS = "1;2\n" * 100

READ = {  # the text, its first column as it is read, and what is said
    "thousands by a decimal comma beside": ("v;g\n1.234;A\n5.678,5;B", [1234, 5678.5], "Column 1 is read as numbers: 1.234,5 as 1 234.5."),
    "thousands by millions": ("v;g\n1.234.567;A\n5.678;B", [1234567, 5678], "1.234 as 1 234."),
    "thousands by another column": ("v;w\n1.234;3,5\n5.678;2", [1234, 5678], "since other numbers have a decimal comma."),
    "decimals by another column": ("v;w\n1.234;3.5\n5.678;2", [1.234, 5.678], "1.234 as 1.234, since other numbers have a decimal point."),
    "decimals by a zero": ("v;g\n1.234;A\n0.678;B", [1.234, 0.678], None),
    "decimals by four digits": ("v;g\n1.234;A\n1234.567;B", [1.234, 1234.567], None),
    "decimals by their number": ("v;g\n1.234;A\n2.5;B", [1.234, 2.5], None),
    "negative thousands": ("v;g\n-1.234;A\n+5.678,25;B", [-1234, 5678.25], "1.234,5 as 1 234.5"),
    "missing thousands": ("v;g\n1.234,0;A\n;B\n12;C", [1234, None, 12], "1.234,5 as 1 234.5"),
    "decimal commas": ("v;g\n3,5;A\n2,25;B", [3.5, 2.25], "decimal comma"),
    "decimal commas beside points": ("v;w\n3,5;1.25\n2;1.5", [3.5, 2], "1,5 as 1.5"),
    "decimal commas in tabs": ("v\tg\n3,5\tA\n2\tB", [3.5, 2], "decimal comma"),
    "decimal commas in one column": ("v\n3,5\n2", [3.5, 2], "decimal comma"),
    "decimal commas in quotation marks": ('v,g\n"3,5",A\n"2,25",B', [3.5, 2.25], "1,5 as 1.5"),
    "German numbers between commas": ('v,w\n1.234,"1.234,50"\n2.345,"5,6"', [1234, 2345], "since other numbers have a decimal comma"),
    "American thousands": ('v,g\n"1,234.50",A\n"12",B', [1234.5, 12], "1,234.5 as 1 234.5"),
    "American thousands without decimals": ('v,g\n"1,234",A\n"5,678",B', [1234, 5678], "1,234 as 1 234, since commas separate the cells"),
    "plain decimals between commas": ("v,g\n1.234,A\n5.678,B", [1.234, 5.678], None),
    "Swiss thousands": ("v;g\n1'234;A\n12'345.5;B", [1234, 12345.5], "1'234.5 as 1 234.5"),
    "spaces": ("v;g\n1 234;A\n12 345;B", [1234, 12345], None),
    "narrow spaces": ("v;g\n1\u202f234,5;A\n12;B", [1234.5, 12], "Column 1 is read as numbers: 1,5 as 1.5."),
    "spaces beside decimals of three digits": ("v;w\n1 234;2.5\n1.234;1", [1234, 1.234], "1.234 as 1.234, since other numbers"),
    "thousands and infinity": ("v;w\n1.234;2,5\n5.678;1,5\ninf;1,0", [1234, 5678, INF], "since other numbers have a decimal comma"),
    "thousands and none": ("v;w\n1.234;2,5\nNAN;1,5\n-Infinity;1,0", [1234, None, -INF], "since other numbers have a decimal comma"),
    "infinity and what could be two": ("v;g\n1.234;A\ninf;B", ["1.234", "inf"], TWO),
    "exponents are no decimals": ("v;dose\n1.234;1e-5\n12.500;2e-5", ["1.234", "12.500"], TWO),
    "exponents follow no thousands": ("v;w\n1.234e-2;1,5\n1.234e3;2", [0.01234, 1234], "decimal comma"),
    "dates with points": ("v;g\n03.04.2020;A\n31.12.2021;B", DAYS, "Column 1 is read as dates, day first: 03.04.2020 is 3 April 2020."),
    "short dates with points": ("v;g\n3.4.2020;A\n31.12.2021;B", DAYS, "day first"),
    "dates with points that could be two": ("v;g\n03.04.2020;A\n03.04.2020;B", [DAYS[0]] * 2, "day first"),
    "dates with a day above 12": ("v;g\n03/04/2020;A\n31/12/2021;B", DAYS, "day first"),
    "dates with dashes": ("v;g\n03-04-2020;A\n31-12-2021;B", DAYS, "day first: 03-04-2020 is 3 April 2020."),
    "American dates": ("v;g\n4/3/2020;A\n12/31/2021;B", DAYS, "month first: 03/04/2020 is 4 March 2020."),
    "dates by another column": ("v;w\n03/04/2020;13/1/2020\n;1/1/2020", [DAYS[0], None], "Columns 1 and 2 are read as dates, day first"),
    "years first": ("v;g\n2020/4/3;A\n2021.12.31;B", DAYS, "year first"),
    "dates with times": ("v;g\n03.04.2020 0:00;A\n31.12.2021 00:00:00;B", DAYS, "day first"),
    "numbers that could be two": ("v;g\n1.234;A\n5.678;B", ["1.234", "5.678"], f"Column 1 is read as text: {TWO}, and nothing"),
    "numbers that could be two, with tabs": ("v\tg\n1.234\tA\n5\tB", ["1.234", "5"], TWO),
    "numbers that could be two, in one column": ("v\n1.234\n5.678", ["1.234", "5.678"], TWO),
    "numbers that could be two, with commas": ("v;g\n1,234;A\n5,678;B", ["1,234", "5,678"], "Write 1234 or 1,2340 there instead."),
    "numbers that could be two, others contradict": ("v;w;x\n1.234;3,5;2.5\n5.678;2;1", ["1.234", "5.678"], TWO),
    "both signs in one column": ("v;g\n3,5;A\n2.5;B\n4;C", ["3,5", "2.5", "4"], "rows 2 and 3 cannot both be read in one notation"),
    "millions beside decimals": ("v;g\n1.234.567;A\n1.5;B\n2.5;C", ["1.234.567", "1.5", "2.5"], "rows 2 and 3 cannot both be read in one"),
    "an odd cell": ("v;g\n1.234,5;A\n2,5;B\nk. A.;C", ["1.234,5", "2,5", "k. A."], "row 4 is not a number; correct it"),
    "slashes that could be two": ("v;g\n03/04/2020;A\n03/05/2020;B", ["03/04/2020", "03/05/2020"], "03/04/2020 may be 3 April or 4 March"),
    "dashes that could be two": ("v;g\n03-04-2020;A\n03-05-2020;B", ["03-04-2020", "03-05-2020"], "03-04-2020 may be 3 April or"),
    "no such hour": ("v;g\n1.2.2020 10:00;A\n1.2.2020 24:00;B\n2.3.2020 9:00;C", [*HOURS, "2.3.2020 9:00"], "row 3 is not a date"),
    "no such minute": ("v;g\n3.2.2020 9:60;A\n4.2.2020 9:00;B\n5.2.2020 9:00;C", [*MINUTES, "5.2.2020 9:00"], "row 2 is not a date"),
    "dates in two orders": ("v;g\n31/12/2020;A\n12/31/2020;B", ["31/12/2020", "12/31/2020"], "another order than others"),
    "no such date": ("v;g\n1.2.2020;A\n31.2.2020;B\n2.3.2020;C", ["1.2.2020", "31.2.2020", "2.3.2020"], "row 3 is not a date"),
    "years of two digits": ("v;g\n03.04.20;A\n31.12.21;B", ["03.04.20", "31.12.21"], "only two digits"),
    "numbers that are no dates": ("v;g\n12-34-5678;A\n98-76-5432;B", ["12-34-5678", "98-76-5432"], None),
    "a name over two lines, with a separator": ('"a\nunit, kg",b\n1,2', [1], SPANS),
    "a name over three lines, with separators": ('"Einkommen\n(netto; EUR)\npro Jahr";Alter\n1200;34', [1200], SPANS),
    "a space behind a name over two lines": ('"size\nin cm" ,n\n1,2', [1], None),
    "a last name over two lines": ('Alter;"Einkommen\n(netto; EUR)"\n34;1200', [34], SPANS),
    "one column with semicolons": ("codes\nA01;B02\nA02;B03", ["A01;B02", "A02;B03"], MAYBE),
    "one column with bars": ("q\na|b\nc|d", ["a|b", "c|d"], MAYBE),
    "one column with commas": ("name\nMüller,Hans\nMeier,Eva", ["Müller,Hans", "Meier,Eva"], MAYBE),
    "one column of pairs": ("coord\n48.1,16.3\n48.2,16.4", ["48.1,16.3", "48.2,16.4"], MAYBE),
    "one column of years": ("from\n1990;2000\n1995;2005", ["1990;2000", "1995;2005"], MAYBE),
    "one column of decimal commas with thousands": ("v\n1.234,50\n2.345,60", [1234.5, 2345.6], "1.234,5 as 1 234.5"),
    "one column with a row of names": ("v\nr1\t1\nr2\t2", ["r1\t1", "r2\t2"], MAYBE),
    "a title above text": ("Umsätze 2020;;\nname;wert;x\na;b;c", ["name", "a"], MAYBE),
    "a title above one column": ("Sales 2020\n\nvalue\nx\n2", [None, "value", "x", "2"], MAYBE),
    "a missing first value": ("sales\r\n\r\n1\r\n2", [None, 1, 2], None),
    "a missing name": ("k,\nA,n/a-ish\nB,2\nC,3", ["A", "B", "C"], MAYBE),
    "separators at the ends": ("k,\n1,\n2,", [1, 2], "Without a name in the file: column 2."),
    "marks that belong to a cell": ('v;g\n"6 feet\n5""";1\n7;2', ['6 feet\n5"', "7"], None),
}  # fmt: skip

SOUTH, LATIN, COLOGNE = "Südkreis;1\n".encode(), "Südkreis;2\n".encode("latin-1"), "Köln;2\n".encode()
NAMELESS = "Row 2 has 3 cells where the first line has 2. Row 1 is the line of names, and one seems to be missing;"
MIXED = "holds bytes that are not UTF-8, and row {} is written in UTF-8: two encodings are mixed. Save the file anew"

REFUSED = {
    "UTF-8 before Latin-1": (b"Ort;n\n" + SOUTH + LATIN, f"Row 3 {MIXED.format(2)}"),
    "Latin-1 before UTF-8": (b"Ort;n\n" + LATIN * 30 + COLOGNE, f"Row 2 {MIXED.format(32)}"),
    "one row of Latin-1": (b"Ort;n\n" + SOUTH * 30 + LATIN, "Row 32 holds bytes that are not UTF-8."),
    "a euro beside Latin-1": (b"Ort;n\n" + LATIN + "x;5 €\n".encode(), f"Row 2 {MIXED.format(3)}"),
    "a NUL byte": (f"v;g\n{ROWS}1;\0\n".encode(), "Row 102 holds a NUL byte: the file is damaged there."),
    "an early NUL byte": (b"v;g\n\0;2\n3;4\n", "Row 2 holds a NUL byte: the file is damaged there."),
    "NUL bytes side by side": (b"v;g\n1;2\n\0\0\0;4\n", "Row 3 holds a NUL byte: the file is damaged there."),
    "NUL bytes at the end": (b"v;g\n1;2\n" * 20 + b"\0" * 40, "Row 41 holds a NUL byte: the file is damaged there."),
    "a name that is not closed": (f'v;"g\n{ROWS}'.encode(), f"A {OPEN}"),
    "a name that a later mark closes": (f'v;"g;h\n{ROWS}1;2";3\n'.encode(), f"A {OPEN}"),
    "a name that the next mark closes": (b'v,"g\n1,"x"\n2,y\n', f"A {OPEN}"),
    "a last cell that is not closed": (f'v;g\n{ROWS}1;"2\n{ROWS}'.encode(), f"In row 102 a {OPEN}"),
    "a first cell that is not closed": (f'v;g\n{ROWS}"1;2\n{ROWS}'.encode(), f"In row 102 a {OPEN}"),
    "a cell that a later mark closes": (f'v;g\n{ROWS}1;"x\n{ROWS}1;"y"\n'.encode(), f"In row 102 a {OPEN}"),
    "a first cell that a later mark closes": (b'"v";"g"\n"1";"2"\n"x;1\n"3";"4"\n"5";"6"\n', f"In row 3 a {OPEN}"),
    "a cell in one column": (b'v\nx\n"y\nz\n', f"In row 3 a {OPEN}"),
    "a title": (f"Umsatz 2024\nv;g\n{ROWS}".encode(), TITLE),
    "a title and an empty line": (f"Umsatz 2024\n\nv;g\n{ROWS}".encode(), TITLE),
    "two titles": (f"Umsatz\nStand: 3.4.2024\nv;g\n{ROWS}".encode(), TITLE),
    "a title with a comma": (f"Umsatz, Stand 2024\nv;g\n{ROWS}".encode(), TITLE),
    "a title, and a source below": (b"Umsatz 2024\nv;g\n1;2\n3;4\nQuelle: Amt\n", TITLE),
    "a title above commas": (b"Turnover 2024\nv,g,h\nx,1,2\ny,2,3\n", TITLE),
    "a title above tabs": (b"Turnover\nv\tg\nx\t1\ny\t2\n", TITLE),
    "a title with empty cells": (b"Umsatz 2024;;\n;;\nv;g;h\n1;2;3\n4;5;6\n", TITLE),
    "a title above years": (b"Sales,,\nname,2019,2020\na,1,2\nb,3,4\n", TITLE),
    "a title above cells with spaces": (b"Sales, , \nname, v, w\nA, 1, 2\nB, 2, 3\n", TITLE),
    "a name that is not closed, in one column": (b'"v\n1\n2\n', f"A {OPEN}"),
    "a row of names as R writes it": (b"a\tb\n1\t2\t3\n2\t3\t4\n", NAMELESS),
    "a row of names before commas": (b"a,b\nr1,2,3\nr2,3,4\n", NAMELESS),
    "a source below": (b"v;g\n1;2\n3;4\nQuelle: Amt\n", "Row 4 has 1 cell where the first line has 2."),
    "a row of more cells": (b"v;g\n1;2\n3;4;5\n6;7\n", "Row 3 has 3 cells where the first line has 2."),
}  # fmt: skip


@pytest.mark.parametrize("case", READ)
def test_a_file_is_read_right_and_what_could_be_read_otherwise_is_said(case):
    text, values, said = READ[case]
    table = read_table("x", text.encode())
    assert table.frame.iloc[:, 0].astype(object).where(table.frame.iloc[:, 0].notna(), None).tolist() == values
    assert said in " ".join(table.notes) if said else not table.notes


@pytest.mark.parametrize("case", REFUSED)
def test_a_file_that_cannot_be_read_gets_the_sentence_that_fits(case):
    data, said = REFUSED[case]
    with pytest.raises(DataError) as caught:
        read_table("x", data)
    assert str(caught.value).startswith(said)


def test_many_cells_of_several_lines_are_looked_up_in_one_pass():
    """A search from the beginning for each of them took half a minute for a file of this kind."""
    row = ",".join(f'"{"y" * 780}{{row}}-{at}\n"""' for at in range(300))
    names = ",".join(f"c{at}" for at in range(300))
    text = "\n".join([names, *(row.format(row=each) for each in range(50))])
    start = time.process_time()
    assert read_table("x", text.encode()).rows == 50
    assert time.process_time() - start < 8
    swallowed = text.replace('40-7\n"""', '40-7\n"z"')
    with pytest.raises(DataError, match="In row 42 a quotation mark"):
        read_table("x", swallowed.encode())


CONVENTIONS = [
    "_.",
    "_,",
    ",.",
    ".,",
    "'.",
    "\u2019.",
    " ,",
    "\u00a0,",
    "\u202f,",
    "\u2009,",
]  # between thousands, decimals


@pytest.mark.parametrize("separator", [*";\t|,"])
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_numbers_of_every_convention_come_back_or_stay_text_with_a_word(convention, separator):
    between, point = convention
    if separator == point:
        return  # a comma between cells speaks for decimal points, and that is said
    rng = np.random.default_rng(5)

    def cell(number, digits):
        text = f"{number:,.{digits}f}".replace(",", "t").replace(".", point).replace("t", between.strip("_"))
        return f'"{text}"' if separator in text else text

    read = 0
    for digits, larger, _ in itertools.product(range(4), (10, 3_000, 5_000_000), range(4)):
        numbers = rng.uniform(-larger, larger, size=(rng.integers(1, 6), 2))
        of = {"a": digits, "b": max(2, digits)}
        body = [separator.join([*map(cell, row, of.values()), "x"]) for row in numbers]
        table = read_table("x", "\n".join([separator.join("abc"), *body]).encode())
        for (name, kept), values in zip(of.items(), numbers.T, strict=True):
            if table.kind(name) == "number":
                assert table.frame[name].tolist() == [float(f"{value:.{kept}f}") for value in values]
                read += 1
            else:
                assert "read as text" in " ".join(table.notes)
    assert read > 80, "of 96: only where nothing tells it stays text"


def test_a_doubtful_column_is_decided_by_all_its_rows():
    """What tells may stand far below what is looked at first."""
    rows = "1.234;A\n" * 20_000
    assert read_table("x", f"v;g\n{rows}1,5;B\n".encode()).frame["v"].sum() == 20_000 * 1234 + 1.5
    assert read_table("x", f"v;g\n{rows}1.5;B\n".encode()).frame["v"].sum() == pytest.approx(20_000 * 1.234 + 1.5)
    assert read_table("x", f"v;g\n{rows}".encode()).kind("v") == "text"
    for few in ("v;g\n1.234;A", "v;g\r1.234;A\r", "v;g\n" + ";A\n" * 40_000 + "1.234;B"):
        assert read_table("x", few.encode()).kind("v") == "text"


def test_dates_of_every_order_come_back():
    days = pd.date_range("1899-12-25", "2100-01-01", freq="97D")
    for form in ("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%Y/%m/%d", "%d.%m.%Y %H:%M"):
        table = read_table("x", ("d;v\n" + "".join(f"{day:{form}};1\n" for day in days)).encode())
        assert (table.frame["d"] == days).all(), form


@pytest.mark.parametrize("columns", [(("v", "x"),), ((1, "."),), [("v", ".")]])
def test_a_notation_is_one_of_five(columns):
    with pytest.raises(ParameterError, match="columns must be pairs"):
        FileFormat(columns=columns)
