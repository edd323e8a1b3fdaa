"""Panels of the built-in data, and their audits, done once where a page and the test that looks at it ask the same."""

import hashlib
import pickle
from dataclasses import dataclass, field
from functools import lru_cache

from par_core.audit import Panel, auditing
from par_core.datasets import census2000, county_murders
from par_core.randomness import seeded

MARKER = "zebra4711"


@dataclass(frozen=True)
class _Held:
    """A panel that is equal to another one with the same content."""

    digest: bytes
    panel: Panel = field(compare=False)


@lru_cache(maxsize=8)
def _audited(held, query):
    return auditing.audit(held.panel, query)


def audit(panel, query, *, progress=None):
    if progress:
        progress(1.0)
    return _audited(_Held(hashlib.sha256(pickle.dumps(panel)).digest(), panel), query)


def census(value="weekly_income", *, databases=60, share=0.02, seed=1):
    """The panel that the page draws of the census."""
    return Panel.from_table(
        census2000().table, value=value, databases=databases, share=share, rng=seeded(seed), individual=None
    )


def murders(value="murders"):
    """The panel of the counties."""
    return Panel.from_long(county_murders().table, database="year", individual="county", value=value)
