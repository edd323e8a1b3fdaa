"""A figure at the stops of a dial, packed small: the browser draws them while the thumb moves."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from par_core.figures.drawing import Drawing

Words = dict[str, list[list[str]]]
"""By the place where they stand, the sentences that go with a figure, each in pieces."""

_ONLY_AT_REST = ("customdata", "hovertemplate", "meta")  # what nobody sees of a curve that moves


def packed_frames(drawn: Iterable[tuple[float, Drawing, Words]]) -> str:
    """Return figures with their stops and words as base 64 of zlib: each as its differences from the first one.

    Unpacked there are four bytes that hold the length of a JSON text, the text, and the bytes of all arrays of numbers: floats of
    four bytes, the first bytes of all of them, then the second ones and so on.
    """
    kept: list[dict[str, Any]] = []
    arrays: dict[bytes, int] = {}
    first: dict[str, Any] | None = None
    for stop, drawing, words in drawn:
        light = _light({"data": drawing.data, "layout": drawing.layout}, arrays)
        if first is None:
            first = light
        kept.append({"at": stop, "changes": [*_changes(first, light, ())], "words": words})
    lengths = [len(each) // 4 for each in arrays]
    head = json.dumps({"first": first, "frames": kept, "lengths": lengths}, separators=(",", ":"), ensure_ascii=False)
    # Bytes of one place are alike, and so take little room.
    numbers = np.frombuffer(b"".join(arrays), dtype=np.uint8).reshape(-1, 4).T.tobytes()
    text = head.encode()
    return base64.b64encode(zlib.compress(len(text).to_bytes(4, "little") + text + numbers, 6)).decode()


def _light(part: Any, arrays: dict[bytes, int]) -> Any:
    """Return a figure without what is of use only while it is at rest, its arrays by their place in `arrays`."""
    if isinstance(part, dict):
        return {key: _light(value, arrays) for key, value in part.items() if key not in _ONLY_AT_REST}
    if isinstance(part, np.ndarray) and part.dtype.kind in "iuf" and part.ndim == 1:
        return {"array": arrays.setdefault(_short(part), len(arrays))}
    if isinstance(part, list | tuple):
        return [_light(each, arrays) for each in part]
    return part.tolist() if isinstance(part, np.ndarray | np.generic) else part


def _short(array: NDArray[Any]) -> bytes:
    """Return the numbers of an array in four bytes each, of which the last is empty: more than a screen can show."""
    return (array.astype("<f4").view("<u4") & 0xFFFFF800).tobytes()


def _changes(first: Any, other: Any, path: tuple[str | int, ...]) -> Iterator[tuple[Sequence[str | int], Any]]:
    """Yield where a figure differs from the first one, and what stands there; None for what is not there."""
    if first == other:
        return
    if isinstance(first, Mapping) and isinstance(other, Mapping):
        for key in {**first, **other}:
            yield from _changes(first.get(key), other.get(key), (*path, key))
    elif isinstance(first, list) and isinstance(other, list) and len(first) == len(other):
        for at, (one, another) in enumerate(zip(first, other, strict=True)):
            yield from _changes(one, another, (*path, at))
    else:
        yield path, other
