"""Every public call and every question with numbers at the ends of what they allow: no truth is known, but what no number may be is."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import fields
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

from benchmarks.cases import SEED
from benchmarks.extreme_values.answers import Answers
from benchmarks.extreme_values.draws import level, share
from par_core import questions
from par_core.errors import ParameterError
from par_core.evidence import Quantity
from par_core.scenario import FIELDS, Scenario
from tests.core import test_hostile_values as hostile

LONG = ("size", "runs", "rows", "permutations")  # of these many take long, and say nothing new


def calls(cases: Answers, number: int) -> None:
    """Every public call with extreme numbers in all of its numeric parameters together."""
    draw = random.Random(SEED)
    for call in hostile.CALLS:
        names = [
            each for each in hostile.hostile_to(call) if type(hostile.argument_or_none(call, each)) in (int, float)
        ]
        for _ in range(max(number // 50, 1) if names else 0):
            values = {
                each: _extreme(draw, hostile.argument_or_none(call, each))
                for each in draw.sample(names, draw.randint(1, len(names)))
            }
            values = {name: value for name, value in values.items() if name not in LONG}
            cases.add((call, values), _trouble, call, values)


def _extreme(draw: random.Random, good: float) -> float:
    if isinstance(good, int):
        return draw.choice((1, 2, 3, 10, 1000, good))
    return draw.choice((level(draw), share(draw), good))


def _trouble(call: str, values: dict[str, Any]) -> str | None:
    function, answer = hostile.asked(call, values)
    numbers = list(hostile.numbers_in(answer))
    if any(map(math.isnan, numbers)) and not hostile.documented(function, answer, r"\bnan\b"):
        return "answers NaN"
    if any(map(math.isinf, numbers)) and not hostile.documented(function, answer, r"infinit|\binf\b"):
        return "answers infinity"
    return None


def every_question(cases: Answers, number: int) -> None:
    """Every question with a scenario, and fields of its own."""
    draw = random.Random(SEED)
    for name in questions.__all__:
        kind = getattr(questions, name)
        if not (isinstance(kind, type) and issubclass(kind, questions.question.Question)):
            continue
        for _ in range(max(number // 25, 1)):
            scenario = _scenario(draw)
            own = _own_fields(draw, kind)
            case = f"{name} {own} {scenario!r}"
            answer = cases.call(case, _answered, kind, scenario, own) or {}
            cases.wrong += [f"{fault}: {case}" for each in answer.items() for fault in _faults(*each)]


def _answered(kind: Any, scenario: Scenario, own: dict[str, Any]) -> dict[str, Quantity]:
    question = kind(scenario, **own)
    answer = question.answer()
    for block in answer.story():
        repr(block)
    return dict(answer.numbers())


def _faults(key: str, quantity: object) -> Iterator[str]:
    """What a number of its kind may not be."""
    if not isinstance(quantity, Quantity):
        return
    for value in np.asarray(quantity.value, dtype=object).ravel().tolist():
        if not isinstance(value, float | int):
            continue
        if isinstance(value, float) and math.isnan(value):
            yield f"{key} is no number"
        elif quantity.kind == "share" and not -1e-12 <= value <= 1 + 1e-12:
            yield f"{key} is a share of {value}"
        elif quantity.kind in ("level", "error") and "loss" not in key and value < 0:
            yield f"{key} is {value}"


def _scenario(draw: random.Random) -> Scenario:
    """A scenario with one to four fields at an end of what they may be, or next to it."""
    while True:
        given = {}
        for each in draw.sample(FIELDS, draw.randint(1, 4)):
            if each.at_least is None or each.at_most is None:
                continue
            low, high = each.at_least, each.at_most
            whole = isinstance(getattr(Scenario(), each.name), int)
            between = math.exp(draw.uniform(0 if whole else math.log(max(low, 1e-15)), math.log(high)))
            given[each.name] = draw.choice((low, high, int(between) if whole else between))
        given["mechanism"] = draw.choice(
            ("laplace", "laplace", "discrete-laplace", "gaussian", "randomised-response", "exponential")
        )
        try:
            return Scenario(**given)
        except ParameterError:
            continue


def _own_fields(draw: random.Random, kind: Any) -> dict[str, Any]:
    """Now and then extreme numbers in the fields of a question itself."""
    hints = get_type_hints(kind)
    found = {}
    for each in fields(kind):
        hint = hints[each.name]
        several = [part for part in get_args(hint) if part is not NoneType]
        hint = several[0] if NoneType in get_args(hint) and len(several) == 1 else hint
        if each.name == "scenario" or draw.random() < 0.6 or each.name in (*LONG, "people"):
            continue
        if hint is float:
            found[each.name] = draw.choice((share(draw), level(draw), math.exp(draw.uniform(-10, 5))))
        elif hint is int:
            found[each.name] = draw.choice((1, 2, 3, 100, 10_000))
        elif get_origin(hint) is Literal:
            found[each.name] = draw.choice(get_args(hint))
    return found
