"""The notebook of a section: its question in code, made at the click."""

from __future__ import annotations

from pages.shared import app_version
from pages.shared.page import Section
from par_core.export.notebook import notebook, words
from par_core.questions import notebook as questions_notebook
from par_core.questions.question import Question

INSTEAD = words(
    "A notebook holds nothing of your own table and no text that you typed: this one uses the built-in table, so its numbers differ."
)
"""What stands before the cells of a built-in table where a table of the reader's own is open, or a text was typed."""
NOT_YOURS = " (of the built-in table, not of yours)"


def of_question(title: str, question: Question, link: str) -> str:
    """Return a notebook that asks this question, or in place of a private one that of the built-in table."""
    made = questions_notebook.cells(question.public)
    if question.private:
        made, title = [INSTEAD, *made], title + NOT_YOURS
    return notebook(title, made, link=link, version=app_version.text())


def title_of(page: str, section: Section) -> str:
    """Return what a file about a section is called at its top."""
    return f"{page.replace('_', ' ').capitalize()}: {section.label}"
