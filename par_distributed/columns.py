"""Which columns of a data set can be used: their names and their types, before anything is read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from par_core.errors import DataError
from par_core.parameters import shown

if TYPE_CHECKING:
    import pyarrow as pa

_FEW = 12  # names that a message lists at most


def check_names(schema: pa.Schema, wanted: Sequence[str]) -> None:
    """Raise a DataError for a column that is not there, and where two names are one to a database, which does not look at case."""
    for name in wanted:
        if name not in schema.names:
            raise DataError(f"the data set has no column {shown(name)}; it has {', '.join(schema.names[:_FEW])}")
    seen: dict[str, str] = {}
    for name in schema.names:
        if name.casefold() in seen:
            raise DataError(
                f"columns {shown(seen[name.casefold()])} and {shown(name)} have one name: rename one of them"
            )
        seen[name.casefold()] = name


def of_index(schema: pa.Schema) -> set[str]:
    """Return the columns that are the index of a pandas table, and therefore no databases."""
    told = json.loads((schema.metadata or {}).get(b"pandas", b"{}"))
    return {each for each in told.get("index_columns", []) if isinstance(each, str)}


def check_types(schema: pa.Schema, *, numbers: Sequence[str], labels: str | None) -> None:
    """Raise a DataError for a column of numbers that holds none, and for labels of databases whose order is not that of their text."""
    import pyarrow as pa

    for name in numbers:
        kind = schema.field(name).type
        if not (pa.types.is_floating(kind) or pa.types.is_integer(kind)):
            raise DataError(f"column {shown(name)} holds no numbers, but {kind}")
    if labels is not None:
        kind = schema.field(labels).type
        usable = (
            pa.types.is_integer,
            pa.types.is_string,
            pa.types.is_large_string,
            pa.types.is_date,
            pa.types.is_boolean,
        )
        if not any(fits(kind) for fits in usable):
            raise DataError(
                f"column {shown(labels)} names the databases by {kind}: make it text, whole numbers or dates"
            )
