"""What README.md says of the calls is what the code has."""

import ast
import importlib
import inspect
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TABLE = README.split("| in `par_core.` | calls |\n", 1)[1].split("\n\n", 1)[0].splitlines()[1:]


def rows():
    """Each call of the table with its module; a row on mechanisms has no module of its own."""
    for line in TABLE:
        _, place, calls, _ = line.split("|")
        module = place.strip().strip("`") if "`" in place else "mechanisms"
        yield from ((module, call) for call in re.findall(r"`([^`]+)`", calls))


def parameters(thing):
    """The names of the parameters, those that have to be named apart."""
    given = [each for each in inspect.signature(thing).parameters.values() if each.name != "self"]
    return [e.name for e in given if e.kind != e.KEYWORD_ONLY], {e.name for e in given if e.kind == e.KEYWORD_ONLY}


def test_the_table_is_found():
    found = list(rows())
    assert len(found) > 50
    assert ("published.explicit", "risk(epsilon, epsilon0, *, k)") in found
    assert {module for module, _ in found} >= {"mechanisms", "composition", "decision", "cost", "audit", "claims"}


@pytest.mark.parametrize(("module", "call"), list(rows()))
def test_every_call_of_the_table_can_be_made_like_that(module, call):
    name, bracket, asked = call.partition("(")
    thing = importlib.import_module(f"par_core.{module}")
    for part in name.split("."):
        thing = getattr(thing, part)
    if bracket:
        plain, _, named = re.sub(r"\s", "", asked.rstrip(")")).partition("*,")
        by_place, by_name = parameters(thing)
        wanted = [each for each in plain.split(",") if each]
        assert wanted == by_place[: len(wanted)]
        assert set(named.split(",")) - {""} <= by_name
    else:
        assert not inspect.isroutine(thing)


def test_every_extra_of_the_installation_is_named_with_what_it_brings():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    installed = {name for found in re.findall(r"pip install '\.\[([\w,]+)\]'", README) for name in found.split(",")}
    assert {"cli", "distributed"} <= installed <= extras.keys()
    (told,) = re.findall(r"more is wanted: (.+?)\.\n", README, re.S)
    assert set(re.findall(r"`(\w+)`", told)) == extras.keys()


def test_each_mechanism_answers_what_the_table_asks_of_each():
    from par_core.mechanisms import MECHANISMS, NOISES

    for label, of in (("each mechanism", MECHANISMS), ("each with noise", NOISES)):
        (line,) = (line for line in TABLE if label in line)
        names = re.findall(r"`Laplace\.(\w+)", line)
        assert names
        for mechanism in of.values():
            assert [name for name in names if not hasattr(mechanism, name)] == [], mechanism


def test_the_example_is_short():
    (example,) = re.findall(r"```python\n(.+?)```", README, re.S)
    code = "\n".join(line[4:] for line in example.splitlines() if line.startswith((">>> ", "... ")))
    assert len(ast.parse(code).body) <= 10
