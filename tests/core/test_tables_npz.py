"""A matrix in an NPZ file: what is read, what is refused with which words, and that nothing in it can run."""

import gzip
import io
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from numpy.lib import format as npy

from par_core.audit import Panel
from par_core.errors import DataError
from par_core.tables.table import Limits, read_table

MARKER = "zebra4711"
MEGABYTE = 2**20
DAMAGED = "The NPZ file is damaged or cut off: its arrays cannot be read to the end."


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def packed(**arrays):
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def zipped(**contents):
    """An archive of files with any bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(f"{name}.npy", content)
    return file.getvalue()


def header(shape, descr="<f8"):
    """The start of an array that declares a shape."""
    file = io.BytesIO()
    npy.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
    return file.getvalue()


def table(data, **limits):
    return read_table("panel.npz", data, limits=Limits(**limits))


def refusal(data, **limits):
    with pytest.raises(DataError) as caught:
        table(data, **limits)
    assert caught.value.__cause__ is None
    return str(caught.value)


class Bomb:
    """Runs when it is unpickled."""

    ran = False

    def __reduce__(self):
        return setattr, (Bomb, "ran", True)


def kinds(found):
    return {column.name: column.kind for column in found.columns}


VALUES = np.array([[1.0, 2.5, np.nan], [4.0, 5.0, 6.0]])


# --- what is read -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [npz, packed])
def test_a_matrix_with_names(write):
    found = table(write(values=VALUES, individuals=["Ann", "Bo"], databases=[2001, 2002, 2003]))
    assert kinds(found) == {"individual": "text", "2001": "number", "2002": "number", "2003": "number"}
    assert [column.missing for column in found.columns] == [0, 0, 0, 1]
    assert found.frame["individual"].tolist() == ["Ann", "Bo"]
    np.testing.assert_array_equal(found.frame[["2001", "2002", "2003"]].to_numpy(), VALUES)
    assert (found.rows, found.form) == (2, "NPZ")
    assert found.notes == ("A matrix of 2 individuals and 3 databases.",)
    panel = Panel.from_wide(found.frame, individual="individual")
    assert list(panel.individuals) == ["Ann", "Bo"]
    np.testing.assert_array_equal(panel.matrix, VALUES)


def test_a_matrix_alone():
    found = table(npz(values=VALUES))
    assert list(kinds(found)) == ["1", "2", "3"]
    np.testing.assert_array_equal(Panel.from_wide(found.frame).matrix, VALUES)


def test_what_a_panel_writes_comes_back():
    panel = Panel.from_arrays(VALUES, individuals=[7, 9], databases=["a", "b", "c"])
    written = npz(values=panel.matrix, individuals=panel.individuals, databases=np.array(panel.databases, dtype=str))
    again = Panel.from_wide(table(written).frame, individual="individual")
    assert (list(again.individuals), list(again.databases)) == ([7, 9], ["a", "b", "c"])
    np.testing.assert_array_equal(again.matrix, panel.matrix)


@pytest.mark.parametrize("kind", ["f2", "f4", "<f8", ">f8", "i1", ">i4", "u8", "g"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_numbers_of_every_kind(kind, order):
    values = np.array([[1, 2, 3], [4, 5, 6]], dtype=kind, order=order)
    found = table(npz(values=values))
    np.testing.assert_array_equal(found.frame.to_numpy(), [[1, 2, 3], [4, 5, 6]])
    assert set(kinds(found).values()) == {"number"}


@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        (np.array(["2001-01-01", "NaT"], "M8[D]"), ["2001-01-01", None]),
        (np.array([b"a", "ä".encode()]), ["a", "ä"]),
        (np.array([1.5, np.nan]), [1.5, None]),
        (np.array(["x", ""]), ["x", ""]),
    ],
)
def test_names_of_every_kind(labels, shown):
    frame = table(npz(values=VALUES, individuals=labels)).frame
    assert [None if pd.isna(each) else each for each in frame["individual"]] == shown


def test_a_database_that_is_called_like_the_column_of_names():
    found = table(npz(values=VALUES, individuals=["a", "b"], databases=["individual", "", "x"]))
    assert list(kinds(found)) == ["individual'", "individual", "column 2", "x"]


def test_other_arrays_are_left_out_and_named():
    found = table(npz(values=VALUES, more=np.zeros(3), objects=np.array([Bomb()], dtype=object)))
    assert found.notes[-1] == "2 other arrays are left out."
    assert not Bomb.ran


def test_it_is_told_by_its_content_and_may_be_packed_again():
    assert table(gzip.compress(npz(values=VALUES), mtime=0)).form == "gzip, NPZ"
    first, second = table(npz(values=VALUES)), table(npz(values=VALUES + 1))
    assert first.digest != second.digest


def test_infinite_values_are_counted():
    (column, *_) = table(npz(values=[[np.inf, 1.0], [2.0, 3.0]])).columns
    assert column.infinite == 1


# --- what is refused --------------------------------------------------------------------------------------------------


MATRIX = "The array values of the NPZ file must be a matrix of numbers"


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"x": VALUES}, "The NPZ file has no array called values"),
        ({"values": [1.0, 2.0]}, MATRIX),
        ({"values": np.zeros((2, 2, 2))}, MATRIX),
        ({"values": 5.0}, MATRIX),
        ({"values": [["a", "b"]]}, MATRIX),
        ({"values": [[True, False]]}, MATRIX),
        ({"values": [[1j, 2]]}, MATRIX),
        ({"values": np.zeros((0, 3))}, "The matrix in the NPZ file is empty."),
        ({"values": np.zeros((3, 0))}, "The matrix in the NPZ file is empty."),
        ({"values": VALUES, "individuals": ["a"]}, "The array individuals of the NPZ file must hold 2 labels"),
        ({"values": VALUES, "individuals": [["a", "b"]]}, "The array individuals of the NPZ file must hold 2 labels"),
        ({"values": VALUES, "databases": ["a"]}, "The array databases of the NPZ file must hold 3 labels"),
        ({"values": VALUES, "individuals": [True, False]}, "The array individuals of the NPZ file must hold texts"),
        ({"values": VALUES, "databases": ["a", "b", "a"]}, "Columns 1 and 3 have the same name."),
        ({"values": VALUES, "databases": ["a", "b", "x" * 201]}, "The name of column 3 is longer than 200 characters."),
        ({"values": VALUES, "individuals": np.array([b"\xff", b"a"])}, DAMAGED),
    ],
)
def test_wrong_arrays_are_refused_in_a_sentence(arrays, message):
    assert refusal(npz(**arrays)).startswith(message)


def test_objects_are_never_unpickled():
    for arrays in (
        {"values": np.array([[Bomb(), 1]], dtype=object)},
        {"values": VALUES, "individuals": np.array([Bomb(), "a"], dtype=object)},
    ):
        assert "holds Python objects, which are not opened" in refusal(npz(**arrays))
    records = np.zeros((2, 2), dtype=[("a", "f8"), ("b", object)])
    assert "holds Python objects" in refusal(npz(values=records))
    assert refusal(npz(values=np.zeros((2, 2), dtype=[("ä", "f8")]))).startswith(("The array values", MATRIX))
    assert not Bomb.ran


def test_a_bomb_is_refused_by_the_sizes_in_its_list():
    """30 MB of zeros in 30 kB; the list of the archive says so before anything is unpacked."""
    bomb = packed(values=np.zeros((2000, 2000)))
    assert len(bomb) < 100_000
    assert (
        refusal(bomb, unpacked=10 * MEGABYTE)
        == "The NPZ file declares 31 MB when unpacked; at most 10 MB can be opened."
    )
    names = packed(values=VALUES, individuals=np.array(["a" * 2**20, "b"]))
    assert "declares 8 MB when unpacked; at most 5 MB" in refusal(names, unpacked=5 * MEGABYTE)


def test_rows_columns_and_cells_are_bounded():
    assert refusal(packed(values=np.zeros((3_000_000, 1), "i1"))) == (
        "The file has 3,000,000 rows; at most 2,000,000 can be opened."
    )
    assert refusal(npz(values=np.zeros((1, 1001)))) == "The NPZ file has 1,001 databases; at most 999 can be opened."
    assert "at most 999" in refusal(npz(values=np.zeros((1, 1000)), individuals=["a"]))
    assert table(npz(values=np.zeros((1, 1000)))).frame.shape == (1, 1000)
    assert "at most 50 cells can be opened" in refusal(npz(values=np.zeros((10, 10))), cells=50)


@pytest.mark.parametrize(
    "array",
    [
        header((10**12, 1)) + bytes(8),  # declares more than there is
        header((1, 1)) + bytes(80),  # declares less
        header((-1, -1)) + bytes(8),
        header((10**30, 10**30)),
        b"\x93NUMPY\x01\x00\xff\xff{" + b" " * 70_000,
        b"\x93NUMPY\x01\x00\x10\x00" + b"(" * 16,
        b"\x93NUMPY\x09\x00",
        b"no array",
        b"",
    ],
)
def test_an_array_that_lies_about_itself_is_refused(array):
    assert refusal(zipped(values=array)).startswith(("The NPZ file is damaged", "The array values of the NPZ file"))


def test_a_list_that_lies_about_the_size_is_refused():
    """The list declares 16 bytes of content where far more comes out: what is read ends there, and the sum does not fit."""
    data = bytearray(packed(values=np.zeros((500, 500))))
    at = data.rindex(b"PK\x01\x02")
    data[at + 24 : at + 28] = (128 + 8).to_bytes(4, "little")
    assert refusal(bytes(data)).startswith("The NPZ file is damaged")


@pytest.mark.parametrize("kept", [30, 60, 200, -1, -30, -100])
def test_a_file_that_is_cut_off(kept):
    assert refusal(npz(values=np.ones((20, 20)))[:kept]).startswith(("The NPZ file is damaged", "This is not a CSV"))


def test_damaged_content():
    data = bytearray(packed(values=np.random.default_rng(1).normal(size=(50, 50))))
    data[300:400] = bytes(100)
    assert refusal(bytes(data)) == DAMAGED
    found = zipfile.ZipFile(io.BytesIO(npz(values=VALUES))).infolist()[0]
    plain = bytearray(npz(values=VALUES))
    plain[found.file_size - 10] ^= 1
    assert refusal(bytes(plain)) == DAMAGED  # its check sum is another one


def test_an_encrypted_file_is_refused():
    data = bytearray(npz(values=VALUES))
    for magic, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(magic) + place] |= 1
    assert refusal(bytes(data)) == "The NPZ file is encrypted. Write it without a password."


def test_a_message_repeats_nothing_of_the_file():
    for arrays in (
        {MARKER: VALUES},
        {"values": [[MARKER]]},
        {"values": VALUES, "individuals": [MARKER]},
        {"values": VALUES, "databases": [MARKER, MARKER, "x"]},
        {"values": VALUES, "databases": [MARKER * 50, "a", "b"]},
        {"values": np.array([[MARKER, 1]], dtype=object)},
    ):
        assert MARKER not in refusal(npz(**arrays))


@given(st.data())
@examples(max_examples=150, deadline=None)
def test_any_damage_is_read_or_refused_in_words(data):
    sound = packed(values=VALUES, individuals=["a", "b"]) if data.draw(st.booleans()) else npz(values=VALUES)
    changed = bytearray(sound)
    for _ in range(data.draw(st.integers(1, 4))):
        changed[data.draw(st.integers(4, len(sound) - 1))] = data.draw(st.integers(0, 255))
    try:
        said = table(bytes(changed)).form
    except DataError as error:
        said = str(error)
    assert said
