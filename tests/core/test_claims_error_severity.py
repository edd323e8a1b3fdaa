"""How grave it is that a claim fails: from made-up numbers of each kind, and for claims whose gravity was judged by reading."""

from dataclasses import replace

import pytest

from par_core.claims import CLAIMS, check
from par_core.claims.catalogue import Claim, Compare, Dial, Recomputed, decide_at
from par_core.claims.error_severity import GRAVITIES, gravity
from par_core.errors import ParameterError
from tests.core.catalogue_found import catalogue_found

DIGITS, NUMBER = "last digits", "wrong number"
SAFE, FALSE, FLATTERS = (
    "false statement on the safe side",
    "false statement",
    "false statement that flatters",
)
PRINTED = Compare("recomputed", "rounded or cut off to", "published", 0.005)
EXACT = Compare("exact", "equal to", "published", 0.005)

# Judged by reading: what people would believe, and on which side of it they are.
KNOWN = {
    "par-illustration-saving": DIGITS,  # a cent and a half of 36,628 dollars
    "lecture-posterior": DIGITS,  # 0.4242, printed as 0.43
    "lecture-laplace-example": NUMBER,  # ten times too large
    "lecture-response-deviation": NUMBER,
    "par-case-3": NUMBER,  # 0.352, printed as 0.8
    "par-figure-5": NUMBER,
    "par-theorem-4": FLATTERS,  # the loss exceeds ε more than twice as often
    "par-theorem-2-with-theorem-4": FLATTERS,
    "par-case-1-guarantee": FLATTERS,  # a confidence of 0.135 sold as 0.6
    "par-illustration-budget-is-enough": FLATTERS,  # it takes 67,998 dollars, not 37,806
    "edp-failure-probability": FLATTERS,
    "edp-proposition-1": FLATTERS,
    "edp-total-risk-dependent": SAFE,  # δ* is larger than the risk
    "par-equation-17": FLATTERS,  # in 68 of 100 releases the loss is the whole of ε₀
    "par-lemma-9": FALSE,  # a density that is half of the true one
    "par-preprint-special-case": FALSE,
}


def synthetic(rule, published, more="neither", **found):
    return check(
        Claim(
            id="made-up",
            section="0 Nowhere",
            where="page 0",
            statement="Two and two make four.",
            quantity="the sum",
            published=published,
            holds_if=rule,
            recompute=lambda: Recomputed(**found),
            rests_on=("numpy.sum",),
            explanation="Counting.",
            more=more,
        )
    )


@pytest.mark.parametrize(
    ("verdict", "wanted"),
    [
        (synthetic(PRINTED, 4.0, recomputed=4.0), None),
        (synthetic(PRINTED, 4.0, recomputed=4.079), DIGITS),
        (synthetic(PRINTED, 4.0, recomputed=3.921), DIGITS),
        (synthetic(PRINTED, 4.0, recomputed=4.081), NUMBER),
        (synthetic(PRINTED, 4.0, "worse", recomputed=9.0), NUMBER),  # the paper's own arithmetic is no statement
        (synthetic(PRINTED, -4.0, recomputed=-4.05), DIGITS),
        (synthetic(PRINTED, 0.0, recomputed=0.02), NUMBER),
        (synthetic(PRINTED, (4.0, 5.0), recomputed=(4.05, 5.0)), DIGITS),
        (synthetic(PRINTED, (4.0, 5.0), recomputed=(4.05, 6.0)), NUMBER),
        (synthetic(EXACT, 4.0, "worse", exact=4.01), FLATTERS),
        (synthetic(EXACT, 4.0, "worse", exact=3.9), SAFE),
        (synthetic(EXACT, 4.0, "better", exact=4.1), SAFE),
        (synthetic(EXACT, 4.0, "better", exact=3.9), FLATTERS),
        (synthetic(EXACT, 4.0, exact=3.9), FALSE),
        (synthetic(EXACT, (4.0, 4.0, 4.0), "worse", exact=(3.9, 4.0, 3.0)), SAFE),
        (synthetic(EXACT, (4.0, 4.0, 4.0), "worse", exact=(3.0, 4.0, 4.1)), FLATTERS),
        (synthetic(Compare("exact", "at most", "recomputed"), "a", "worse", exact=2.0, recomputed=1.0), FLATTERS),
        (synthetic(Compare("exact", "at least", "recomputed"), "a", "worse", exact=1.0, recomputed=2.0), SAFE),
        (synthetic(Compare("exact", "at least", "recomputed"), "a", "better", exact=1.0, recomputed=2.0), FLATTERS),
        (synthetic(Compare("recomputed", "at least", "published"), 0.9, "better", recomputed=0.89), FLATTERS),
        (synthetic(Compare("recomputed", "equal to", 1.0), "never", "worse", recomputed=1.001), FLATTERS),
        (synthetic(Compare("exact", "above", 0.0), "it fails", "worse", exact=0.0), SAFE),
        (
            synthetic(Compare("exact", "above", 0.0, 1e-6), "it fails", "worse", exact=1e-7),
            SAFE,
        ),  # within rounding of 0
        (synthetic(Compare("exact", "above", 0.0), "it grows", "better", exact=0.0), FLATTERS),
    ],
)
def test_the_numbers_say_how_grave_it_is(verdict, wanted):
    assert gravity(verdict) == wanted


@pytest.mark.parametrize("claim", KNOWN)
def test_known_claims(claim):
    assert gravity(catalogue_found()[claim]) == KNOWN[claim]


def test_what_is_refuted_has_a_gravity_and_nothing_else_has():
    assert {name for name, each in catalogue_found().items() if gravity(each)} == {
        name for name, each in catalogue_found().items() if each.refuted
    }
    assert {gravity(each) for each in catalogue_found().values()} == {None, *GRAVITIES}


def test_at_the_readers_own_parameters_their_comparison_decides():
    """The entry is tested against 1, the reader's numbers against what they chose."""
    rule = Compare("exact", "at most", 1.0)
    claim = replace(
        synthetic(rule, "a bound", "worse", exact=2.0).claim,
        recompute=lambda level: Recomputed(exact=level),
        dials=(Dial("ε", 2.0, 0.1, 5.0),),
        holds_if_turned=replace(rule, other=3.0),
    )
    assert gravity(check(claim)) == FLATTERS
    assert gravity(decide_at(claim, 2.0)) is None
    assert gravity(decide_at(claim, 4.0)) == FLATTERS


@pytest.mark.parametrize("wrong", ["par-theorem-4", None, CLAIMS[0]])
def test_only_a_verdict_has_a_gravity(wrong):
    with pytest.raises(ParameterError, match="^verdict must be a Verdict, got "):
        gravity(wrong)
