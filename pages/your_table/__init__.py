"""Your table: from a private table to a plan that can be published, and the code that publishes by it."""

from functools import partial

from pages.shared.page import Page, Section
from pages.your_table import epsilon0_for_error, how_far_off, notebook_cells, only_counts

_COUNTS = "Only counts"


def _open_counts() -> None:
    PAGE.tab.put(_COUNTS)


PAGE = Page(
    "your_table",
    "How far off will numbers published from your table of persons be?",
    (
        Section("plan", "How far off", partial(how_far_off.draw, _open_counts), cells=notebook_cells.plan),
        Section("wanted", "ε₀ for a wanted error", epsilon0_for_error.draw, cells=notebook_cells.wanted),
        Section("counts", _COUNTS, only_counts.draw, cells=notebook_cells.counts),
    ),
    says_accuracy=True,  # the strip under the question would speak of the scenario's own query
)
