"""Every refutation with the reader's own parameters: what it finds at its defaults, where it holds, and at all ends.

That every refuted claim has one stands with the verdicts, in test_claims.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest

from par_core.claims import CLAIMS, REFUTED, REPRODUCED, check
from par_core.claims.catalogue import decide_at

OWN = [claim for claim in CLAIMS if claim.dials]
of_each = pytest.mark.parametrize("claim", OWN, ids=lambda claim: claim.id)

checked = cache(check)


def _inside(claim, number):
    """Return points of the dials, drawn evenly between their ends; the seed is fixed."""
    shares = np.random.default_rng(17).random((number, len(claim.dials)))
    return [tuple(map(_at, claim.dials, row)) for row in shares]


def _at(dial, share):
    value = dial.at_least + share * (dial.at_most - dial.at_least)
    return round(value) if dial.whole else float(value)


@of_each
def test_its_dials_are_one_or_two_and_reach_somewhere(claim):
    dials = claim.dials
    assert len({dial.label for dial in dials}) == len(dials) in (1, 2)
    for place, dial in enumerate(dials):
        assert dial.at_least <= dial.default <= dial.at_most
        assert dial.at_least < dial.at_most
        for value in (dial.default, *(claim.holds_at or [])[place : place + 1]):
            assert dial.at_least <= value <= dial.at_most
            assert not dial.whole or value == int(value)


@of_each
def test_at_the_defaults_it_finds_what_the_catalogue_finds(claim):
    found, catalogue = decide_at(claim, *claim.defaults), checked(claim)
    assert (found.verdict, found.recomputed, found.exact, found.case) == (
        REFUTED,
        catalogue.recomputed,
        catalogue.exact,
        catalogue.case,
    )
    assert found.claim is claim
    assert catalogue.verdict == REFUTED


@of_each
def test_it_holds_where_it_says_so_and_nowhere_if_it_says_that(claim):
    if claim.holds_at:
        assert decide_at(claim, *claim.holds_at).verdict == REPRODUCED
    else:
        assert {decide_at(claim, *point).verdict for point in _inside(claim, 30)} == {REFUTED}


@pytest.mark.filterwarnings("error")
@of_each
def test_it_decides_at_all_ends_of_the_dials_and_between_them(claim):
    ends = product(*((dial.at_least, dial.at_most) for dial in claim.dials))
    for point in [*ends, *_inside(claim, 5)]:
        found = decide_at(claim, *point)
        assert found.verdict in (REPRODUCED, REFUTED)
        assert found.case
