"""Sample planner: the sensitivity of a query is not known, so it is sampled; what that is worth and what it costs."""

from __future__ import annotations

from functools import partial

from pages.sample_planner import accuracy, both_sources, how_many, sampled
from pages.sample_planner.tables import open_table
from pages.shared.page import Page, Section

_BOTH = "Both sources · fig. 3"


def _open_both() -> None:
    PAGE.tab.put(_BOTH)


_section = partial(Section, of_scenario=False)
_CARRY_ON = {"carry_on": partial(sampled.carry_on, open_both=_open_both)}
_WANTED = {"wanted": both_sources.choose_wanted}

PAGE = Page(
    "sample_planner",
    "Can a sample tell how far one person moves your query?",
    (
        _section("samples", "How many samples? · fig. 2", ask=how_many.ask, fields=how_many.FIELDS, dial="ρ"),
        _section(
            "sampled",
            "Sampled sensitivity · fig. 7",
            about=open_table,
            ask=sampled.ask,
            fields=sampled.FIELDS,
            own=_CARRY_ON,
        ),
        _section("both", _BOTH, ask=both_sources.ask, fields=both_sources.FIELDS, own=_WANTED, dial="ε"),
        _section("accuracy", "What it does to accuracy · fig. 6", ask=accuracy.ask, about=open_table),
    ),
    for_laplace=True,
    stops=("samples", "sampled", "both"),
    says_accuracy=True,  # of a query of its own, not of the scenario's
)
