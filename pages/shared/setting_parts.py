"""Settings that hang on others: one whose value belongs to that of another, and one that is a part of another's value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from pages.shared.settings import Setting, Value


@dataclass(frozen=True, eq=False)
class _Belonging(Setting[Value]):
    """It is held beside the value of its owner; beside another one it stands at its default."""

    owner: Setting[Any] | None = None

    def value(self) -> Value:
        assert self.owner
        held: Any = super().value()
        return cast(Value, held[1]) if held[:1] == (self.owner.value(),) else self.default

    def put(self, value: Value) -> None:
        assert self.owner
        super().put(cast(Value, (self.owner.value(), value)))


def belonging(
    owner: Setting[Any],
    key: str,
    label: str,
    default: Value,
    *,
    read: Callable[[Any, str], Value],
    write: Callable[[Value], str],
) -> Setting[Value]:
    """Return a setting of tuples that belong to the value of another one, its owner, which a link names first; `read` is told it."""
    return _Belonging(key, label, default, lambda text: read(owner.value(), text), write, owner=owner)


@dataclass(frozen=True, eq=False)
class _Part(Setting[Any]):
    parts: Setting[tuple[float, ...]] | None = None
    filled: Callable[[tuple[float, ...]], tuple[float, ...]] = tuple
    place: int = 0

    def value(self) -> Any:
        assert self.parts
        return self.filled(self.parts.value())[self.place]

    def put(self, value: Any) -> None:
        assert self.parts
        at = self.place
        self.parts.change(lambda held: (*self.filled(held)[:at], value, *self.filled(held)[at + 1 :]))


def part(
    like: Setting[Any],
    of: Setting[tuple[float, ...]],
    place: int,
    *,
    held: str,
    filled: Callable[[tuple[float, ...]], tuple[float, ...]],
) -> Setting[Any]:
    """Return a setting `like` another for the number at one place of a setting `of` several; what that lacks is `filled` in."""
    return _Part(**{**vars(like), "own_key": held}, parts=of, place=place, filled=filled)
