"""Reading a file of settings that is written as TOML."""

from __future__ import annotations

import tomllib
from typing import Any

from par_core.errors import DataError, ParameterError
from par_core.parameters import shown


def parsed(text: str | bytes, *, kind: str) -> dict[str, Any]:
    """Return what a file holds; DataError for what is no TOML. `kind` is what the file should be, such as "plan file"."""
    if not isinstance(text, str | bytes):
        raise ParameterError(f"text must be that of a file, got {shown(text)}")
    try:
        return tomllib.loads((text.encode() if isinstance(text, str) else text).decode("utf-8-sig"))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"this is no {kind}, because it is not TOML: {error}") from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"this is no {kind}: it is not TOML") from error


def check_format(held: dict[str, Any], newest: int, *, kind: str) -> None:
    """Take the format out of what a file holds; DataError where it has none, or one that is newer than the newest known."""
    made_by = held.pop("format", None)
    if type(made_by) is not int or made_by < 1:
        raise DataError(f"this is no {kind}: format must be {newest}, got {shown(made_by)}")
    if made_by > newest:
        raise DataError(f"format must be at most {newest}, got {shown(made_by)}: a newer version wrote this file")
