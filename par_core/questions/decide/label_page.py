"""The label as a file: one page of HTML that needs no network, prints on one sheet of A4 and can be read on a phone."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

import par_core
from par_core.questions.decide.label_words import in_days, one_line
from par_core.questions.html import told

if TYPE_CHECKING:
    from par_core.questions.decide.public_label import PublicLabelAnswer

_TEXTS = Path(__file__).parents[1]


def label_page(answer: PublicLabelAnswer) -> str:
    """Return the label that an answer tells, as an HTML file; the same answer gives the same file."""
    asked = answer.question
    styles = (_TEXTS / name for name in ("report.css", "label.css"))
    return _template().render(
        style=Markup("".join(each.read_text(encoding="utf-8") for each in styles)),
        headline=answer.headline,
        picture=Markup(told([answer.picture()])),
        facts=Markup(told([answer.facts(named=False)])),
        releases=Markup(told([answer.releases()])),
        beneath=Markup(told([answer.not_protected(), *answer.assumed()])),
        date=in_days(asked.date),
        version=par_core.__version__,
        **{each: one_line(getattr(asked, each)) for each in ("name", "publisher", "purpose", "contact")},
    )


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string((_TEXTS / "label.html").read_text(encoding="utf-8"))
