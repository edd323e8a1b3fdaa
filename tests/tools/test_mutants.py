"""The sample of mutants: what may be drawn, and that its tests kill what can be told and let live what cannot."""

import ast

import pytest

from tools import mutants
from tools.mutant_faults import faults

CORE = '''"""A number 1 in words."""

from functools import cache

LARGEST = 5
__all__ = ["clamped", "positive", "remembered"]


def clamped(x: "int | None", *, to=LARGEST):
    """Return x, at most `to`.

    >>> clamped(3)
    3
    """
    if x is None:
        raise ValueError(f"x must be a number up to {LARGEST + 1}" + "!")
    return min(x, to)


def positive(x):
    if x <= 0:
        return 0
    return x


def countdown(x):
    while x > 0:
        x -= 1
    return x


@cache
def remembered():
    return 7


def unseen():
    return 4
'''
TESTS = """import pytest

from par_core import numbers


@pytest.fixture(scope="module")
def zero():
    return numbers.positive(-3)


def test_clamped():
    assert numbers.clamped(9) == 5


@pytest.mark.parametrize("x", [-1, 0, 1])
def test_positive(x, zero):
    assert numbers.positive(x) == max(x, 0)


def test_zero(zero):
    assert zero == 0


def test_countdown():
    assert numbers.countdown(3) == 0


def test_remembered():
    numbers.remembered()


def test_remembered_well():
    assert numbers.remembered() == 7
"""


def written(folder):
    for name, text in {
        "par_core/__init__.py": "",
        "par_core/numbers.py": CORE,
        "par_core/claims/__init__.py": "ENTRY = 1\n",
        "par_core/figures/__init__.py": "WIDTH = 2\n",
        "pages/one.py": "WORDS = 3\n",
        "tests/core/test_numbers.py": TESTS,
        "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--doctest-modules --import-mode=importlib"\n',
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    return written(tmp_path_factory.mktemp("tree"))


@pytest.fixture(scope="module")
def copies(tree, tmp_path_factory):
    return mutants.Copies(tree, tmp_path_factory.mktemp("copies"), 1)


@pytest.fixture(scope="module")
def runs(tree, copies):
    return mutants.measured(tree, copies)


def made(tree, place, after):
    """The mutant of the place that is written so, with this in its place."""
    source = (tree / "par_core/numbers.py").read_bytes()
    (found,) = [
        mutants.mutant("par_core/numbers.py", source, before, new, start)
        for node, start in mutants.places(ast.parse(source))
        for before, new in faults(node)
        if (ast.unparse(before), ast.unparse(new)) == (place, after)
    ]
    return found


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a < b", ["a <= b", "a >= b"]),
        ("a >= b", ["a > b", "a < b"]),
        ("a in b", ["a not in b"]),
        ("a == b != c", ["a != b != c", "a == b == c"]),
        ("a - b", ["a + b"]),
        ("a ** b", ["a * b"]),
        ("-a", ["a"]),
        ("not a", ["a"]),
        ("a and b", ["a or b", "a", "b"]),
        ("True", ["False"]),
        ("3", ["4", "2", "6"]),
        ("0", ["1", "-1"]),
        ("0.5", ["1.5", "-0.5", "1.0"]),
        ("1e300", ["2e+300"]),
        ("'3'", []),
        ("a if b else c", ["not b", "False", "True"]),
        ("[a for a in b if not c]", []),
        ("min(a, b)", ["max(a, b)", "a", "b"]),
        ("np.maximum(a, b)", ["np.minimum(a, b)", "a", "b"]),
        ("np.clip(a, 0, 1)", ["a"]),
        ("a.clip(0, 1)", ["a"]),
        ("a.max()", ["a.min()"]),
        ("f(a, b=c, **d)", ["f(a, **d)"]),
    ],
)
def test_the_faults_of_an_expression(code, expected):
    assert [ast.unparse(after) for _, after in faults(ast.parse(code, mode="eval").body)] == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("if not a: pass", ["a", "False", "True"]),
        ("while a: pass", ["not a", "False"]),
        ("a += b", ["a -= b"]),
        ("return a", ["None"]),
        ("return None", []),
        ("return a * b", ["None", "-(a * b)"]),
        ("return a > b", ["None", "not a > b"]),
    ],
)
def test_the_faults_of_a_statement(code, expected):
    assert [ast.unparse(after) for _, after in faults(ast.parse(code).body[0])] == expected


def test_the_faults_of_the_condition_of_a_comprehension():
    (loop,) = ast.parse("[a for a in b if c]", mode="eval").body.generators
    assert [ast.unparse(after) for _, after in faults(loop)] == ["not c", "True"]


def test_the_same_seed_draws_the_same_sample(tree):
    assert mutants.draw(tree, 1, 10) == mutants.draw(tree, 1, 10)
    assert mutants.draw(tree, 1, 10) != mutants.draw(tree, 2, 10)


def test_what_is_drawn_is_code_of_the_core_and_each_of_it_another_program(tree):
    drawn = mutants.draw(tree, 1, 1000)
    assert {each.file for each in drawn} == {"par_core/numbers.py"}
    assert {each.file for each in mutants.draw(tree, 1, 1000, mutants.OF_PAGES)} == {"pages/one.py"}
    conditions = {"x is None", "x <= 0", "x > 0"}
    assert {each.before for each in drawn} == conditions | {"min(x, to)", "x -= 1", "x", "0", "1", "4", "5", "7"}
    same = ast.dump(ast.parse(CORE))
    assert not [each for each in drawn if ast.dump(ast.parse(each.source)) == same]


def test_the_tests_of_a_line_are_known_whoever_ran_it_first(tree, runs):
    def names(place, after):
        return {each.partition("::")[2] for each in runs.of(made(tree, place, after))}

    everything = {each.partition("::")[2] for each in runs.seconds}
    assert len(everything) == 9
    assert names("7", "8") == {"test_remembered", "test_remembered_well"}  # the second finds a value that is kept
    assert names("x <= 0", "x < 0") == everything - {"par_core.numbers.clamped"}  # in a fixture: all tests of the file
    assert names("5", "6") == everything  # at import
    assert names("x > 0", "x >= 0") == {"test_countdown"}
    assert names("4", "8") == everything  # not seen: compiled, maybe, or run elsewhere


@pytest.mark.parametrize(
    ("place", "after", "killer"),
    [
        ("min(x, to)", "x", "FAILED tests/core/test_numbers.py::test_clamped"),
        ("5", "4", "FAILED tests/core/test_numbers.py::test_clamped"),
        ("x -= 1", "x += 1", "out of time"),
        ("x <= 0", "x < 0", ""),
    ],
)
def test_a_fault_is_found_unless_nobody_can_tell_it(tree, copies, runs, monkeypatch, place, after, killer):
    monkeypatch.setattr(mutants, "SLACK", 4.0)
    assert mutants.judge(copies, runs, made(tree, place, after)) == killer
    assert (tree / "par_core/numbers.py").read_text(encoding="utf-8") == CORE
