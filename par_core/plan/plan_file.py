"""A plan with all its names as a file, `plan.toml`, that a reader saves on purpose: no link and no scenario holds that much.

>>> from par_core.plan import NamedRelease, Plan, Release
>>> from par_core.queries import CountBy
>>> query = CountBy(("district",), (("north", "south"),))
>>> release = Release(query.shape, rows_per_person=3, mechanism="discrete-laplace", times=12)
>>> plan, named = Plan((release,)), (NamedRelease(release, query, person="patient"),)
>>> text = to_toml(plan, named)
>>> from_toml(text) == (plan, named)
True
>>> print(text[text.index("[[release]]") :].rstrip())
[[release]]
count_by = ["district"]
categories = [["north", "south"]]
person = "patient"
over = "truncate"
rows_per_person = 3
mechanism = "discrete-laplace"
weight = 1.0
times = 12
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from par_core.errors import DataError, ParameterError
from par_core.parameters import check_list, check_type, shown
from par_core.plan.named import COPIED, NamedRelease
from par_core.plan.plan import Plan, Release
from par_core.queries import (
    AMOUNTS,
    Condition,
    Count,
    CountBy,
    Groups,
    Histogram,
    PersonCount,
    PersonCountBy,
    PersonCounts,
    Quantile,
    Query,
    Share,
)
from par_core.queries.columns import name_of
from par_core.queries.grouped_query import GroupedQuery
from par_core.queries.statistics import Bounds
from par_core.scenario import Neighbours
from par_core.toml_text import check_format, parsed

_FORMAT = 1
_KIND = "plan file"
_ABOUT = """\
# A plan of releases, saved from the Privacy at Risk explorer or by `par`. It holds names of columns, categories and conditions:
# show it only to those who may know them. A condition is a column, a comparison (== != < <= > >= in) and a value.
"""
_OF_PLAN = ("epsilon0", "neighbours", "delta")
_OF_RELEASE = ("rows_per_person", "rows", "size", "statistics", "mechanism", "weight", "times")
_ALWAYS = ("rows_per_person", "mechanism", "weight", "times")  # said where they are at their defaults too
_WITH = {
    "count": ("persons",),
    "count_by": ("categories", "other", "persons"),
    "histogram": ("edges",),
    "share": ("by", "categories"),
}
_WITH |= {name: ("bounds", "by", "categories", *("skip_missing",) * (name == "mean")) for name in AMOUNTS}
_WITH[Quantile.asks.name] = ("bounds", "step", "alpha")
_WITH_ALL = ("where", "person", "over", "copied", *_OF_RELEASE)


def to_toml(plan: Plan, named: Sequence[NamedRelease]) -> str:
    """Return a plan, and its releases with their names, as a file that `from_toml` reads.

    ParameterError where `named` are not the releases of the plan in their order, and for a name that is no Unicode text.
    """
    held = [check_type("named", each, NamedRelease) for each in check_list("named", named)]
    if tuple(each.release for each in held) != check_type("plan", plan, Plan).releases:
        raise ParameterError("named must be the releases of the plan, in their order")
    numbers = {"format": _FORMAT, **{name: getattr(plan, name) for name in _OF_PLAN}}
    numbers |= {} if plan.budget is None else {"budget": plan.budget}
    mark = f"# Categories: {COPIED}\n"
    releases = "".join(f"\n[[release]]\n{mark * each.copied}{_lines(_cells(each))}" for each in held)
    return f"{_ABOUT}{_lines(numbers.items())}{releases}"


def from_toml(text: str | bytes) -> tuple[Plan, tuple[NamedRelease, ...]]:
    """Return the plan that a file holds, and its releases with their names.

    DataError for what is no plan file, naming what is wrong: the release by its number, from 1, and the key.
    """
    held = parsed(text, kind=_KIND)
    check_format(held, _FORMAT, kind=_KIND)
    tables = held.pop("release", [])
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        raise DataError("each release must begin with [[release]]")
    if strange := held.keys() - {*_OF_PLAN, "budget"}:
        raise DataError(f"a plan has no {shown(min(strange))}")
    if missing := [name for name in _OF_PLAN if name not in held]:
        raise DataError(f"{missing[0]} must be given")
    try:
        neighbours = Plan((Release(),), **held).neighbours
        named = tuple(_named(at, each, neighbours) for at, each in enumerate(tables, start=1))
        return Plan(tuple(each.release for each in named), **held), named
    except ParameterError as error:
        raise DataError(str(error)) from error


def _lines(cells: Iterable[tuple[str, object]]) -> str:
    return "".join(f"{key} = {_value(held)}\n" for key, held in cells)


def _value(held: object) -> str:
    """Return a text, a number, a truth value or a list of them as TOML."""
    if isinstance(held, bool):
        return str(held).lower()
    if isinstance(held, tuple):
        return f"[{', '.join(map(_value, held))}]"
    if not isinstance(held, str):
        return repr(held)
    try:
        held.encode()
    except UnicodeEncodeError as error:
        raise ParameterError(f"{shown(held)} is no Unicode text, which a file could hold") from error
    return json.dumps(held, ensure_ascii=False).replace("\x7f", "\\u007f")  # which JSON need not escape


def _cells(named: NamedRelease) -> Iterator[tuple[str, object]]:
    query, release = named.query, named.release
    if isinstance(query, CountBy):
        yield from (("count_by", query.columns), ("categories", query.categories))
    elif isinstance(query, Histogram):
        yield from ((query.asks.name, query.column), ("edges", query.edges))
    elif isinstance(query, Count | Share):
        yield query.asks.name, _words(query.condition)
    else:
        yield from ((query.asks.name, query.column), ("bounds", (query.lower, query.upper)))
    if isinstance(query, GroupedQuery) and query.groups is not None:
        yield from (("by", query.groups.column), ("categories", query.groups.categories))
    if isinstance(query, Quantile):
        yield from (("step", query.step), ("alpha", query.alpha))
    if query.where is not None:
        yield "where", _words(query.where)
    yield from ((key, True) for key in ("other", "skip_missing") if getattr(query, key, False))
    if isinstance(query, PersonCounts):
        yield "persons", True
    if named.person:
        yield "person", named.person
    if named.person or named.over != NamedRelease.over:
        yield "over", named.over
    if named.copied:
        yield "copied", True
    for key in _OF_RELEASE:
        held = getattr(release, key)
        if (key in _ALWAYS and not (key == "mechanism" and release.shape.is_selection)) or held != getattr(
            Release, key
        ):
            yield key, held


def _words(condition: Condition) -> tuple[object, ...]:
    return condition.column, condition.comparison, condition.value


def _named(number: int, held: dict[str, Any], neighbours: Neighbours) -> NamedRelease:
    """Return a release as the file says it; the message of a ParameterError has its number and the key."""
    try:
        query = _query(held)
        release = Release(query.shape, **{key: held[key] for key in _OF_RELEASE if key in held})
        release.parts(neighbours)
        return NamedRelease(release, query, **{key: held[key] for key in ("person", "over", "copied") if key in held})
    except ParameterError as error:
        raise ParameterError(f"release {number}: {error}") from error


def _query(held: dict[str, Any]) -> Query:
    asked = [kind for kind in _WITH if kind in held]
    if len(asked) != 1:
        *most, last = tuple(_WITH)
        raise ParameterError(f"one of {', '.join(most)} and {last} must be given")
    (kind,) = asked
    if strange := held.keys() - {kind, *_WITH[kind], *_WITH_ALL}:
        raise ParameterError(f"{shown(min(strange))} does not go with {kind}")

    def given(key: str, what: str) -> Any:
        if key not in held:
            raise ParameterError(f"{key} must be given: {what}")
        return held[key]

    person = name_of("person", held.get("person", ""))
    persons = held.get("persons", False)
    if not isinstance(persons, bool):
        raise ParameterError(f"persons must be true or false, got {shown(persons)}")
    if persons and not person:
        raise ParameterError("person must be given: the column whose persons are counted")
    where = _condition("where", held["where"]) if "where" in held else None
    if kind == "count":
        condition = _condition(kind, held[kind])
        return PersonCount(condition, where, person=person) if persons else Count(condition, where)
    if kind == "count_by":
        columns = held[kind]
        if not isinstance(columns, list) or len(columns) not in (1, 2):
            raise ParameterError(f"{kind} must be a list of one or two columns, got {shown(columns)}")
        names = tuple(name_of(kind, each) for each in columns)
        counts = CountBy(names, given("categories", "a list for each column"), held.get("other", False), where)
        return PersonCountBy(**vars(counts), person=person) if persons else counts
    groups = None
    if "by" in held or "categories" in held:
        by = name_of("by", given("by", "the column whose categories are the groups"))
        groups = Groups(by, given("categories", "a list of the groups"))
    if kind == "share":
        return Share(_condition(kind, held[kind]), where, groups=groups)
    column = name_of(kind, held[kind])
    if kind == "histogram":
        return Histogram(column, given("edges", "rising numbers between the bins"), where)
    bounds = Bounds.of_pair(given("bounds", "the lowest and the highest value that counts"))
    if kind == Quantile.asks.name:
        step, alpha = given("step", "how far candidates are apart"), held.get("alpha", Quantile.alpha)
        return Quantile(column, bounds.lower, bounds.upper, step, alpha, where)
    skips = {key: held[key] for key in ("skip_missing",) if key in held}
    return AMOUNTS[kind](column, bounds.lower, bounds.upper, where, groups=groups, **skips)


def _condition(key: str, held: object) -> Condition:
    if not isinstance(held, list) or len(held) != 3:
        raise ParameterError(f'{key} must be a condition such as ["age", ">=", 18], got {shown(held)}')
    try:
        return Condition(*held)
    except ParameterError as error:
        raise ParameterError(f"{key}: {error}") from error
