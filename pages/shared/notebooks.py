"""The notebook of a section: made at the click, without a session, from the settings as they stood when the button was drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pages.shared import app_version, links, settings
from pages.shared.error_reports import UnreadyError
from pages.shared.page import Section
from pages.shared.settings import Setting, present_scenario
from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.export.notebook import Cell, code, notebook, words
from par_core.questions import notebook as questions_notebook
from par_core.questions.question import Question
from par_core.scenario import Scenario

INSTEAD = words(
    "Nothing of a table of your own, and no text that you typed, stands in a notebook: here is the built-in table, so that the numbers "
    "are others."
)
"""What stands before the cells of a built-in table where a table of the reader's own is open, or a text was typed."""
NOT_YOURS = " (of the built-in table, not of yours)"
NOTHING = words("At these settings the page shows no number, and says why: there is nothing to recompute.")


class WithheldError(Exception):
    """What is asked for holds a text of the reader's, which stands in no notebook."""


def made(page: str, section: Section, *, held: Mapping[str, Any], here: Sequence[Setting[Any]]) -> str:
    """Return the notebook of a section with `cells`, as of a snapshot; its link holds the settings of `here`, but nothing typed."""
    with settings.as_of(held):
        link = f"{page}?{links.holding(here, texts=False)}"
        cells, title = cells_of(section), title_of(page, section)
        if INSTEAD in cells:
            title += NOT_YOURS
        return notebook(title, cells, link=link, version=app_version.text())


def of_question(title: str, question: Question, link: str) -> str:
    """Return a notebook that asks this question, or in place of a private one that of the built-in table."""
    made = questions_notebook.cells(question.public)
    if question.private:
        made, title = [INSTEAD, *made], title + NOT_YOURS
    return notebook(title, made, link=link, version=app_version.text())


def title_of(page: str, section: Section) -> str:
    """Return what a file about a section is called at its top."""
    return f"{page.replace('_', ' ').capitalize()}: {section.label}"


def cells_of(section: Section) -> Sequence[Cell]:
    """Return what a notebook recomputes of a section at the present settings: a sentence, where the page shows no number either."""
    try:
        return section.cells() if section.cells else ()
    except WithheldError:
        return [words("The query here holds a text that you typed. It stands in no notebook.")]
    except (ParameterError, InfeasibleError, DataError, UnreadyError):  # their words may quote what somebody typed
        return [NOTHING]


def the_scenario(scenario: Scenario | None = None) -> Cell:
    """Return the code of a scenario, by default of the present one."""
    values = asdict(scenario or present_scenario())
    fields = "".join(f"    {name}=${name},\n" for name in values)
    return code(f"from par_core.scenario import Scenario\n\nscenario = Scenario(\n{fields})", **values)
