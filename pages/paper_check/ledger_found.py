"""What was found of the whole ledger: recomputed once for all readers, beside the page and with progress; and again on demand."""

from __future__ import annotations

import platform
import time
from dataclasses import dataclass
from importlib.metadata import version

import streamlit as st

from pages.shared import app_version, jobs
from par_core.claims import CLAIMS, Verdict, check_all
from par_core.progress import Progress

_KNOWN: list[tuple[Verdict, ...]] = []  # at most one
_PRESSED = "_ledger_again"  # how often the reader has asked for it


@dataclass(frozen=True)
class _Again:
    verdicts: tuple[Verdict, ...]
    seconds: float


def found() -> tuple[Verdict, ...] | None:
    """Return the verdict of every claim, in the order of the papers; None as long as progress is drawn in its place."""
    return _KNOWN[0] if _KNOWN else jobs.run("ledger", known, inputs="ledger", label=f"Checking {len(CLAIMS)} claims")


def known(*, progress: Progress | None = None) -> tuple[Verdict, ...]:
    """Return the same where nothing can be drawn; computed once for all readers."""
    if not _KNOWN:
        _KNOWN.append(check_all(progress=progress))
    return _KNOWN[0]


def draw_again(before: tuple[Verdict, ...]) -> None:
    """Draw the button that checks the whole ledger anew, and whether all came out as `before`."""
    hint = "Recomputes every claim on this server, now. It takes seconds."
    st.button("Check all again", on_click=_ask, help=hint)
    if not (pressed := st.session_state.get(_PRESSED, 0)):
        return
    again = jobs.run("ledger_again", _again, inputs=pressed, label=f"Checking {len(CLAIMS)} claims again")
    if again is None:
        return
    pairs = zip(before, again.verdicts, strict=True)
    other = [new.claim.id for old, new in pairs if old.verdict != new.verdict]
    came = f"{len(other)} verdicts changed: {', '.join(other)}" if other else f"All {len(before)} verdicts as before"
    with_these = ", ".join(f"{name} {version(name.lower())}" for name in ("NumPy", "SciPy"))
    (st.error if other else st.success)(
        f"{came}, after {again.seconds:.1f} seconds, with Privacy at Risk explorer {app_version.text()}, "
        f"Python {platform.python_version()}, {with_these}."
    )


def _ask() -> None:
    st.session_state[_PRESSED] = st.session_state.get(_PRESSED, 0) + 1


def _again(*, progress: Progress) -> _Again:
    start = time.perf_counter()
    verdicts = check_all(progress=progress)
    return _Again(verdicts, time.perf_counter() - start)
