"""Every accountant over the truth: flags, first numbers below it, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from par_core import composition
from par_core.composition import ACCOUNTANTS, compare, exact
from par_core.composition.comparison import too_low
from par_core.errors import ParameterError
from par_core.evidence import PROVEN, PUBLISHED, evidence_of
from par_core.mechanisms import Gaussian
from par_core.published import composition as printed

UP_TO_300 = np.arange(1, 301)


def first_below(curve):
    return UP_TO_300[curve.below][0] if curve.below.any() else None


@pytest.fixture(scope="module")
def half():
    return compare(0.5, UP_TO_300, delta=1e-5)


def test_only_these_are_ever_below_the_truth(half):
    first = {curve.accountant.key: first_below(curve) for curve in half.curves}
    assert first == {
        "basic": None,
        "advanced": None,
        "zcdp": None,
        "rdp": None,
        "optimal_pure": None,
        "at_risk": 257,
        "at_risk_exact": None,
        "at_risk_preprint": None,
        "at_risk_as_drawn": 1,
    }


def test_flags_are_those_of_the_guaranteed_lower_end(half):
    for curve in half.curves:
        np.testing.assert_array_equal(curve.below, curve.epsilon < half.exact.lower)
    values = {curve.accountant.key: curve.epsilon[-1] for curve in half.curves}
    assert values["at_risk"] == pytest.approx(63.07, abs=5e-3)
    assert values["at_risk_exact"] == pytest.approx(76.25, abs=5e-3)
    assert half.exact.value[-1] == pytest.approx(63.9817970788, abs=1e-10)


@pytest.mark.parametrize(("epsilon0", "first"), [(1.0, 277), (0.1, None)])
def test_first_below_at_other_levels(epsilon0, first):
    found = compare(epsilon0, UP_TO_300, delta=1e-5, keys=["at_risk", "at_risk_exact", "at_risk_preprint"])
    assert [first_below(curve) for curve in found.curves] == [first, None, None]


def test_values_are_those_of_the_functions(half):
    for curve in half.curves:
        key = curve.accountant.key
        if key == "at_risk_exact":
            wanted = printed.at_risk(0.5, UP_TO_300, delta=1e-5, truth="exact")
        else:
            home = printed if key.startswith("at_risk") else composition
            wanted = getattr(home, key)(0.5, UP_TO_300, delta=curve.delta)
        np.testing.assert_array_equal(curve.epsilon, wanted)
        assert curve.delta == pytest.approx(1e-4 if key == "at_risk_as_drawn" else 1e-5, rel=1e-15)
    np.testing.assert_array_equal(half.exact.value, exact(0.5, UP_TO_300, delta=1e-5).value)


GAPPY = [1, 2, 3, 5, 8, 14, 25, 32, 120, 260, 266, 400]


@pytest.mark.parametrize(("epsilon0", "delta"), [(0.5, 1e-5), (1.0, 1e-5), (0.5, 0.05)])
@pytest.mark.parametrize("key", ["at_risk", "at_risk_as_drawn"])
def test_stretches_begin_and_end_at_the_very_number_however_few_are_compared(epsilon0, delta, key):
    every = compare(epsilon0, np.arange(1, 401), delta=delta, keys=[key]).curves[0]
    edges = np.flatnonzero(np.diff(np.concatenate([[False], every.below, [False]]).astype(int))).reshape(-1, 2)
    wanted = [(start + 1, None if stop == 400 else stop, every.epsilon[start]) for start, stop in edges]
    found = too_low(compare(epsilon0, GAPPY, delta=delta, keys=["basic", key]), key)
    assert [(each.first, each.last, each.epsilon) for each in found] == wanted
    assert all(each.evidence.basis is PUBLISHED for each in found)


def test_the_examples_of_stretches_have_an_end_between_the_compared_numbers():
    (ended,) = too_low(compare(1.0, GAPPY, delta=1e-5, keys=["at_risk_as_drawn"]), "at_risk_as_drawn")
    assert (ended.first, ended.last) == (1, 26)
    (begun,) = too_low(compare(0.5, GAPPY, delta=1e-5, keys=["at_risk"]), "at_risk")
    assert (begun.first, begun.last) == (257, None)


def test_what_is_nowhere_too_low_has_no_stretch_and_only_what_was_compared_has_any():
    found = compare(0.5, GAPPY, delta=1e-5, keys=["basic"])
    assert too_low(found, "basic") == ()
    with pytest.raises(ParameterError, match="^key must be among those compared"):
        too_low(found, "at_risk")


def test_a_truth_that_is_known_is_not_computed_again(half, monkeypatch):
    from par_core.composition import comparison

    monkeypatch.setattr(comparison, "exact", None)
    again = compare(0.5, UP_TO_300, delta=1e-5, truth=half.exact)
    assert again.exact is half.exact
    for one, other in zip(again.curves, half.curves, strict=True):
        np.testing.assert_array_equal(one.below, other.below)
    with pytest.raises(ParameterError, match="^truth must be of shape"):
        compare(0.5, [1, 2], delta=1e-5, truth=half.exact)
    with pytest.raises(ParameterError, match="^epsilon0 must"):
        compare(0, UP_TO_300, delta=1e-5, truth=half.exact)


def test_own_settings_reach_the_formulas():
    keys = ["at_risk", "at_risk_as_drawn", "basic"]
    found = compare(0.5, [10], delta=1e-5, keys=keys, epsilon=0.2, k=3, drawn_delta=1e-3)
    wanted = [
        printed.at_risk(0.5, 10, delta=1e-5, epsilon=0.2, k=3),
        printed.at_risk_as_drawn(0.5, 10, delta=1e-3, epsilon=0.2, k=3),
        5.0,
    ]
    assert [curve.epsilon[0] for curve in found.curves] == wanted


def test_evidence():
    for key, accountant in ACCOUNTANTS.items():
        assert accountant.key == key
        published = key in ("at_risk", "at_risk_preprint", "at_risk_as_drawn")
        assert accountant.evidence.basis is (PUBLISHED if published else PROVEN)
        assert accountant.source
        assert accountant.limits or not published
    assert compare(0.5, [1], delta=1e-5).evidence.basis is PUBLISHED
    sound = compare(0.5, [1], delta=1e-5, keys=["basic", "at_risk_exact"])
    assert sound.evidence.basis is PROVEN
    assert evidence_of(printed.at_risk).basis is PUBLISHED
    (divided,) = compare(Gaussian(2.0), [12], delta=1e-5, keys=["basic"]).curves
    assert divided.evidence.limits == "each release at delta/n"


def test_a_key_given_twice_is_drawn_once():
    assert len(compare(0.5, [1], delta=1e-5, keys=["basic", "rdp", "basic"]).curves) == 2
    assert compare(0.5, [1], delta=1e-5, keys=[]).curves == ()


def test_a_large_delta_can_be_compared():
    """Ten times it, for the curve as drawn, would be above 1."""
    found = compare(0.5, [1, 5], delta=0.3)
    assert all(np.isfinite(curve.epsilon).all() for curve in found.curves)


@pytest.mark.parametrize("wrong", [[1, 1], [3, 2], [[1, 2], [3, 4]]])
def test_numbers_that_do_not_rise(wrong):
    with pytest.raises(ParameterError, match="^releases must be a rising list"):
        compare(0.5, wrong, delta=1e-5)


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"keys": ["basic", "moments"]}, "keys"),
        ({"epsilon0": 0}, "epsilon0"),
        ({"epsilon0": [[0.1], [0.2, 0.3]]}, "epsilon0"),
        ({"epsilon0": [0.1, 60.0]}, "epsilon0"),
        ({"epsilon0": "x"}, "epsilon0"),
        ({"delta": 0}, "delta"),
        ({"delta": 1.0}, "delta"),
        ({"delta": None}, "delta"),
        ({"delta": "x"}, "delta"),
        ({"delta": [1e-5, 1e-6]}, "delta"),
        ({"releases": [0, 1]}, "releases"),
        ({"releases": []}, "releases"),
        ({"releases": [1, 1_000_001]}, "releases"),
        ({"epsilon": -1.0}, "epsilon"),
        ({"k": 0}, "k"),
        ({"drawn_delta": 2.0}, "drawn_delta"),
    ],
)
def test_bad_input_is_named(changes, name):
    fields = {"epsilon0": 0.5, "releases": [1, 2], "delta": 1e-5} | changes
    with pytest.raises(ParameterError, match=f"^{name} must"):
        compare(fields.pop("epsilon0"), fields.pop("releases"), **fields)
