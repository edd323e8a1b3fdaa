"""Sample planner: the sensitivity of a query is not known, so it is sampled; what that is worth and what it costs."""

from __future__ import annotations

from functools import partial

from pages.sample_planner import accuracy, both_sources, how_many, sampled
from pages.shared.page import Page, Section

_BOTH = "Both sources · fig. 3"


def _open_both() -> None:
    PAGE.tab.put(_BOTH)


PAGE = Page(
    "sample_planner",
    "Can a sample tell how far one person moves your query?",
    (
        Section("samples", "How many samples? · fig. 2", how_many.draw, dial="ρ", of_scenario=False),
        Section("sampled", "Sampled sensitivity · fig. 7", partial(sampled.draw, _open_both), of_scenario=False),
        Section("both", _BOTH, both_sources.draw, dial="ε", of_scenario=False),
        Section("accuracy", "What it does to accuracy · fig. 6", accuracy.draw, of_scenario=False),
    ),
    for_laplace=True,
    stops=("samples", "sampled", "both"),
    says_accuracy=True,  # of a query of its own, not of the scenario's
)
