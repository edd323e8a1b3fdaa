"""What a package says is public is there, is all that `dir` shows, and says what it takes and gives."""

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import par_core

OF_CALLS = (
    "audit",
    "claims",
    "composition",
    "cost",
    "datasets",
    "decision",
    "ledger",
    "mechanisms",
    "queries",
    "regression",
    "release",
    "sampling",
)
OF_MODULES = ("export", "figures", "lab", "published", "risk", "tables")


@pytest.mark.parametrize("name", OF_CALLS)
def test_every_call_a_package_takes_up_is_named_public(name):
    package = import_module(f"par_core.{name}")
    tree = ast.parse(Path(package.__file__).read_text(encoding="utf-8"))
    taken = {
        each.asname or each.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module.startswith(f"par_core.{name}.")
        for each in node.names
    }
    assert {each for each in taken if not each.startswith("_")} <= set(package.__all__)
    assert dir(package) == sorted(set(package.__all__))
    assert all(hasattr(package, public) for public in package.__all__)


@pytest.mark.parametrize("name", OF_MODULES)
def test_a_package_of_modules_loads_each_when_asked(name):
    package = getattr(par_core, name)
    assert dir(package) == sorted(package.__all__)
    assert all(
        isinstance(getattr(package, each), ModuleType) and getattr(package, each).__doc__ for each in dir(package)
    )


def test_the_core_shows_its_packages_and_no_other_name():
    assert {*OF_CALLS, *OF_MODULES, "questions"} <= set(dir(par_core))
    assert all(isinstance(getattr(par_core, each), ModuleType) for each in dir(par_core))
    with pytest.raises(AttributeError, match="no attribute 'privacy'"):
        par_core.privacy  # noqa: B018


def test_every_question_is_listed():
    assert len(dir(par_core.questions)) > 40
    assert all(inspect.isclass(getattr(par_core.questions, each)) for each in dir(par_core.questions))


def public():
    for name in OF_CALLS:
        package = import_module(f"par_core.{name}")
        yield from ((f"{name}.{each}", getattr(package, each)) for each in package.__all__)
    for name in ("published", "risk", "lab", "export"):
        for module in (getattr(getattr(par_core, name), each) for each in dir(getattr(par_core, name))):
            own = {
                each: thing
                for each, thing in vars(module).items()
                if getattr(thing, "__module__", "") == module.__name__
            }
            yield from ((f"{module.__name__}.{each}", thing) for each, thing in own.items() if not each.startswith("_"))


def signatures():
    for name, thing in public():
        if inspect.isfunction(thing) or inspect.isclass(thing):
            yield name, thing
        if inspect.isclass(thing):
            own = vars(thing).items()
            yield from ((f"{name}.{each}", call) for each, call in own if inspect.isfunction(call) and each[0] != "_")


def test_no_public_signature_leaves_open_what_it_takes_or_gives():
    told = dict(signatures())
    assert len(told) > 300
    of_any = re.compile(r"\bAny\b")
    vague = []
    for name, thing in told.items():
        try:
            text = str(inspect.signature(thing))
        except (TypeError, ValueError):  # an enumeration, a union
            continue
        if of_any.search(text):
            vague.append(f"{name}{text}")
    assert not vague, "\n".join(vague)
