"""What a notebook recomputes of the overview: the present decision, and what each card says."""

from __future__ import annotations

from contextlib import suppress

from pages.overview import first_view
from pages.shared.settings import present_scenario
from par_core.errors import InfeasibleError, ParameterError
from par_core.export.notebook import Cell, words
from par_core.questions import notebook as questions_notebook
from par_core.questions.overview.cards import Overview


def overview() -> list[Cell]:
    made = []
    with suppress(ParameterError, InfeasibleError):  # the page then says why there is no decision
        made = [words("### The present decision"), *questions_notebook.cells(first_view.question())]
    return [*made, *questions_notebook.cells(Overview(present_scenario()))]
