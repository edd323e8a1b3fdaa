"""Every verdict flips with its numbers: one unit of the last digit beyond the tolerance, of either number, is enough."""

from dataclasses import replace

import numpy as np
import pytest

from par_core.claims import CLAIMS, REFUTED, REPRODUCED, check
from par_core.claims.catalogue import Claim, Recomputed
from tests.core.catalogue_found import catalogue_found


def within_and_beyond(rule, number, *, of_tested):
    """Return where the other of two numbers may stand so that the claim just holds, and all places where it just fails.

    A printed number's tolerance is half a unit of its last digit. A computed one has no last digit: there it is the tolerance too,
    or what tells two numbers of this size apart. `of_tested` says whether it is the tested number that is moved.
    """
    tolerance = rule.tolerance
    unit = np.maximum(2 * tolerance, 8 * np.spacing(np.abs(number) + tolerance))
    least, most = -tolerance - unit, tolerance + unit  # of tested less other, one unit beyond
    toward_zero = np.where(number < 0, -1.0, 1.0)
    gaps = {
        "equal to": (0.0, (least, most)),
        "rounded or cut off to": (0.0, (toward_zero * least, toward_zero * (most + tolerance))),
        "at most": (tolerance - unit, (most,)),
        "at least": (unit - tolerance, (least,)),
        "above": (most, (tolerance - unit,)),
    }
    sign = 1.0 if of_tested else -1.0
    within, beyond = gaps[rule.relation]
    return number + sign * within, [number + sign * gap for gap in beyond]


def put(claim, tested, other):
    """Return the claim with these numbers to compare, in its literal reading too: that may hold where the other one fails."""
    rule = claim.holds_if
    tested, other = (tuple(each.tolist()) if each.ndim else float(each) for each in (tested, other))
    numbers = {rule.tested: tested}
    if rule.other == "recomputed":
        numbers["recomputed"] = other
    elif rule.other == "published":
        claim = replace(claim, published=other)
    else:
        claim = replace(claim, holds_if=replace(rule, other=other))
    found = Recomputed(**numbers)
    return replace(claim, recompute=lambda *_: found, as_printed=claim.as_printed and (lambda *_: found))


def numbers_of(verdict):
    """Return the tested number and the other; of a claim that nobody can recompute here, what would reproduce it."""
    claim, rule = verdict.claim, verdict.claim.holds_if
    tested = getattr(verdict, rule.tested)
    other = {"published": claim.published, "recomputed": verdict.recomputed}.get(rule.other, rule.other)
    if tested is None:
        assert verdict.recomputed is verdict.exact is None
        other = 1.0 if other is None else other
        tested = other
    return np.asarray(tested, dtype=float), np.asarray(other, dtype=float)


def test_every_entry_can_flip():
    assert {type(claim) for claim in CLAIMS} == {Claim}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_verdict_flips_with_each_of_its_numbers(claim):
    verdict = catalogue_found()[claim.id]
    tested, other = numbers_of(verdict)
    for of_tested, fixed in ((False, tested), (True, other)):
        within, beyond = within_and_beyond(claim.holds_if, fixed, of_tested=of_tested)

        def became(moved, of_tested=of_tested, fixed=fixed):
            return check(put(claim, moved, fixed) if of_tested else put(claim, fixed, moved)).verdict

        holds = within if verdict.refuted else tested if of_tested else other
        assert became(holds) == REPRODUCED
        for place in np.ndindex(fixed.shape):
            for wrong in beyond:
                one_wrong = np.array(holds)
                one_wrong[place] = np.asarray(wrong)[place]
                assert became(one_wrong) == REFUTED
