"""Reads a table from the bytes of a file that somebody chose, and says in a sentence what is wrong with it.

Nothing here knows Streamlit, keeps anything, or logs anything. A message names rows and columns by number and never repeats a
cell or a name, so that it may be shown anywhere. What libraries say about a bad file quotes the data, hence `from None`.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import zlib
from dataclasses import dataclass, field
from functools import cached_property

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from par_core.errors import DataError
from par_core.parameters import shown
from par_core.tables.common import EMPTY, MEGABYTE, NO_ROWS, Limits, kind_of, megabytes
from par_core.tables.csv_text import read_text
from par_core.tables.file_format import FileFormat
from par_core.tables.npz import is_npz, read_npz
from par_core.tables.parquet import read_parquet

__all__ = ["MEGABYTE", "MOST_CATEGORIES", "Column", "Limits", "Table", "of_frame", "read_table"]


MOST_CATEGORIES = 1_000
_LOOKED_AT = 100_000  # rows
_IDENTIFIERS = {"id", "ids", "name", "names", "nr", "no", "number", "nummer", "code", "key", "email", "phone"} | {
    *("ssn", "svnr", "ahv", "iban", "patient", "patientid", "person", "personid", "client", "customer"),
    *("personalnummer", "personnummer"),
}
_LONG = 10_000  # whole numbers that all differ and are this long name something, or nobody can tell
_NEARLY_ALL, _MANY, _FEW = (
    0.9,
    20,
    5,
)  # different values: a share of all, so many by a telling name; of fewer nobody knows


@dataclass(frozen=True)
class Column:
    """What one column holds: `kind` is "number", "text", "date", "true-false" or, with missing values only, "empty"."""

    name: str = field(repr=False)
    kind: str
    missing: int
    infinite: int = 0


@dataclass(frozen=True, eq=False)
class Table:
    """A table that can be computed with.

    `name` is that of the file, or of the built-in table: never log it and never put it into an address. In the `frame` numbers
    are float64 or integers, text is `str`, dates are datetime64, true-false is `boolean`. `form` says in words how the file was
    read, `notes` what was guessed or changed, and `written` how a script has to read it, if it is text. The `digest` is the
    same for the same bytes: it stands for the table where its content is an input of a computation.
    """

    name: str = field(repr=False)
    frame: pd.DataFrame = field(repr=False)
    columns: tuple[Column, ...]
    form: str
    digest: str = field(repr=False)
    notes: tuple[str, ...] = ()
    written: FileFormat = field(default_factory=FileFormat)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.frame)

    def kind(self, name: str) -> str:
        """Return what a column holds; DataError where there is no such column."""
        return self._column(name).kind

    def missing(self, name: str) -> int:
        """Return how many values a column lacks; DataError where there is no such column."""
        return self._column(name).missing

    def _column(self, name: str) -> Column:
        for each in self.columns:
            if each.name == name:
                return each
        raise DataError(f"the table has no column named {shown(name)}")

    def is_identifier(self, name: str) -> bool:
        """Return whether a column seems to name its rows: nearly all values differ, or many do and its name says so.

        Numbers with decimals are measured and name nothing; nor do short whole ones that neither rise from row to row nor are
        called so.
        """
        values = self.frame[name].iloc[:_LOOKED_AT].dropna()
        distinct = values.nunique()
        if pd.api.types.is_float_dtype(values) and (values % 1 != 0).any():
            return False
        says_so = any(word.lower() in _IDENTIFIERS for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name))
        numeric = pd.api.types.is_numeric_dtype(values)
        counts = says_so or not numeric or values.is_monotonic_increasing or values.min() >= _LONG
        return distinct > _FEW and ((counts and distinct > _NEARLY_ALL * len(values)) or (says_so and distinct > _MANY))

    @cached_property
    def repeated_identifiers(self) -> tuple[str, ...]:
        """The columns that seem to name somebody, some of them in several rows."""
        named = (
            each.name for each in self.columns if each.kind in ("text", "number") and self.is_identifier(each.name)
        )
        return tuple(name for name in named if self.frame[name].duplicated().any())

    def written_twice(self, name: str) -> tuple[str, str] | None:
        """Return two texts of a column that differ only in case or blanks, if there are such among its categories."""
        texts = pc.unique(pa.array(self.frame[name])).drop_null()
        if len(texts) > MOST_CATEGORIES:
            return None
        seen: dict[str, str] = {}
        for text in texts.to_pylist():
            other = seen.setdefault("".join(text.split()).casefold(), text)
            if other != text:
                return other, text
        return None


def read_table(name: str, data: bytes, *, limits: Limits | None = None) -> Table:
    """Read CSV, TSV, Parquet or NPZ, plain or gzip; what it is, is told by its content, not by its name.

    A DataError is for the person who chose the file, with row and column where there is one; the line of column names is
    row 1, as in a spreadsheet.
    """
    limits = limits or Limits()
    if len(data) > limits.packed:
        raise DataError(f"The file has {megabytes(len(data))}; at most {megabytes(limits.packed)} can be opened.")
    content, packing = (_unpacked(data, limits), "gzip, ") if data.startswith(_GZIP) else (data, "")
    if not re.search(rb"\S", content):
        raise DataError(EMPTY)
    matrix = is_npz(content)
    if not matrix:
        _refuse_other_formats(content)
    if matrix or content.startswith(_PARQUET):
        (table, form, notes), written = (read_npz if matrix else read_parquet)(content, limits), FileFormat()
    else:
        table, form, notes, written = read_text(content, limits)
    if table.num_rows == 0:
        raise DataError(NO_ROWS)
    as_written, table = table, _trimmed(table)
    if table is not as_written:
        notes.append("Spaces around texts are left out.")
    digest = hashlib.blake2b(data, digest_size=16).hexdigest()
    frame = table.to_pandas(
        date_as_object=False, ignore_metadata=True, types_mapper={pa.bool_(): pd.BooleanDtype()}.get, split_blocks=True
    )
    return Table(name, frame, _columns(table), packing + form, digest, tuple(notes), written)


def of_frame(name: str, frame: pd.DataFrame, *, digest: str) -> Table:
    """Return a table that comes with the dashboard, described in the same way."""
    return Table(name, frame, _columns(pa.Table.from_pandas(frame, preserve_index=False)), "built in", digest)


# --- what kind of file it is ---

_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"
_OTHERS = (  # how a file begins that a steward may take for a table; of all others it is said that they are no text
    (rb"\x89PNG", "a PNG picture"),
    (rb"%PDF", "a PDF document"),
    (rb"\xd0\xcf\x11\xe0", "an old Excel or Word document. Save it as CSV there"),
    (
        rb"PK\x03\x04.*(\[Content_Types\]\.xml|xl/|opendocument)",
        "an Excel or other Office document. Save it as CSV there",
    ),
    (rb"PK\x03\x04", "a ZIP archive. Unpack it first"),
    (_GZIP, "a gzip file inside a gzip file. Unpack it first"),
    (rb"\$FL[23]", "an SPSS file. Save it as CSV there"),
    (rb"RD[AX][23]\n", "an R data file. Write it with write.csv there"),
    (rb"PARE[^A-Za-z,;\t]", "an encrypted Parquet file. Write it without encryption"),
    (rb"<stata_dta>", "a Stata file. Save it as CSV there"),
    (rb"\s*<(?i:!doctype|html|\?xml)", "a web page or XML document"),
    (rb'\s*(\{\s*"|\[\s*[\[{])', "a JSON document. Export the table as CSV"),
)


def _refuse_other_formats(content: bytes) -> None:
    head = content[:4096]
    looks_like = next((words for pattern, words in _OTHERS if re.match(pattern, head, re.DOTALL)), None)
    if looks_like:
        raise DataError(f"This is not a CSV, TSV or Parquet file: it looks like {looks_like}.")


def _unpacked(data: bytes, limits: Limits) -> bytes:
    """Undo gzip and stop as soon as the limit is passed: what follows is never unpacked."""
    whole = io.BytesIO()
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            while part := file.read(MEGABYTE):
                whole.write(part)
                if whole.tell() > limits.unpacked:
                    raise DataError(f"The gzip file holds more than {megabytes(limits.unpacked)} when unpacked.")
    except EOFError:
        raise DataError("The gzip file is cut off: its end is missing.") from None
    except (OSError, zlib.error):
        raise DataError("The gzip file is damaged: it cannot be unpacked to its end.") from None
    return whole.getvalue()


# --- what is in it ---


def _trimmed(table: pa.Table) -> pa.Table:
    """Leave out the spaces around texts: they are not seen, and a category typed without them would match no cell."""
    for at, column in enumerate(table.columns):
        if kind_of(column.type) == "text":
            text = column.cast(pa.large_string()) if pa.types.is_string_view(column.type) else column
            trimmed = pc.utf8_trim_whitespace(text)
            if pc.any(pc.not_equal(trimmed, text)).as_py():
                table = table.set_column(at, table.column_names[at], trimmed)
    return table


def _columns(table: pa.Table) -> tuple[Column, ...]:
    found = []
    for name, values in zip(table.column_names, table.columns, strict=True):
        missing, infinite = values.null_count, 0
        if pa.types.is_floating(values.type):
            missing += pc.sum(pc.is_nan(values)).as_py() or 0
            infinite = pc.sum(pc.is_inf(values)).as_py() or 0
        kind = "empty" if missing == len(values) else kind_of(values.type) or "text"
        found.append(Column(name, kind, missing, infinite))
    return tuple(found)
