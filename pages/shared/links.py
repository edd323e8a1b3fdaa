"""Links: a page and its settings in an address, read before any widget and written after each run.

One mechanism serves widgets of every kind, in closed tabs too. Streamlit's own binding would drop what is not drawn and replace
what it cannot use without a word; here every refused value is named, with what is shown instead.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import quote_plus

import streamlit as st

from pages.shared.component import component
from pages.shared.settings import (
    MINE,
    PLAN,
    SEEN,
    WISHES,
    Setting,
    forget_asked,
    keep,
    put_all,
    scenario_settings,
    touch,
)
from pages.shared.words import literal
from par_core.errors import ParameterError

VERSION = "1"
OF_PLANS = "2"  # of a link with a plan: an older server refuses it rather than show one release
_VERSION_KEY = "v"
# Of the others the first two are Streamlit's; the last tells one click on a link of ours from the next (address.js).
_OWN_KEYS = (_VERSION_KEY, "embed", "embed_options", "click")
_MOST_REMEMBERED = 300  # distinct addresses of one visit to a page
_PLAIN = re.compile(r"[A-Za-z0-9_.~-]*").fullmatch  # is written in a link as it stands
_HERE = Path(__file__).parent

_component = component(
    "address",
    css=(_HERE / "address.css").read_text(encoding="utf-8"),
    js=(_HERE / "address.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True)
class _Notice:
    """A sentence about the address, shown until the setting that it speaks of is changed."""

    text: str
    setting: Setting[Any] | None = None
    shown: object = None


def read(settings: Sequence[Setting[Any]], page: str) -> None:
    """Take the values of `settings` from the address if it is new, and note what could not be used.

    Call it before the widgets of these settings are drawn. An address is new when a session starts, when the reader goes back
    in the browser's history, and when a card opens a page with settings of its own; a setting that it leaves out stays as it is.
    """
    raw = {key: st.query_params.get_all(key) for key in st.query_params}
    session = st.session_state
    if session.get("_address_page") != page:
        session["_address_before"] = session.get("_address_page")
        session["_address_page"] = page
        session["_address_ours"] = []
        session["_address_notices"] = ()
        session.pop("_address_notices_at", None)
    # The browser sends back what this session wrote, late if it is busy: only an address of somebody else's is read.
    if not raw or raw in session["_address_ours"]:
        return
    _remember(raw, "_address_ours")
    is_way_back = raw in session.get("_address_written", ())
    raw = {key: [text] for each in settings if any(raw.get(each.key, ())) for key, text in each.opens.items()} | raw
    session.pop("_address_notices_at", None)
    known = (VERSION, OF_PLANS)
    version = next((each for each in raw.get(_VERSION_KEY, ()) if each not in known), VERSION)
    if version != VERSION:
        session["_address_notices"] = (
            _Notice(
                f"This link is of version {_quoted(version)}, which is unknown here. Its settings were not read; what is shown "
                "is not what the link was made for."
            ),
        )
        return
    before, closed = PLAN.value(), list[_Notice]()
    keeps_plan = is_way_back and PLAN.key not in raw
    if not (keeps_plan or raw.keys().isdisjoint((_VERSION_KEY, *(each.key for each in scenario_settings())))):
        # The link is about a plan of its own, or about one release.
        put_all({each: each.default for each in (PLAN, SEEN, WISHES, MINE) if each.key not in raw})
        closed = [_Notice("Your plan was closed: this link is about one release.")] * bool(before and not PLAN.value())
    session["_address_notices"] = (*closed, *_take(settings, raw))
    if PLAN.value() != before:
        forget_asked()
    if WISHES.key in raw and not is_way_back:
        from pages.shared import plan, wish_fields  # late: they need what decides

        if wish_fields.ERROR not in settings:  # else the link says that itself
            plan.take_wish()


def _take(settings: Sequence[Setting[Any]], raw: dict[str, list[str]]) -> Iterable[_Notice]:
    refused = []
    for setting in settings:
        if setting.key not in raw:
            continue
        *others, last = raw[setting.key]
        refused += [(setting, other, "the link holds another value too") for other in others if other != last]
        try:
            setting.put(setting.read(last))
        except ParameterError as error:
            refused.append((setting, last, _allowed(setting, error)))
        else:
            if _VERSION_KEY not in raw:  # a link of ours names what nobody has chosen too
                touch([setting])
    for setting, value, why in refused:
        # What follows the scenario stands at what the whole link has made of it.
        shown = setting.opens_on if setting.is_following else setting.value()
        yield _Notice(
            f"The link asks for {setting.label} = {_quoted(value)}, which cannot be used: {why}. "
            f"Shown instead: {setting.write(shown) or 'nothing'}.",
            setting,
            shown,
        )
    known = {*_OWN_KEYS, *(setting.key for setting in settings)}
    unknown = ", ".join(_quoted(key) for key in raw if key not in known)
    if unknown:
        yield _Notice(f"The link holds what this page does not know and passes over: {unknown}.")


def notices() -> None:
    """Say in one line each what the address asked for and what is shown instead."""
    session = st.session_state
    # A notice about no setting in particular goes with the first change of any.
    unchanged = session.setdefault("_address_notices_at", session["_address_full"]) == session["_address_full"]
    present = [
        notice.text
        for notice in session["_address_notices"]
        if (unchanged if notice.setting is None else notice.setting.value() == notice.shown)
    ]
    if present:
        st.warning("  \n".join(present))


def publish(settings: Sequence[Setting[Any]], page: str) -> None:
    """Write the settings to the address of the browser and draw the button that copies the whole link.

    The address holds what differs from what a page opens on; the copied link holds everything, so that a changed default never
    changes an old link.
    """
    st.session_state["_address_settings"] = (tuple(settings), page)
    _component(key="address", data={**_written(), "button": True}, on_failed_change=lambda: None)


def publish_again(part: str) -> None:
    """Write the settings of the page to the address at the end of a fragment, which `part` names."""
    if "_address_settings" in st.session_state:
        with st.container(key=f"hidden_address_{part}"):
            _component(key=f"address_{part}", data={**_written(), "button": False})


def _written() -> dict[str, Any]:
    session = st.session_state
    settings, page = session["_address_settings"]
    present = [(setting, value) for setting, value in keep(settings) if _is_told(setting) or setting.only_here]
    every = {setting.key: setting.text for setting, _ in present if not setting.only_here}
    changed = {setting.key: setting.text for setting, value in present if value != setting.opens_on}
    address = {_VERSION_KEY: _version(), **changed} if changed else {}
    for where in ("_address_ours", "_address_written"):
        _remember({key: [value] for key, value in address.items()}, where)
    session["_address_full"] = _query({_VERSION_KEY: _version(), **every})
    runs = session["_address_runs"] = session.get("_address_runs", 0) + 1
    return {
        "address": _query(address),
        "full": session["_address_full"],
        # The browser forgets the settings whenever it changes the page by itself: each run writes them again.
        "page": page,
        "run": runs,
        "session": session.setdefault("_address_session", token_hex(4)),
    }


def before() -> str | None:
    """Return the page from which the reader came to this one, if they were on another one."""
    page: str | None = st.session_state.get("_address_before")
    return page


def here() -> tuple[tuple[Setting[Any], ...], str]:
    """Return the settings of the page in a copied link, and the name of the page."""
    held: tuple[tuple[Setting[Any], ...], str] = st.session_state["_address_settings"]
    return held


def holding(settings: Sequence[Setting[Any]], *, texts: bool = True) -> str:
    """Return these settings as they stand now as the query of a link to a page that has them; without `texts` nothing that was typed."""
    kept = [each for each in settings if (texts or not each.is_text) and _is_told(each)]
    return _query({_VERSION_KEY: _version(), **{each.key: each.text for each in kept}})


def _query(texts: Mapping[str, str]) -> str:
    return "&".join(f"{_quote(name)}={_quote(text)}" for name, text in texts.items())


def _quote(text: str) -> str:
    return text if _PLAIN(text) else quote_plus(text)  # nearly all is plain


def _version() -> str:
    return OF_PLANS if PLAN.value() else VERSION


def _is_told(setting: Setting[Any]) -> bool:
    return not (
        setting.only_read or setting.only_here or (setting.only_where_set and setting.value() == setting.default)
    )


def _remember(address: dict[str, list[str]], where: str) -> None:
    """Note an address as known; a busy browser may send it back many runs late, so hardly any is ever forgotten."""
    known = st.session_state.setdefault(where, [])
    if address not in known:
        known.append(address)
        del known[:-_MOST_REMEMBERED]


def _allowed(setting: Setting[Any], error: ParameterError) -> str:
    if setting.at_least is not None and setting.at_most is not None:
        return f"it must be {setting.allowed}"
    return str(error).rsplit(", got ", 1)[0]


def _quoted(text: str) -> str:
    return f"“{literal(text[:40] + ('…' if len(text) > 40 else ''))}”"
