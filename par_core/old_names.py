"""Old names of public modules, calls, arguments and attributes: they warn, and are gone in the next version."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from operator import attrgetter
from types import ModuleType
from typing import Any, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])


class OldModules(MetaPathFinder, Loader):
    """Finds modules of a package by the names that they had, as notebooks and scripts of the version before import them."""

    def __init__(self, package: str, names: Mapping[str, str]) -> None:
        self._new = {f"{package}.{old}": f"{package}.{new}" for old, new in names.items()}
        self._specs: dict[str, ModuleSpec | None] = {}  # of the new ones, by their names

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:  # noqa: ARG002, D102  # as importlib calls it
        return spec_from_loader(name, self) if name in self._new else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:  # noqa: D102
        _warn(spec.name, self._new[spec.name])
        module = import_module(self._new[spec.name])
        self._specs[module.__name__] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:  # noqa: D102
        module.__spec__ = self._specs[module.__name__]  # importlib has written that of the old name over it


def old_module(old: str, new: str, names: Mapping[str, str]) -> ModuleType:
    """Return what stands for a module whose old name was that of a call too, which an import of it by `OldModules` would hide.

    `names` says which names in it have changed, and into what.
    """

    def found(name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(f"module {old!r} has no attribute {name!r}")
        _warn(old, new)
        return getattr(import_module(new), names.get(name, name))

    module = ModuleType(old)
    vars(module)["__getattr__"] = found
    return module


def by_old_name(module: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a module some of whose public names have changed; `names` says from what to what."""

    def found(name: str) -> object:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        _warn(f"{module}.{name}", names[name])
        return getattr(sys.modules[module], names[name])

    return found


def old_argument(old: str, new: str) -> Callable[[_Function], _Function]:
    """Let a function take one of its arguments by the old name too."""

    def attach(function: _Function) -> _Function:
        @wraps(function)
        def call(*arguments: Any, **named: Any) -> Any:
            if old in named and new not in named:
                _warn(f"the argument {old} of {function.__name__}", new)
                named[new] = named.pop(old)
            return function(*arguments, **named)

        return cast(_Function, call)

    return attach


class OldAttribute(property):
    """An attribute under the name that it had."""


def old_attribute(old: str, new: str) -> OldAttribute:
    """Return what hands on an attribute, a method, or an attribute of an attribute (`a.b`) under its old name."""

    def found(owner: object) -> Any:
        _warn(f"{type(owner).__name__}.{old}", new)
        return attrgetter(new)(owner)

    return OldAttribute(found)


def _warn(old: str, new: str) -> None:
    warnings.warn(f"{old} is now {new}", DeprecationWarning, stacklevel=3)
