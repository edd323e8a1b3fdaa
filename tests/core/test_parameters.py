"""The checks that every public function runs on its arguments, and the errors that they raise."""

import math

import numpy as np
import pytest

from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.parameters import (
    as_array,
    check_choice,
    check_integer,
    check_integers,
    check_list,
    check_number,
    check_numbers,
    check_type,
    like_input,
)


@pytest.mark.parametrize("value", [0.5, 1, np.float32(0.25), [0.1, 0.9], (1, 2.5), np.arange(3), np.array(0.5)])
def test_real_keeps_value_and_shape(value):
    found = check_numbers("share", value)
    assert found.dtype == np.float64
    assert found.shape == np.shape(value)
    assert (found == np.asarray(value)).all()


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("0.5", "'0.5'"),
        (None, "None"),
        (True, "True"),
        ([1.0, True], r"\[1\.0, True\]"),
        ((True, 1), r"\(True, 1\)"),
        ([[1, 2], [np.True_, 0]], r"\[\[1, 2\], \[np\.True_, 0\]\]"),
        (1j, "1j"),
        (math.nan, "nan"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        ([], "an empty array"),
        ([1.0, math.nan], "nan"),
        ([1.0, "a"], r"\[1\.0, 'a'\]"),
        ([[1.0], [1.0, 2.0]], r"\[\[1\.0\], \[1\.0, 2\.0\]\]"),
        (10**400, r"1000000000.*\.\.\."),
        (np.datetime64("2020-01-01"), "np.datetime64"),
        ({"a": 1}, r"\{'a': 1\}"),
    ],
)
def test_real_names_the_parameter_and_the_value(value, shown):
    with pytest.raises(ParameterError, match=rf"^epsilon must be .*finite, got {shown}"):
        check_numbers("epsilon", value)


@pytest.mark.parametrize(
    ("bounds", "good", "bad", "message"),
    [
        ({"above": 0.0}, 5e-324, 0.0, "above 0 and finite, got 0"),
        ({"at_least": 0.0}, 0.0, -0.5, "at least 0 and finite, got -0.5"),
        ({"below": 1.0}, 0.5, 1.0, "below 1, got 1"),
        ({"at_most": 1.0}, 1.0, 1.5, "at most 1, got 1.5"),
        ({"above": 0.0, "below": 1.0}, 0.5, 2.0, "above 0 and below 1, got 2"),
    ],
)
def test_real_bounds(bounds, good, bad, message):
    assert check_numbers("share", good, **bounds) == good
    with pytest.raises(ParameterError, match=f"^share must be {message}$"):
        check_numbers("share", bad, **bounds)
    with pytest.raises(ParameterError, match=f"^share must be {message}$"):
        check_numbers("share", [good, bad], **bounds)


def test_whole():
    found = check_integers("k", [1, 2.0, np.int8(3)], at_least=1)
    assert found.dtype == np.int64
    assert found.tolist() == [1, 2, 3]


@pytest.mark.parametrize("bad", [0, 1.5, -3, math.nan, math.inf, 1e300, "1", None, True, []])
def test_whole_names_the_parameter_and_the_value(bad):
    with pytest.raises(ParameterError, match=r"^k must be a whole number at least 1, got "):
        check_integers("k", bad, at_least=1)


def test_whole_bounds():
    assert check_integers("k", 7, at_least=1, at_most=7) == 7
    with pytest.raises(ParameterError, match=r"^k must be a whole number at least 1 and at most 7, got 8$"):
        check_integers("k", [3, 8], at_least=1, at_most=7)


def test_single_values():
    assert type(check_number("rho", np.float64(0.5), above=0.0)) is float
    assert type(check_integer("samples", 5.0, at_least=1)) is int
    with pytest.raises(ParameterError, match=r"^rho must be a single number, got an array of shape \(1,\)"):
        check_number("rho", [0.5])
    with pytest.raises(ParameterError, match=r"^samples must be a single whole number, got an array of shape \(2,\)"):
        check_integer("samples", [1, 2], at_least=1)
    with pytest.raises(ParameterError, match=r"^rho must be above 0 and finite, got 0$"):
        check_number("rho", 0, above=0.0)
    with pytest.raises(ParameterError, match=r"^samples must be a whole number at least 1 and at most 9, got 10$"):
        check_integer("samples", 10, at_least=1, at_most=9)


MASKED = np.ma.array([1.0, -9999.0], mask=[False, True])


@pytest.mark.parametrize("value", [np.ma.masked, MASKED, [1.0, np.ma.masked], [[1.0, 2.0], MASKED], (np.ma.masked,)])
def test_what_a_mask_hides_never_counts(value):
    for check in (
        lambda: check_numbers("x", value),
        lambda: check_integers("x", value, at_least=0),
        lambda: check_number("x", value),
        lambda: check_integer("x", value, at_least=0),
        lambda: as_array("x", value),
        lambda: check_list("x", value),
    ):
        with pytest.raises(ParameterError, match="^x must be .*(masked|--)"):
            check()


def test_a_masked_array_without_anything_masked_is_its_data():
    for mask in (np.ma.nomask, [False, False]):
        found = check_numbers("x", np.ma.array([1.0, 2.0], mask=mask))
        assert type(found) is np.ndarray
        assert found.tolist() == [1.0, 2.0]
    assert check_numbers("x", MASKED[:1]).tolist() == [1.0]


def test_other_kinds():
    assert check_type("flag", True, bool) is True
    assert check_choice("over", "drop", ("drop", "keep")) == "drop"
    assert check_list("names", ["a", "b"]) == check_list("names", np.array(["a", "b"])) == ("a", "b")
    for call, message in (
        (lambda: check_type("flag", 1, bool), "^flag must be a bool, got 1$"),
        (lambda: check_choice("over", ["drop"], ("drop", "keep")), r"^over must be drop or keep, got \['drop'\]$"),
        (lambda: check_choice("over", np.array(["drop"]), ("a", "b", "c")), r"^over must be a, b or c, got array"),
        (lambda: check_list("names", "ab"), "^names must be a list, got 'ab'$"),
        (lambda: check_list("names", 3), "^names must be a list, got 3$"),
        (lambda: as_array("x", [[1], [2, 3]]), r"^x must be an array, got \[\[1\], \[2, 3\]\]$"),
    ):
        with pytest.raises(ParameterError, match=message):
            call()


def test_a_longer_float_beyond_the_range_is_infinite():
    with pytest.raises(ParameterError, match="^x must be finite, got inf$"):
        check_numbers("x", np.longdouble(10) ** 400)


def test_a_scalar_in_gives_a_float_out():
    assert type(like_input(np.array(0.5))) is float
    assert type(like_input(np.float64(0.5))) is float
    array = np.array([0.5])
    assert like_input(array) is array


def test_errors_are_value_errors():
    for kind in (ParameterError, InfeasibleError, DataError):
        assert issubclass(kind, ValueError)
    assert InfeasibleError("nothing there").best is None
    assert InfeasibleError("nothing there", best=0.3).best == 0.3
    assert str(InfeasibleError("nothing there", best=0.3)) == "nothing there"
