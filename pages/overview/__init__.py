"""Overview: the questions a steward comes with, each leading to the page that answers it."""

from pages.overview import cards
from pages.shared.page import Page, Section

PAGE = Page(
    "overview",
    "You are about to publish a number about people. How much noise should it carry?",
    (Section("overview", "Overview", cards.draw),),
)
