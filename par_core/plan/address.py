"""The releases of a plan as one line of an address: a version, then each release, such as `1~counts_12_r3_t12~mean_l0_u110_n9277_t12`.

A release is its statistic and what is not at its default: a letter and a number each. A plan with a share or a quantile is of
version 2, any other still of version 1. A server that knows neither refuses the line instead of showing another plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.mechanisms import MECHANISMS
from par_core.parameters import shown
from par_core.plan.plan import LARGEST_PLAN, Release
from par_core.queries.quantile_shape import QuantileShape
from par_core.queries.shapes import CountsShape, MeanShape, NumbersShape, Shape, ShareShape, SumShape
from par_core.scenario import exact_text, is_decimal

_VERSIONS = "1", "2"
_SHAPES: dict[str, type[Shape]] = {
    "numbers": NumbersShape,
    "counts": CountsShape,
    "sum": SumShape,
    "mean": MeanShape,
    "share": ShareShape,
    "quantile": QuantileShape,
}
_SINCE_VERSION_2 = (QuantileShape, ShareShape)
_OF_SHAPE = {"k": "", "sensitivity": "s", "persons": "p", "lower": "l", "upper": "u", "chooses": "c"}
_OF_SHAPE |= {"alpha": "q", "candidates": "d"}
_OF_RELEASE = {"rows_per_person": "r", "rows": "n", "size": "g", "statistics": "a", "weight": "w", "times": "t"}
_NAMES = {letter: name for name, letter in (_OF_SHAPE | _OF_RELEASE).items()}
_SHORT = {"laplace": "L", "discrete-laplace": "D", "gaussian": "G", "randomised-response": "R", "exponential": "E"}
_MECHANISMS = {_SHORT.get(name, name): name for name in MECHANISMS}
_WHOLE = {"k", "candidates", "rows_per_person", "rows", "size", "statistics", "times"}


def in_address(releases: Sequence[Release]) -> str:
    """Return releases as one line that `from_address` reads.

    >>> in_address([Release(CountsShape(12), rows_per_person=3, times=12)])
    '1~counts_12_r3_t12'
    """
    version = _VERSIONS[any(isinstance(each.shape, _SINCE_VERSION_2) for each in releases)]
    return "~".join([version, *("_".join(_cells(each)) for each in releases)])


def _cells(release: Release) -> Iterator[str]:
    yield next(name for name, kind in _SHAPES.items() if type(release.shape) is kind)
    for held, letters in ((release.shape, _OF_SHAPE), (release, _OF_RELEASE)):
        for each in fields(held):
            value = getattr(held, each.name)
            if each.name in letters and value != each.default:
                yield letters[each.name] + ("" if value is True else exact_text(value))
    if release.mechanism != Release.mechanism:
        yield "m" + _SHORT.get(release.mechanism, release.mechanism)


@Evidence(PROVEN, source="the address itself")
def from_address(text: str) -> tuple[Release, ...]:
    """Return the releases that a line of an address stands for; ParameterError naming the release and what is wrong with it."""
    version, *each = text.split("~")
    if version not in _VERSIONS:
        raise ParameterError(f"a plan must begin with its version, {' or '.join(_VERSIONS)}, got {shown(version[:20])}")
    if not 1 <= len(each) <= LARGEST_PLAN:
        raise ParameterError(f"a plan must hold 1 to {LARGEST_PLAN} releases, got {len(each)}")
    return tuple(_release(number, part) for number, part in enumerate(each, start=1))


def _release(number: int, text: str) -> Release:
    name, *cells = text.split("_")
    kind = _SHAPES.get(name)
    if kind is None:
        raise ParameterError(
            f"release {number} of the plan must be one of {', '.join(_SHAPES)}, got {shown(name[:20])}"
        )
    of_shape, held = {each.name for each in fields(kind) if each.init}, dict[str, Any]()
    read: Any = None
    for cell in cells:
        letter = "" if cell[:1].isdigit() else cell[:1]
        field, value = _NAMES.get(letter, ""), cell[len(letter) :]
        if letter == "m" and value in _MECHANISMS:
            field, read = "mechanism", _MECHANISMS[value]
        elif field in ("persons", "chooses") and not value:
            read = True
        elif field and is_decimal(value):
            read = int(value) if field in _WHOLE and value.isdecimal() else float(value)
        else:
            field = ""
        if not field or field in held or (field in _OF_SHAPE and field not in of_shape):
            raise ParameterError(
                f"release {number} of the plan holds {shown(cell[:20])}, which is unknown or there twice"
            )
        held[field] = read
    try:
        shape = kind(**{name: value for name, value in held.items() if name in of_shape})
        return Release(shape, **{name: value for name, value in held.items() if name not in of_shape})
    except ParameterError as error:
        raise ParameterError(f"release {number} of the plan: {error}") from error
