"""What a reader can set on a page: its name in the address, its default, and which values it takes.

A setting is read from the address before any widget is drawn, held in the session under its key, and written back to the
address after the run; pages never touch the address themselves.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from threading import local
from typing import Any, Generic, TypeVar, cast

import streamlit as st

from par_core.errors import InfeasibleError, ParameterError
from par_core.parameters import check_integer, check_number
from par_core.scenario import FIELDS, Field, Scenario, exact_text, is_decimal, parsed

Value = TypeVar("Value")

PLAN_ASKED = "_plan_asked"  # what the releases of a plan ask of a table: in no link
_KEPT = "_kept_settings"
_TOUCHED = "_touched_settings"  # whose value was ever another than the default, or was named by somebody
_FOLLOWED = "_followed_settings"  # what the scenario said last, of those that follow it
_ITS_OWN = object()  # in place of that: another value was set
_NONE_OF_THEM = "none"
_MOST_LISTED = 20  # options in an error
MOST_NUMBERS = 5  # a chart with more curves is no longer read


class _Run(local):
    """Of the run that this thread is in: the session as it was read, and what was made of it; None outside of a run."""

    session: dict[str, Any] | None = None
    made: dict[Any, Any] | None = None


_RUN = _Run()


@contextmanager
def one_run() -> Iterator[None]:
    """Inside, the session is read once, and what is made of it is made anew after a setting is put: Streamlit answers slowly."""
    if _RUN.made is not None:  # part of a run
        yield
        return
    _RUN.made = {}
    try:
        yield
    finally:
        _RUN.made = _RUN.session = None


@dataclass(frozen=True, eq=False)
class Setting(Generic[Value]):
    """One value that a reader sets; the page whose file names it at its top has it in its links, unless it is not `in_links`.

    `key` names it in the address; `held` is its key in the session, where two pages may not share one.
    """

    key: str
    label: str
    default: Value
    read: Callable[[str], Value]
    write: Callable[[Value], str]
    at_least: float | None = None
    at_most: float | None = None
    options: Sequence[str] = ()
    own_key: str = ""
    only_whole: bool = False
    in_links: bool = True
    is_text: bool = False  # what a reader types as they like; no file of theirs holds it
    only_where_set: bool = False  # in a link: an older server need not know it
    only_read: bool = False  # from links, which earlier versions wrote: it is typed about a table of the reader's own
    only_here: bool = False  # in the address of this browser alone: nothing that is copied or taken away holds it
    opens: Mapping[str, str] = field(
        default_factory=dict
    )  # what an address that names it says too, unless it says otherwise
    follows: Callable[[Scenario], Value] | None = None
    scenario: Callable[[], Scenario] = lambda: seen_scenario()  # that it follows

    @property
    def allowed(self) -> str:
        """Which numbers it takes, for a setting with two bounds, as a person writes them."""
        assert self.at_least is not None
        assert self.at_most is not None
        return f"{'a whole number ' * self.only_whole}from {_in_plain_digits(self.at_least)} to {_in_plain_digits(self.at_most)}"

    @property
    def held(self) -> str:
        """The key of the value, and of its widget, in the session."""
        return self.own_key or self.key

    @property
    def opens_on(self) -> Value:
        """What stands here until the reader or a link sets another: what the scenario says, where that can be used, or the default."""
        return self.default if self.follows is None else _once(("opens on", self), self._opens_on)

    def _opens_on(self) -> Value:
        assert self.follows is not None
        try:
            return self.read(self.write(self.follows(self.scenario())))
        except (ParameterError, InfeasibleError):
            return self.default

    @property
    def text(self) -> str:
        """The present value as it stands in an address."""
        return _once(("text", self), lambda: self.write(self.value()))

    def value(self) -> Value:
        """Return the present value; `opens_on` stands in until the reader or a link sets another."""
        return _once(self, self._read_now)

    def _read_now(self) -> Value:
        # Streamlit forgets a widget that is not drawn, unless the widget itself can be told otherwise.
        present = self._held_or_kept
        # An emptied field is no value, unless it opens empty; nor is a widget that was taken away while it was being read.
        return self.kept() if present is None and self.default is not None else present

    @property
    def _held_or_kept(self) -> Value:
        try:
            held: Value = _session()[self.held]
        except KeyError:
            return self.kept()
        return held

    def hold(self) -> None:
        """Put the present value where a widget with the key `held` finds it, which is drawn next.

        Only then: Streamlit copies all that a session holds for every list and every field that it draws.
        """
        if self.held not in _session():
            put_key(self.held, self.kept())

    @property
    def is_example(self) -> bool:
        """Whether it stands where it opens, never stood elsewhere in this session and was not named: nobody has chosen that."""
        return self.held not in st.session_state.get(_TOUCHED, ()) and bool(self.value() == self.default)

    def follow(self) -> None:
        """Go along with the scenario, unless the reader or a link has set another value; once in a run, before any widget is drawn."""
        if self.follows is None:
            return
        followed = _memory(_FOLLOWED)
        if not self.is_following:
            followed[self.held] = _ITS_OWN
            return
        there, is_new = self.opens_on, self._held_or_kept != self.opens_on
        # One after the other: a run that is stopped in between would leave a value that nobody has set.
        if self.held not in _session():
            _memory(_KEPT)[self.held] = there
        elif is_new:
            put_key(self.held, there)
        followed[self.held] = there
        if is_new:
            _forget()

    @property
    def is_following(self) -> bool:
        """Whether the value is still that of the scenario, because nothing else has set it."""
        if self.follows is None:
            return False
        followed = _memory(_FOLLOWED)
        # `get` would ask the scenario each time, which costs more than it seems to.
        there = followed[self.held] if self.held in followed else self.opens_on  # noqa: SIM401  # as in `kept`
        return there is not _ITS_OWN and bool(self._held_or_kept == there)

    def put(self, value: Value) -> None:
        """Set the value; only before its widget is drawn in a run, or in a callback."""
        put_key(self.held, value)
        if self.follows is not None:
            there = self.opens_on
            _memory(_FOLLOWED)[self.held] = there if value == there else _ITS_OWN

    def change(self, of: Callable[[Value], Value]) -> None:
        """Set what is made of the present value; when, see `put`."""
        self.put(of(self.value()))

    def kept(self) -> Value:
        """Return the value that stood at the end of the last run."""
        kept: dict[str, Value] = _memory(_KEPT)
        return kept[self.held] if self.held in kept else self.opens_on  # noqa: SIM401  # `get` would ask the scenario each time


def _session() -> Mapping[str, Any]:
    """Return what the session holds; within a run one reading of it."""
    if _RUN.made is None:
        return cast(Mapping[str, Any], st.session_state)
    if _RUN.session is None:
        _RUN.session = st.session_state.to_dict()
    return _RUN.session


def put_key(key: str, value: object) -> None:
    """Set what a setting holds by its key in the session, as for a file of the reader's own; when, see `Setting.put`."""
    st.session_state[key] = value
    if _RUN.session is not None:
        _RUN.session[key] = value
    _forget()


def drop_key(key: str) -> None:
    """Take a key out of the session; when, see `Setting.put`."""
    for session in (st.session_state, _RUN.session or {}):
        session.pop(key, None)
    _forget()


def _memory(key: str) -> dict[str, Any]:
    """Return what the session remembers of settings under a key of its own."""
    if key not in _session():
        put_key(key, {})
    memory: dict[str, Any] = _session()[key]
    return memory


def _forget() -> None:
    """Forget what was made of the session in this run."""
    if _RUN.made:
        _RUN.made.clear()


def number(key: str, label: str, default: float, *, at_least: float, at_most: float) -> Setting[float]:
    """Return a setting that takes any number between two bounds."""

    def read(text: str) -> float:
        return check_number(label, _number_in(text), at_least=at_least, at_most=at_most)

    return Setting(key, label, default, read, exact_text, at_least, at_most)


def whole(key: str, label: str, default: int, *, at_least: int, at_most: int) -> Setting[int]:
    """Return a setting that takes whole numbers between two bounds."""

    def read(text: str) -> int:
        return check_integer(label, _number_in(text), at_least=at_least, at_most=at_most)

    return Setting(key, label, default, read, exact_text, at_least, at_most, only_whole=True)


def choice(key: str, label: str, options: Sequence[str], default: str | None = None) -> Setting[str]:
    """Return a setting that takes one of a few texts; the first is the default."""

    def read(text: str) -> str:
        if text not in options:
            known = ", ".join(options) if len(options) <= _MOST_LISTED else f"the {len(options)} that its list has"
            raise ParameterError(f"{label} must be one of {known}, got {text[:40]!r}")
        return text

    return Setting(key, label, default or options[0], read, str, options=tuple(options))


def choices(key: str, label: str, options: Sequence[str], default: Sequence[str]) -> Setting[list[str]]:
    """Return a setting that holds some of a few texts (`a,b` in the address, `none` for none of them)."""

    def read(text: str) -> list[str]:
        chosen = [] if text == _NONE_OF_THEM else text.split(",")
        for each in chosen:
            if each not in options:
                raise ParameterError(f"{label} must be among {', '.join(options)}, got {each[:40]!r}")
        return [each for each in options if each in chosen]

    def write(chosen: list[str]) -> str:
        return ",".join(each for each in options if each in chosen) or _NONE_OF_THEM

    return Setting(key, label, list(default), read, write, options=tuple(options))


def switch(key: str, label: str, *, default: bool = False) -> Setting[bool]:
    """Return a setting that is on or off (1 or 0 in the address)."""

    def read(text: str) -> bool:
        if text not in ("0", "1"):
            raise ParameterError(f"{label} must be 0 or 1, got {text[:40]!r}")
        return text == "1"

    return Setting(key, label, default, read, lambda value: str(int(value)))


def numbers(
    key: str, label: str, default: Sequence[float], *, at_least: float, at_most: float, only_whole: bool = False
) -> Setting[list[str]]:
    """Return a setting that takes a short list of numbers, held as the reader typed them (`1,2,3` in the address)."""

    def check(text: str) -> None:
        if only_whole:
            check_integer(label, _number_in(text), at_least=int(at_least), at_most=int(at_most))
        else:
            check_number(label, _number_in(text), at_least=at_least, at_most=at_most)

    def read(text: str) -> list[str]:
        values = [part.strip() for part in text.split(",") if part.strip()]
        if len(values) > MOST_NUMBERS:
            raise ParameterError(f"{label} must be at most {MOST_NUMBERS} numbers, got {len(values)}")
        for value in values:
            check(value)
        return list(dict.fromkeys(values))

    def write(entries: list[str]) -> str:
        return ",".join(entry for entry in entries if _is_usable(read, entry))

    return Setting(
        key,
        label,
        [exact_text(float(value)) for value in default],
        read,
        write,
        at_least,
        at_most,
        only_whole=only_whole,
    )


def _is_usable(read: Callable[[str], list[str]], entry: str) -> bool:
    try:
        return read(entry) == [entry.strip()]  # not so for "3,5", and for "3,", which is no number itself
    except ParameterError:
        return False


def following(
    setting: Setting[Value], of: Callable[[Scenario], Value], *, scenario: Callable[[], Scenario] | None = None
) -> Setting[Value]:
    """Return a setting that stands at what the scenario says until the reader or a link sets another value.

    Of a plan that is the release which is looked at, unless another `scenario` is named.
    """
    return replace(setting, default=of(Scenario()), follows=of, scenario=scenario or seen_scenario)


def own(setting: Setting[Any], value: Value) -> Value | None:
    """Return a value of the reader's own for a question; None where the setting follows the scenario, as the field then does."""
    return None if setting.is_following else value


def unlinked(setting: Setting[Value]) -> Setting[Value]:
    """Return a setting of the session alone, which no link holds: what was chosen about a file of the reader's own."""
    return replace(setting, in_links=False)


def usable(setting: Setting[list[str]]) -> tuple[list[float], list[str]]:
    """Return the numbers of a list setting in rising order, and the entries that are none."""
    entries = setting.value()
    good = [entry for entry in entries if _is_usable(setting.read, entry)]
    return sorted({float(entry) for entry in good}), [entry for entry in entries if entry not in good]


def scenario_settings() -> tuple[Setting[Any], ...]:
    """Return one setting for each field of the scenario, under the field's own key and checks, and those of a plan in its place."""
    return *_SCENARIO, PLAN, SEEN, WISHES


def scenario_setting(name: str) -> Setting[Any]:
    """Return the setting of one field of the scenario."""
    return next(setting for field, setting in zip(FIELDS, _SCENARIO, strict=True) if field.name == name)


def put_all(values: Mapping[Setting[Any], Any]) -> None:
    """Set several values; when, see `Setting.put`."""
    for setting, value in values.items():
        setting.put(value)


def put_scenario(scenario: Scenario) -> None:
    """Set every field of the scenario, and drop a plan; when, see `Setting.put`."""
    put_all({setting: getattr(scenario, field.name) for field, setting in zip(FIELDS, _SCENARIO, strict=True)})
    drop_plan()


def drop_plan() -> None:
    """Forget the plan: the scenario is one release again; when, see `Setting.put`."""
    put_all({each: each.default for each in (PLAN, SEEN, WISHES)})
    forget_asked()


def forget_asked() -> None:
    """Forget what the releases of a plan ask of a table: a plan that is put in its place may look like it."""
    st.session_state.pop(PLAN_ASKED, None)


def keep(settings: Sequence[Setting[Any]]) -> list[tuple[Setting[Any], Any]]:
    """Remember the present values for when their widgets are not drawn, and return each with its setting."""
    present = [(setting, setting.value()) for setting in settings]
    _memory(_KEPT).update((setting.held, value) for setting, value in present)
    touch(setting for setting, value in present if setting.follows is None and value != setting.default)
    return present


def touch(settings: Iterable[Setting[Any]]) -> None:
    """Let settings count as chosen, wherever they stand."""
    st.session_state.setdefault(_TOUCHED, set()).update(setting.held for setting in settings)


def untouch(settings: Sequence[Setting[Any]]) -> None:
    """In a callback: let settings count as those of the example again."""
    st.session_state.setdefault(_TOUCHED, set()).difference_update(setting.held for setting in settings)


def present_scenario() -> Scenario:
    """Return the scenario as it stands in this session; where there is a plan, that of the plan."""
    return _once("present", lambda: planned(single_scenario(), PLAN.value(), SEEN.value()))


def single_scenario() -> Scenario:
    """Return the scenario of one release, whatever is planned: what the next release of a plan begins with."""
    return _once("single", lambda: _scenario(*(setting.value() for setting in _SCENARIO)))


def _once(which: object, make: Callable[[], Value]) -> Value:
    """Return what is made of the session once in a run."""
    if _RUN.made is None:
        return make()
    if which not in _RUN.made:
        _RUN.made[which] = make()
    made: Value = _RUN.made[which]
    return made


def seen_scenario() -> Scenario:
    """Return the scenario, or that of the one release of a plan which is looked at; InfeasibleError where no scenario says the same."""
    alone = present_scenario().alone()
    if alone is None:
        raise InfeasibleError(
            "a mean over a private number of rows is two noisy answers, and this section is about one. Choose another release in the "
            "sidebar"
        )
    return alone


@lru_cache(maxsize=4096, typed=True)
def _scenario(*values: Any) -> Scenario:
    """Return a checked scenario; one run of a page asks for it dozens of times."""
    return Scenario(**{field.name: value for field, value in zip(FIELDS, values, strict=True)})


@lru_cache(maxsize=256)
def planned(single: Scenario, plan: tuple[Any, ...], seen: int) -> Scenario:
    """Return the scenario of a plan, of which one release is looked at, from 1; where there is none, that of one release."""
    if not plan:
        return single
    from par_core.plan import PlanScenario  # late: most readers have none

    try:
        return PlanScenario.of(single, plan, min(seen, len(plan)) - 1)
    except ParameterError:  # a mean over a public number of rows, and neighbours for whom there is none
        return single


def _plan_in(text: str) -> tuple[Any, ...]:
    from par_core.plan import from_address

    return from_address(text) if text else ()


def _plan_text(releases: tuple[Any, ...]) -> str:
    from par_core.plan import in_address

    return in_address(releases) if releases else ""


def _wishes_in(text: str) -> tuple[float | None, ...]:
    cells = text.split("_") if text else []
    if not all(cell == "" or (is_decimal(cell) and float(cell) > 0) for cell in cells):
        raise ParameterError(f"Wished errors must be numbers above 0 with _ between them, got {text[:40]!r}")
    return tuple(float(cell) if cell else None for cell in cells)


def _wishes_text(wishes: tuple[float | None, ...]) -> str:
    return "_".join("" if each is None else exact_text(each) for each in wishes)


def _in_plain_digits(number: float) -> str:
    """Return 0.00000001 and 10,000 rather than 1e-08 and 10000, where a person would still read that."""
    if number and not 1e-15 <= abs(number) <= 1e15:
        return f"{number:g}"
    return f"{number:,.15f}".rstrip("0").rstrip(".")


def _number_in(text: str) -> float | str:
    return float(text) if is_decimal(text) else text


def _of_field(field: Field) -> Setting[Any]:
    return Setting(
        field.key,
        field.label,
        getattr(Scenario, field.name),
        partial(parsed, field),
        exact_text,
        field.at_least,
        field.at_most,
        only_whole=isinstance(getattr(Scenario, field.name), int),
    )


_SCENARIO: tuple[Setting[Any], ...] = tuple(_of_field(field) for field in FIELDS)
PLAN: Setting[tuple[Any, ...]] = Setting("plan", "Plan", (), _plan_in, _plan_text, only_where_set=True)
"""The releases of a plan; none where the scenario is all that is planned."""
SEEN: Setting[int] = replace(whole("seen", "Release", 1, at_least=1, at_most=60), only_where_set=True)
"""Which release of the plan is looked at, from 1."""
WISHES: Setting[tuple[float | None, ...]] = Setting(
    "pw", "Wished errors", (), _wishes_in, _wishes_text, only_where_set=True
)
"""For each release of the plan the largest error that will do; fewer where the last ones have none."""
MINE: Setting[list[str]] = replace(choices("wmine", "Of your own", ("wishes", "releases"), ()), only_where_set=True)
"""What is no example although it stands where it opens: the reader said so."""
