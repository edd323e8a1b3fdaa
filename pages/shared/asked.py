"""A section that asks a question: its controls, its answer told in blocks, the frames of its dials, and what is taken along."""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import streamlit as st

from pages.shared import (
    answers,
    badges,
    chart,
    controls,
    downloads,
    formula_expander,
    jobs,
    layout,
    scenario_strip,
    settings,
)
from pages.shared.dial import stops
from pages.shared.page import Section
from pages.shared.scrubbing import pieces
from pages.shared.settings import Setting, present_scenario
from pages.shared.words import as_sentence
from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.figures import points
from par_core.figures.drawing import Drawing
from par_core.figures.frames import Words as FrameWords
from par_core.figures.frames import packed_frames
from par_core.questions import blocks
from par_core.questions.blocks import Block, Chart, Headline, Words
from par_core.questions.glossary import explain
from par_core.questions.question import Question


def draw(section: Section) -> Question | None:
    """Draw the section; returns its question, unless it cannot be asked or waits for a part: then the page says why."""
    assert section.ask is not None
    main, side = layout.chart_and_controls()
    try:
        with side:
            question = section.ask(present_scenario())
    except InfeasibleError as error:
        main.warning(as_sentence(str(error)))
        return None
    except (ParameterError, DataError) as error:
        main.error(as_sentence(str(error)))
        return None
    with main:
        long = (*question.needs(), *[question] * bool(question.long))
        if not all(_is_answered(each) for each in long):
            return None
        tell(section, question)
    return question


def tell(section: Section, question: Question) -> None:
    """Draw the answer to a question."""
    for block in answers.told(question).story():
        _draw(block, section, question)
    answers.weigh(question)


def _is_answered(question: Question) -> bool:
    return jobs.run("answer", answers.work(question), inputs=question, label=question.long) is not None


def _draw(block: Block, section: Section, question: Question) -> None:
    match block:
        case Headline():
            st.markdown(f"## {block.marked(badges.of)}", help=_hover(block))
        case blocks.Missing():
            st.info(block.told())
        case blocks.Note():
            st.caption(block.marked(badges.of), help=_hover(block))
        case Words():
            st.markdown(block.marked(badges.of), help=_hover(block))
        case Chart():
            _chart(block, section, question)
        case blocks.More():
            _more(block, section, question)
        case blocks.Formulas():
            formula_expander.formula_expander(block.key, block.formulas)
        case blocks.Take():
            fields = {setting_of(section, path): value for path, value in block.fields.items()}
            controls.button(block.label, settings.put_all, fields)
        case blocks.File():
            downloads.button(block.label, block.make, block.name, key=block.key, hint=block.hint)
        case blocks.Own():
            section.own[block.name](section, question)


def _hover(words: Words) -> str | None:
    """Return the line of the glossary, or which claims the words name."""
    claims = list(words.claims)

    def note(source: object) -> str:
        if claim := getattr(source, "claim", ""):
            claims.append(claim)
        return ""

    words.marked(note)
    if words.term:
        return explain(words.term)
    return badges.legend(*dict.fromkeys(claims)) if claims else None


def _more(more: blocks.More, section: Section, question: Question) -> None:
    if not callable(more.blocks):
        with st.popover(more.label):
            for inner in more.blocks:
                _draw(inner, section, question)
        return
    with st.expander(more.label, key=more.key, on_change="rerun") as expander:
        if expander.open:
            for inner in more.opened():
                _draw(inner, section, question)


def setting_of(section: Section, path: str) -> Setting[Any]:
    """Return the setting that holds a field of the section's question."""
    return settings.scenario_setting(path.removeprefix("scenario.")) if "." in path else section.fields[path]


# --- a chart and its frames ---


def _chart(block: Chart, section: Section, question: Question) -> None:
    answer = answers.told(question)
    drawing = answer.drawing(block)
    dials = {} if block.stays else {setting_of(section, path): path for path in question.dials}
    chart.show(
        block.key,
        answer.json(block),
        height=drawing.layout.get("height"),
        alt=block.alt.told(),
        source=block.source,
        stamps={dial: _stamp(question, dial, path) for dial, path in dials.items()},
        frames=lambda dial: _frames(block.key, question, dial, dials[dial]),
    )
    title = html.unescape(re.sub(r"<[^>]+>", " ", drawing.layout["title"]["text"])).strip()
    # What a reader's own table is asked quotes its columns and categories: no file holds that.
    asked = {} if question.private else {"question": repr(question)}
    notes = {"source": block.source, **block.notes, **asked}
    downloads.row(block.key, block.table or (lambda: points.table(drawing)), title=title, notes=notes)


def _stamp(question: Question, dial: Setting[float], path: str) -> str:
    """Return in short what the frames of a dial depend on: every other field, and its stops."""
    return hashlib.sha256(json.dumps([question.apart_from(path), stops(dial)]).encode()).hexdigest()[:16]


def _frames(key: str, question: Question, dial: Setting[float], path: str) -> str:
    """Return what a chart, the headline and the strip are at the stops of a dial; made once for all readers."""
    at = stops(dial)
    strip = path.startswith("scenario.")
    what = ("frames", key, path, tuple(at), question.apart_from(path), scenario_strip.kind() if strip else None)
    make = lambda: packed_frames(_at_stops(key, question, path, at, strip=strip))  # noqa: E731  # two lines long else
    return answers.kept_for(question).get(what, make)


def _at_stops(
    key: str, question: Question, path: str, at: Sequence[float], *, strip: bool
) -> Iterator[tuple[float, Drawing, FrameWords]]:
    for stop in at:
        try:
            there = question.moved(path, stop)
            frame = _at(key, there)
            if frame is None:
                continue
            words = {"headline": [pieces(frame[1])]} if frame[1] else {}
            if strip:
                words["strip"] = [pieces(text) for text in scenario_strip.texts(there.scenario)]
        except (ParameterError, InfeasibleError):
            continue  # at this stop there is nothing to draw
        yield stop, frame[0], words


def _at(key: str, question: Question) -> tuple[Drawing, str] | None:
    """Return a chart of an answer and the headline above it; the story is read no further than that."""
    answer, headline = answers.told(question), ""
    for block in answer.story():
        if isinstance(block, Headline):
            headline = block.marked(badges.of)
        if isinstance(block, Chart) and block.key == key:
            drawing = answer.drawing(block)
            answers.weigh(question)
            return drawing, headline
    return None
