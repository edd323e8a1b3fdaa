"""Blocks as HTML: what Jupyter shows of an answer, and what the report of a section holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape, unescape

from par_core.figures.svg import svg
from par_core.questions.blocks import (
    Beside,
    Block,
    Boxes,
    Chart,
    Formula,
    Formulas,
    Heading,
    Headline,
    Listed,
    Meter,
    Missing,
    More,
    Note,
    Numbers,
    Own,
    Part,
    Table,
    Words,
)
from par_core.questions.evidence import word_of

_WIDE, _NARROW = 680, 340  # pixels: of a sheet of paper, and of a phone


def told(blocks: Iterable[Block]) -> str:
    """Return a story as HTML; what only a browser can do is left out."""
    return "\n".join(_told(blocks))


def _told(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        match block:
            case Missing():
                continue
            case Headline():
                yield f"<h1>{_inline(block.marked(_mark))}</h1>"
            case Heading():
                yield f"<h2>{_inline(block.told())}</h2>"
            case Note():
                yield f'<p class="aside">{_inline(block.marked(_mark))}</p>'
            case Words():
                yield f"<p>{_inline(block.marked(_mark))}</p>"
            case Listed():
                lines = "".join(f"<li>{_cell(each)}</li>" for each in block.lines)
                yield f"<p>{_cell(block.announced)}</p><ul>{lines}</ul>"
            case Beside():
                if inside := told(block.blocks):
                    yield f'<div class="beside">{inside}</div>'
            case Own():
                yield from _told(block.instead)
            case Meter():
                yield f"<p>{_inline(block.text)}</p>"
            case Boxes():
                for box in block.boxes:
                    yield from _told(box)
            case Numbers():
                names = [each.label for each in block.numbers]
                told_ = [Words("{it}", it=each.quantity, currency=each.currency) for each in block.numbers]
                yield _table(Table({"What": names, "Number": told_}, alt=""))
            case Table():
                yield _table(block)
            case Part():
                yield from _told(block.question.answer().story())
            case Chart():
                yield _figure(block)
            case More():
                yield f'<section class="{escape(block.key)}"><h2>{escape(block.label)}</h2>'
                yield from _told(block.opened())
                yield "</section>"
            case Formulas():
                yield "<section><h2>How this is computed</h2></section>"
                yield from map(_formula, block.formulas)


def _table(table: Table) -> str:
    head = "".join(f"<th>{escape(each)}</th>" for each in table.columns)
    _, *names = table.columns
    labels = ["", *(f' data-is="{escape(each)}: "' for each in names)]  # beside a cell on a phone, which has no columns
    rows = [zip(labels, row, strict=True) for row in zip(*table.columns.values(), strict=True)]
    cells = ("".join(f"<td{label}>{_cell(each)}</td>" for label, each in row) for row in rows)
    body = "".join(f"<tr>{each}</tr>" for each in cells)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(content: Words | str) -> str:
    return _inline(content if isinstance(content, str) else content.marked(_mark))


def _formula(formula: Formula) -> str:
    try:
        from latex2mathml.converter import convert
    except ImportError:  # of the extra for reports, which a notebook may do without
        shown = f"<code>{escape(formula.latex)}</code>"
    else:
        shown = convert(formula.latex, display="block")
    words = f"{escape(formula.words)} {_inline(_mark(formula.of))}"
    aside = f"Source: {escape(formula.source)}. {escape(formula.assumptions)}"
    return f'<section class="formula"><p>{words}</p><div>{shown}</div><p class="aside">{aside}</p></section>'


def _figure(chart: Chart) -> str:
    drawing, alt = chart.draw(), chart.alt.told()
    title = unescape(re.sub(r"<[^>]+>", " ", drawing.layout["title"]["text"]))
    wide, narrow = (
        svg(drawing, width=width, height=chart.height, name=f"{chart.key}-{name}", title=title, alt=alt)
        for width, name in ((_WIDE, "wide"), (_NARROW, "narrow"))
    )
    pictures = f'<div class="wide">{wide}</div><div class="narrow">{narrow}</div>'
    if chart.caption:
        return f"<figure>{pictures}<figcaption>{escape(chart.caption)}</figcaption></figure>"
    source = f"<figcaption>Source: {escape(chart.source)}</figcaption>" if chart.source else ""
    return f"<figure><figcaption>{escape(title)}</figcaption>{pictures}{source}</figure>"


def _mark(source: object) -> str:
    return f"\1{word_of(source)[0]}\2"


def _inline(markdown: str) -> str:
    letters = iter(re.findall(r"\\(.)", markdown))
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(re.sub(r"\\.", "\3", markdown)))
    text = re.sub(r"(?<!\w)\*(?=\S)(.+?)\*", r"<em>\1</em>", text)
    text = re.sub(r"`(.+?)`", r"<code>\1</code>", text)
    text = re.sub("\3", lambda _: escape(next(letters)), text)
    return text.replace("\1", '<span class="worth">').replace("\2", "</span>")
