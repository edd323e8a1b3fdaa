"""A question as a notebook: its code, its numbers by name, and its answer, which Jupyter shows as the page does."""

from __future__ import annotations

from par_core.export.notebook import Cell, show
from par_core.questions.question import Answer, Question, code, types_in


def cells(question: Question) -> list[Cell]:
    """Return the code that asks the question with every field, so that a later default changes no old notebook."""
    imports = sorted({f"from {each.__module__} import {each.__name__}" for each in types_in(question)})
    ask = [*imports, "from par_core.questions.notebook import tell", "", f"question = {code(question, full=True)}"]
    return [
        Cell("code", "\n".join([*ask, "answer = question.answer()", "tell(answer)"])),
        Cell("code", "answer"),
    ]


def tell(answer: Answer) -> None:
    """Print each number of an answer as a page tells it, with what it is worth."""
    for name, quantity in answer.numbers().items():
        show(name.replace("_", " "), quantity, currency=answer.question.scenario.currency)
