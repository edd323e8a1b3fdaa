"""The inventory of what the texts state against the catalogue: neither has anything that the other knows nothing of."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from par_core.claims import CLAIMS
from par_core.claims.catalogue import Paper
from par_core.claims.inventory import rows

KINDS = {
    "algorithm",
    "corollary",
    "definition",
    "equation",
    "example",
    "figure",
    "footnote",
    "lemma",
    "number",
    "proposition",
    "statement",
    "table",
    "theorem",
}
# How far each text counts, read off the texts; the preprints count what they define and prove together.
ONE_COUNT = {"definition", "theorem", "lemma", "corollary"}
LAST = {
    Paper.FINAL: {"definition": 8, "theorem": 6, "lemma": 13, "corollary": 4, "equation": 25, "figure": 7, "table": 1}
    | {"footnote": 4},
    Paper.PREPRINT: {"theorem": 26, "equation": 25, "figure": 5, "footnote": 1},
    Paper.FIRST_PREPRINT: {"theorem": 28, "equation": 26, "figure": 14, "footnote": 1},
    Paper.EMPIRICAL: {"definition": 4, "theorem": 2, "lemma": 4, "proposition": 1, "equation": 2, "figure": 5}
    | {"algorithm": 2},
    Paper.LECTURE: {"table": 1, "algorithm": 4},
}


def test_every_claim_named_is_in_the_catalogue():
    known = {claim.id for claim in CLAIMS}
    assert [(row.subject, name) for row in rows() for name in row.claims if name not in known] == []


def test_every_claim_of_the_catalogue_is_named():
    named = {name for row in rows() for name in row.claims}
    assert [claim.id for claim in CLAIMS if claim.id not in named] == []


def test_a_claim_stands_with_its_text():
    """A row names claims of a text that has it, or of a version of the same paper."""
    versions = {Paper.FINAL, Paper.PREPRINT, Paper.FIRST_PREPRINT}
    of = {claim.id: claim.paper for claim in CLAIMS}
    for row in rows():
        here = set(row.places) | (versions if versions & set(row.places) else set())
        assert {of[name] for name in row.claims if name in of} <= here, row


@pytest.mark.parametrize("paper", Paper, ids=lambda paper: paper.name)
def test_the_numbering_of_a_text_has_no_gap(paper):
    found = {}
    for row in rows():
        if re.fullmatch(r"\d+[a-z]?", place := row.places.get(paper, "")):
            together = row.kind in ONE_COUNT and paper in (Paper.PREPRINT, Paper.FIRST_PREPRINT)
            found.setdefault("theorem" if together else row.kind, set()).add(int(place.rstrip("abcdef")))
    assert found == {kind: set(range(1, last + 1)) for kind, last in LAST[paper].items()}


def test_rows_are_complete():
    for row in rows():
        assert row.kind in KINDS, row
        assert row.places, row
        assert row.subject.strip() == row.subject != "", row
        assert "" not in row.claims, row
        assert len(set(row.claims)) == len(row.claims), row


def test_no_row_stands_twice():
    again = Counter((row.kind, tuple(row.places.items()), row.subject) for row in rows())
    assert [row for row, times in again.items() if times > 1] == []
    numbered = Counter(
        (row.kind, paper, place)
        for row in rows()
        for paper, place in row.places.items()
        if re.fullmatch(r"\d+[a-z]?", place)
    )
    assert [row for row, times in numbered.items() if times > 1] == []
