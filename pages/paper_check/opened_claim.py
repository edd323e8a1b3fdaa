"""One claim, opened: what became of it and by which numbers, where it is used, and its refutation with the reader's own."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.paper_check import own_numbers, used_on
from pages.paper_check.own_numbers import CLAIM
from pages.paper_check.verdict_words import badge, compared, falls, formulas, grave_words, headline, numbers
from pages.shared import badges, controls, links, navigation
from pages.shared.chart import chart
from pages.shared.layout import chart_and_controls
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.words import letters
from par_core.claims import CLAIMS, REPRODUCED, REPRODUCED_BY_CONVENTION, Claim, Verdict
from par_core.claims.theorems import falls_with
from par_core.figures import paper_check as figures
from par_core.questions.evidence import checked
from par_core.questions.glossary import explain

_WALK = "_claims_walked"  # the claims that were listed last, in their order


def walk(ids: Sequence[str]) -> None:
    """Note through which claims Previous and Next lead: those that are listed."""
    st.session_state[_WALK] = list(ids)


def draw() -> None:
    found = checked(CLAIM.value())
    _ways(found)
    if own_numbers.own_of(found.claim.id) is None:
        with st.container(key="section"), st.container(key="picture"):
            _picture(found, found)
    else:
        main, side = chart_and_controls()
        with side:
            there = own_numbers.draw(found)
        with main:
            _picture(found, there)
    if not PRESENT.value():
        _details(found)


def _picture(found: Verdict, shown: Verdict) -> None:
    """Say what became of the claim, and draw its numbers: those of the ledger, or those at the reader's own parameters."""
    st.markdown(headline(found), help=badges.legend())
    st.markdown(f"{formulas(found.claim.statement)} {badge(found)}")
    if drawing := figures.claim_numbers(shown):
        chart(drawing, "claim_numbers", alt=_alt(shown))
        if shown.case and (shown.case != found.case or PRESENT.value()):
            st.caption(f"Drawn for {formulas(shown.case)}.")
    else:
        st.info(f"There is no number to draw: {formulas(found.reason)}.")


def _alt(verdict: Verdict) -> str:
    return f"{verdict.claim.source}. {verdict.claim.statement} {verdict.reason}."


def _ways(found: Verdict) -> None:
    """Draw the ways to the list, to the claims beside this one, and to the page that the reader came from."""
    listed = st.session_state.get(_WALK, ())
    order = listed if found.claim.id in listed else [each.id for each in CLAIMS]
    at = order.index(found.claim.id)
    with st.container(horizontal=True, vertical_alignment="center", key="claim_ways"):
        controls.button("All claims", CLAIM.put, "")
        for label, beside in (("Previous", at - 1), ("Next", at + 1)):
            inside = 0 <= beside < len(order)
            there = order[beside] if inside else ""
            key = f"claim_{label.lower()}"  # a talk has buttons of these names too
            st.button(label, on_click=CLAIM.put, args=(there,), disabled=not inside, key=key)
        st.caption(f"{at + 1} of {len(order)}", width="content")
        if (came := links.before()) is not None:
            info = navigation.PageInfo(came)
            st.page_link(navigation.entry(came), label=f":primary[← Back to {info.title}]", width="content")


def _details(found: Verdict) -> None:
    """Draw how the claim was checked, a line for each thing that there is to say."""
    claim = found.claim
    rows = {"What decided": compared(found)}
    if found.refuted:
        rows["How grave"] = grave_words(found)
    elif with_these := falls(falls_with(claim.id, checked)):
        rows["What it rests on"] = f"{with_these}, as the map shows."
    rows["Why"] = formulas(claim.explanation)
    rows["Counterexample" if found.refuted else "Case"] = formulas(found.case)
    rows["Convention"] = formulas(found.convention)
    rows["Computed by"] = ", ".join(f"`{each}`" for each in claim.rests_on)
    rows["Numbers"] = " · ".join(
        f"{name} {numbers(value)}"
        for name, value in (("published", found.published), ("recomputed", found.recomputed), ("exact", found.exact))
        if value is not None
    )
    rows["Source"] = letters(f"{claim.source}, under “{claim.section}”") + f"; in the ledger `{claim.id}`"
    if found.verdict in (REPRODUCED, REPRODUCED_BY_CONVENTION):
        rows["Badge elsewhere"] = f"{badges.badge('Unproven')} {explain('reproduced_only')}"
    st.markdown("\n\n".join(f"**{name}:** {words}" for name, words in rows.items() if words))
    _used(claim)


def _used(claim: Claim) -> None:
    places = used_on.places(claim)
    if not places:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="claim_used"):
        st.markdown("**Used on:**", width="content")
        for module, address, words in places:
            entry = navigation.entry(module)
            st.page_link(entry, label=f":primary[{words}]", query_params=dict(address), width="content")
