"""The report of one section: its answer on one page of paper, in the looks of the report on a decision."""

from __future__ import annotations

from datetime import date as Date  # noqa: N812
from functools import cache
from pathlib import Path

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

import par_core.export
from par_core.export.report_words import scenario_rows
from par_core.questions.evidence import MEANINGS
from par_core.questions.html import told
from par_core.questions.question import Answer

_HERE = Path(__file__).parent
_LOOKS = Path(par_core.export.__file__).parent / "report.css"


def report(answer: Answer, *, title: str, link: str, version: str, date: Date) -> str:
    """Return an answer as an HTML file that needs no network and prints on A4; `link` reopens the section, where there is one.

    Of a private question nothing is said but its answer.
    """
    question = answer.question
    body = told(answer.story())
    return _template().render(
        style=Markup(_LOOKS.read_text(encoding="utf-8")),
        title=title,
        headline=answer.headline,
        body=Markup(body),
        worth={word: meaning for word, meaning in MEANINGS.items() if f">{word}<" in body},
        given=[] if question.private else question.given.items(),
        scenario=scenario_rows(question.scenario, money=False, without=("stakeholders", *question.unread)),
        link=link,
        leads_there=link.startswith(("http://", "https://")),
        version=version,
        date=f"{date.day} {date:%B %Y}",
    )


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string((_HERE / "report.html").read_text(encoding="utf-8"))
