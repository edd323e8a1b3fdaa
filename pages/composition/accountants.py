"""The accountants, drawn over the exact truth, with the numbers at some places."""

from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from pages.composition import formulas
from pages.composition.multiple_choice import choose, multiple_choice
from pages.shared import badges, controls, jobs, paper_switch, settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.release import is_possible, only_laplace
from pages.shared.say import paragraph, say, told, written
from pages.shared.settings import present_scenario
from pages.shared.words import HARDLY_PRIVATE, level0
from par_core import composition
from par_core.composition import ACCOUNTANTS, AccountantCurve, Comparison, ExactComposition
from par_core.composition.comparison import TooLow, too_low
from par_core.composition.exact import NARROW
from par_core.composition.of_mechanism import compare_of, exact_of, holding
from par_core.figures import composition as figures
from par_core.figures.composition import short_name, truth_name
from par_core.figures.drawing import Drawing
from par_core.mechanisms import Mechanism
from par_core.progress import Progress, portion
from par_core.questions.glossary import explain
from par_core.rounding import small
from par_core.scenario import Scenario

_SMALLEST, _LARGEST, _MOST = 1e-6, 50.0, 20_000  # what is composed here
_EVERY = 300  # up to here every number of releases is drawn, beyond it about so many of them
_POINTS = 160
_QUICK = 500  # releases that are counted at once; more of them take a job
_AT_ONCE = 100  # releases that are counted at all stops of a dial
_KEPT = 512
_FEW = 12  # are drawn at least: one release or two make no curve
_PRINTED_CURVES = ("basic", "advanced", "at_risk_as_drawn")
_AS_DRAWN = ("basic", "advanced", "at_risk", "at_risk_as_drawn")


def _as_far(scenario: Scenario) -> int:
    return min(max(scenario.releases, _FEW), _MOST)


EPSILON0 = settings.following(
    settings.number("ce0", "ε₀ of each release", 0.5, at_least=_SMALLEST, at_most=_LARGEST),
    lambda scenario: scenario.epsilon0,
)
LARGEST = settings.following(
    settings.whole("cn", "Largest number of releases", _FEW, at_least=2, at_most=_MOST), _as_far
)
DELTA = settings.following(
    settings.number("cd", "δ of the curves", 1e-5, at_least=1e-15, at_most=0.5), lambda scenario: scenario.delta
)
K = settings.following(
    settings.whole("ck", "k of the published curves", 1, at_least=1, at_most=10_000), lambda scenario: scenario.k
)
CURVES = multiple_choice("curves", "Accountants", tuple(ACCOUNTANTS), _AS_DRAWN)
AXES = settings.choice("cax", "Axes", ("plain", "log"))
CHOSEN = settings.following(
    settings.numbers("cno", "Numbers at", (), at_least=1, at_most=_MOST, only_whole=True),
    lambda scenario: [str(each) for each in sorted({1, min(scenario.releases, _MOST), _as_far(scenario)})],
)
PAPER_ONLY = paper_switch.setting("cpaper")

_PANELS = {"5a": 0.1, "5b": 0.5, "5c": 1.0}
_PRINTED: dict[settings.Setting[Any], Any] = {
    LARGEST: 300,
    DELTA: 1e-5,
    K: 1,
    AXES: "plain",
    CURVES: list(_AS_DRAWN),
    CHOSEN: ["1", "10", "100", "300"],
}
_Question = tuple[Mechanism | None, float, tuple[int, ...], float]  # None for Laplace noise; ε₀, numbers of releases, δ
_TRUTHS: dict[_Question, ExactComposition] = {}  # for everybody: the same whichever curves are drawn over it
_DRAWN_TO, _DRAWN_DELTA = 299, 1e-5  # where the paper's figure 5 ends, and the δ that its text names


def draw() -> None:
    main, side = chart_and_controls()
    with side:
        keys = _controls()
    with main:
        scenario = present_scenario()
        if not is_possible():
            return
        asked, own_asked = _asked(), _own(scenario)
        drawable = _is_drawable(scenario)
        if not _counted("accountants", asked, *[own_asked] * drawable):
            return
        compared = _compared(asked, tuple(keys), K.value())
        own = _compared(own_asked, (), scenario.k) if drawable else None
        drawn = _is_own(compared, scenario)
        at = _place(compared)
        _answer(compared)
        stretches = {
            each.accountant.key: _too_low(compared, each.accountant.key) for each in compared.curves if each.below.any()
        }
        others = "".join(
            f"; {short_name(each.accountant.key)} {written(each.quantity('epsilon', -1))}" for each in compared.curves
        )

        def figure() -> Drawing:
            scenario = present_scenario()
            drawn_keys = [key for key in keys if not PAPER_ONLY.value() or key in _PRINTED_CURVES]
            now = _compared(_asked(), tuple(drawn_keys), K.value())
            own = _compared(_own(scenario), (), scenario.k) if _is_own(now, scenario) else None
            drawing = figures.accountants(
                now,
                axes="log" if AXES.value() == "log" else "plain",
                own=(scenario.releases, own.exact.quantity("upper", 0)) if own else None,
                k=K.value(),
                too_low={
                    each.accountant.key: _too_low(now, each.accountant.key) for each in now.curves if each.below.any()
                },
            )
            if not scenario.as_published:
                return drawing
            return paper_switch.shown(drawing, PAPER_ONLY, also=[short_name(key) for key in _PRINTED_CURVES])

        chart(
            figure,
            "privacy_spent",
            # Many releases are counted in a job: too long for the stops of a dial.
            dials=(EPSILON0, settings.scenario_setting("epsilon0")) if LARGEST.value() <= _at_once(scenario) else (),
            headline=lambda: _headline(_compared(_asked(), tuple(keys), K.value())),
            alt="Privacy spent against the number of releases, ε₀ = {compared.epsilon0:g}, δ = {delta}. At {compared.compositions[-1]:,}: "
            f"{'at most' if compared.exact.is_bound else 'exact'} {{compared.exact.upper[-1]}}{others}.",
            compared=compared,
            delta=small(compared.delta),
            notes={
                "source": f"Figure 5 of Privacy at Risk; {'bound' if compared.exact.is_bound else 'exact'}: {compared.exact.source}",
                **{f"source, {short_name(each.accountant.key)}": each.source for each in compared.curves},
            },
        )
        _other_counts(compared, at)
        if not drawn:
            _own_words(own, scenario)
        _outside(compared)
        only_laplace("RDP and the paper's accountants are")
        _where_too_low(compared, stretches)
        _table(keys)
        formula_expander("accountants", formulas.of(keys))


def _asked() -> _Question:
    return _mechanism(EPSILON0.value()), EPSILON0.value(), numbers(LARGEST.value()), DELTA.value()


def _own(scenario: Scenario) -> _Question:
    return _mechanism(scenario.epsilon0), scenario.epsilon0, (scenario.releases,), scenario.delta


def _mechanism(epsilon0: float) -> Mechanism | None:
    """Return the mechanism of each release, if it is not the paper's."""
    scenario = present_scenario()
    return None if scenario.as_published else replace(scenario, epsilon0=epsilon0).release


def _controls() -> list[str]:
    dial(EPSILON0, hint=explain("epsilon0"))
    controls.whole(LARGEST, hint=explain("largest_number"))
    controls.number(DELTA, hint=explain("delta"))
    keys = choose(CURVES, hint=explain("accountants"), words=short_name)
    scenario = present_scenario()
    if not scenario.as_published and is_possible():
        keys = [key for key in keys if key in holding(scenario.release)]
    if any(ACCOUNTANTS[key].at_risk for key in keys):
        controls.whole(K, hint=f"The paper draws figure 5 for k = 1. {explain('k')}")
    controls.choice(AXES, words={"plain": "Plain", "log": "Logarithmic"}.__getitem__, hint=explain("axes"))
    with st.container(horizontal=True):
        for panel, epsilon0 in _PANELS.items() if scenario.as_published else ():
            hint = f"As in the paper: ε₀ = {epsilon0:g}, up to 300 releases."
            controls.button(f"Figure {panel}", settings.put_all, {EPSILON0: epsilon0, **_PRINTED}, hint=hint)
    if _is_drawable(present_scenario()):
        own = {each: each.opens_on for each in (EPSILON0, LARGEST, DELTA, K, CHOSEN)}
        controls.button("With my scenario", settings.put_all, own, hint=explain("my_scenario"))
    if scenario.as_published:
        paper_switch.draw(PAPER_ONLY)
    return keys


def _at_once(scenario: Scenario) -> int:
    return _AT_ONCE if scenario.as_published else _FEW


def _is_drawable(scenario: Scenario) -> bool:
    return _SMALLEST <= scenario.epsilon0 <= _LARGEST and scenario.releases <= _MOST


def numbers(largest: int) -> tuple[int, ...]:
    """Return the numbers of releases to draw: all of a few, else closer together where the curves bend."""
    if largest <= (_EVERY if present_scenario().as_published else _FEW):
        return tuple(range(1, largest + 1))
    points, steps = (_POINTS, 40) if present_scenario().as_published else (_FEW, _FEW)
    spread = (round(largest ** (each / points)) for each in range(points + 1))
    even = (round(largest * each / steps) for each in range(1, steps + 1))
    return tuple(sorted({*spread, *even}))


@lru_cache(maxsize=512)
def _compared(question: _Question, keys: tuple[str, ...], k: int) -> Comparison:
    if question not in _TRUTHS:
        _count((question,))
    mechanism, epsilon0, numbers, delta = question
    if mechanism is not None:
        return compare_of(mechanism, epsilon0, numbers, delta=delta, keys=keys, truth=_TRUTHS[question])
    return composition.compare(epsilon0, numbers, delta=delta, keys=keys, k=k, truth=_TRUTHS[question])


def _count(questions: tuple[_Question, ...], *, progress: Progress | None = None) -> int:
    """Count exactly, which takes longest; returns how much was counted."""
    for done, question in enumerate(questions):
        mechanism, epsilon0, numbers, delta = question
        share = portion(progress, done / len(questions), (done + 1) / len(questions))
        if mechanism is None:
            truth = composition.exact(epsilon0, numbers, delta=delta, progress=share)
        else:
            truth = exact_of(mechanism, numbers, delta=delta, progress=share)
        while len(_TRUTHS) >= _KEPT:
            _TRUTHS.pop(next(iter(_TRUTHS)), None)
        _TRUTHS[question] = truth
    return len(questions)


def _counted(key: str, *questions: _Question) -> bool:
    """Count in a job what takes long; return whether all of it is there."""
    long = tuple(each for each in questions if each[2][-1] > _QUICK or (each[0] is not None and len(each[2]) > _FEW))
    if all(each in _TRUTHS for each in long):
        return True
    return jobs.run(key, partial(_count, long), inputs=long, label="Counting exactly") is not None


def _too_low(compared: Comparison, key: str) -> tuple[TooLow, ...]:
    def look(numbers: tuple[int, ...]) -> Comparison:
        return _compared((_mechanism(compared.epsilon0), compared.epsilon0, numbers, compared.delta), (key,), K.value())

    return too_low(compared, key, look=look)


def _place(compared: Comparison) -> int:
    """Return of how many releases the answer is, by their place among those that are drawn.

    They are the reader's own, or all that are drawn once another number is asked for.
    """
    scenario = present_scenario()
    is_own = _is_own(compared, scenario) and LARGEST.value() == LARGEST.opens_on
    place: int = compared.compositions.tolist().index(scenario.releases if is_own else compared.compositions[-1])
    return place


def _headline(compared: Comparison) -> str:
    """Return what so many releases come to, exactly."""
    at = _place(compared)
    number = int(compared.compositions[at])
    each = level0(compared.epsilon0)
    spend = (
        f"{number:,} releases together, each with {each}, spend" if number > 1 else f"One release with {each} spends"
    )
    spend += " at most" * _is_bound(compared, at)
    return told(f"## {spend} ε = {{compared.exact.upper[{at}]}}", compared=compared)


def _is_bound(compared: Comparison, at: int) -> bool:
    """Return whether the truth may lie well below what is told."""
    return bool(compared.exact.lower[at] < (1 - NARROW) * compared.exact.upper[at])


def _answer(compared: Comparison) -> None:
    st.markdown(_headline(compared))
    by = "a bound on" if _is_bound(compared, _place(compared)) else "the exact"
    paragraph(
        f"By {by} privacy loss distribution that is (ε, δ)-DP with δ\u00a0=\u00a0{{delta}}.",
        delta=small(compared.delta),
        standing_of=compared.exact,
        help=explain("spent"),
    )


def _other_counts(compared: Comparison, at: int) -> None:
    """Say what the same releases come to by basic composition, and by the paper."""
    curves = {each.accountant.key: each for each in compared.curves}
    figure = "Figure 5 of the paper draws" if _is_drawn(compared, at) else "The formula of the paper’s figure 5 gives"
    sources = (("at_risk_as_drawn", figure), ("at_risk", "Theorem 3 of the paper says"))
    claims = [(words, curves[key]) for key, words in sources if key in curves]
    added = say(
        "Basic composition gives {added}: always on the safe side.",
        added=_added(compared, at),
        standing_of=ACCOUNTANTS["basic"],
    )
    claimed = (
        say(f"{words} {{curve.epsilon[{at}]}}{{below}}.", curve=curve, below=" (too low)" * bool(curve.below[at]))
        for words, curve in claims
    )
    between = [told("The truth is known to be at least {lower}.", lower=compared.exact.quantity("lower", at))]
    between *= _is_bound(compared, at)
    hardly = ["At such an ε next to nothing is protected."] * bool(compared.exact.upper[at] > HARDLY_PRIVATE)
    legend = badges.legend(*(curve.claim for _, curve in claims))
    st.markdown(" ".join([added, *between, *claimed, *hardly]), help=legend)


def _added(compared: Comparison, at: int) -> str:
    """Return what basic composition gives, also where its curve is not drawn."""
    mechanism, number = _mechanism(compared.epsilon0), int(compared.compositions[at])
    if mechanism is None or holding(mechanism) != ("basic",):
        spent = compared.epsilon0 * number
    else:
        spent = number * mechanism.epsilon(compared.delta / number)
    return written(ExactComposition.as_quantity("upper", spent))


def _is_drawn(compared: Comparison, at: int) -> bool:
    """Return whether this number of releases lies in a panel of the paper's figure."""
    return (
        compared.epsilon0 in _PANELS.values()
        and compared.delta == _DRAWN_DELTA
        and K.value() == 1
        and compared.compositions[at] <= _DRAWN_TO
    )


def _own_words(own: Comparison | None, scenario: Scenario) -> None:
    """Say what the reader's own releases come to, which do not belong to the curves."""
    if own is None:
        words = (
            "Your scenario ({mine.epsilon0:level0}, {mine.releases:,} releases) lies outside of what is drawn here: "
            f"ε₀ from {small(_SMALLEST)} to {_LARGEST:g}, up to {_MOST:,} releases."
        )
    else:
        count = "releases with {mine.epsilon0:level0} and δ\u00a0=\u00a0{delta}, which spend ε = {own.exact.upper[0]}."
        if scenario.releases == 1:
            count = count.replace("releases", "release").replace("spend", "spends")
        words = f"Your own scenario is another one: {{mine.releases:,}} {count}"
    st.caption(told(words, mine=scenario, delta=small(scenario.delta), own=own))


def _is_own(compared: Comparison, scenario: Scenario) -> bool:
    return (
        scenario.releases <= compared.compositions[-1]
        and compared.epsilon0 == scenario.epsilon0
        and compared.delta == scenario.delta
    )


def _outside(compared: Comparison) -> None:
    """Say which curves leave the picture so early that they can hardly be seen."""
    most = compared.epsilon0 * float(compared.compositions[-1])
    gone = [short_name(each.accountant.key) for each in compared.curves if float(each.epsilon[0]) > most]
    if gone:
        st.caption(f"Left out, as it lies above basic composition everywhere: {'; '.join(gone)}.")


def _where_too_low(compared: Comparison, stretches: dict[str, tuple[TooLow, ...]]) -> None:
    """Say of each published curve where it claims too little, and what was drawn in the paper."""
    published = {each.accountant.key: each for each in compared.curves if each.claim}
    if not published:
        return
    lines = [
        f"- {_full_name(each)}: {_where(stretches.get(key, ()))}. {badges.of(each)}" for key, each in published.items()
    ]
    st.markdown(
        "The dashed curves are claims of the paper:\n\n" + "\n".join(lines),
        help=badges.legend(*(each.claim for each in published.values())),
    )
    if "at_risk_as_drawn" in published:
        drawn = published["at_risk_as_drawn"].delta
        larger = "here" if drawn == 10 * compared.delta else "here cut off at"
        st.caption(
            "Figure 5 does not draw Theorem 3: its spread is far too small, and its δ is ten times as large as the text says "
            f"({larger} {small(drawn)}). The “advanced” curve there has this larger δ too."
        )


def _where(stretches: tuple[TooLow, ...]) -> str:
    if not stretches:
        return "nowhere below the exact curve in this picture, which proves nothing beyond it"
    spans = " and ".join(figures.span(stretch) for stretch in stretches)
    return f"**not a valid guarantee {spans}**. It claims less than is truly spent"


def _full_name(curve: AccountantCurve) -> str:
    drawn = f" (δ = {small(curve.delta)})" if curve.accountant.key == "at_risk_as_drawn" else ""
    return f"{curve.accountant.name}{drawn}"


def _table(keys: list[str]) -> None:
    """Show the numbers at the releases that the reader chooses; a claim that is too low is called so."""
    st.markdown("### The numbers")
    numbers = controls.number_list(CHOSEN, hint=explain("numbers_at"), offers=("1", "2", "10", "100", "300", "1000"))
    if not numbers:
        st.info("Add a number of releases to see what each accountant says there.")
        return
    chosen = tuple(int(each) for each in numbers)
    asked = (_mechanism(EPSILON0.value()), EPSILON0.value(), chosen, DELTA.value())
    if not _counted("numbers_at", asked):
        return
    compared = _compared(asked, tuple(keys), K.value())
    columns: dict[str, list[str]] = {"Accountant": [f"**{truth_name(compared.exact)}** {badges.of(compared.exact)}"]}
    columns["Accountant"] += [f"{short_name(each.accountant.key)} {badges.of(each)}" for each in compared.curves]
    for at, number in enumerate(chosen):
        columns[f"{number:,}"] = [written(compared.exact.quantity("upper", at))] + [
            written(each.quantity("epsilon", at)) + " (too low)" * bool(each.below[at]) for each in compared.curves
        ]
    st.table(columns, hide_index=True, alt="Privacy spent at each chosen number of releases, by each accountant.")
    st.caption("Each column is a number of releases, with the ε that they spend together below it.")
