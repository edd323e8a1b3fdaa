"""What is known of a built-in table before anyone looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import pandas as pd


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
