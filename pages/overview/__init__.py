"""Overview: the present decision, then the questions a steward comes with, each leading to the page that answers it."""

from pages.overview import cards
from pages.shared import wish_fields
from pages.shared.page import Page, Section
from pages.shared.settings import present_scenario

PAGE = Page(
    "overview",
    "How much noise should a number about people carry?",
    (Section("overview", "Overview", cards.draw, scenario=present_scenario),),
    says_accuracy=True,
    also=wish_fields.LINKED,
)
