"""The entry of the registry of deployments: valid for any plan, the same numbers as the label, and every text as it was typed."""

import json
import random
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from par_core.errors import ParameterError
from par_core.export.block_yaml import block_yaml
from par_core.plan import PlanScenario, Release
from par_core.queries.shapes import CountsShape, MeanShape, NumbersShape, SumShape
from par_core.questions import PublicLabel
from par_core.questions.decide.public_label import LONGEST, PRODUCTS
from par_core.scenario import Scenario

SCHEMA = json.loads((Path(__file__).parents[1] / "data" / "registry_entry_schema.json").read_text(encoding="utf-8"))
VALID = Draft202012Validator(SCHEMA)
TEXTS = dict.fromkeys(LONGEST, "Some text") | {"date": "2026-11-28"}
HOSTILE = (
    *(
        "no",
        "~",
        "1e3",
        "2026-11-28",
        "- a",
        "a: b",
        "a #b",
        '"',
        "'",
        "\\",
        "'\"\\",
        "%TAG",
        "&a *a",
        "{a: b}",
        "[a]",
        "<<: *x",
        "|",
        ">-",
        "?",
    ),
    "!!python/object/apply:os.system [ls]",
    "a\n  b: c\n---\n...",
    "tab\tand\r\nline",
    " lead and trail ",
    "é ü 漢字 😀",
    "\u2028\u2029\ufeff\u200b",
)


def entry(scenario=None, **texts):
    answer = PublicLabel(scenario or Scenario(), **(TEXTS | texts)).answer()
    return answer, yaml.safe_load(answer.entry())


def random_plan(rng):
    """A plan of one to six releases of any kind, often with Gaussian noise, of anybody."""
    noises = ("laplace", "discrete-laplace", "gaussian")

    def shape():
        lower = rng.choice((0.0, -3.0, 12.5))
        return rng.choice(
            (
                CountsShape(rng.randint(1, 30), persons=rng.random() < 0.4),
                SumShape(lower=lower, upper=lower + 40),
                MeanShape(lower=lower, upper=lower + 40, chooses=rng.random() < 0.5),
                NumbersShape(rng.randint(1, 9), rng.choice((1.0, 3.0))),
            )
        )

    releases = tuple(
        Release(
            shape(),
            rows_per_person=rng.choice((1, 1, 2, 5)),
            rows=9000,
            size=rng.choice((None, 800)),
            statistics=rng.choice((1, 1, 3)),
            mechanism=rng.choice(noises),
            weight=rng.choice((1.0, 2.5)),
            times=rng.choice((1, 1, 2, 12)),
        )
        for _ in range(rng.randint(1, 6))
    )
    return PlanScenario(
        epsilon0=10 ** rng.uniform(-2, 1),
        delta=10 ** rng.uniform(-9, -3),
        neighbours=rng.choice(("replace-one", "add-or-remove")),
        plan=releases,
    )


@pytest.mark.parametrize("block", range(10))
def test_the_entry_of_any_plan_is_valid_and_says_what_the_label_says(block):
    rng = random.Random(f"registry {block}")
    for _ in range(10):
        scenario = random_plan(rng)
        answer, found = entry(scenario, product=rng.choice(PRODUCTS))
        assert not [each.message for each in VALID.iter_errors(found)], scenario
        parameters = found["deployment"]["privacy_loss"]["privacy_parameters"]
        assert parameters["epsilon"] >= answer.numbers()["all_releases_together"].value
        strongly = dict(zip(*(answer.facts().columns[each] for each in ("Question", "Answer")), strict=True))
        assert f"ε = {parameters['epsilon']:,.15g} and δ" in strongly["How strongly, for experts?"].told().replace(
            "\u00a0", " "
        )
        assert parameters["delta"] == scenario.delta
        model = found["deployment"]["model"]
        assert model["is_many_release"] is any(each.times > 1 for each in scenario.plan)
        assert f"at most {answer.found.right.value} are right" in str(found["deployment"]["privacy_loss"])


def test_the_schema_refuses_what_is_missing_unknown_or_of_another_type():
    _, found = entry()
    assert VALID.is_valid(found)
    for spoil in (
        lambda held: held.pop("tier"),
        lambda held: held["deployment"].pop("data_product_region"),
        lambda held: held["deployment"].update(epsilon=1),
        lambda held: held["deployment"]["privacy_loss"]["privacy_parameters"].update(delta="1e-05"),
        lambda held: held.update(registry_authors=[]),
    ):
        spoiled = json.loads(json.dumps(found))
        spoil(spoiled)
        assert not VALID.is_valid(spoiled)


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian", "randomised-response", "exponential"])
def test_a_scenario_has_one_too(mechanism):
    _, found = entry(Scenario(mechanism=mechanism, releases=1))
    assert VALID.is_valid(found)
    assert found["deployment"]["model"]["model_name"] == ("Local" if mechanism == "randomised-response" else "Central")
    pure = "Pure differential privacy holds" in found["deployment"]["privacy_loss"]["privacy_parameters_description"]
    assert pure is (mechanism != "gaussian")


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_comes_back_as_it_was_typed(text):
    # What is blank to the eye would be missing.
    typed = dict.fromkeys(LONGEST, f"{text}x" if not text.strip("\u2028\u2029\ufeff\u200b") else text)
    _, found = entry(**typed)
    told = found["deployment"]
    assert VALID.is_valid(found)
    for held in (
        told["name"],
        told["data_curators"][0],
        told["description"],
        told["intended_use"],
        told["data_product_region"],
    ):
        assert held == typed["name"]
    assert told["additional_information"].startswith(f"Contact: {typed['contact']}\n")
    assert found["registry_authors"] == [typed["publisher"]]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), st.floats(allow_nan=False, allow_infinity=False), st.integers(-(10**12), 10**12))
def test_any_text_and_any_number_comes_back(text, number, whole):
    values = {
        "text": text,
        "number": number,
        "whole": whole,
        "is_true": True,
        "list": [text, "a"],
        "inner": {"more": {"text": text}},
    }
    back = yaml.safe_load(block_yaml(values))
    assert back == values
    assert type(back["number"]) is float


def test_what_is_no_key_or_no_number_is_refused():
    for values in ({"a: b": 1}, {"": 1}, {"yes": 1}, {"null": 1}, {"a": float("nan")}, {"a": float("inf")}):
        with pytest.raises(ParameterError):
            block_yaml(values)
