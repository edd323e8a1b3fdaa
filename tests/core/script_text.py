"""What the tests of scripts do with their text, and with what OpenDP draws by them."""

import ast
from functools import cache

import numpy as np


@cache
def _compiled(text):
    return compile(text, "script.py", "exec")


def namespace(text):
    """Return the functions and constants of a script, without running it."""
    found = {"__name__": "script"}
    exec(_compiled(text), found)
    return found


def assert_tidy(text):
    assert max(map(len, text.splitlines())) <= 120
    assert not [line for line in text.splitlines() if line != line.rstrip()]
    nodes = [*ast.walk(ast.parse(text))]
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    assert defined <= {node.id for node in nodes if isinstance(node, ast.Name)}


def pooled(observed, expected, least=10.0):
    """Return counts with cells put together until each expects enough."""
    seen, law, sums = [], [], [0.0, 0.0]
    for one, chance in zip(observed, expected, strict=True):
        sums = [sums[0] + one, sums[1] + chance]
        if sums[1] >= least:
            seen.append(sums[0])
            law.append(sums[1])
            sums = [0.0, 0.0]
    seen[-1] += sums[0]
    law[-1] += sums[1]
    return np.array(seen), np.array(law)
