"""pandas, loaded when something of it is first used: it takes longer than most of what is computed without a table."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
else:

    class _Later(ModuleType):
        def __getattr__(self, name: str) -> Any:
            return getattr(import_module("pandas"), name)

    pd = _Later("pandas")

__all__ = ["pd"]
