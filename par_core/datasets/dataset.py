"""What is known of a built-in table before anyone looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from par_core.errors import DataError
from par_core.lazy_pandas import pd


@dataclass(frozen=True)
class Dataset:
    """A table and what has to be known before it is used.

    Bounds are round figures to clamp to, and categories come from the code book, both from general knowledge: never from
    the table itself.
    """

    name: str
    table: pd.DataFrame  # a copy of its own, which may be changed
    source: str
    licence: str
    note: str  # what the rows and columns mean
    bounds: Mapping[str, tuple[float, float]]  # lower and upper for each column of numbers
    categories: Mapping[str, tuple[str | int, ...]]
    units: Mapping[str, str] = field(default_factory=dict)  # of the columns of numbers, in words

    def __post_init__(self) -> None:
        for name in ("bounds", "categories", "units"):
            object.__setattr__(self, name, MappingProxyType(getattr(self, name)))


def read_file(file: Path, **options: Any) -> pd.DataFrame:
    """Read a CSV file that is built in, by options of pandas; DataError with its name where it is not whole."""
    try:
        return pd.read_csv(file, **options)
    except (ValueError, OSError, EOFError, OverflowError) as error:
        raise damaged(file) from error


def damaged(file: Path) -> DataError:
    """Return the error that says which file is not as it was installed."""
    return DataError(f"the built-in file {file.name} is missing or damaged: install what it belongs to anew")
