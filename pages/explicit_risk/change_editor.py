"""The change of one person that is known number by number, and the exact risk of a release that goes with it."""

from __future__ import annotations

import streamlit as st

from pages.shared import badges
from pages.shared.glossary import explain
from pages.shared.settings import Setting, present_scenario
from pages.shared.words import amount, letters, level, level0, percent
from par_core.composition import ChangeRisk, change_risk, used_share
from par_core.errors import ParameterError
from par_core.mechanisms import default_noise
from par_core.published import explicit
from par_core.scenario import is_decimal, written
from par_core.standing import PROVEN

Shares = tuple[float, ...]
MOST = 20
_SMALLEST, _LARGEST = 1e-6, 50.0
_CLAIM = "par-theorem-4"
_WIDE = 0.01  # ends further apart than this are worth a word


def _read(text: str) -> Shares:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not 1 <= len(parts) <= MOST:
        raise ParameterError(f"the shares must be from 1 to {MOST} numbers with commas between them, got {len(parts)}")
    for part in parts:
        if not is_decimal(part):
            raise ParameterError(f"the shares must be numbers with a point for decimals, got {part[:40]!r}")
    shares = tuple(float(part) for part in parts)
    if min(shares) < 0:
        raise ParameterError(f"each share must be at least 0, got {min(shares):g}")
    used_share(shares)
    return shares


SHARES: Setting[Shares] = Setting(
    "shares", "Shares of the change", (0.5, 0.3, 0.2), _read, lambda shares: ",".join(written(each) for each in shares)
)


def draw(epsilon: float) -> None:
    """Draw the editor and what it says about the present scenario at `epsilon`."""
    with st.expander("If you know how one person moves the answer", key="known_change", on_change="rerun") as expander:
        if not expander.open:
            return
        shares = _field()
        scenario = present_scenario()
        if not _SMALLEST <= scenario.epsilon0 <= _LARGEST:
            st.info(
                f"This is computed for ε₀ from {_SMALLEST:g} to {_LARGEST:g}; yours is {amount(scenario.epsilon0, 4)}."
            )
            return
        found = change_risk(epsilon, scenario.epsilon0, shares=list(shares))
        # A list that is longer than the scenario's answer is an answer of its own length.
        k = max(scenario.k, len(shares))
        _say(found, shares, epsilon0=scenario.epsilon0, k=k)


def _field() -> Shares:
    """Draw the list; one that cannot be used is named, and the last good one stays in force."""
    session, typed, in_force = st.session_state, "_shares_typed", "_shares_in_force"
    present = SHARES.value()
    if session.get(in_force) != present or typed not in session:
        session[typed], session[in_force] = ", ".join(written(each) for each in present), present

    def on_typed() -> None:
        try:
            SHARES.put(_read(session[typed]))
            session[in_force] = SHARES.value()
        except ParameterError:
            return  # named below the field

    st.text_input(
        "Shares of the change, one for each number",
        key=typed,
        on_change=on_typed,
        help=explain("shares"),
        persist_state="session",
    )
    try:
        _read(session[typed])
    except ParameterError as error:
        st.error(f"This cannot be used: {letters(str(error))}. The last list that could be used stays in force.")
    return SHARES.value()


def _say(found: ChangeRisk, shares: Shares, *, epsilon0: float, k: int) -> None:
    worst = default_noise(epsilon0).loss_exceeds(found.epsilon)
    claimed = explicit.risk(found.epsilon, epsilon0, k=k)
    count = f"{len(shares)} numbers" if len(shares) > 1 else "one number"
    st.markdown(
        f"A person who moves {count} by {', '.join(amount(each, 4) for each in shares)} of the sensitivity makes a release with "
        f"{level0(epsilon0)} less private than {level(found.epsilon)} in **{_cases(found)}** of cases. "
        f"{badges.inline(PROVEN)} In the worst case, where one number takes the whole change, it is "
        f"{percent(worst, toward='up')}. {badges.inline(PROVEN)} The paper says {percent(claimed)} for every person "
        f"(k\u00a0=\u00a0{k:,}). {badges.published(_CLAIM)}",
        help=badges.legend(_CLAIM),
    )
    sentences = [
        f"The truth certainly lies from {percent(found.lower, toward='down')} to {percent(found.upper, toward='up')}."
    ]
    if found.upper - found.lower > _WIDE:
        sentences.append(
            f"That is wide because the loss may hit ε\u00a0=\u00a0{amount(found.epsilon, 4)} exactly, which counts as not above it: an ε "
            "a little beside it gives close ends."
        )
    if found.largest <= found.epsilon:
        sentences.append(f"No release can lose more than {amount(found.largest, 4)} with this change.")
    used = used_share(shares)
    if used < 1:
        sentences.append(f"This person uses only {percent(used)} of the sensitivity, so not even ε₀ is ever reached.")
    sentences.append(
        "It holds for this very change only. Another person may move the answer differently; what holds for all is ε₀."
    )
    st.caption(" ".join(sentences))


def _cases(found: ChangeRisk) -> str:
    """Return the upper end as a share: it alone is proven to hold. "At most" where the lower end reads otherwise."""
    told = percent(found.upper, toward="up")
    close = told == percent(found.lower, toward="up")
    return told if close or not told[0].isdigit() else f"at most {told}"
