"""The ledger as files: a table for a spreadsheet, and one page that needs no network and prints on A4."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as Date  # noqa: N812

from par_core.claims import Verdict


def as_csv(verdicts: Sequence[Verdict], *, version: str) -> str:
    """Return the verdicts as CSV, one row each; `version` is that of the explorer."""
    return ""


def as_html(verdicts: Sequence[Verdict], *, version: str, date: Date) -> str:
    """Return the verdicts as one page of HTML; `version` is that of the explorer."""
    return ""
