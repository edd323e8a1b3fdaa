"""A question from names and texts: what a command line or a file holds of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from par_core import questions
from par_core.errors import ParameterError
from par_core.parameters import check_choice
from par_core.questions.question import Question
from par_core.scenario import FIELDS, Scenario, is_decimal, parsed


def question_of(name: str, given: Mapping[str, str]) -> Question:
    """Return a question by its name, with texts for its fields and for those of its scenario; lists have commas, their rows `_`.

    A field of the scenario that the question has too is named with `scenario_` before it.

    >>> question_of("RiskByDimension", {"epsilon": "0.2", "ks": "1,5", "epsilon0": "1"})
    RiskByDimension(scenario=Scenario(epsilon0=1.0), epsilon=0.2, ks=(1, 5))
    """
    asked = questions.OLD_NAMES.get(name, name)
    if asked not in questions.__all__:
        raise ParameterError(f"question must be one of those that `par show` lists, got {name[:40]!r}")
    kind: type[Question] = getattr(questions, asked)
    of_scenario = {field.name: field for field in FIELDS}
    hints = get_type_hints(kind)
    own = [each.name for each in fields(kind) if each.name != "scenario"]
    scenario, values = {}, {}
    for field, text in given.items():
        if field in own:
            values[field] = _value(field, text, hints[field])
        elif (name_there := field.removeprefix("scenario_")) in of_scenario:
            scenario[name_there] = parsed(of_scenario[name_there], text)
        else:
            raise ParameterError(f"{name} has no field {field[:40]!r}: it has {', '.join([*own, *of_scenario])}")
    return kind(Scenario(**scenario), **values)


def _value(name: str, text: str, hint: Any) -> Any:
    if get_origin(hint) is UnionType:
        hint, *others = (each for each in get_args(hint) if each is not NoneType)
        hint = hint if not others else object  # one of several kinds
    if get_origin(hint) is Literal:
        return check_choice(name, text, get_args(hint))
    if get_origin(hint) is tuple:
        inner, _ = get_args(hint)
        parts = [each.strip() for each in text.split(",") if each.strip()]
        if get_origin(inner) is tuple:
            parts = [each.replace("_", ",") for each in parts]
        return tuple(_value(name, each, inner) for each in parts)
    if hint is bool:
        return check_choice(name, text, ("yes", "no")) == "yes"
    if hint in (int, float) and not (is_decimal(text) and float(text) == hint(float(text))):
        raise ParameterError(f"{name} must be a {'whole ' * (hint is int)}number, got {text[:40]!r}")
    if hint not in (int, float, str):
        raise ParameterError(f"{name} is a question of its own, which no text says")
    return hint(float(text)) if hint is int else hint(text)
