"""Sample planner: the sensitivity of a query is not known, so it is sampled; what that is worth and what it costs."""

from __future__ import annotations

from functools import partial

from pages.sample_planner import accuracy, both_sources, how_many, notebook_cells, sampled
from pages.shared.page import Page, Section

_BOTH = "Both sources · fig. 3"


def _open_both() -> None:
    PAGE.tab.put(_BOTH)


PAGE = Page(
    "sample_planner",
    "Can a sample tell how far one person moves your query?",
    (
        Section(
            "samples",
            "How many samples? · fig. 2",
            how_many.draw,
            dial="ρ",
            of_scenario=False,
            cells=notebook_cells.how_many_samples,
        ),
        Section(
            "sampled",
            "Sampled sensitivity · fig. 7",
            partial(sampled.draw, _open_both),
            of_scenario=False,
            cells=notebook_cells.sampled_sensitivity,
        ),
        Section("both", _BOTH, both_sources.draw, dial="ε", of_scenario=False, cells=notebook_cells.both),
        Section(
            "accuracy",
            "What it does to accuracy · fig. 6",
            accuracy.draw,
            of_scenario=False,
            cells=notebook_cells.regression,
        ),
    ),
    for_laplace=True,
    stops=("samples", "sampled", "both"),
    says_accuracy=True,  # of a query of its own, not of the scenario's
)
