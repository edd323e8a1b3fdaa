"""What brings pandas, or takes most of a second to load: imported when a claim first asks for it, not with the catalogue."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pandas
    from scipy import stats as stats

    from par_core import audit as audit
    from par_core import datasets as datasets
    from par_core import regression as regression
    from par_core import release as release
    from par_core import sampling as sampling
    from par_core.audit import classical as classical
    from par_core.audit import drawn_densities as drawn_densities
    from par_core.audit import noise as noise
    from par_core.audit import queries as queries

_PACKAGES = {
    "par_core": "audit datasets regression release sampling",
    "par_core.audit": "classical drawn_densities noise queries",
    "scipy": "stats",
}
_PATHS = {name: f"{package}.{name}" for package, names in _PACKAGES.items() for name in names.split()}
_PATHS["pandas"] = "pandas"


def __getattr__(name: str) -> ModuleType:
    if name not in _PATHS:
        raise AttributeError(name)
    return import_module(_PATHS[name])
