"""Which questions of a reviewer the reader has answered: about one release, and about no other one."""

from __future__ import annotations

from collections.abc import Iterable

from pages.shared.settings import Setting
from par_core.decision import KEYS
from par_core.errors import ParameterError

_NONE = "none"


def _read(text: str) -> tuple[str, ...]:
    keys = [] if text == _NONE else text.split(".")
    if unknown := [each for each in keys if each not in KEYS]:
        raise ParameterError(f"Settled duties must be some of {', '.join(KEYS)}, got {unknown[0][:40]!r}")
    return in_order(keys)


def in_order(keys: Iterable[str]) -> tuple[str, ...]:
    """Return these keys in the order of the list, each once."""
    chosen = set(keys)
    return tuple(each for each in KEYS if each in chosen)


TICKED: Setting[tuple[str, ...]] = Setting("wdt", "Settled duties", (), _read, lambda keys: ".".join(keys) or _NONE)
