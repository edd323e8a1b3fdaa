"""Results of any kind as names of numbers and texts, so that two runs can be compared."""

import dataclasses
import enum
import math
import types

import numpy as np
import pandas as pd

from par_core.evidence import Evidence
from par_core.old_names import OldAttribute

TOLERANCE = 1e-12
# Sentences and names, which may be written anew; the last one is an old name.
WORDS = frozenset({"source", "exact_source", "limits", "claim", "counted_by", "standing"})
_MOST = 12  # numbers of an array that are kept, beside how many they are and their sum


def thinned(numbers, most):
    """At most so many evenly chosen numbers of an array, how many there are, and the sum of the finite ones."""
    flat = np.asarray(numbers, dtype=float).ravel()
    if len(flat) <= most:
        return flat.tolist()
    kept = flat[np.linspace(0, len(flat) - 1, most).round().astype(int)]
    return [*kept.tolist(), len(flat), math.fsum(flat[np.isfinite(flat)])]


def flat(answer, name="", deep=5):
    """Every number and text of an answer under its path: public fields and properties of records, parts of lists."""
    match answer:
        case enum.Enum():
            return {name: answer.name}
        case Evidence():
            return {f"{name}.basis".strip("."): answer.basis.name}
        case bool() | str() | None:
            return {name: answer}
        case int() | float() | np.number() | np.bool_():
            return {name: float(answer)}
        case np.ndarray() | pd.Index() | pd.Series():
            values = np.asarray(answer)
            if values.dtype.kind in "fiub":
                return {name: thinned(values, _MOST)}
            return {name: [str(each) for each in values.ravel()[:_MOST]]}
        case pd.DataFrame():
            parts = {str(column): answer[column] for column in answer.columns}
        case dict() | types.MappingProxyType():
            parts = {str(key): value for key, value in answer.items()}
        case tuple() | list():
            if answer and all(isinstance(each, int | float | np.number) for each in answer):
                return {name: thinned(answer, _MOST)}
            parts = dict(enumerate(answer))
        case Exception():  # what is reachable instead, not the words
            parts = {"error": type(answer).__name__, "best": getattr(answer, "best", None)}
        case _ if type(answer).__module__.startswith("par_core") and deep:
            parts = _public(answer)
        case _ if callable(answer):
            return {}
        case _:
            parts = {"": str(answer)}
    return {
        path: each
        for part, value in parts.items()
        for path, each in flat(value, f"{name}.{part}".strip("."), deep - 1).items()
    }


def _public(record):
    fields = [each.name for each in dataclasses.fields(record)] if dataclasses.is_dataclass(record) else []
    properties = [name for name in dir(type(record)) if hasattr(getattr(type(record), name), "__get__")]
    found = {}
    if isinstance(getattr(type(record), "evidence", None), Evidence):
        properties.append("evidence")
    for name in dict.fromkeys([*fields, *properties]):
        is_old = isinstance(getattr(type(record), name, None), OldAttribute)
        if not name.startswith("_") and name not in WORDS and not is_old:
            try:
                found[name] = getattr(record, name)
            except ValueError as error:
                found[name] = error
    return {name: value for name, value in found.items() if not callable(value) or dataclasses.is_dataclass(value)}


def differences(found, recorded, tolerance_at=lambda path: TOLERANCE):  # noqa: ARG005  # the same at every path
    """One sentence for each path whose value is another one than recorded."""
    for path in sorted({*found, *recorded}):
        if path not in found or path not in recorded:
            yield f"{path}: {'no longer there' if path in recorded else 'not recorded'}"
        elif not _same(found[path], recorded[path], tolerance_at(path)):
            yield f"{path}: {found[path]!r}, recorded {recorded[path]!r}"


def _same(one, other, tolerance):
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(_same(a, b, tolerance) for a, b in zip(one, other, strict=True))
    if isinstance(one, float | int) and isinstance(other, float | int) and not isinstance(one, bool):
        if math.isnan(one) or math.isinf(one) or math.isnan(other):
            return one == other or (math.isnan(one) and math.isnan(other))
        return abs(one - other) <= tolerance * max(1.0, abs(other))
    return one == other
