"""The release script reads the reader's file as the page did: the same rows, values, missing cells and persons."""

import csv
import datetime
import decimal
import gzip
import io
import math
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from par_core.export.release_code import planned_code
from par_core.queries import CountBy, Kind, Mean, Sum, cap_rows, dates_as_text
from par_core.release import plan_release
from par_core.scenario import Neighbours
from par_core.tables.table import read_table

TEXT = "Name,Ort,n\nMüller,Zürich,1\nHélène,Genève,2\nJosé,Málaga,3.5\n"


def parquet(**columns):
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


FILES = {
    "commas": b"g,v\nA,1\nB,2\nA,3\n",
    "tabs": b"g\tv\nA\t1\nB\t2.5\n",
    "semicolons and decimal commas": b"g;v\nA;1,5\nB;2,25\nC;-3,0\n",
    "bars": b"g|v\nA|1\nB|2\n",
    "the line that Excel writes": b"sep=;\r\ng;v\r\nA;1,5\r\nB;2\r\n",
    "a name that is no such line": b"sep=\xc3\xa4\n1,5\n2,5\n",
    "names and cells with spaces": b" g , v\n A , 1\nB,2\n A,3\n",
    "a name over two lines": b'"g\nh",v\nA,1\nB,2\n',
    "a name over two lines with separators": b'"income\n(net; EUR)";v\nA;1\nB;2\n;\n;\n',
    "cells over two lines": b'g,v\n"A, \nB",1\nC,2\n',
    "quotation marks": b'"g""x",v\n"A""B",1\n"C",2\n',
    "marks of missing values": b"v,g,e\nNull,A,\n1,NULL,\n#NA,None,\n-nan,NaN,\n4,<NA>,\n5,,\n",
    "marks that only others know": b"v,g\n1,#N/A N/A\n2,-1.#IND\n3,A\n",
    "columns without a name": b"a,,column 2,\n1,x,3,4\n5,y,7,8\n",
    "names that other columns share": b"a,,\n1,x,12:30\n2,y,13:30\n",
    "one column": b"v\n1\n\n3\n",
    "one column of text with commas": b"says\nHello, world\n\nHello, world\n",
    "one column with decimal commas": b"x\n3,25\n2,5\n",
    "last lines of separators": b"g;v;w\r\nA;1,5;2\r\n;;\r\nB;2;\r\n;;\r\n ; ;\r\n\r\n",
    "empty lines": b"\n\ng,v\nA,1\n\nB,2\n",
    "line ends of every kind": b"g,v\r\nA,1\rB,2\nC,3\r\n",
    "true and false": b"t,v\ntrue,1\nFALSE,2\n,3\n",
    "words beside true": b"t,v\ntrue,1\nyes,2\n1,3\n",
    "dates": b"d,v\n2020-01-31,1\n2019-12-31,2\n,3\n",
    "thousands, decimal commas and German dates": b"v;d;n\n1.234;03.04.2020;1.001\n-5.678,5;31.12.2021;2.002\n;;3\n",
    "thousands that only other columns tell": b"v;w;g\n1.234;3,5;A\n5.678;2;B\n",
    "numbers that could be two": b"v;g\n1.234;A\n5.678;B\n1.234;\n",
    "thousands in quotation marks": b'v,w,d\n"1,234.5",1.5,12/31/2020 9:05\n"12,345",2,1/2/2020 12:00:30\n',
    "thousands set off by other signs": "v;w\n1'234;1\u00a0234,5\n12'345.5;12\u00a0345\n".encode(),
    "thousands beside infinities": b"v;w;g\n1.234;3,5;A\ninf;-Infinity;B\n",
    "exponents beside decimal commas": b"v;w;g\n1.234e-2;3,5;A\n1.5e3;2,25e1;B\n",
    "one column under what may be a title": b"codes\nA;B\nC;D\n",
    "dates that could be two": b"d;v\n03/04/2020;1\n03/05/2020;2\n",
    "years first": b"d;v\n2020/4/3;1\n2020.12.31;2\n",
    "times with zones": b"d,v\n2020-01-01T00:30:00+02:00,1\n2020-06-01T12:00:00Z,2\n",
    "times of day": b"t,v\n08:30,1\n12:00,2\n08:30,3\n,4\n",
    "times of day with seconds": b"t,v\n08:30:00,1\n12:00:01,2\n",
    "numbers with zeros before them": b"v,g\n01,a\n1,b\n007,c\n",
    "large numbers": b"v,w\n9007199254740993,18446744073709551616\n1,2\n",
    "infinities": b"v\ninf\n-inf\n1\n",
    "a formula": b"g,v\n=cmd(),1\n+1,2\n",
    "UTF-8 with a mark": b"\xef\xbb\xbf" + TEXT.encode(),
    "UTF-16": TEXT.encode("utf-16"),
    "UTF-16, the other way": b"\xfe\xff" + TEXT.encode("utf-16-be"),
    "UTF-16 without a mark": TEXT.encode("utf-16-le"),
    "UTF-32": b"\xff\xfe\0\0" + TEXT.encode("utf-32-le"),
    "Latin-1": TEXT.encode("latin-1"),
    "only in Latin-1": "a,b\nx\x81é,1\ny,2\n".encode("latin-1"),
    "Cyrillic": ("имя,город\n" + 20 * "Иван,Москва\nОльга,Тверь\n").encode("cp1251"),
    "gzip": gzip.compress(b"g;v\nA;1,5\nB;2\n"),
    "Parquet": parquet(
        v=pa.array([1, None, 3], pa.int16()),
        price=pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("2.25")]),
        g=pa.array([" A", "B ", None]).dictionary_encode(),
        d=pa.array([datetime.date(2020, 1, 31), None, datetime.date(2021, 1, 1)]),
        at=pa.array([datetime.time(8, 30), datetime.time(8, 30), None]),
        t=pa.array([True, None, False]),
    ),
    "Parquet as gzip": gzip.compress(parquet(g=["A", "B"], v=[1.5, math.nan])),
}


def names_of(table, query, **options):
    planned = plan_release(query, 0.5, neighbours=Neighbours.ADD_OR_REMOVE, rows_per_person=2)
    dates = [column.name for column in table.columns if column.kind == "date"]
    names = {"__name__": "script"}
    exec(compile(planned_code(planned, csv=table.written, dates=dates, **options).text, "script.py", "exec"), names)
    return names


def question(table, column):
    """Return a query that looks at every cell of a column, with its own values for categories."""
    cells = table.frame[column.name].dropna()
    if column.kind == "number":
        return Sum(column.name, -1000, 1000)
    values = dates_as_text(cells, 10) if column.kind == "date" else cells.unique()
    return CountBy((column.name,), (tuple(dict.fromkeys(values.tolist())),), other=True)


@pytest.mark.parametrize("kind", FILES)
def test_the_script_sees_what_the_page_saw(kind, tmp_path):
    """The script knows the file by the names of all its columns, and reads each."""
    table = read_table("x", FILES[kind])
    path = tmp_path / "file.any"
    path.write_bytes(FILES[kind])
    looked, header = 0, [column.name for column in table.columns]
    for column in table.columns:
        if column.kind == "empty":
            continue
        looked += 1
        query = question(table, column)
        names = names_of(table, query, header=header)
        (found,) = names["prepare"](names["read"](str(path)))
        exact = query.answer(table.frame).exact
        assert len(found) == table.rows
        if isinstance(query, Sum):
            assert math.fsum(found) * names["STEP"] == pytest.approx(exact[0], abs=1e-6)
        else:
            cells = np.bincount(found[found >= 0], minlength=query.k)
            assert cells.tolist() == exact.tolist()
    assert looked


@pytest.mark.parametrize("kind", ["semicolons and decimal commas", "UTF-16", "one column", "gzip"])
def test_a_script_runs_on_files_of_every_format(kind, tmp_path, monkeypatch, capsys):
    """As the user runs it, but in this process; by itself it runs in the tests of the scripts."""
    table = read_table("x", FILES[kind])
    (column,) = (each.name for each in table.columns if each.kind == "number")
    planned = plan_release(Mean(column, 0, 10), 0.5, neighbours=Neighbours.REPLACE_ONE, rows=table.rows)
    code = planned_code(planned, csv=table.written, rows=table.rows)
    (tmp_path / "file.csv").write_bytes(FILES[kind])
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "release.py"), str(tmp_path / "file.csv")])
    exec(compile(code.text, "release.py", "exec"), {"__name__": "__main__"})
    assert "'mean'\t" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"who,v\n7,1\n07,2\n8,3\n7.0,4\n8,5\n", Kind.NUMBER),
        (b"who,v\nx7,1\nx07,2\nx7 ,3\nx7,4\nx8,5\n", Kind.TEXT),
        (b"who,v\n08:00,1\n8:00,2\n08:00,3\n08:00,4\n", Kind.TEXT),
    ],
)
def test_the_script_takes_those_for_one_person_whom_the_page_does(data, kind, tmp_path):
    table = read_table("x", data)
    assert table.kind("who") == ("number" if kind is Kind.NUMBER else "text")
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    names = names_of(table, Sum("v", 0, 10), person="who", person_kind=kind)
    kept = cap_rows(table.frame, "who", rows_per_person=2)
    assert 0 < len(kept) < table.rows
    assert names["cap"](names["read"](str(path)))["v"].tolist() == kept["v"].tolist()


def test_a_script_that_counts_persons_by_number_stops_at_text(tmp_path):
    names = names_of(read_table("x", b"who,v\n7,1\n"), Sum("v", 0, 10), person="who", person_kind=Kind.NUMBER)
    (tmp_path / "t.csv").write_text("who,v\n7,1\n07,2\nx,3\n")
    with pytest.raises(SystemExit, match="row 3 below the heading, column 'who': a number is expected"):
        names["cap"](names["read"](str(tmp_path / "t.csv")))


# --- the file that the release was planned with, and others --------------------------------------------------------


def script_for(data, query=None):
    """Return the functions of a script for a file."""
    table = read_table("x", data)
    return names_of(table, query or Sum("v", 0, 10), header=[column.name for column in table.columns])


def stopped(names, path, data):
    """Return what the script says of another file, None if it reads it."""
    path.write_bytes(data)
    try:
        names["read"](str(path))
    except SystemExit as why:
        return str(why)
    return None


@pytest.mark.parametrize(
    "other",
    [
        b"g,v,w\nA,1,2\n",
        b"v,g\n1,A\n",
        b"G,v\nA,1\n",
        b"v\n1\n",
        b"g;v\nA;1\n",
        parquet(g=["A"], v=[1], w=[2]),
        gzip.compress(b"h,v\nA,1\n", mtime=0),
    ],
)
def test_a_file_with_other_columns_stops_the_script_without_a_word_of_it(other, tmp_path):
    names = script_for(b"g,v\nzebra,1\n")
    assert stopped(names, tmp_path / "f", b"g, v \nB,2\n") is None, "other rows of the same columns"
    said = stopped(names, tmp_path / "f", other)
    assert "other columns than the one that the release was planned with" in said
    assert "zebra" not in said


def test_a_script_holds_the_names_of_the_columns_that_it_needs_and_of_no_others():
    table = read_table("x", b"diagnosis,v\nA,1\n")
    planned = plan_release(Sum("v", 0, 10), 0.5, neighbours=Neighbours.ADD_OR_REMOVE)
    text = planned_code(planned, header=[column.name for column in table.columns]).text
    assert "diagnosis" not in text
    assert '"v"' in text


ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1")
TOWNS = ("Zürich", "Genève", "Málaga", "Århus", "Łódź", "Plzeň", "Paris", "Bonn", "São Paulo", "Ñuñoa", "Gdańsk")


@pytest.mark.parametrize("before", ENCODINGS)
def test_a_file_saved_anew_in_another_encoding_is_read_alike_or_stops_the_script(before, tmp_path):
    """Never other letters without a word, whatever the encoding before and after."""
    rng = np.random.default_rng(ENCODINGS.index(before))
    for _ in range(6):
        towns = [
            town for town in rng.choice(TOWNS, 4) if not (before in ("cp1252", "latin-1") and set(town) & set("Łźňń"))
        ]
        text = "town,v\n" + "".join(f"{town},{at}\n" for at, town in enumerate([*towns, "Köln"]))
        data = text.encode(before)
        table = read_table("x", data)
        names = script_for(data, CountBy(("town",), (tuple(dict.fromkeys([*towns, "Köln"])),)))
        assert table.frame["town"].tolist() == [*towns, "Köln"]
        for after in ENCODINGS:
            try:
                anew = text.encode(after)
            except UnicodeEncodeError:
                continue
            if stopped(names, tmp_path / "f", anew) is None:
                assert names["read"](str(tmp_path / "f"))["town"].tolist() == [*towns, "Köln"], (before, after)


def test_a_file_without_letters_beyond_ascii_is_the_same_in_both(tmp_path):
    names = names_of(read_table("x", "g,v\né,1\n".encode("cp1252")), Sum("v", 0, 10))
    assert names["ENCODING"] == "cp1252"
    assert stopped(names, tmp_path / "f", b"g,v\ne,1\n") is None
    said = stopped(names, tmp_path / "f", "g,v\né,1\n".encode())
    assert "the file is written in UTF-8 now" in said
    assert "plan again" in said
    names = names_of(read_table("x", "g,v\né,1\n".encode()), Sum("v", 0, 10))
    assert "not written in utf-8" in stopped(names, tmp_path / "f", "g,v\né,1\n".encode("cp1252"))


def test_a_script_writes_nothing_but_the_release(tmp_path, monkeypatch, capfd):
    """Not a word of a row, whether it ends well or not."""
    (tmp_path / "f.csv").write_bytes(b"g,v\nzebra,1\nzebra,2\n")
    names = script_for(b"g,v\nzebra,1\nzebra,2\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["script.py", "f.csv"])
    names["main"]()
    results, ledger = tmp_path / "f_release_1.csv", tmp_path / "privacy_ledger.jsonl"
    (heads, (label, value)) = csv.reader(io.StringIO(results.read_text(encoding="utf-8-sig")))
    assert (heads, label) == (["statistic", "published"], "sum")
    kept = ledger.read_text()
    assert "f.csv" not in kept
    assert str(value) not in kept
    with pytest.raises(SystemExit, match="all 1 runs of the plan are made"):
        names["main"]()
    results.unlink()
    (tmp_path / "f.csv").write_bytes(b"g,v\nzebra,1\nzebra,zebra\n")
    with pytest.raises(SystemExit) as why:
        names["main"]()
    shown = capfd.readouterr()
    assert "zebra" not in shown.out + shown.err + str(why.value)
    proof = "proven epsilon 0.5 (planned 0.5)"
    assert shown.out.splitlines() == [proof, f"run 1 of 1 by the ledger {ledger}", f"'sum'\t{value}", proof]
    assert {each.name for each in tmp_path.iterdir()} == {"f.csv", ledger.name}


@pytest.mark.parametrize("data", [b"g,v\nzebra,1\nzebra\n", b"g,v\n\xff\xfe\xfa,2\n", b"PAR1zebra", b"\x1f\x8bzebra"])
def test_a_file_that_cannot_be_read_is_refused_without_a_word_of_it(data, tmp_path):
    names = names_of(read_table("x", b"g,v\nA,1\n"), Sum("v", 0, 10))
    (tmp_path / "t.csv").write_bytes(data)
    with pytest.raises(
        SystemExit, match="the file is (damaged, or not written as|not written in utf-8, as it was)"
    ) as caught:
        names["read"](str(tmp_path / "t.csv"))
    assert "zebra" not in str(caught.value)


@pytest.mark.parametrize("cell", ["1.5", "1,234", "x", "1 2"])
def test_the_script_stops_at_a_cell_that_is_written_otherwise(cell, tmp_path, capsys):
    """A later file of the same columns is not misread."""
    table = read_table("x", b"v;g\n1.234,5;A\n5.678;B\n")
    names = names_of(table, Sum("v", 0, 10_000))
    path = tmp_path / "later.csv"
    path.write_text(f"v;g\n999;A\n{cell};B\n")
    if cell == "1,234":
        assert names["read"](str(path))["v"].tolist() == [999, 1.234]
        return
    with pytest.raises(SystemExit):
        names["read"](str(path))
    assert cell not in capsys.readouterr().err
