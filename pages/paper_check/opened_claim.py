"""One claim, opened: the ways to it and from it, the dials for the reader's own numbers, and where it is used."""

from collections.abc import Sequence

import streamlit as st

from pages.paper_check import used_on
from pages.paper_check.own_numbers import CLAIM, OWN, setting_of
from pages.shared import controls, links, navigation
from pages.shared.dial import dial
from pages.shared.page import Section
from par_core.claims import CLAIMS
from par_core.claims.dials import steps
from par_core.questions.glossary import explain
from par_core.questions.paper_check.opened_claim import OpenedClaim, OpenedClaimAnswer

_WALK = "_claims_walked"  # the claims that were listed last, in their order


def ask(claim: str) -> OpenedClaim:
    asked = OpenedClaim(claim=claim, own=OWN.value())
    if asked.dials_of_claim:
        st.markdown("**Refute it with your own numbers**", help=explain("own_numbers"))
    for place, each in enumerate(asked.dials_of_claim):
        dial(setting_of(claim, place, each), hint=explain("own_dial"), steps=steps(each))
    return asked


def walk(ids: Sequence[str]) -> None:
    """Note through which claims Previous and Next lead: those that are listed."""
    st.session_state[_WALK] = list(ids)


def choose() -> str:
    """Return which claim is open; draw the ways to the list, to the claims beside it, and to the page that the reader came from."""
    claim = CLAIM.value()
    if not claim:
        return ""
    listed = st.session_state.get(_WALK, ())
    order = listed if claim in listed else [each.id for each in CLAIMS]
    at = order.index(claim)
    with st.container(key="presented"), st.container(horizontal=True, vertical_alignment="center", key="claim_ways"):
        controls.button("All claims", CLAIM.put, "")
        for label, beside in (("Previous", at - 1), ("Next", at + 1)):
            there = order[beside] if 0 <= beside < len(order) else ""
            key = f"claim_{label.lower()}"  # a talk has buttons of these names too
            st.button(label, on_click=CLAIM.put, args=(there,), disabled=not there, key=key)
        st.caption(f"{at + 1} of {len(order)}", width="content")
        if (came := links.before()) is not None:
            back = f":primary[← Back to {navigation.PageInfo(came).title}]"
            st.page_link(navigation.entry(came), label=back, width="content")
    return claim


def draw_citation(_: Section, answer: OpenedClaimAnswer) -> None:
    """Draw how to cite the claim, to be copied with one click."""
    st.code(answer.citation, language=None, wrap_lines=True)


def draw_used(_: Section, answer: OpenedClaimAnswer) -> None:
    """Draw where the claim is used."""
    if not (places := used_on.places(answer.found.claim)):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="claim_used"):
        st.markdown("**Used on:**", width="content")
        for module, address, words in places:
            label = f":primary[{words}]"
            st.page_link(navigation.entry(module), label=label, query_params=dict(address), width="content")
