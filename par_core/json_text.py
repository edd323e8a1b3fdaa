"""Reading a file of settings, or a line of one, that is written as JSON."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from par_core.errors import DataError
from par_core.parameters import shown


def parsed(text: str | bytes, *, kind: str) -> Any:
    """Return what a text holds; DataError for what is no JSON, and for a key that an object has more than once.

    Of such a key two readers may take different values. `kind` is what the text should be, such as "scenario file".
    """
    try:
        return json.loads(text, object_pairs_hook=_once_each)
    except DataError:
        raise
    except (ValueError, RecursionError) as error:
        raise DataError(f"this is no {kind}: it is not JSON") from error


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    held = dict(pairs)
    if len(held) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise DataError(f"{shown(twice)} stands there more than once")
    return held
