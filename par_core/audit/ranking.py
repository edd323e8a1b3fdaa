"""The ranking of an audit as a table: who shows most, with or without names."""

from __future__ import annotations

import numpy as np
import pandas as pd

from par_core.audit.auditing import AuditAt, AuditResult
from par_core.parameters import check_type


def ranking_table(result: AuditResult, at: AuditAt, *, masked: bool) -> pd.DataFrame:
    """Return one row for each individual, from the most exposed on, of `audit` and of its `at` for one epsilon.

    If `masked`, the names are left out, and with them in how many databases each one is: of individuals who show alike, the
    rows are alike then, and their order tells nothing.
    """
    check_type("result", result, AuditResult)
    order = check_type("at", at, AuditAt).ranking
    columns: dict[str, object] = {"rank": np.arange(1, len(order) + 1)}
    if not check_type("masked", masked, bool):
        columns["individual"] = result.individuals[order]
    columns |= {"delta": at.deltas[order], "exposed until epsilon": result.losses[order]}
    if not masked:
        columns["databases with records"] = result.present[order]
    return pd.DataFrame(columns)
