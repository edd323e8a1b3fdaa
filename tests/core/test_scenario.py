"""The scenario: validated, and carried through JSON and addresses without loss."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from par_core.errors import DataError, ParameterError
from par_core.scenario import FIELDS, Neighbours, Scenario, exact_text, from_file, parsed, plan_in, wishes_in

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


@given(scenarios)
@settings(deadline=None, derandomize=True, max_examples=150)
def test_json_and_address_lose_nothing(scenario):
    assert Scenario(**json.loads(scenario.to_json())) == scenario
    texts = {field.name: exact_text(getattr(scenario, field.name)) for field in FIELDS}
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


@given(scenarios)
@settings(deadline=None, derandomize=True, max_examples=100)
def test_a_file_gives_back_the_scenario(scenario):
    assert from_file(scenario.to_file()) == (scenario, ())


def test_a_file_holds_wishes_where_there_are_some():
    scenario = Scenario(epsilon0=0.25, releases=7)
    text = scenario.to_file({"we": "1", "wev": "3"})
    assert from_file(text) == (scenario, ())
    assert wishes_in(text) == {"we": "1", "wev": "3"}
    assert wishes_in(scenario.to_file()) == {}


def test_a_file_holds_a_plan_where_there_is_one():
    scenario, line = Scenario(epsilon0=0.25), "1~counts_12_r3_mD_t12~mean_u110_n9277"
    text = scenario.to_file({"we": "1"}, line)
    assert (from_file(text), wishes_in(text), plan_in(text)) == ((scenario, ()), {"we": "1"}, line)
    assert plan_in(scenario.to_file()) == ""
    assert json.loads(scenario.to_file()).keys() == {"format", *(field.name for field in FIELDS)}
    with pytest.raises(ParameterError, match="^plan must be a str"):
        scenario.to_file(plan=None)


def test_a_file_of_an_older_version_is_read_and_what_it_did_not_hold_is_named():
    first = (
        '{"epsilon0": 0.25, "k": 3, "sensitivity": 2.0, "neighbours": "add-or-remove", "rows_per_person": 4, "statistics": 5,'
        ' "releases": 12, "stakeholders": 900, "compensation": 120.5, "currency": "EUR", "delta": 1e-06}'
    )
    scenario, missing = from_file(first)
    assert scenario == Scenario(0.25, 3, 2.0, Neighbours.ADD_OR_REMOVE, 4, 5, 12, 900, 120.5, "EUR", 1e-6, "laplace")
    assert missing == ("Mechanism",)
    assert from_file('{"epsilon0": 2}')[0] == Scenario(epsilon0=2.0)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        (b"\xff\xfe{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "no field"),
        ("null", "no field"),
        ('"epsilon0"', "no field"),
        ("{}", "no field"),
        ('{"format": 2}', "no field"),
        ('{"format": 4, "epsilon0": 1}', "format must be at most 3, got 4"),
        ('{"wishes": {"we": "1"}}', "no field"),
        ('{"epsilon0": 1, "wishes": ["we"]}', "^wishes must"),
        ('{"epsilon0": 1, "wishes": {"we": 1}}', "^wishes must"),
        ('{"plan": "1~counts"}', "no field"),
        ('{"epsilon0": 1, "plan": ["1~counts"]}', "^plan must be a text"),
        ('{"format": "2", "epsilon0": 1}', "format"),
        ('{"epsilon0": 1, "secret": 2}', "no field 'secret'"),
        ('{"epsilon0": NaN}', "^epsilon0 must"),
        ('{"epsilon0": "1"}', "^epsilon0 must"),
        ('{"epsilon0": 1e400}', "^epsilon0 must"),
        ('{"epsilon0": 0.1, "epsilon0": 50}', "^'epsilon0' stands there more than once"),
        ('{"epsilon0": 1, "wishes": {"we": "1", "we": "2"}}', "more than once"),
        ('{"k": true}', "^k must"),
        ('{"k": 1.5}', "^k must"),
        ('{"mechanism": ["laplace"]}', "^mechanism must"),
        ('{"currency": "<b>"}', "^currency must"),
    ],
)
def test_what_is_no_scenario_file_is_refused_with_the_reason(text, why):
    with pytest.raises(DataError, match=why):
        from_file(text)
