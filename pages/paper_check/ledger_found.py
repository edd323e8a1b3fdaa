"""What was found of the whole ledger: recomputed once for all readers, beside the page and with progress; and again on demand."""

from __future__ import annotations

import platform
import time
from importlib.metadata import version
from typing import Any, NamedTuple

import streamlit as st

from pages.shared import app_version, jobs
from par_core.claims import CLAIMS, Verdict, check_all
from par_core.claims.gravity import Gravity, gravity
from par_core.progress import Progress

_KNOWN: list[tuple[Verdict, ...]] = []  # at most one
_GRAVE: dict[str, tuple[Verdict, Gravity | None]] = {}  # by the id of the claim
_PRESSED = "_ledger_again"  # how often the reader has asked for it


class _Checked(NamedTuple):
    """What was found, with the ids of the claims: these hold functions, which come from no other process."""

    found: tuple[dict[str, Any], ...]
    seconds: float

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        claims = {claim.id: claim for claim in CLAIMS}
        return tuple(Verdict(**{**each, "claim": claims[each["claim"]]}) for each in self.found)


def found() -> tuple[Verdict, ...] | None:
    """Return the verdict of every claim, in the order of the papers; None as long as progress is drawn in its place."""
    if not _KNOWN:
        fresh = jobs.run("ledger", _check, inputs="ledger", label=f"Checking {len(CLAIMS)} claims", apart=True)
        if fresh is None:
            return None
        _KNOWN[:] = [fresh.verdicts]
    return _KNOWN[0]


def known() -> tuple[Verdict, ...]:
    """Return the same where nothing can be drawn; computed once for all readers."""
    if not _KNOWN:
        _KNOWN[:] = [check_all()]
    return _KNOWN[0]


def grave(verdict: Verdict) -> Gravity | None:
    """Return `gravity`, which a list of all claims asks for at every change, computed once for each."""
    kept = _GRAVE.get(verdict.claim.id)
    if kept is None or kept[0] is not verdict:
        kept = _GRAVE[verdict.claim.id] = verdict, gravity(verdict)
    return kept[1]


def draw_again(before: tuple[Verdict, ...]) -> None:
    """Draw the button that checks the whole ledger anew, and whether all came out as `before`."""
    hint = "Recomputes every claim on this server, now. It takes seconds."
    st.button("Check all again", on_click=_ask, help=hint)
    if not (pressed := st.session_state.get(_PRESSED, 0)):
        return
    label = f"Checking {len(CLAIMS)} claims again"
    again = jobs.run("ledger_again", _check, inputs=pressed, label=label, apart=True)
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


def _check(*, progress: Progress) -> _Checked:
    start = time.perf_counter()
    found = tuple({**vars(each), "claim": each.claim.id} for each in check_all(progress=progress))
    return _Checked(found, time.perf_counter() - start)
