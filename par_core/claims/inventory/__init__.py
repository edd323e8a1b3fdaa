"""Everything that the texts state in numbers or under a number, each with the claims of the catalogue that check it."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from par_core.claims.catalogue import Paper

NO_NUMBERS: Final = "no numeric content"
"""What stands in place of claims where there is nothing to compute."""

_FILES: Final[dict[str, dict[str, Paper]]] = {  # each with the text that a column numbers
    "privacy_at_risk.csv": {
        "popets": Paper.FINAL,
        "preprint": Paper.PREPRINT,
        "first_preprint": Paper.FIRST_PREPRINT,
    },
    "empirical.csv": {"place": Paper.EMPIRICAL},
    "lecture.csv": {"place": Paper.LECTURE},
}


@dataclass(frozen=True)
class Stated:
    """One theorem, equation, figure, table, worked number or sentence, in all versions that have it.

    `places` gives for each text its number there ("4", "1a"), or where it stands if it has none ("section 5.3"). Without
    `claims`, ids in the catalogue, it has no numeric content.
    """

    kind: str  # "theorem", "equation", "number" …
    places: Mapping[Paper, str]
    subject: str
    claims: tuple[str, ...]


@lru_cache(maxsize=1)
def rows() -> tuple[Stated, ...]:
    """Return the inventory of all texts, in the order in which they state things.

    >>> lemma = next(row for row in rows() if Paper.EMPIRICAL in row.places and row.kind == "lemma")
    >>> lemma.places[Paper.EMPIRICAL], lemma.claims
    ('1', ('edp-lemma-1', 'edp-lemma-1-converse'))
    """
    found = []
    for name, columns in _FILES.items():
        text = files(__package__).joinpath(name).read_text(encoding="utf-8")
        for row in csv.DictReader(text.splitlines(), strict=True):
            places = {paper: row[column] for column, paper in columns.items() if row[column]}
            claims = () if row["claims"] == NO_NUMBERS else tuple(row["claims"].split(" "))
            found.append(Stated(row["kind"], MappingProxyType(places), row["subject"], claims))
    return tuple(found)
