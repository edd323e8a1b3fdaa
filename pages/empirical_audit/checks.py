"""What speaks against an audit: databases that are not independent, individuals that are not comparable."""

from __future__ import annotations

import streamlit as st

from pages.shared import badges
from pages.shared.words import letters
from par_core.audit.auditing import AuditResult
from par_core.audit.checks import Checks


def warn(result: AuditResult) -> None:
    """Warn above the result of what speaks against it, unless the databases were drawn at random: see `note_chance`."""
    if result.by_construction:
        return
    if result.independent.failed:
        st.warning(
            f"**Do not rely on this audit: its databases are not independent.** {letters(result.independent.words)} The numbers below "
            "treat them as independent draws."
        )
    if result.comparable.failed:
        st.warning(f"**The individuals differ in when they are there.** {letters(result.comparable.words)}")


def note_chance(result: AuditResult) -> None:
    """Note below the result which check fails where the databases were drawn at random: that is chance."""
    found = [each.words for each in (result.independent, result.comparable) if each.failed]
    if found and result.by_construction:
        st.caption(letters(f"A check fails by chance now and then, as here: {' '.join(found)}"))


def table(checks: Checks) -> None:
    """Draw what each check found."""
    st.markdown(f"### {checks.question}")
    st.markdown(f"{letters(checks.words)} {badges.of(checks)}")
    st.table(
        {
            "Check": [each.name for each in checks.checks],
            "By chance": [
                "cannot be tested" if each.p_value is None else f"{each.p_value:.2g}" for each in checks.checks
            ],
            "Fails": ["yes" if each.failed else "no" for each in checks.checks],
            "Found": [letters(each.words) for each in checks.checks],
        },
        hide_index=True,
        alt=f"Checks: {checks.question}",
    )
    st.caption(
        f"By chance: how often independent databases would show at least as much. All checks together fail by chance in at most "
        f"{100 * checks.level:g} of 100 audits. {checks.limits}"
    )
