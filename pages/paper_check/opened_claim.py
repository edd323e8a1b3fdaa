"""One claim, opened: the ways to it and from it, the dials for the reader's own numbers, and where it is used."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.paper_check import used_on
from pages.shared import controls, links, navigation, setting_parts, settings
from pages.shared.dial import dial
from pages.shared.page import Section
from pages.shared.settings import Setting
from par_core.claims import CLAIMS
from par_core.claims.catalogue import Dial
from par_core.claims.dials import steps
from par_core.errors import ParameterError
from par_core.questions.glossary import explain
from par_core.questions.paper_check.opened_claim import OpenedClaim, OpenedClaimAnswer
from par_core.scenario import exact_text, is_decimal

_WALK = "_claims_walked"  # the claims that were listed last, in their order
_BETWEEN = "_"
Values = tuple[float, ...]
CLAIM = Setting("claim", "Claim", "", lambda text: text and OpenedClaim(claim=text).claim, str)
"""The id of the claim that is open; empty for the list."""


def _read(claim: str, text: str) -> Values:
    parts = text.split(_BETWEEN) if text else []
    if parts and not (claim and all(map(is_decimal, parts))):
        raise ParameterError(f"Your own numbers must be those of the dials of the open claim, got {text[:40]!r}")
    return OpenedClaim(claim=claim, own=tuple(map(float, parts))).own if parts else ()


def _write(values: Values) -> str:
    return _BETWEEN.join(map(exact_text, values))


OWN: Setting[Values] = setting_parts.belonging(CLAIM, "own", "Your own numbers", (), read=_read, write=_write)
"""Where the dials of the open claim stand; empty for where the catalogue looks."""


def ask(claim: str) -> OpenedClaim:
    asked = OpenedClaim(claim=claim, own=OWN.value())
    if asked.dials_of_claim:
        st.markdown("**Refute it with your own numbers**", help=explain("own_numbers"))
    for place, each in enumerate(asked.dials_of_claim):
        dial(_part(claim, place, each), hint=explain("own_dial"), steps=steps(each))
    return asked


def _part(claim: str, place: int, of: Dial) -> Setting[Any]:
    """Return the setting of one of the dials of a claim: a part of `OWN`, which holds them all."""
    make: Any = settings.whole if of.whole else settings.number
    like = make(f"own{place + 1}", of.label, of.default, at_least=of.at_least, at_most=of.at_most)

    def filled(own: Values) -> Values:
        return OpenedClaim(claim=claim, own=own).values

    return setting_parts.part(like, OWN, place, held=f"own_{claim}_{place}", filled=filled)


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
