"""The numbering: of which text, and which of its statements are listed."""

from pages.paper_check.claims import search
from pages.shared import controls, settings
from pages.shared.table_fields import text_of
from par_core.questions.glossary import explain
from par_core.questions.paper_check.numbering import MOST_LISTED, TEXTS, Numbering, holding, name_of
from par_core.scenario import Scenario

TEXT = settings.choice("qw", "Text", tuple(TEXTS))
SEARCH = text_of("qk", "Search", "")
ROWS = settings.whole("qm", "Statements listed", Numbering.most, at_least=1, at_most=MOST_LISTED)


def ask(_: Scenario) -> Numbering:
    text = controls.choice(TEXT, hint=explain("inventory_text"), words=name_of)
    found = holding(search(SEARCH), text)
    return Numbering(text=text, among=found.keys, nearest=found.nearest, most=ROWS.value())
