"""What `dir()` of a package shows: its public names, and none of what it is made with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType


def listed(names: Sequence[str]) -> Callable[[], list[str]]:
    """Return the `__dir__` of a package with these public names."""
    return lambda: sorted(names)


def modules(package: str, names: Sequence[str]) -> Callable[[str], ModuleType]:
    """Return the `__getattr__` of a package whose public names are modules: each is loaded when it is asked for."""

    def found(name: str) -> ModuleType:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return import_module(f"{package}.{name}")

    return found
