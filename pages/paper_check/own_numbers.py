"""The refutation of a claim with the reader's own numbers: a dial or two, and what becomes of the claim there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.paper_check.verdict_words import compared
from pages.shared import controls, settings
from pages.shared.dial import dial
from pages.shared.settings import Setting
from par_core.claims import CLAIMS, Verdict
from par_core.claims.dials import steps
from par_core.claims.ledger import Dial, Own, decide_at
from par_core.errors import ParameterError
from par_core.parameters import one, one_whole
from par_core.questions.glossary import explain
from par_core.scenario import is_decimal, written

_BY_ID = {each.id: each for each in CLAIMS}
_BETWEEN = "_"

Values = tuple[float, ...]


def _known(text: str) -> str:
    if text and text not in _BY_ID:
        raise ParameterError(f"Claim must be the id of one in the ledger, got {text[:40]!r}")
    return text


CLAIM = Setting("claim", "Claim", "", _known, str)
"""The id of the claim that is open; empty for the list."""


def own_of(claim: str) -> Own | None:
    """Return what a claim can be refuted with, if it can."""
    return _BY_ID[claim].own if claim in _BY_ID else None


def _read(text: str) -> tuple[str, Values]:
    if not text:
        return "", ()
    claim, parts = CLAIM.value(), text.split(_BETWEEN)  # a link names the claim first
    own = own_of(claim)
    if own is None or len(parts) != len(own.dials) or not all(map(is_decimal, parts)):
        raise ParameterError(f"Your own numbers must be those of the dials of the open claim, got {text[:40]!r}")
    return claim, tuple(_checked(each, float(part)) for each, part in zip(own.dials, parts, strict=True))


def _checked(of: Dial, value: float) -> float:
    if of.whole:
        return one_whole(of.label, value, at_least=int(of.at_least), at_most=int(of.at_most))
    return one(of.label, value, at_least=of.at_least, at_most=of.at_most)


class _Own(Setting[tuple[str, Values]]):
    """Numbers belong to their claim: for another one they are none."""

    def value(self) -> tuple[str, Values]:
        held = super().value()
        return held if held[0] == CLAIM.value() else self.default


OWN = _Own("own", "Your own numbers", ("", ()), _read, lambda held: _BETWEEN.join(map(written, held[1])))
"""The claim whose dials were turned, and where they stand."""


def values_of(claim: str) -> Values:
    """Return where the dials of a claim stand; at first where the ledger looks."""
    of, values = OWN.value()
    own = own_of(claim)
    return values if of == claim else tuple(each.default for each in own.dials) if own else ()


@dataclass(frozen=True, eq=False)
class _Part(Setting[float]):
    """One of the dials of the open claim: a part of `OWN`, which holds them all."""

    place: int = 0

    def value(self) -> float:
        return values_of(CLAIM.value())[self.place]

    def put(self, value: float) -> None:
        values = [*values_of(CLAIM.value())]
        values[self.place] = value
        OWN.put((CLAIM.value(), tuple(values)))


def draw(found: Verdict) -> Verdict:
    """Draw the dials of a claim that has some, and what becomes of it there; returns that."""
    claim = found.claim
    assert claim.own is not None
    st.markdown("**Refute it with your own numbers**", help=explain("own_numbers"))
    for place, each in enumerate(claim.own.dials):
        dial(_part(claim.id, place, each), hint=explain("own_dial"), steps=steps(each))
    there = decide_at(claim, *values_of(claim.id))
    _say(there, claim.own)
    return there


def _part(claim: str, place: int, of: Dial) -> _Part:
    make: Callable[..., Setting[Any]] = settings.whole if of.whole else settings.number
    like = make(f"own{place + 1}", of.label, of.default, at_least=of.at_least, at_most=of.at_most)
    return _Part(
        like.key,
        like.label,
        like.default,
        like.read,
        like.write,
        like.at_least,
        like.at_most,
        own_key=f"own_{claim}_{place}",
        place=place,
    )


def _say(there: Verdict, own: Own) -> None:
    """Say what becomes of the claim at the reader's numbers, and lead to where it holds or back to where the ledger looks."""
    if there.refuted:
        st.error(f"**Here it fails:** {compared(there)}")
    else:
        st.success(f"**Here it happens to hold:** {compared(there)} One case in which it fails is enough to refute it.")
    defaults = tuple(each.default for each in own.dials)
    claim = there.claim.id
    with st.container(horizontal=True):
        if own.holds_at is not None and there.refuted:
            controls.button("Go to where it holds", OWN.put, (claim, own.holds_at))
        if values_of(claim) != defaults:
            controls.button("Back to the ledger’s case", OWN.put, OWN.default)
    if own.holds_at is None:
        st.caption("It fails wherever these dials reach.")
