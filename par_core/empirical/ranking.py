"""The ranking of an audit as a table: who shows most, with or without names."""

from __future__ import annotations

import numpy as np
import pandas as pd

from par_core.empirical.audit import AuditAt, AuditResult


def ranking_table(result: AuditResult, at: AuditAt, *, masked: bool) -> pd.DataFrame:
    """Return one row for each individual, from the most exposed on.

    Parameters
    ----------
    result, at
        Of `audit`, and of its `at` for one epsilon.
    masked : bool
        Whether the names are left out; the order is that of the exposure then, which still tells something to whoever knows
        the order of the data otherwise.
    """
    order = at.ranking
    columns: dict[str, object] = {"rank": np.arange(1, len(order) + 1)}
    if not masked:
        columns["individual"] = result.individuals[order]
    columns |= {
        "delta": at.deltas[order],
        "exposed until epsilon": result.losses[order],
        "databases with records": result.present[order],
    }
    return pd.DataFrame(columns)
