"""The scenario: validated, and carried through JSON and addresses without loss."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from par_core.errors import ParameterError
from par_core.scenario import FIELDS, Neighbours, Scenario, parsed, written

# Every float that passes the checks must survive: the decimals of an address are not a reason to round.
scenarios = st.builds(
    Scenario,
    epsilon0=st.floats(1e-8, 700),
    k=st.integers(1, 10_000),
    sensitivity=st.floats(1e-9, 1e12),
    neighbours=st.sampled_from(Neighbours),
    rows_per_person=st.integers(1, 10**6),
    statistics=st.integers(1, 10**6),
    releases=st.integers(1, 10**6),
    stakeholders=st.integers(1, 10**10),
    compensation=st.floats(0, 1e12),
    currency=st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=3, max_size=3),
    delta=st.floats(1e-15, 0.5),
)


def test_the_defaults_are_the_health_centre():
    plain = Scenario()
    assert (plain.epsilon0, plain.stakeholders, plain.compensation, plain.currency) == (0.5, 100, 5500.0, "USD")
    assert (plain.k, plain.sensitivity, plain.delta) == (1, 1.0, 1e-5)
    assert plain.noise_scale == 2.0  # the mean absolute error that section 5.3 asks for


@pytest.mark.slow
@given(scenarios)
@settings(deadline=None, derandomize=True, max_examples=150)
def test_json_and_address_lose_nothing(scenario):
    assert Scenario(**json.loads(scenario.to_json())) == scenario
    texts = {field.name: written(getattr(scenario, field.name)) for field in FIELDS}
    assert Scenario(**{field.name: parsed(field, texts[field.name]) for field in FIELDS}) == scenario


def test_an_address_has_a_key_for_every_field():
    assert len({field.key for field in FIELDS}) == len(FIELDS)


@pytest.mark.parametrize("text", ["9999", "nan", "inf", "-1", "0", "", "1e400", "<script>alert(1)</script>", "0,5"])
def test_a_text_that_cannot_be_used_is_refused(text):
    (field,) = (each for each in FIELDS if each.name == "epsilon0")
    with pytest.raises(ParameterError, match="^epsilon0 must be at least 1e-08 and at most 700"):
        parsed(field, text)


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("epsilon0", 0),
        ("epsilon0", math.nan),
        ("epsilon0", [0.5, 1.0]),
        ("k", 0),
        ("k", 1.5),
        ("k", "3"),
        ("sensitivity", -1),
        ("neighbours", "somebody"),
        ("neighbours", None),
        ("rows_per_person", 0),
        ("statistics", True),
        ("releases", 10**7),
        ("stakeholders", math.inf),
        ("compensation", -0.01),
        ("currency", "usd"),
        ("currency", "ÄÖÜ"),
        ("currency", 7),
        ("delta", 0),
        ("delta", 1),
    ],
)
def test_a_bad_field_is_named(field, bad):
    with pytest.raises(ParameterError, match=f"^{field} must be "):
        Scenario(**{field: bad})


def test_neighbours_may_be_given_as_text():
    assert Scenario(neighbours="add-or-remove").neighbours is Neighbours.ADD_OR_REMOVE
