"""Overview: the present decision, then the questions a steward comes with, each leading to the page that answers it."""

from pages.overview import cards
from pages.shared import wish_fields
from pages.shared.page import Page, Section

PAGE = Page(
    "overview",
    "How much noise should a number about people carry?",
    (Section("overview", "Overview", cards.draw),),
    says_accuracy=True,
    also=wish_fields.SETTINGS,
)
