"""Plain values as YAML that every reader of it takes for the same: texts stand in quotes, so that none is a number, a tag or a key."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from par_core.errors import ParameterError

Value: TypeAlias = "str | bool | int | float | Sequence[str] | Mapping[str, Value]"

# YAML 1.1 takes yes, no, on and off, and null and true in both, for other things than their names.
_KEY = re.compile(r"(?!(y|n|yes|no|on|off|true|false|null)$)[a-z][a-z0-9_]*")
# What YAML does not take as it stands, or takes for the end of a line; JSON alone would let it through.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


def block_yaml(values: Mapping[str, Value]) -> str:
    """Return values by their names as YAML 1.2 that parsers of 1.1 read alike; ParameterError for what it cannot hold.

    >>> print(block_yaml({"name": "no: !!tag", "delta": 1e-05, "authors": ["A"], "model": {"many": True}}), end="")
    name: "no: !!tag"
    delta: 1.0e-05
    authors:
      - "A"
    model:
      many: true
    """
    return "\n".join(_lines(values, "")) + "\n"


def _lines(values: Mapping[str, Value], indent: str) -> Iterator[str]:
    for key, value in values.items():
        if not _KEY.fullmatch(key):
            raise ParameterError(f"a key must be small letters, digits and _, and no word of YAML, got {key[:40]!r}")
        if isinstance(value, Mapping):
            yield f"{indent}{key}:"
            yield from _lines(value, f"{indent}  ")
        elif isinstance(value, str | bool | int | float):
            yield f"{indent}{key}: {_scalar(value)}"
        else:
            yield f"{indent}{key}:"
            yield from (f"{indent}  - {_scalar(each)}" for each in value)


def _scalar(value: str | bool | int | float) -> str:
    if isinstance(value, str):
        return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))
    if isinstance(value, bool | int):
        return json.dumps(value)
    if not math.isfinite(value):
        raise ParameterError(f"a number must be finite, got {value}")
    lead, sign, exponent = repr(float(value)).partition("e")
    # A parser of YAML 1.1 takes 1e-05 for a text: it wants a point.
    return f"{lead}{'' if '.' in lead else '.0'}{sign}{exponent}"
