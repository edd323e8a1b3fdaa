"""The change of one person that is known number by number, and the exact risk of a release that goes with it."""

from dataclasses import replace

import streamlit as st

from pages.shared import badges
from pages.shared.glossary import explain
from pages.shared.say import paragraph, told, written
from pages.shared.settings import Setting, present_scenario
from pages.shared.words import amount, letters
from par_core.composition import ChangeRisk, change_risk, used_share
from par_core.errors import ParameterError
from par_core.mechanisms import default_noise
from par_core.published import explicit
from par_core.rounding import small
from par_core.scenario import is_decimal
from par_core.scenario import written as in_full
from par_core.standing import quantity_of

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
    "shares", "Shares of the change", (0.5, 0.3, 0.2), _read, lambda shares: ",".join(in_full(each) for each in shares)
)


def draw(epsilon: float) -> None:
    """Draw the editor and what it says about the present scenario at `epsilon`."""
    with st.expander("If you know how one person moves the answer", key="known_change", on_change="rerun") as expander:
        if not expander.open:
            return
        shares = _field()
        scenario = present_scenario()
        if not _SMALLEST <= scenario.epsilon0 <= _LARGEST:
            yours = amount(scenario.epsilon0, 4)
            st.info(f"This is computed for ε₀ from {small(_SMALLEST)} to {_LARGEST:g}; yours is {yours}.")
            return
        found = change_risk(epsilon, scenario.epsilon0, shares=list(shares))
        # A list that is longer than the scenario's answer is an answer of its own length.
        _say(found, shares, epsilon0=scenario.epsilon0, k=max(scenario.k, len(shares)))


def _field() -> Shares:
    """Draw the list; one that cannot be used is named, and the last good one stays in force."""
    session, typed, in_force = st.session_state, "_shares_typed", "_shares_in_force"
    present = SHARES.value()
    if session.get(in_force) != present or typed not in session:
        session[typed], session[in_force] = ", ".join(in_full(each) for each in present), present

    def on_typed() -> None:
        try:
            SHARES.put(_read(session[typed]))
            session[in_force] = SHARES.value()
        except ParameterError:
            return  # named below the field

    label, hint = "Shares of the change, one for each number", explain("shares")
    st.text_input(label, key=typed, on_change=on_typed, help=hint, persist_state="session")
    try:
        _read(session[typed])
    except ParameterError as error:
        st.error(f"This cannot be used: {letters(str(error))}. The last list that could be used stays in force.")
    return SHARES.value()


def _say(found: ChangeRisk, shares: Shares, *, epsilon0: float, k: int) -> None:
    count = f"{len(shares)} numbers" if len(shares) > 1 else "one number"
    moved = ", ".join(amount(each, 4) for each in shares)
    paragraph(
        f"For a person who moves {count} by {moved} of the sensitivity the loss of noise for {{epsilon0:level0}} exceeds "
        f"{{found.epsilon:level}} in {'at most ' * _apart(found)}**{{found.upper}}** of releases. In the worst case, where one number "
        "takes the whole change, it is {worst}. The paper says {claimed} for every person (k\u00a0=\u00a0{k:,}).",
        epsilon0=epsilon0,
        found=found,
        worst=quantity_of(default_noise(epsilon0).loss_exceeds, found.epsilon),
        claimed=quantity_of(explicit.risk, found.epsilon, epsilon0, k=k),
        k=k,
        help=badges.legend(_CLAIM),
    )
    sentences = ["The truth lies between {found.lower} and {found.upper}."]
    if found.upper - found.lower > _WIDE:
        sentences.append(
            "That is wide because the loss may hit {found.epsilon:level} exactly, which counts as not above it: an ε a little beside it "
            "gives close ends."
        )
    if found.largest <= found.epsilon:
        sentences.append("No release can lose more than {found.largest} with this change.")
    used = used_share(shares)
    if used < 1:
        sentences.append("This person uses only {used:percent} of the sensitivity, so not even ε₀ is ever reached.")
    sentences.append("This holds for this change only; ε₀ holds for all.")
    st.caption(told(" ".join(sentences), found=found, used=used))


def _apart(found: ChangeRisk) -> bool:
    """Return whether the lower end reads otherwise than the upper one, which alone is proven to hold."""
    upper = found.quantity("upper")
    told_upper = written(upper)
    return told_upper != written(replace(upper, value=found.lower)) and told_upper[0].isdigit()
