"""Your table: from a private table to a plan that can be published, and the code that publishes by it."""

from pages.shared.page import Page, Section
from pages.your_table import epsilon0_for_error, how_far_off

PAGE = Page(
    "your_table",
    "How far off will numbers published from your table of persons be?",
    (
        Section("plan", "How far off", how_far_off.draw),
        Section("wanted", "ε₀ for a wanted error", epsilon0_for_error.draw),
    ),
    says_accuracy=True,  # the strip under the question would speak of the scenario's own query
)
