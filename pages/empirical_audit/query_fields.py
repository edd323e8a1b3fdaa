"""What was asked of every database."""

from __future__ import annotations

from pages.shared import controls, settings
from par_core.audit.order import Quantile, Variance
from par_core.audit.queries import PanelCount, PanelMean, PanelSum, ShareAbove
from par_core.audit.query import PanelQuery
from par_core.questions.glossary import explain

_WORDS = {
    "mean": "Mean",
    "sum": "Sum",
    "count": "Count",
    "share": "Share above",
    "variance": "Variance",
    "quantile": "Quantile",
}
_PLAIN: dict[str, type[PanelQuery]] = {"mean": PanelMean, "sum": PanelSum, "count": PanelCount, "variance": Variance}
ASK = settings.choice("eask", "Query", tuple(_WORDS))
THRESHOLD = settings.number("eabove", "Above", 1000.0, at_least=-1e15, at_most=1e15)
SHARE = settings.number("eq", "Which quantile", 0.5, at_least=0.0, at_most=1.0)


def choose() -> PanelQuery:
    """Draw the fields; returns the query."""
    ask = controls.choice(ASK, hint=explain("audited_query"), words=_WORDS.__getitem__)
    if ask == "share":
        controls.number(THRESHOLD, hint="A value that is equal to it is not above it.")
    if ask == "quantile":
        controls.number(SHARE, hint=explain("which_quantile"), step=0.05)
    return present()


def present() -> PanelQuery:
    """Return the query that the fields make."""
    ask = ASK.value()
    if ask == "share":
        return ShareAbove(THRESHOLD.value())
    return Quantile(SHARE.value()) if ask == "quantile" else _PLAIN[ask]()


def words(query: PanelQuery) -> str:
    """Return what was asked, without the name of a column."""
    name = _WORDS[ASK.value()].lower()
    if isinstance(query, ShareAbove):
        return f"{name} {query.threshold:g}"
    return f"{name} {query.share:g}" if isinstance(query, Quantile) else name
