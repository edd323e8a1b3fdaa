"""What a package says is public is there, and nothing that it takes from another file is left out."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

PACKAGES = ("audit", "composition", "cost", "decision", "regression", "release", "sampling")


@pytest.mark.parametrize("name", PACKAGES)
def test_every_call_a_package_takes_up_is_named_public(name):
    package = import_module(f"par_core.{name}")
    tree = ast.parse(Path(package.__file__).read_text(encoding="utf-8"))
    taken = {
        each.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for each in node.names
        if node.module.startswith("par_core") and node.module != "par_core.old_names"
    }
    assert taken == set(package.__all__)
    assert len(package.__all__) == len(taken)
    assert all(hasattr(package, public) for public in package.__all__)
