"""What is known of a built-in table before anyone looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd


@dataclass(frozen=True)
class Dataset:
    """A table and what has to be known before it is used.

    Attributes
    ----------
    name : str
        What it is called.
    table : DataFrame
        The data; a copy of its own, which may be changed.
    source, licence : str
        Where it comes from, and under which terms it may be used.
    note : str
        What the rows and columns mean.
    bounds : mapping from column to (lower, upper)
        Round figures to clamp to, from general knowledge: never the smallest and largest value of the table.
    categories : mapping from column to a tuple
        Category lists from the code book or from general knowledge.
    units : mapping from column to str
        Units of the columns of numbers, in words.
    """

    name: str
    table: pd.DataFrame
    source: str
    licence: str
    note: str
    bounds: Mapping[str, tuple[float, float]]
    categories: Mapping[str, tuple[str | int, ...]]
    units: Mapping[str, str] = field(default_factory=dict)
