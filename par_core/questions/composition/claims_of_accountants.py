"""What basic composition and the paper say of the same releases, and where a claim is too low."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from par_core.composition import AccountantCurve, Comparison, ExactComposition, holding
from par_core.composition.comparison import TooLow
from par_core.evidence import Quantity
from par_core.figures import composition as figures
from par_core.figures.quantities import format_quantity
from par_core.mechanisms import Mechanism
from par_core.questions.blocks import Block, Listed, Note, Sentence, Words
from par_core.questions.composition.exact_count import is_bound
from par_core.rounding import small
from par_core.scenario import HARDLY_PRIVATE

PANELS = {"5a": 0.1, "5b": 0.5, "5c": 1.0}  # of the paper's figure 5, with the level of each release
_DRAWN_TO, _DRAWN_DELTA = 299, 1e-5  # where that figure ends, and the δ that its text names


def beside_the_truth(compared: Comparison, at: int, *, mechanism: Mechanism | None, k: int) -> Sentence:
    """Say what the releases come to by basic composition, and by the paper; `mechanism` is None for Laplace noise."""
    curves = {each.accountant.key: each for each in compared.curves}
    drawn = _is_printed(compared, at, k=k)
    words = ["Basic composition gives {added}: always on the safe side."]
    values: dict[str, Any] = {"added": _added(compared, at, mechanism)}
    if is_bound(compared.exact, at):
        words.append(f"The truth is known to be at least {format_quantity(compared.exact.quantity('lower', at))}.")
    figure = "Figure 5 of the paper draws" if drawn else "The formula of the paper’s figure 5 gives"
    for key, claims in (("at_risk_as_drawn", figure), ("at_risk", "Theorem 3 of the paper says")):
        if key in curves:
            words.append(f"{claims} {{{key}}}{' (too low)' * bool(curves[key].below[at])}.")
            values[key] = curves[key].quantity("epsilon", at)
    if compared.exact.upper[at] > HARDLY_PRIVATE:
        words.append("At such an ε next to nothing is protected.")
    return Sentence(" ".join(words), claims=(), **values)


def _added(compared: Comparison, at: int, mechanism: Mechanism | None) -> Quantity:
    """Return what basic composition gives, also where its curve is not drawn."""
    number = int(compared.releases[at])
    if mechanism is None or holding(mechanism) != ("basic",):
        spent = compared.epsilon0 * number
    else:
        spent = number * mechanism.epsilon(compared.delta / number)
    return ExactComposition.as_quantity("upper", spent)


def _is_printed(compared: Comparison, at: int, *, k: int) -> bool:
    """Return whether this number of releases lies in a panel of the paper's figure."""
    panel = compared.epsilon0 in PANELS.values() and compared.delta == _DRAWN_DELTA and k == 1
    return bool(panel and compared.releases[at] <= _DRAWN_TO)


def where_too_low(compared: Comparison, stretches: Mapping[str, tuple[TooLow, ...]]) -> Iterator[Block]:
    """Say of each published curve where it claims too little, and what was drawn in the paper."""
    published = {each.accountant.key: each for each in compared.curves if each.claim}
    if not published:
        return
    yield Listed(
        Words("The dashed curves are claims of the paper:", claims=tuple(each.claim for each in published.values())),
        tuple(_line(each, stretches.get(key, ())) for key, each in published.items()),
    )
    if "at_risk_as_drawn" in published:
        drawn = published["at_risk_as_drawn"].delta
        larger = "here" if drawn == 10 * compared.delta else "here cut off at"
        yield Note(
            "Figure 5 does not draw Theorem 3: its spread is far too small, and its δ is ten times as large as the text says "
            f"({larger} {small(drawn)}). The “advanced” curve there has this larger δ too."
        )


def _line(curve: AccountantCurve, stretches: tuple[TooLow, ...]) -> Words:
    name = curve.accountant.name
    if curve.accountant.key == "at_risk_as_drawn":
        name += f" (δ = {small(curve.delta)})"
    if not stretches:
        where = "nowhere below the exact curve in this picture, which proves nothing beyond it"
    else:
        spans = " and ".join(map(figures.span, stretches))
        where = f"**not a valid guarantee {spans}**. It claims less than is truly spent"
    return Words(f"{name}: {where}.", evidence_from=curve)
