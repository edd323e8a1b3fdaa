"""Composition: how privacy wears out over many releases, by every way of counting, over the exact truth."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import streamlit as st

from pages.composition import formulas, mixed_releases, release_plans
from pages.composition.multiple_choice import choose, multiple_choice
from pages.shared import badges, controls, jobs, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.page import Page, Section
from pages.shared.say import say, told, written
from pages.shared.settings import present_scenario
from pages.shared.words import HARDLY_PRIVATE, level0
from par_core import composition
from par_core.composition import ACCOUNTANTS, AccountantCurve, Comparison, ExactComposition
from par_core.composition.comparison import TooLow, too_low
from par_core.figures import composition as figures
from par_core.figures.composition import short_name, small
from par_core.progress import Progress, portion
from par_core.scenario import Scenario

_SMALLEST, _LARGEST, _MOST = 1e-6, 50.0, 20_000  # what is composed here
_EVERY = 300  # up to here every number of releases is drawn, beyond it about so many of them
_POINTS = 160
_QUICK = 500  # releases that are counted at once; more of them take a job
_KEPT = 64
_AS_DRAWN = ("basic", "advanced", "at_risk", "at_risk_as_drawn")

EPSILON0 = settings.number("ce0", "ε₀ of each release", 0.5, at_least=_SMALLEST, at_most=_LARGEST)
LARGEST = settings.whole("cn", "Largest number of releases", 300, at_least=2, at_most=_MOST)
DELTA = settings.number("cd", "δ of the curves", 1e-5, at_least=1e-15, at_most=0.5)
K = settings.whole("ck", "k of the published curves", 1, at_least=1, at_most=10_000)
CURVES = multiple_choice("curves", "Ways of counting", tuple(ACCOUNTANTS), _AS_DRAWN)
AXES = settings.choice("cax", "Axes", ("plain", "log"))
CHOSEN = settings.numbers("cno", "Numbers at", (1, 10, 100, 300), at_least=1, at_most=_MOST, only_whole=True)

_PANELS = {"5a": 0.1, "5b": 0.5, "5c": 1.0}
_Question = tuple[float, tuple[int, ...], float]  # ε₀, numbers of releases, δ
_TRUTHS: dict[_Question, ExactComposition] = {}  # for everybody: the same whichever curves are drawn over it
_DRAWN_TO, _DRAWN_DELTA = 299, 1e-5  # where the paper's figure 5 ends, and the δ that its text names


# --- the accountants --------------------------------------------------------------------------------------------------


def _accountants() -> None:
    main, side = chart_and_controls()
    with side:
        keys = _controls()
    with main:
        numbers, scenario = _numbers(LARGEST.value()), present_scenario()
        own = (scenario.epsilon0, (scenario.releases,), scenario.delta)
        questions: list[_Question] = [
            (EPSILON0.value(), numbers, DELTA.value()),
            *([own] if _is_drawable(scenario) else []),
        ]
        if not _counted("accountants", *questions):
            return
        compared = _compared(EPSILON0.value(), numbers, DELTA.value(), tuple(keys), K.value())
        stretches = {
            each.accountant.key: _too_low(compared, each.accountant.key) for each in compared.curves if each.below.any()
        }
        _answer(compared)
        chart(
            figures.accountants(
                compared,
                axes="log" if AXES.value() == "log" else "plain",
                own=_own(compared),
                k=K.value(),
                too_low=stretches,
            ),
            "privacy_spent",
            alt=_alt(compared),
            notes={
                "source": f"Figure 5 of Privacy at Risk; exact: {compared.exact.source}",
                **{f"source, {short_name(each.accountant.key)}": each.source for each in compared.curves},
            },
        )
        _outside(compared)
        _where_too_low(compared, stretches)
        _table(keys)
        formula_expander("accountants", formulas.of(keys))


def _controls() -> list[str]:
    controls.stepped(EPSILON0, hint=explain("epsilon0"))
    controls.whole(LARGEST, hint=explain("largest_number"))
    controls.number(DELTA, hint=explain("delta"))
    keys = choose(CURVES, hint=explain("ways_of_counting"), words=short_name)
    if any(ACCOUNTANTS[key].at_risk for key in keys):
        controls.whole(K, hint=f"The paper draws figure 5 for k = 1. {explain('k')}")
    controls.choice(AXES, words={"plain": "Plain", "log": "Logarithmic"}.__getitem__, hint=explain("axes"))
    with st.container(horizontal=True):
        for panel, epsilon0 in _PANELS.items():
            controls.button(
                f"Figure {panel}", _put_panel, epsilon0, hint=f"As in the paper: ε₀ = {epsilon0:g}, up to 300 releases."
            )
    scenario = present_scenario()
    if _is_drawable(scenario):
        controls.button("With my scenario", _put_scenario, scenario, hint=explain("my_scenario"))
    return keys


def _is_drawable(scenario: Scenario) -> bool:
    return _SMALLEST <= scenario.epsilon0 <= _LARGEST and scenario.releases <= _MOST


def _put_panel(epsilon0: float) -> None:
    values: dict[settings.Setting[Any], Any] = {each: each.default for each in (LARGEST, DELTA, K, AXES, CURVES)}
    settings.put_all({**values, EPSILON0: epsilon0})


def _put_scenario(scenario: Scenario) -> None:
    number = scenario.releases if scenario.releases >= 10 else LARGEST.value()
    settings.put_all({EPSILON0: scenario.epsilon0, DELTA: scenario.delta, K: scenario.k, LARGEST: number})


def _numbers(largest: int) -> tuple[int, ...]:
    """Return the numbers of releases to draw: all of a few, else closer together where the curves bend."""
    if largest <= _EVERY:
        return tuple(range(1, largest + 1))
    spread = (round(largest ** (each / _POINTS)) for each in range(_POINTS + 1))
    even = (round(largest * each / 40) for each in range(1, 41))
    return tuple(sorted({*spread, *even}))


@lru_cache(maxsize=64)
def _compared(epsilon0: float, numbers: tuple[int, ...], delta: float, keys: tuple[str, ...], k: int) -> Comparison:
    truth = _exact((epsilon0, numbers, delta))
    return composition.compare(epsilon0, numbers, delta=delta, keys=keys, k=k, truth=truth)


def _exact(question: _Question) -> ExactComposition:
    """Return the truth, which takes longest."""
    if question not in _TRUTHS:
        _count((question,))
    return _TRUTHS[question]


def _count(questions: tuple[_Question, ...], *, progress: Progress | None = None) -> None:
    for done, (epsilon0, numbers, delta) in enumerate(questions):
        share = portion(progress, done / len(questions), (done + 1) / len(questions))
        truth = composition.exact(epsilon0, numbers, delta=delta, progress=share)
        while len(_TRUTHS) >= _KEPT:
            _TRUTHS.pop(next(iter(_TRUTHS)), None)
        _TRUTHS[epsilon0, numbers, delta] = truth


def _counted(key: str, *questions: _Question) -> bool:
    """Count in a job what takes long; return whether all of it is there."""
    long = tuple(each for each in questions if each[1][-1] > _QUICK)
    if all(each in _TRUTHS for each in long):
        return True
    return jobs.run(key, partial(_count, long), inputs=long, label="Counting exactly") is not None


def _too_low(compared: Comparison, key: str) -> tuple[TooLow, ...]:
    return too_low(
        compared, key, look=lambda numbers: _compared(compared.epsilon0, numbers, compared.delta, (key,), K.value())
    )


def _answer(compared: Comparison) -> None:
    """Say what the largest number of releases comes to, and what the reader's own come to."""
    number, together = int(compared.compositions[-1]), float(compared.exact.upper[-1])
    hardly = " With so much spent, next to nothing is protected any more." if together > HARDLY_PRIVATE else ""
    st.markdown(
        told(
            "#### {number:,} releases together, each with {epsilon0}, spend ε = {exact.upper[-1]}",
            number=number,
            epsilon0=level0(compared.epsilon0),
            exact=compared.exact,
        )
    )
    claims = _figure_and_theorem(compared)
    st.markdown(
        say(
            "That is the exact count, for a guarantee that may fail with probability δ = {delta}.",
            delta=small(compared.delta),
            standing_of=compared.exact,
        )
        + say(
            " Adding up the levels gives {added}: simple, and always on the safe side.",
            added=written(composition.ExactComposition.as_quantity("upper", compared.epsilon0 * number)),
            standing_of=ACCOUNTANTS["basic"],
        )
        + "".join(
            say(f" {words} {{curve.epsilon[-1]}}{{below}}.", curve=curve, below=" (too low)" * bool(curve.below[-1]))
            for words, curve in claims
        )
        + hardly,
        help=f"{explain('spent')}  \n{badges.legend(*(curve.claim for _, curve in claims))}",
    )
    _own_words(compared)


def _figure_and_theorem(compared: Comparison) -> list[tuple[str, AccountantCurve]]:
    """Return figure 5 of the paper and its theorem, as far as they are among the curves, and what each does."""
    curves = {each.accountant.key: each for each in compared.curves}
    figure = "Figure 5 of the paper draws" if _is_drawn(compared) else "The formula of the paper’s figure 5 gives"
    sources = (("at_risk_as_drawn", figure), ("at_risk", "Theorem 3 of the paper says"))
    return [(words, curves[key]) for key, words in sources if key in curves]


def _is_drawn(compared: Comparison) -> bool:
    """Return whether the largest number of releases lies in a panel of the paper's figure."""
    return (
        compared.epsilon0 in _PANELS.values()
        and compared.delta == _DRAWN_DELTA
        and K.value() == 1
        and compared.compositions[-1] <= _DRAWN_TO
    )


def _own_words(compared: Comparison) -> None:
    scenario = present_scenario()
    if _is_own(compared, scenario):
        return
    if not _is_drawable(scenario):
        st.caption(
            f"Your scenario ({level0(scenario.epsilon0)}, {scenario.releases:,} releases) lies outside of what is drawn here: "
            f"ε₀ from {_SMALLEST:g} to {_LARGEST:g}, up to {_MOST:,} releases."
        )
        return
    own = _compared(scenario.epsilon0, (scenario.releases,), scenario.delta, (), scenario.k)
    count = f"{scenario.releases:,} release{'s' * (scenario.releases > 1)}"
    st.caption(
        told(
            "Your own scenario is another one: {count} with {epsilon0} and δ = {delta}, which {spend} ε = {own.exact.upper[0]}.",
            count=count,
            epsilon0=level0(scenario.epsilon0),
            delta=small(scenario.delta),
            spend="spends" if scenario.releases == 1 else "spend",
            own=own,
        )
    )


def _is_own(compared: Comparison, scenario: Scenario) -> bool:
    return (
        scenario.releases <= compared.compositions[-1]
        and compared.epsilon0 == scenario.epsilon0
        and compared.delta == scenario.delta
    )


def _own(compared: Comparison) -> tuple[int, float] | None:
    """Return the reader's own point, if it belongs to the curves that are drawn."""
    scenario = present_scenario()
    if not _is_own(compared, scenario):
        return None
    own = _compared(scenario.epsilon0, (scenario.releases,), scenario.delta, (), scenario.k)
    return scenario.releases, float(own.exact.upper[0])


def _alt(compared: Comparison) -> str:
    others = "".join(
        f"; {short_name(each.accountant.key)} {written(each.quantity('epsilon', -1))}" for each in compared.curves
    )
    return told(
        "Privacy spent against the number of releases, ε₀ = {compared.epsilon0:g}, δ = {delta}. At {at:,}: exact "
        "{compared.exact.upper[-1]}{others}.",
        compared=compared,
        delta=small(compared.delta),
        at=int(compared.compositions[-1]),
        others=others,
    )


def _outside(compared: Comparison) -> None:
    """Say which curves leave the picture so early that they can hardly be seen."""
    most = compared.epsilon0 * float(compared.compositions[-1])
    gone = [short_name(each.accountant.key) for each in compared.curves if float(each.epsilon[0]) > most]
    if gone:
        st.caption(f"Not in the picture, because it lies above adding up everywhere: {'; '.join(gone)}.")


def _where_too_low(compared: Comparison, stretches: dict[str, tuple[TooLow, ...]]) -> None:
    """Say of each published curve where it claims too little, and what was drawn in the paper."""
    published = [each for each in compared.curves if each.claim]
    if not published:
        return
    lines = []
    for each in published:
        key = each.accountant.key
        name, badge = _full_name(each), badges.of(each)
        found = stretches.get(key, ())
        if not found:
            lines.append(
                f"- {name}: nowhere below the exact curve in this picture, which proves nothing beyond it. {badge}"
            )
            continue
        spans = " and ".join(figures.span(stretch) for stretch in found)
        lines.append(f"- {name}: **not a valid guarantee {spans}**. It claims less than is truly spent. {badge}")
    st.markdown(
        "The dashed curves are claims of the paper:\n\n" + "\n".join(lines),
        help=badges.legend(*(each.claim for each in published)),
    )
    if "at_risk_as_drawn" in {each.accountant.key for each in published}:
        drawn = next(each.delta for each in published if each.accountant.key == "at_risk_as_drawn")
        larger = f"(here {small(drawn)})" if drawn == 10 * compared.delta else f"(here cut off at {small(drawn)})"
        st.caption(
            "Figure 5 does not draw Theorem 3: its spread is far too small, and its δ is ten times as large as the text says "
            f"{larger}. The “advanced” curve there has this larger δ too."
        )


def _full_name(curve: AccountantCurve) -> str:
    drawn = f" (δ = {small(curve.delta)})" if curve.accountant.key == "at_risk_as_drawn" else ""
    return f"{curve.accountant.name}{drawn}"


def _table(keys: list[str]) -> None:
    """Show the numbers at the releases that the reader chooses; a claim that is too low is called so."""
    st.markdown("##### The numbers")
    numbers = controls.number_list(CHOSEN, hint=explain("numbers_at"), offers=("1", "2", "10", "100", "300", "1000"))
    if not numbers:
        st.info("Add a number of releases to see what each way of counting says there.")
        return
    chosen = tuple(int(each) for each in numbers)
    if not _counted("numbers_at", (EPSILON0.value(), chosen, DELTA.value())):
        return
    compared = _compared(EPSILON0.value(), chosen, DELTA.value(), tuple(keys), K.value())
    columns: dict[str, list[str]] = {"Way of counting": [f"**{short_name('exact')}** {badges.of(compared.exact)}"]}
    columns["Way of counting"] += [f"{short_name(each.accountant.key)} {badges.of(each)}" for each in compared.curves]
    for at, number in enumerate(chosen):
        columns[f"{number:,}"] = [written(compared.exact.quantity("upper", at))] + [
            written(each.quantity("epsilon", at)) + " (too low)" * bool(each.below[at]) for each in compared.curves
        ]
    st.table(columns, hide_index=True, alt="Privacy spent at each chosen number of releases, by each way of counting.")
    st.caption("Each column is a number of releases; what stands below it is the ε that they spend together.")


PAGE = Page(
    "composition",
    "You publish again and again about the same people. Each release spends some of their privacy; this page adds it up.",
    (
        Section("accountants", "Accountants", _accountants),
        Section("plan", "How many releases can I make?", release_plans.draw),
        Section("mixed", "Mixed releases", mixed_releases.draw),
    ),
)
