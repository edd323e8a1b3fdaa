"""The figures of the page on composition: a result goes in, a `Drawing` comes out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.composition import ACCOUNTANTS, AccountantCurve, Comparison, ExactComposition, WithinTarget
from par_core.composition.comparison import TooLow
from par_core.composition.within_target import EXACT, largest_proven
from par_core.evidence import PROVEN, PUBLISHED, Basis, Quantity, Toward
from par_core.figures import labels, style, theme
from par_core.figures.drawing import Drawing, Trace
from par_core.figures.quantities import format_quantity
from par_core.old_names import by_old_name
from par_core.rounding import amount, brief, small

if TYPE_CHECKING:
    import pandas as pd

Axes = Literal["plain", "log"]
What = Literal["releases", "level"]

_SHORT = {
    "exact": "Exact privacy loss distribution",
    "basic": "Basic composition",
    "advanced": "Advanced composition",
    "zcdp": "zCDP",
    "rdp": "RDP",
    "optimal_pure": "Optimal composition (Kairouz, Oh, Viswanath)",
    "at_risk": "PaR, Theorem 3",
    "at_risk_exact": "PaR, true confidence",
    "at_risk_preprint": "PaR, preprint",
    "at_risk_as_drawn": "PaR, as drawn",
}
_BOUND = "Bound by privacy loss distribution"
# Proven bounds are grey lines: told apart by their marks, so that a grey print can be followed.
_MARKS = {
    "basic": "circle",
    "advanced": "square",
    "zcdp": "triangle-up",
    "rdp": "triangle-down",
    "optimal_pure": "x",
    "at_risk_exact": "diamond",
}
# Kinds of bars: the role of their colour, their basis, whether they are hatched.
_KINDS: dict[str, tuple[str, Basis, bool]] = {
    "exact": ("exact", PROVEN, False),
    "proven": ("muted", PROVEN, False),
    "published": ("published", PUBLISHED, False),
    "published, more than is safe": ("published", PUBLISHED, True),
    # Where the exact count ends early, nobody knows whether it is safe.
    "published, more than is proven": ("published", PUBLISHED, True),
}
_DASHES = ("at_risk", "at_risk_preprint", "at_risk_as_drawn")
_SPENT = "Privacy spent, ε of all together"
_RELEASES = "Number of releases"
_EACH = 10  # so few releases have a tick each, or some would stand between two of them
_HOVER = "%{customdata}"  # rounded here: a proven number upward


@dataclass(frozen=True)
class Running:
    """The privacy spent by the first releases of a list, at rising numbers of them (`releases`), against a `target`.

    `basic` is basic composition, `published` is Corollary 1 with Theorem 4's confidence, where that is about them. `exact` has
    one for each, and none as long as they are not computed: then the claim is not drawn either.
    """

    delta: float
    target: float
    releases: Sequence[int] | NDArray[np.int64]
    basic: Sequence[float] | NDArray[np.float64]
    published: Sequence[float] | NDArray[np.float64] | None
    exact: Sequence[ExactComposition]

    @property
    def top(self) -> float:
        """Up to where there is room: what lies far above basic composition would press the rest flat."""
        most = float(max(self.basic))
        return 1.08 * max(most, min(self.target, 3 * most))

    @property
    def claim_leaves(self) -> bool:
        """Whether the claim is drawn and runs off the top."""
        return self.published is not None and bool(self.exact) and float(max(self.published)) > self.top


def truth_name(*found: ExactComposition | WithinTarget) -> str:
    """Return what the exact count is called in a legend: a bound, where no more is known of any of these."""
    return _BOUND if any(each.is_bound for each in found) else short_name(EXACT)


def counted_by_name(within: WithinTarget) -> str:
    """Return what the count is called beside its bar."""
    return truth_name(within) if within.key == EXACT else short_name(within.key)


def short_name(key: str) -> str:
    """Return what an accountant is called in a legend."""
    return _SHORT[key] if key in _SHORT else ACCOUNTANTS[key].name


def accountants(
    comparison: Comparison,
    *,
    axes: Axes = "plain",
    own: tuple[int, Quantity] | None = None,
    k: int = 1,
    too_low: Mapping[str, Sequence[TooLow]] | None = None,
) -> Drawing:
    """Draw figure 5: the privacy spent against the number of releases, by each accountant, over the exact curve.

    Where a curve claims less than the exact one it is hatched. `own` is the reader's number of releases and what it comes to;
    `too_low` holds the stretches to mark, by the key of their accountant.
    """
    at_risk = any(curve.accountant.at_risk for curve in comparison.curves)
    drawing = Drawing(
        title=f"Privacy spent by many releases with ε₀ = {amount(comparison.epsilon0, 4)}, δ = {small(comparison.delta)}"
        + (f" (k = {k})" if at_risk and k != 1 else ""),
        x=_RELEASES,
        y=_SPENT,
    )
    numbers = comparison.releases
    claims = [curve.epsilon for curve in comparison.curves if curve.below.any()]
    if claims:  # hatched from the lowest claim up to the truth
        _add_hatched(drawing, numbers, np.min(claims, axis=0), comparison.exact.lower)
    for curve in comparison.curves:
        drawing.add(_line(curve, numbers))
    truth = style.exact(numbers, comparison.exact.upper, truth_name(comparison.exact))
    drawing.add(_hover(truth, beside=comparison.exact.added))
    _add_first_below(drawing, comparison, too_low or {})
    if own is not None:
        mark = style.setting(own[0], own[1].value, format_quantity(own[1]), name="your scenario", side="top right")
        drawing.add(_hover(mark, at=own[0], beside=own[1].beside))
    _set_axes(drawing, comparison, axes)
    labels.place(drawing)
    labels.name_curves(
        drawing, [(each, each["name"]) for each in drawing.data if each["mode"].startswith("lines") and "meta" in each]
    )
    return drawing


def allowed_bars(found: Sequence[WithinTarget], *, what: What) -> Drawing:
    """Draw what each accountant allows as bars: the number of releases, or the level of each; hatched where it is too much."""
    first = found[0]
    if what == "releases":
        title, x = f"Releases with ε₀ = {amount(first.epsilon0, 4)} that each count allows", _RELEASES
    else:
        title = f"ε₀ of each of {first.releases:,} releases that each count allows"
        x = "Level ε₀ of each release"
    drawing = Drawing(title=title, x=x, y="Accountant")
    sizes = np.array([_size(within, what) for within in found])
    places = np.arange(len(found), 0, -1)
    kinds = [_kind(within, found, what=what) for within in found]
    for kind in _KINDS:
        chosen = [at for at, each in enumerate(kinds) if each == kind]
        if chosen:
            drawing.add(_bars(kind, [found[at] for at in chosen], places[chosen], what=what))
    positive = sizes[sizes > 0]
    if positive.size and positive.max() > 30 * positive.min():
        low, high = 10 ** math.floor(math.log10(positive.min()) - 0.3), positive.max()
        drawing.set_x(**style.log_axis(low, high, room=(0, 0.22 * math.log10(high / low))))
    else:
        drawing.set_x(range=[0, 1.3 * float(sizes.max()) or 1.0], exponentformat="power")
    drawing.set_y(
        tickvals=places.tolist(),
        ticktext=[
            counted_by_name(within).replace(" (", "<br>(").replace("privacy ", "privacy<br>") for within in found
        ],
        showgrid=False,
    )
    drawing.set_y(range=[0.4, len(found) + 0.6])
    drawing.layout["yaxis"]["title"]["standoff"] = 4
    # The names take a margin of their own: on a phone the title needs the width of the whole picture.
    drawing.layout["title"] |= {"xref": "container", "x": 0.01}
    drawing.layout |= {"height": 190 + 36 * len(found), "barmode": "overlay"}
    return drawing


def too_much(within: WithinTarget, found: Sequence[WithinTarget], *, what: What) -> bool:
    """Return whether a claim allows more than the exact count, or than every proven one where that ends at its limit.

    Without the exact count nothing is said against a claim.
    """
    if within.evidence.basis is not PUBLISHED or not any(each.key == "exact" for each in found):
        return False
    truth = largest_proven(found, by="releases" if what == "releases" else "epsilon0")
    return truth is not None and _size(within, what) > _size(truth, what)


def within_target_table(releases: Sequence[WithinTarget], levels: Sequence[WithinTarget]) -> pd.DataFrame:
    """Return one row for each accountant and question, with its basis and its limits."""
    import pandas as pd

    return pd.DataFrame(
        {
            "question": question,
            "accountant": within.name,
            "level of each release": within.epsilon0,
            "releases": within.releases,
            "epsilon together": within.epsilon,
            "search ended at its limit": within.at_limit,
            "standing": within.evidence.basis.value,
            "source": within.source,
            "limits": within.limits,
        }
        for question, found in (("how many releases", releases), ("which level", levels))
        for within in found
    )


def running(spent: Running, *, of: Literal["release", "plan"] = "release") -> Drawing:
    """Draw how the privacy spent by releases at different levels, or by one plan time after time, grows, against the target."""
    each = "release by release" if of == "release" else "plan by plan"
    drawing = Drawing(
        title=f"Privacy spent, {each} (target {spent.target:g}, δ = {small(spent.delta)})",
        x="Releases so far" if of == "release" else "Times that the whole plan is made",
        y=_SPENT,
    )
    # Before the first release nothing is spent.
    numbers, basic = np.append(0, spent.releases), np.append(0.0, spent.basic)
    if spent.exact:
        lower, upper = np.array([(0.0, 0.0), *((each.lower, each.upper) for each in spent.exact)], dtype=float).T
        if spent.published is not None:
            published = np.append(0.0, spent.published)
            # Between the points that are known the picture holds straight lines: hatched is what lies between those.
            fine = np.linspace(0, float(numbers[-1]), 401)
            _add_hatched(drawing, fine, np.interp(fine, numbers, published), np.interp(fine, numbers, lower))
            drawing.add(_hover(style.published(numbers, published, "PaR, Corollary 1")))
        drawing.add(_hover(style.exact(numbers, upper, truth_name(*spent.exact)), beside=basic))
    drawing.add(_proven(numbers, basic, "basic"))
    target = style.reference(numbers[[0, -1]], [spent.target] * 2, "target", role="accent", width=1.6)
    drawing.add(target | {"customdata": [f"{spent.target:g}"] * 2, "hovertemplate": _HOVER})
    drawing.layout["hovermode"] = "x unified"
    drawing.set_y(range=[0, spent.top])
    drawing.set_x(range=[0, float(numbers[-1]) * 1.02], tickformat=",d")
    if numbers[-1] <= _EACH:
        drawing.set_x(tick0=0, dtick=1)
    return drawing


# --- the curves -------------------------------------------------------------------------------------------------------


def _line(curve: AccountantCurve, numbers: NDArray[np.int64]) -> Trace:
    key, name = curve.accountant.key, _name(curve)
    if curve.evidence.basis is PUBLISHED:
        which = _DASHES.index(key) if key in _DASHES else len(_DASHES)
        return _hover(style.published(numbers, curve.epsilon, name, which=which))
    return _proven(numbers, curve.epsilon, key)


def _name(curve: AccountantCurve) -> str:
    key = curve.accountant.key
    return short_name(key) + (f" (δ = {small(curve.delta)})" if key == "at_risk_as_drawn" else "")


def _proven(numbers: NDArray[np.int64], epsilon: NDArray[np.float64], key: str) -> Trace:
    line = style.exact(numbers, epsilon, short_name(key), which=2)
    marker = {"color": theme.LIGHT["muted"], "symbol": _MARKS.get(key, "star"), "size": 7, "maxdisplayed": 9}
    return _hover(line | {"mode": "lines+markers", "line": line["line"] | {"width": 1.4}, "marker": marker})


def _hover(trace: Trace, *, at: int | None = None, beside: ArrayLike | None = None) -> Trace:
    """Let a curve tell its values under the pointer, proven ones rounded up; a point, told with the curves beside it, says where it is.

    `beside` as in `brief`, one for all or one for each.
    """
    toward: Toward = "up" if trace["meta"] == PROVEN.value else "near"
    place = "" if at is None else f" at {at:,} release{'s' * (at != 1)}"
    limits = np.broadcast_to(math.inf if beside is None else beside, trace["y"].shape).tolist()
    values = zip(trace["y"].tolist(), limits, strict=True)
    told = [f"{brief(value, toward=toward, beside=limit)}{place}" for value, limit in values]
    return trace | {"customdata": told, "hovertemplate": _HOVER}


def _add_hatched(drawing: Drawing, x: NDArray[Any], claimed: NDArray[np.float64], truth: NDArray[np.float64]) -> None:
    for count, part in enumerate(style.runs(claimed < truth)):
        claim, true = (x[part], claimed[part]), (x[part], truth[part])
        drawing.add(style.not_valid(claim, true, name="not a valid guarantee here", legend=count == 0))


def _add_first_below(drawing: Drawing, comparison: Comparison, too_low: Mapping[str, Sequence[TooLow]]) -> None:
    """Mark on each curve where it falls below the truth, if it was above it before, and say up to where."""
    for curve in comparison.curves:
        for stretch in too_low.get(curve.accountant.key, ()):
            if stretch.first <= comparison.releases[0]:
                continue
            mark = {
                "type": "scatter",
                "x": np.array([stretch.first]),
                "y": np.array([stretch.epsilon]),
                "name": f"{_name(curve)}: too low {span(stretch)}",
                "mode": "markers",
                "marker": {"symbol": "circle-open", "size": 12, "color": theme.LIGHT["invalid"], "line": {"width": 2}},
                "cliponaxis": False,
                "showlegend": False,
                "meta": curve.evidence.basis.value,
            }
            drawing.add(_hover(mark, at=stretch.first))


def span(stretch: TooLow) -> str:
    """Return from where to where a claim is too low, in words."""
    if stretch.first == stretch.last:
        return f"at {stretch.first:,} release{'s' * (stretch.first != 1)}"
    start = "the first release" if stretch.first == 1 else f"{stretch.first:,} releases"
    return f"from {start} {'on' if stretch.last is None else f'to {stretch.last:,}'}"


def _set_axes(drawing: Drawing, comparison: Comparison, axes: Axes) -> None:
    numbers = comparison.releases
    most = float(comparison.epsilon0 * numbers[-1])
    drawn = np.concatenate([comparison.exact.upper, *(curve.epsilon for curve in comparison.curves)])
    # What lies above basic composition is of no use to anyone, and would press the rest flat.
    top = min(float(drawn.max()), most) or most  # so small levels spend nothing at all at some δ
    drawing.layout |= {"hovermode": "x unified", "height": 500}
    if axes == "log":
        low = max(float(drawn[drawn > 0].min(initial=top)), 1e-4 * top)
        drawing.set_x(**style.log_axis(1, float(numbers[-1]) + 1, room=(0.02, 0)))
        drawing.set_y(**style.log_axis(low, top, room=(0.1, 0.1)))
    else:
        drawing.set_x(range=[0, 1.02 * float(numbers[-1])])
        drawing.set_y(range=[0, 1.06 * top])
    drawing.set_x(hoverformat=",d")


# --- the bars ---------------------------------------------------------------------------------------------------------


def _size(within: WithinTarget, what: What) -> float:
    return float(within.releases if what == "releases" else within.epsilon0)


def _kind(within: WithinTarget, found: Sequence[WithinTarget], *, what: What) -> str:
    if too_much(within, found, what=what):
        unknown = any(each.key == "exact" and each.at_limit for each in found)
        return "published, more than is proven" if unknown else "published, more than is safe"
    if within.evidence.basis is PUBLISHED:
        return "published"
    return "exact" if within.key == EXACT and not within.is_bound else "proven"


def _bars(kind: str, found: Sequence[WithinTarget], places: NDArray[np.int64], *, what: What) -> Trace:
    role, basis, unsafe = _KINDS[kind]
    return style.bars(
        [_size(within, what) for within in found],
        places,
        kind,
        orientation="h",
        text=[allowed(within, what=what) + ("+" if within.at_limit else "") for within in found],
        customdata=[allowed(within, what=what) + (" or more" if within.at_limit else "") for within in found],
        textposition="outside",
        textfont={"color": theme.LIGHT["text"], "size": 13},
        cliponaxis=False,
        width=0.62,
        marker={
            "color": theme.LIGHT["background" if unsafe else role],
            "line": {"color": theme.LIGHT[role], "width": 1.4},
            "pattern": {
                "shape": "/" if unsafe else "",
                "fillmode": "overlay",
                "fgcolor": theme.LIGHT["invalid"],
                "size": 9,
                "solidity": 0.15,
                "fgopacity": 1,
            },
        },
        meta=basis.value,
        hovertemplate="%{customdata}<extra>" + kind + "</extra>",
    )


def allowed(within: WithinTarget, *, what: What) -> str:
    """Return what is allowed in words: releases in full, a level that is proven with its last digit cut off."""
    return f"{within.releases:,}" if what == "releases" else format_quantity(within.quantity("epsilon0"))


if not TYPE_CHECKING:
    __getattr__ = by_old_name(
        __name__, {"plans": "allowed_bars", "plans_table": "within_target_table", "plan_name": "counted_by_name"}
    )
