"""The label as a file: one page of HTML that needs no network, prints on one sheet of A4 and can be read on a phone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

import par_core
from par_core.questions.blocks import Block
from par_core.questions.decide.label_words import one_line
from par_core.questions.html import told

_TEXTS = Path(__file__).parents[1]


def label_page(
    name: str, *, headline: str, picture: Block, facts: Block, releases: Block, beneath: Sequence[Block]
) -> str:
    """Return a label as an HTML file, of its blocks, under the name of what is published; the same arguments give the same file."""
    styles = (_TEXTS / name for name in ("report.css", "label.css"))
    return _template().render(
        style=Markup("".join(each.read_text(encoding="utf-8") for each in styles)),
        headline=headline,
        picture=Markup(told([picture])),
        facts=Markup(told([facts])),
        releases=Markup(told([releases])),
        beneath=Markup(told(beneath)),
        name=one_line(name),
        version=par_core.__version__,
    )


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string((_TEXTS / "label.html").read_text(encoding="utf-8"))
