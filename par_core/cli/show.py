"""`par show`: any question of a page, and its answer in words and numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from par_core.cli.shell import Command
from par_core.errors import ParameterError

if TYPE_CHECKING:
    from par_core.cli.answer import Answer
    from par_core.progress import Progress

_EXAMPLES = (
    "par show",
    "par show AttackerGains --epsilon0 1 --prior 0.2",
    "par show RiskByDimension --epsilon 0.4 --ks 1,5 --format json",
)


@click.command(
    "show",
    cls=Command,
    examples=_EXAMPLES,
    short_help="What a section of a page answers.",
    context_settings={"ignore_unknown_options": True},
)
@click.argument("question", required=False)
@click.argument("values", nargs=-1, metavar="[--FIELD VALUE]...")
def command(question: str | None, values: tuple[str, ...], progress: Progress) -> Answer:
    """What a section of a page answers, in its words and with its numbers. Without a QUESTION: which there are.

    A FIELD is one of the question or of its scenario; what is not given stands as on the page.
    """
    from par_core import questions
    from par_core.cli.answer import Answer, Row
    from par_core.questions.blocks import Caution, Note, Notice, Sentence, Unreachable
    from par_core.questions.parsing import question_of
    from par_core.questions.question import code

    if question is None:
        every = [getattr(questions, name) for name in questions.__all__]
        listed = tuple(f"{each.__name__}: {each.__doc__.splitlines()[0]}" for each in every)
        return Answer(f"There are {len(every)} questions.", {}, notes=listed)
    asked = question_of(question, _pairs(values))
    answer = asked.answer(progress)
    words = [
        re.sub(r"\*\*|(?<!\w)\*(?=\S)(.+?)\*", r"\1", each.told())
        for each in answer.story()
        if isinstance(each, Caution | Notice | Sentence | Note | Unreachable)
    ]
    rows = tuple(Row(name.replace("_", " "), number) for name, number in answer.numbers().items())
    return Answer(
        f"{answer.headline.rstrip('.')}.",
        {"question": code(asked, full=True)},
        rows,
        tuple(each for each in words if each != answer.headline),
        currency=asked.scenario.currency,
    )


def _pairs(values: tuple[str, ...]) -> dict[str, str]:
    names, texts = values[::2], values[1::2]
    if len(names) != len(texts) or not all(name.startswith("--") for name in names):
        raise ParameterError("each field needs a value: --epsilon 0.4")
    return {name.removeprefix("--").replace("-", "_"): text for name, text in zip(names, texts, strict=True)}
