"""The scripts that the lab gives away are those of the reader's ε, and can be compiled."""

import ast

import pytest


@pytest.mark.parametrize(
    ("tab", "key", "constants"),
    [
        ("coins", "coins_script", {"EPSILON": 1.5, "CATEGORIES": ["no", "yes"]}),
        ("choose", "choice_script", {"EPSILON": 1.5, "SENSITIVITY": 3.0}),
    ],
)
def test_a_script_holds_the_readers_settings(open_page, files, tab, key, constants):
    open_page("mechanism_lab", tab=tab, le=1.5, lusens=3)
    tree = ast.parse(files[key]())
    held = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id in constants
    }
    assert held == constants
