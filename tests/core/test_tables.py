"""Files of the reader's own: what can be read, and what is refused with which words."""

import datetime
import decimal
import gc
import gzip
import io
import lzma
import re
import struct
import subprocess
import sys
import tracemalloc
import zipfile
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from PIL import Image

from par_core.errors import DataError
from par_core.tables import csv_text as tables_text
from par_core.tables.encoding import _odd_lines, as_utf8
from par_core.tables.table import Limits, of_frame, read_table

ROOT = Path(__file__).parents[2]
MARKER = "zebra4711"
MEGABYTE = 2**20


def table(data, **limits):
    return read_table("table.csv", data.encode() if isinstance(data, str) else data, limits=Limits(**limits))


def refusal(data, **limits):
    with pytest.raises(DataError) as caught:
        table(data, **limits)
    return str(caught.value)


def kinds(found):
    return {column.name: column.kind for column in found.columns}


@pytest.fixture
def never_parsed(monkeypatch):
    """Fail where the cells of a text are parsed: what is refused is to be refused before."""

    def parse(*_, **__):
        raise AssertionError("the cells were parsed")

    monkeypatch.setattr(tables_text, "_cells", parse)


def parquet(columns, **options):
    file = io.BytesIO()
    pq.write_table(columns if isinstance(columns, pa.Table) else pa.table(columns), file, **options)
    return file.getvalue()


# --- what is read ---


def test_times_of_the_day_are_text():
    found = table(parquet({"at": [datetime.time(13, 5), None, datetime.time(0, 0, 1)]}))
    assert kinds(found) == {"at": "text"}
    assert found.frame["at"][0].startswith("13:05:00")


def test_kinds_and_missing_values():
    found = table("n,t,d,b,e\n1,x,2020-01-31,true,\n,y,,false,NA\n2.5,,2021-02-28,,\n")
    assert kinds(found) == {"n": "number", "t": "text", "d": "date", "b": "true-false", "e": "empty"}
    assert [column.missing for column in found.columns] == [1, 1, 1, 1, 3]
    assert [str(kind) for kind in found.frame.dtypes] == ["float64", "str", "datetime64[ms]", "boolean", "object"]
    assert found.rows == 3
    assert found.form == "CSV, separated by commas, UTF-8"
    assert found.notes == ()


def test_text_in_a_column_of_numbers_makes_it_text():
    assert kinds(table("age,n\n31,1\nunknown,2\n45,3\n")) == {"age": "text", "n": "number"}


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("age,n\n31,1\n29,5\nunknown,2\n45,3\n", {1: 4}),
        ("a;b\n1,5;x\n2,25;1\nzebra4711;2\n3,0;3\n", {1: 4, 2: 2}),
        ("age\n1e3\n-.5\n7.\nzebra4711\n", {1: 5}),
        ("a,b\nx,1\ny,2\n", {}),
        ("code\nA1\n12\nB7\n", {}),
        ("n\n" + "1\n" * 1500 + "zebra4711\n", {1: 1502}),
    ],
)
def test_a_cell_that_turns_numbers_into_text_is_named_by_its_place(text, rows):
    expected = [f"Column {column} is read as text: row {row:,} is not a number" for column, row in rows.items()]
    notes = [note for note in table(text).notes if "read as text" in note]
    assert [note.split(";")[0] for note in notes] == expected
    assert all(note.endswith("Row 1 holds the names.") for note in notes)


def test_many_such_columns_are_not_all_named():
    names = ",".join(f"c{at}" for at in range(8))
    found = table(f"{names}\n" + ",".join("1" * 8) + "\n" + ",".join("2" * 8) + "\n" + ",".join("x" * 8) + "\n")
    assert len(found.notes) == 6
    assert found.notes[-1] == "The same holds for 3 more columns."


@pytest.mark.parametrize("cell", ["0x10", "-0xFF", "0XaB"])
def test_hexadecimal_digits_are_no_number(cell):
    found = table(f"v,w\n{cell},3\n2,4\n5,6\n".encode())
    assert kinds(found) == {"v": "text", "w": "number"}
    assert found.frame["v"].tolist() == [cell, "2", "5"]


def test_nan_is_missing_and_infinities_are_counted():
    first, second = table("a,b\nNaN,inf\n1,-inf\nnan,3\n").columns
    assert (first.kind, first.missing, first.infinite) == ("number", 2, 0)
    assert (second.kind, second.missing, second.infinite) == ("number", 0, 2)


def test_a_time_of_day_stays_as_the_file_writes_it():
    found = table("at,,\n08:30,9:15,1\n12:00,10:00,2\n")
    assert found.frame["at"].tolist() == ["08:30", "12:00"]
    assert kinds(found) == {"at": "text", "column 2": "text", "column 3": "number"}
    assert refusal("at,n\n08:30,1\n09:30\n").startswith("Row 3 has 1 cell where the first line has 2.")


NAMED = pytest.mark.parametrize(
    ("column", "is_one"),
    [
        (("who", [f"P{at}" for at in range(50)]), True),
        (("n", list(range(50))), True),
        (("patientID", [at % 30 for at in range(90)]), True),
        (("zip_code", [at % 30 for at in range(90)]), True),
        (("Name", ["Ann", "Bob"] * 30), False),  # telling, but few
        (("widow", [at % 30 for at in range(90)]), False),  # many, but not telling
        (("svnr", [at * 7 % 50 for at in range(50)]), True),
        (("n", [10_000 + at * 7 % 50 for at in range(50)]), True),
        (("age", [at * 7 % 50 for at in range(50)]), False),
        (("cost", [at + 0.5 for at in range(50)]), False),  # measured
        (("ward", ["a", "b", "c"]), False),  # of so few rows nobody knows
    ],
    ids=lambda each: each[0] if isinstance(each, tuple) else str(each),
)


def test_spaces_around_texts_are_left_out_and_named():
    found = table("g, v \n A,1\nB ,2\n")
    assert found.frame["g"].tolist() == ["A", "B"]
    assert list(found.frame) == ["g", "v"]
    assert found.notes == ("Spaces around texts are left out.",)


def test_formulas_stay_text():
    found = table("a,b\n=cmd()|' /C calc'!A0,1\n@SUM(1),2\n")
    assert list(found.frame["a"]) == ["=cmd()|' /C calc'!A0", "@SUM(1)"]
    assert kinds(found) == {"a": "text", "b": "number"}


@NAMED
def test_a_column_that_names_its_rows_is_told(column, is_one):
    name, values = column
    table = of_frame("x", pd.DataFrame({name: values}), digest="")
    assert table.is_identifier(name) is is_one


@pytest.mark.parametrize(
    ("texts", "twice"),
    [
        (["nord", "Nord", "ost"], ("nord", "Nord")),
        (["New York", "NewYork"], ("New York", "NewYork")),
        (["Ost", "Ost", None, "West"], None),
        ([f"Ort {at}" for at in range(1_000)] + ["ort 1"], None),  # no list of categories is that long
    ],
)
def test_categories_that_differ_only_in_case_or_blanks_are_named(texts, twice):
    assert of_frame("x", pd.DataFrame({"c": texts}), digest="").written_twice("c") == twice


@pytest.mark.parametrize("end", [b"\r\n", b"\n", b"\r"])
@pytest.mark.parametrize("last", [[b";;"], [b";;", b"", b" ;; "], [b";"]])
@pytest.mark.parametrize("one_more", [[], [b"3;y;"]])
def test_lines_that_hold_only_separators_are_no_rows_wherever_they_stand(end, last, one_more):
    found = read_table("x", end.join([b"a;b;c", b"1;x;", b";;", b"2;;", *last, *one_more, b""]))
    assert found.frame["a"].tolist() == [1.0, 2.0, 3.0][: 2 + len(one_more)]
    assert found.notes[-1] == "Lines that hold only separators are left out."
    assert not read_table("x", end.join([b"a;b;c", b"1;x;", b"2;;", b""])).notes


def test_many_last_lines_of_separators_are_passed_over():
    assert read_table("x", b"a,b\n1,2\n" + b",\n" * (2 * MEGABYTE)).rows == 1
    with pytest.raises(DataError, match="no rows below them"):
        read_table("x", b"a,b\n" + b",\n" * 3)


@pytest.mark.parametrize("text", ["income\n1\n\n3\n", "income\n1\n\n3", "income\r\n1\r\n\r\n3\r\n"])
def test_in_a_single_column_an_empty_line_is_a_missing_value(text):
    found = table(text)
    assert (found.rows, found.columns[0].missing, found.form) == (3, 1, "CSV, one column, UTF-8")


def test_a_single_column_is_not_cut_at_commas():
    assert table("says\nHello, world\nA longer; line\nnothing\n").frame["says"][0] == "Hello, world"
    found = table("x\n3,25\n2,5\n")
    assert list(found.frame["x"]) == [3.25, 2.5]
    assert found.notes == ("Numbers are read with a decimal comma.",)


@pytest.mark.parametrize(
    ("separator", "words"),
    [
        (",", "CSV, separated by commas"),
        (";", "CSV, separated by semicolons"),
        ("\t", "TSV"),
        ("|", "CSV, separated by bars"),
    ],
)
def test_separators(separator, words):
    rows = [["name", "x", "note"], ["A", "1", '"a, b; c"'], ["B", "2", '"d; e, f"'], ["C", "3", '"g ""h"" i"']]
    found = table("\n".join(separator.join(row) for row in rows))
    assert found.form == f"{words}, UTF-8"
    assert kinds(found) == {"name": "text", "x": "number", "note": "text"}
    assert found.frame["note"].tolist()[2] == 'g "h" i'


@pytest.mark.parametrize(
    "text",
    [
        "name;size, in m, on the day, as told;x\nA;1;2\nB;3;4\n",
        "a | b; c; d, e, f, g;h\n1;2;3;4\n5;6;7;8\n",
        "day;from, to, by\n2020-01-01;1,5\n2020-01-02;2,5\n",
    ],
)
def test_separators_in_names_do_not_separate(text):
    assert table(text).form == "CSV, separated by semicolons, UTF-8"


def test_semicolons_with_decimal_commas_and_the_line_that_excel_writes():
    found = table("sep=;\r\nname;x\r\nA, B;3,5\r\nC;4,25\r\n")
    assert list(found.frame["x"]) == [3.5, 4.25]
    assert list(found.frame["name"]) == ["A, B", "C"]


@pytest.mark.parametrize("text", ["a,b\n1,2\r\n3,4\r5,6", "a,b\r1,2\r3,4\r5,6\r", "\n\na,b\r\n1,2\n\n3,4\r\n5,6\n\n"])
def test_line_ends_of_every_kind(text):
    found = table(text)
    assert found.frame.to_dict("list") == {"a": [1, 3, 5], "b": [2, 4, 6]}


def test_line_ends_inside_quotes_belong_to_the_cell():
    found = table('id,note\n1,"one\ntwo, three"\n2,"x"\n')
    assert list(found.frame["note"]) == ["one\ntwo, three", "x"]


@pytest.mark.parametrize(
    ("codec", "bom", "words"),
    [
        ("utf-8", b"", "UTF-8"),
        ("utf-8", b"\xef\xbb\xbf", "UTF-8"),
        ("utf-16-le", b"\xff\xfe", "UTF-16"),
        ("utf-16-be", b"\xfe\xff", "UTF-16"),
        ("utf-32-le", b"\xff\xfe\0\0", "UTF-32"),
        ("latin-1", b"", "Windows-1252"),
        ("cp1252", b"", "Windows-1252"),
        ("utf-16-le", b"", "UTF-16-LE"),
    ],
)
def test_encodings(codec, bom, words):
    text = "Name,Ort\nMüller,Zürich\nHélène,Genève\nJosé,Málaga\n"
    found = table(bom + text.encode(codec))
    assert found.frame.to_dict("list") == {"Name": ["Müller", "Hélène", "José"], "Ort": ["Zürich", "Genève", "Málaga"]}
    assert found.form == f"CSV, separated by commas, {words}"
    guessed = codec != "utf-8" and not bom
    assert [note.partition(",")[0] for note in found.notes] == [f"Letters beyond A to Z are read as {words}"] * guessed


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("cp1251", "имя,город\nИван,Москва\nОльга,Санкт-Петербург\n"),
        ("cp932", "名前,都市\n山田太郎,東京\n佐藤花子,大阪\n"),
        ("gb18030", "姓名,城市\n王小明,北京\n李华,上海\n"),
    ],
)
def test_other_scripts(codec, text):
    body = text.partition("\n")[2]
    found = table((text + 20 * body).encode(codec))
    assert list(found.frame.columns) == text.partition("\n")[0].split(",")
    assert found.notes


def test_wide_letters_of_which_few_are_plain():
    text = "姓名,城市\n" + "王小明王小明王小明王小明,北京北京北京北京北京\n" * 20
    for codec in ("utf-16-le", "utf-16-be"):
        assert list(table(text.encode(codec)).frame.columns) == ["姓名", "城市"]


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("letters", ["名,数\n一,1\n二,2\n", "vārds,n\nĀbele Ķekava,1\nĒrika Āre,2\nJānis Ādams,3\n"])
def test_wide_letters_with_an_empty_byte_of_their_own(letters, codec):
    assert table((letters * 20).encode(codec)).form.endswith(codec.upper())


def test_letters_that_only_latin_1_has():
    assert list(table("a,b\nx\x81é,1\ny,2\n".encode("latin-1")).frame["a"]) == ["x\x81é", "y"]


def test_one_odd_letter_in_wide_rows():
    assert as_utf8((b"abcdefgh," * 2000 + b"\n") * 60 + b"caf\xe9\n")[2] == "Windows-1252"


@pytest.mark.parametrize("far", [0, 150, 250, 70_000, MEGABYTE])
def test_a_letter_beyond_ascii_is_found_wherever_it_stands(far):
    data = f"a,b\n1,2\n{'x' * far}ж,{'y' * far}\n3,ж\n".encode("cp1251")
    assert _odd_lines(data) == f"{'x' * min(far, 200)}ж,{'y' * min(far, 199)}\n3,ж\n".encode("cp1251")


def test_columns_without_a_name_and_a_missing_line_of_names():
    found = table("a,,column 2,\n1,2,3,4\n")
    assert list(found.frame.columns) == ["a", "column 2'", "column 2", "column 4"]
    assert "column 4" in found.notes[0]
    assert "Is the line of names missing?" in table("1,2.5\n3,4\n").notes[0]
    assert not table("region,1999,2000\nA,1,2\n").notes


def test_parquet():
    when = datetime.datetime(2020, 1, 31, 12)
    found = table(
        parquet(
            {
                "whole": [1, None, 3],
                "real": [1.5, float("nan"), float("-inf")],
                "words": ["x", None, "=cmd()"],
                "yes": [True, None, False],
                "day": [when.date(), None, when.date()],
                "moment": [when, when, None],
                "money": [decimal.Decimal("1.50"), None, decimal.Decimal("2.25")],
                "packed": pa.array(["u", "v", "u"]).dictionary_encode(),
                "none": pa.nulls(3),
            }
        )
    )
    expected = ["number", "number", "text", "true-false", "date", "date", "number", "text", "empty"]
    assert list(kinds(found).values()) == expected
    assert [column.missing for column in found.columns] == [1, 1, 1, 1, 1, 1, 1, 0, 3]
    assert found.columns[1].infinite == 1
    assert found.frame["money"].tolist()[2] == 2.25
    assert found.frame["packed"].tolist() == ["u", "v", "u"]
    assert found.form == "Parquet"


def test_gzip_of_each_kind_and_in_several_parts():
    assert table(gzip.compress(b"a,b\n1,2\n")).form == "gzip, CSV, separated by commas, UTF-8"
    assert table(gzip.compress(b"a\tb\n1\t2\n")).form == "gzip, TSV, UTF-8"
    assert table(gzip.compress(parquet({"a": [1, 2]}))).form == "gzip, Parquet"
    assert table(gzip.compress(b"a,b\n1,2\n") + gzip.compress(b"3,4\n")).rows == 2


def test_the_name_says_nothing_about_the_content():
    assert read_table("picture.png", b"a,b\n1,2\n").rows == 1
    assert read_table("table.csv", parquet({"a": [1]})).form == "Parquet"


def test_the_digest_stands_for_the_bytes():
    assert table("a\n1\n").digest == table("a\n1\n").digest != table("a\n2\n").digest


def test_a_description_shows_no_name_no_cell_and_no_file():
    found = read_table(f"{MARKER}.csv", f"{MARKER},b\n{MARKER},2\n".encode())
    assert MARKER not in repr(found)
    assert found.digest not in repr(found)


# --- what is refused ---


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "The file is empty."),
        (b" \n\r\n", "The file is empty."),
        (b"\xef\xbb\xbf", "The file is empty."),
        (b"\xff\xfe", "The file is empty."),
        (gzip.compress(b"", mtime=0), "The file is empty."),
        (b"a,b,c\n", "The file has column names but no rows below them."),
        (b"income", "The file has column names but no rows below them."),
        (b'"a","b"', "The file has column names but no rows below them."),
        (b"a,b\n1,2\n3\n", "Row 3 has 1 cell where the first line has 2."),
        (b"a,b\n1,2\n3,4,5\n", "Row 3 has 3 cells where the first line has 2."),
        (b"a,b\n" + b"1,2\n" * 300_000 + b"9\n", "Row 300,002 has 1 cell where the first line has 2."),
        (b'a,b\n1,2\n"x,3\n4,5\n', "In row 3 a quotation mark is opened and not closed"),
        (b'a,"b\n1,2\n', "A quotation mark is opened and not closed"),
        (b"a,b, a\n1,2,3\n", "Columns 1 and 3 have the same name."),
        (b"a," + b"x" * 201 + b"\n1,2\n", "The name of column 2 is longer than 200 characters."),
        (b"a,b\n1,2\n3\0,4\n", "Row 3 holds a NUL byte"),
        (b"a,b\n" + "Müller,1\n".encode() * 30 + b"M\xfcller,2\n", "Row 32 holds bytes that are not UTF-8."),
        (b"\xef\xbb\xbfa,b\n\xff,2\n", "Row 2 holds bytes that are not UTF-8."),
        (b"\xff\xfe" + "a,b\n1,2\n".encode("utf-16-le") + b"\0", "Row 3 holds bytes that are not UTF-16."),
    ],
)  # fmt: skip
def test_a_bad_text_file_is_refused_with_its_row(data, message):
    assert refusal(data).startswith(message)


def picture(kind):
    file = io.BytesIO()
    Image.new("RGB", (8, 8)).save(file, kind)
    return file.getvalue()


def archive(name, content="x"):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as zipped:
        zipped.writestr(name, content)
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (picture("PNG"), "a PNG picture"),
        (gzip.compress(picture("PNG"), mtime=0), "a PNG picture"),
        (archive("table.csv"), "a ZIP archive. Unpack it first"),
        (archive("[Content_Types].xml"), "an Excel or other Office document. Save it as CSV there"),
        (archive("xl/workbook.xml"), "an Excel or other Office document. Save it as CSV there"),
        (
            archive("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
            "an Excel or other Office document. Save it as CSV there",
        ),
        (b"\xd0\xcf\x11\xe0" + bytes(100), "an old Excel or Word document. Save it as CSV there"),
        (b"RDX2\nA\n2\n197636\n131840\n1026\n1\n", "an R data file. Write it with write.csv there"),
        (b"PARE\x15\x04" + bytes(100), "an encrypted Parquet file. Write it without encryption"),
        (b"$FL2@(#) SPSS DATA FILE" + bytes(100), "an SPSS file. Save it as CSV there"),
        (b"<stata_dta><header><release>118</release>", "a Stata file. Save it as CSV there"),
        (b"%PDF-1.7\n", "a PDF document"),
        (b"\n<!DOCTYPE html><html>", "a web page or XML document"),
        (b'<?xml version="1.0"?>', "a web page or XML document"),
        (b'[{"a": 1}]', "a JSON document. Export the table as CSV"),
        (b'{ "a": 1}', "a JSON document. Export the table as CSV"),
        (
            gzip.compress(gzip.compress(b"a,b\n1,2\n", mtime=0), mtime=0),
            "a gzip file inside a gzip file. Unpack it first",
        ),
    ],
)
def test_another_format_is_named(data, words):
    assert refusal(data) == f"This is not a CSV, TSV or Parquet file: it looks like {words}."


@pytest.mark.parametrize(
    "data",
    [
        picture("JPEG"),
        picture("GIF"),
        b"SQLite format 3\0\x10\0\1\1\0\x40\x20\x20",
        b"\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08\0",
        b"ARROW1\0\0\xff\xff\xff\xff\x18\3\0\0",
        b"7z\xbc\xaf\x27\x1c\0\4" + np.random.default_rng(4).bytes(3_000),
        b"MZ\x90\0\3\0\0\0\4\0\0\0\xff\xff\0\0",
        lzma.compress(b"a,b\n1,2\n" * 500),
        struct.pack("<BBBB", 114, 2, 1, 0) + bytes(100),  # Stata before 2013
    ],
)
def test_of_every_other_format_it_is_said_that_it_is_no_text(data):
    assert re.fullmatch(
        r"Row \d+ holds a NUL byte: this is neither text, as CSV and TSV are, nor Parquet\.", refusal(data)
    )


@pytest.mark.parametrize(
    "header",
    [
        ",".join(f"c{at}" for at in range(100_000)),
        "," * 99_999,
        ";".join(f'"c, {at}"' for at in range(100_000)),
    ],
)
@pytest.mark.usefixtures("never_parsed")
def test_a_hundred_thousand_columns_are_refused_before_they_are_parsed(header):
    data = (header + "\n" + "1," * 99_999 + "1\n").encode()
    assert refusal(data) == "The first line has 100,000 columns; at most 1,000 can be opened."


@pytest.mark.parametrize("start", ['"a\nb",', '5" pipe,', '"a""b",', "'a\","])
def test_columns_behind_quotation_marks_are_counted(start):
    rows = ("1," * 2000 + "1\n") * 3
    assert refusal(start + "," * 1999 + "\n" + rows) == "The first line has 2,001 columns; at most 1,000 can be opened."


def test_a_name_over_two_lines():
    assert list(table('"size\nin cm";"n, all"\n1;2\n').frame.columns) == ["size\nin cm", "n, all"]


def test_a_quotation_mark_inside_a_cell_is_a_letter():
    found = table('size,5" pipe\n3" x,1\n4,2\n')
    assert list(found.frame.columns) == ["size", '5" pipe']
    assert list(found.frame["size"]) == ['3" x', "4"]
    assert refusal('a,b\nx"y,1\n' + "2,2\n" * 5, rows=5) == "The file has 6 rows; at most 5 can be opened."


@pytest.mark.parametrize(
    ("letter", "message"),
    [
        (b",", "The first line has at least 2,097,153 columns; at most 1,000 can be opened."),
        (b"x", "The first line cannot be read as a list of column names."),
        (b'"', "The first line cannot be read as a list of column names."),
        (b"\n", "The file is empty."),
        (b"1\n", "The file has 15,728,639 rows; at most 2,000,000 can be opened."),
        pytest.param(b"\xe9", "The first line cannot be read as a list of column names.", id="no letter"),
    ],
)
@pytest.mark.usefixtures("never_parsed")
def test_much_of_the_same_is_refused_before_it_is_parsed(letter, message):
    data = letter * (30 * MEGABYTE // len(letter))
    assert refusal(data) == message


def test_a_thousand_columns_are_taken():
    assert len(table(",".join(f"c{at}" for at in range(1000)) + "\n" + "1," * 999 + "1\n").columns) == 1000
    assert "1,001 columns" in refusal(",".join(f"c{at}" for at in range(1001)) + "\n" + "1," * 1000 + "1\n")


@pytest.mark.usefixtures("never_parsed")
def test_rows_and_cells_are_counted_before_they_are_parsed():
    assert refusal(b"a\n" + b"1\n" * 2_000_100) == "The file has 2,000,100 rows; at most 2,000,000 can be opened."
    wide = b",".join(b"c%d" % at for at in range(1000)) + b"\n"
    assert refusal(wide + (b"1" + b"," * 999 + b"\n") * 50_001).startswith("The file has 1,000 columns of 50,001 rows")


def test_line_ends_inside_quotes_are_no_rows():
    cell = '"x' + "\n" * 10 + '",1\n'
    for ends in ("\n", "\r", "\r\n"):
        assert table(("a,b\n" + cell * 5).replace("\n", ends), rows=5).rows == 5
        assert table(("a,b\n" + cell * 5).replace("\n", ends)[: -len(ends)], rows=5).rows == 5
        assert (
            refusal(("a,b\n" + cell * 6).replace("\n", ends), rows=5) == "The file has 6 rows; at most 5 can be opened."
        )
    # What is counted a megabyte at a time may be cut between the two letters of a line end.
    first = 'a,b\r\n"' + "\n" * 9 + "x" * (MEGABYTE - 19) + '",1'
    assert len(first) == MEGABYTE - 1
    assert table(f"{first}\r\n3,3\r\n", rows=2).rows == 2


def test_a_file_over_the_cap():
    assert refusal(b"a\n" + b"1\n" * 1_000_000, packed=MEGABYTE) == "The file has 2 MB; at most 1 MB can be opened."
    assert refusal(bytes(51 * MEGABYTE)) == "The file has 51 MB; at most 50 MB can be opened."


@pytest.mark.parametrize("limit", ["packed", "unpacked", "columns", "rows", "cells"])
def test_a_file_of_exactly_the_largest_size_is_opened_and_one_above_it_refused(limit):
    data = b"a,b\n1,2\n3,4\n"
    if limit == "unpacked":
        data = gzip.compress(data)
    size = {"packed": len(data), "unpacked": 12, "columns": 2, "rows": 2, "cells": 4}[limit]
    assert table(data, **{limit: size}).rows == 2
    words = "holds more than" if limit == "unpacked" else "can be opened"
    assert words in refusal(data, **{limit: size - 1})


@pytest.mark.parametrize("limit", ["unpacked", "columns", "rows", "cells"])
def test_a_parquet_file_of_exactly_the_largest_size(limit):
    data = parquet({"a": [1, 2, 3], "b": [4, 5, 6]})
    about = pq.ParquetFile(io.BytesIO(data)).metadata
    declared = sum(about.row_group(at).total_byte_size for at in range(about.num_row_groups))
    size = {"unpacked": declared, "columns": 2, "rows": 3, "cells": 6}[limit]
    assert table(data, **{limit: size}).rows == 3
    assert "can be opened" in refusal(data, **{limit: size - 1})


@pytest.mark.parametrize("damage", ["cut", "scrambled", "head"])
def test_a_damaged_gzip_file(damage):
    sound = gzip.compress(b"a,b\n" + b"".join(b"%d,%d\n" % (at, at**2) for at in range(20_000)))
    bad = {
        "cut": sound[: len(sound) // 2],
        "scrambled": sound[:2000] + b"\xff" * 200 + sound[2200:],
        "head": sound[:2],
    }[damage]
    assert refusal(bad).startswith("The gzip file is cut off" if damage != "scrambled" else "The gzip file is damaged")


def test_a_gzip_bomb_is_left_as_soon_as_it_passes_the_limit():
    bomb = gzip.compress(gzip.compress(bytes(512 * MEGABYTE), 1), 1)  # two layers: 1,000 to 1 each
    single = gzip.decompress(bomb)
    assert len(bomb) < 50_000
    assert len(single) < 5 * MEGABYTE
    tracemalloc.start()
    assert refusal(single, unpacked=8 * MEGABYTE) == "The gzip file holds more than 8 MB when unpacked."
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40 * MEGABYTE
    assert refusal(bomb).endswith("a gzip file inside a gzip file. Unpack it first.")


BOMBS = {
    "rows": lambda: parquet({"a": np.zeros(3_000_000, "i1")}),
    "columns": lambda: parquet({f"c{at}": [1] for at in range(1001)}),
    "many columns": lambda: parquet({f"c{at}": [1] for at in range(10_001)}),
    "cells": lambda: parquet({f"c{at}": pa.nulls(1_000_000, pa.int8()) for at in range(60)}),
    "declared": lambda: parquet({"a": ["x" * 300_000 + str(at) for at in range(40)]}, use_dictionary=False, compression="zstd"),
    "repeated": lambda: parquet({"a": pa.DictionaryArray.from_arrays(np.zeros(500_000, "i4"), ["x" * 100_000])}),
    "prefixes": lambda: parquet({"a": ["x" * 10_000] * 1000}, use_dictionary=False, column_encoding={"a": "DELTA_BYTE_ARRAY"}),
}  # fmt: skip


def test_a_packed_column_counts_as_its_texts_and_eight_bytes_a_row():
    data = parquet({"a": pa.DictionaryArray.from_arrays(np.arange(200_000, dtype="i4") % 2, ["x" * 80, "y" * 120])})
    assert refusal(data, unpacked=200_000 * (100 + 8) - 1).startswith("The Parquet file holds more than")
    assert len(table(data, unpacked=200_000 * (100 + 8)).columns) == 1


@pytest.mark.parametrize(
    ("bomb", "message"),
    [
        ("rows", "The file has 3,000,000 rows; at most 2,000,000 can be opened."),
        ("columns", "The Parquet file has 1,001 columns; at most 1,000 can be opened."),
        ("many columns", "The Parquet file has more than 10,000 columns or row groups."),
        ("cells", "The file has 60 columns of 1,000,000 rows; at most 50,000,000 cells can be opened."),
        ("declared", "The Parquet file declares 11 MB when unpacked; at most 10 MB can be opened."),
        ("repeated", "The Parquet file holds more than 10 MB when unpacked."),  # 50 GB from 6 kB
        ("prefixes", "Column 1 of the Parquet file is packed as DELTA_BYTE_ARRAY. Write it the usual way."),
    ],
)
def test_a_parquet_bomb_is_refused_by_what_it_declares(bomb, message):
    data = BOMBS[bomb]()
    before = pa.total_allocated_bytes()
    assert refusal(data, unpacked=10 * MEGABYTE) == message
    gc.collect()  # the caught errors hold on to what was read
    assert pa.total_allocated_bytes() - before < 10 * MEGABYTE


def test_a_size_below_zero_makes_no_other_one_smaller():
    """The second of two groups of rows declares the opposite of its size: in the file, 2n - 1 stands where 2n stood."""
    data = parquet({"a": range(400), "b": range(400)}, row_group_size=200, use_dictionary=False, compression="zstd")
    size = pq.ParquetFile(io.BytesIO(data)).metadata.row_group(1).total_byte_size
    written, opposite = (bytes([each & 127 | 128, each >> 7]) for each in (2 * size, 2 * size - 1))
    forged = opposite.join(data.rpartition(written)[::2])
    about = pq.ParquetFile(io.BytesIO(forged)).metadata
    assert [about.row_group(at).total_byte_size for at in range(2)] == [size, -size]
    assert "declares" in refusal(forged, unpacked=size - 1)


def test_bombs_fit_in_little_memory(tmp_path):
    """The whole process may grow by 1.5 GB of addresses at most, where the bombs hold 4 GB and 50 GB."""
    (tmp_path / "gzip").write_bytes(gzip.compress(bytes(MEGABYTE)) * 4096)
    (tmp_path / "parquet").write_bytes(BOMBS["repeated"]())
    script = f"""
import resource, sys
from par_core.tables.table import read_table
from par_core.errors import DataError
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 1_500_000_000,) * 2)
for name in ("gzip", "parquet"):
    try:
        read_table(name, open(f"{tmp_path}/" + name, "rb").read())
    except DataError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.count("holds more than 250 MB when unpacked") == 2, done.stderr


def test_a_sound_file_that_memory_has_no_room_for_is_not_called_damaged_alone(monkeypatch):
    no_room = Mock(side_effect=pa.ArrowMemoryError("malloc of size 64 failed"))
    sound = parquet({"a": [1, 2]})
    monkeypatch.setattr(pq.ParquetFile, "read", no_room)
    assert "takes more memory than is free, or is damaged" in refusal(sound)
    monkeypatch.setattr(tables_text.pa_csv, "read_csv", no_room)
    with pytest.raises(MemoryError):
        table(b"a,b\n1,2\n")


@pytest.mark.parametrize("kept", [4, 8, 100, -1, -10, -100])
def test_a_parquet_file_that_is_cut_off(kept):
    assert refusal(parquet({"a": list(range(1000))})[:kept]).startswith("The Parquet file is damaged or cut off")


@pytest.mark.parametrize("packed", [True, False])
def test_a_parquet_file_whose_text_is_none(packed):
    data = parquet({"who": ["abcd", "abcd", "b"]}, use_dictionary=packed, compression="none", write_statistics=False)
    assert "damaged" in refusal(data.replace(b"abcd", b"ab\xffd"))


def test_a_parquet_file_with_damaged_cells():
    sound = parquet({"a": np.random.default_rng(1).normal(size=10_000), "b": ["x"] * 10_000})
    assert refusal(sound[:8] + b"\xff" * 5000 + sound[5008:]).startswith("The Parquet file is damaged")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": [1], "b": [[1, 2]]}, "The Parquet file holds lists or records inside its cells."),
        ({"a": [1], "b": [{"c": 1, "d": 2}]}, "The Parquet file holds lists or records inside its cells."),
        ({"a": [1], "b": [b"\xff"]}, "Column 2 of the Parquet file holds neither numbers nor text"),
        ({"a": pa.array([], pa.int64())}, "The file has column names but no rows below them."),
        (pa.table([[1], [2], [3]], names=["a", "b", "a"]), "Columns 1 and 3 have the same name."),
    ],
)
def test_parquet_that_is_no_plain_table(columns, message):
    assert refusal(parquet(columns)).startswith(message)


@given(st.binary(max_size=300) | st.text(alphabet='a,;\t|"\n\r1.é=\0', max_size=60).map(str.encode))
@examples(max_examples=400, deadline=None)
def test_any_bytes_are_read_or_refused_in_words(data):
    for each in (data, b"PAR1" + data + b"PAR1", b"\x1f\x8b\x08" + data, gzip.compress(data)):
        try:
            said = table(each).form
        except DataError as error:
            said = str(error)
        assert said


@given(
    st.lists(
        st.tuples(st.integers(-(2**40), 2**40), st.text(alphabet='ab ,;"\n\té', max_size=8)), min_size=2, max_size=20
    )
)
@examples(max_examples=100, deadline=None)
def test_what_a_writer_quotes_comes_back(rows):
    quoted = [f'{number},"{text.replace(chr(34), chr(34) * 2)}!"' for number, text in rows]
    found = table("number,text\n" + "\n".join(quoted) + "\n")
    assert found.frame["number"].tolist() == [number for number, _ in rows]
    assert found.frame["text"].tolist() == [f"{text}!".strip() for _, text in rows]


def test_a_message_repeats_nothing_of_the_file():
    bad = [
        f"{MARKER},{MARKER}\n1,2\n",
        f"{MARKER},b\n{MARKER}\n",
        f'{MARKER},b\n"{MARKER},1\n',
        f"{MARKER},b\n{MARKER}\0,1\n",
        f"{MARKER}{'x' * 200},b\n1,2\n",
    ]
    for each in bad:
        with pytest.raises(DataError) as caught:
            read_table(f"{MARKER}.csv", each.encode())
        assert MARKER not in str(caught.value)
        assert caught.value.__cause__ is None
        assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_a_built_in_table_is_described_like_a_file():
    import pandas as pd

    found = of_frame("US Census", pd.DataFrame({"a": [1.0, None], "b": ["x", None]}), digest="built-in:census")
    assert [(column.name, column.kind, column.missing) for column in found.columns] == [
        ("a", "number", 1),
        ("b", "text", 1),
    ]
