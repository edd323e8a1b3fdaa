"""The label as a file: one page of HTML that needs no network, prints on one sheet of A4 and can be read on a phone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

import par_core
from par_core.questions.blocks import Block
from par_core.questions.decide.label_words import in_days, one_line
from par_core.questions.html import told

_TEXTS = Path(__file__).parents[1]


def label_page(
    texts: Mapping[str, str], *, headline: str, picture: Block, facts: Block, releases: Block, beneath: Sequence[Block]
) -> str:
    """Return a label as an HTML file, of its blocks and what the publisher says; the same arguments give the same file."""
    styles = (_TEXTS / name for name in ("report.css", "label.css"))
    return _template().render(
        style=Markup("".join(each.read_text(encoding="utf-8") for each in styles)),
        headline=headline,
        picture=Markup(told([picture])),
        facts=Markup(told([facts])),
        releases=Markup(told([releases])),
        beneath=Markup(told(beneath)),
        name=one_line(texts["name"]),
        publisher=one_line(texts["publisher"]),
        date=in_days(texts["date"]),
        version=par_core.__version__,
    )


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string((_TEXTS / "label.html").read_text(encoding="utf-8"))
