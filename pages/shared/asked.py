"""A section that asks a question: its controls, its answer told in blocks, the frames of its dials, and what is taken along."""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared import (
    answers,
    badges,
    chart,
    controls,
    downloads,
    formula_expander,
    jobs,
    layout,
    links,
    navigation,
    plan,
    scenario_strip,
    settings,
)
from pages.shared.answers import Told
from pages.shared.dial import stops
from pages.shared.error_reports import UnreadyError
from pages.shared.page import Section
from pages.shared.scenario_sidebar import talk_is_on
from pages.shared.scrubbing import pieces
from pages.shared.settings import Setting, present_scenario, seen_scenario
from pages.shared.words import as_sentence, level0
from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.figures import points
from par_core.figures.drawing import Drawing
from par_core.figures.frames import Words as FrameWords
from par_core.figures.frames import packed_frames
from par_core.questions import blocks
from par_core.questions.blocks import Block, Chart, Headline, Words
from par_core.questions.glossary import explain
from par_core.questions.question import Answer, Question, Stepwise

_NUMBERS = Path(__file__).parent / "numbers.css"


def draw(section: Section) -> Answer | None:
    """Draw the section; returns its answer, unless it cannot be asked or nothing is known yet: then the page says why."""
    assert section.ask is not None
    main, side = layout.chart_and_controls() if section.has_controls else (st.container(), st.container())
    below = st.container()
    with main:
        about = [section.about()] if section.about else []
    try:
        with side:
            scenario = section.scenario()
            page = navigation.PageInfo(links.here()[1]).load()
            if plan.works() and page.of_scenario and section.of_scenario and section.scenario is seen_scenario:
                releases = len(plan.releases())
                others = "; the others spend more on top" * (releases > 1)
                st.caption(
                    f"About release {plan.seen()} of your plan by itself, at its {level0(scenario.epsilon0)}{others}."
                )
            question = section.ask(scenario, *about)
        with main:
            return tell(section, question, below)
    except UnreadyError as error:
        main.info(str(error))
    except InfeasibleError as error:
        main.warning(as_sentence(str(error)))
    except (ParameterError, DataError) as error:
        main.error(as_sentence(str(error)))
    return None


def tell(section: Section, question: Question, below: DeltaGenerator | None = None) -> Answer | None:
    """Draw the answer to a question as far as it is known, with a bar for what is being computed; returns it.

    What of a section is to be read stands `below`; a talk does not show it.
    """
    told, above = _so_far(question)
    if told is None:
        return None
    for block in told.story():
        if isinstance(block, blocks.Below):
            if talk_is_on():
                break
            above = below
        elif isinstance(block, Chart) and above is not below:
            above = None  # a bar stands between the first words and the first picture
        with above or nullcontext():
            _draw(block, section, told)
    answers.weigh(told)
    return told.answer


def _so_far(question: Question) -> tuple[Told | None, DeltaGenerator | None]:
    """Return what is known of an answer, and the place above the bar of what is still computed."""
    parts = (*question.needs(), *[question] * bool(question.long))
    # Also where all is known: what stands above the bars and below them keeps its place in the browser.
    above, bars = (st.container(), st.container()) if parts else (None, nullcontext())
    long = [each for each in parts if not answers.known(each)]
    if not long:
        return answers.told(question), above
    found = dict[Question, Answer]()

    def so_far(part: Question) -> Answer:  # nobody waits for what a job computes
        return found.get(part) or (answers.told(part).answer if answers.known(part) else part.answer(of=so_far))

    for part in long:
        with bars:
            told = _in_a_job(part, {each: so_far(each) for each in part.needs()})
        if told is None:
            return None, above
        found[part] = told.answer
    if all(map(answers.known, long)):
        return answers.told(question), above
    if question in found:
        return Told(found[question]), above
    return Told(question.answer(of=so_far)), above


def _in_a_job(part: Question, of_parts: Mapping[Question, Answer]) -> Told | None:
    key, stepwise = f"answer_{type(part).__name__}", isinstance(part, Stepwise)
    # No other process gets what is private, or is sent what a part is made of.
    apart = part.heavy and not (part.private or of_parts or st.session_state.get(jobs.AT_ONCE))
    work, deadline = answers.work(part, of_parts, apart=apart), jobs.LONG if part.heavy else None
    told = jobs.run(key, work, inputs=part, label=part.long, deadline=deadline, unfinished=stepwise)
    if told and answers.known(part):
        jobs.forget(key)
    begun = part.begun if told is None else None
    return Told(begun) if begun else told


def _draw(block: Block, section: Section, told: Told) -> None:
    match block:
        case Headline():
            st.markdown(f"## {block.marked(badges.of)}", help=_hover(block))
        case blocks.Caution():
            st.warning(block.marked(badges.of))
        case blocks.Missing() | blocks.Notice():
            st.info(block.marked(badges.of))
        case blocks.Holds():
            st.success(block.marked(badges.of))
        case blocks.Fails():
            st.error(block.marked(badges.of))
        case blocks.Unreachable():
            st.warning(as_sentence(block.told()))
        case blocks.Heading():
            st.markdown(f"### {block.told()}")
        case blocks.Note():
            st.caption(block.marked(badges.of), help=_hover(block))
        case Words():
            st.markdown(block.marked(badges.of), help=_hover(block))
        case blocks.Listed():
            lines = (f"- {each.marked(badges.of)}" for each in block.lines)
            text = "\n".join([block.announced.marked(badges.of), "", *lines])
            st.markdown(text, help=_hover(block.announced))
        case blocks.Table():
            columns = {name: [*map(_cell, cells)] for name, cells in block.columns.items()}
            st.table(columns, hide_index=True, alt=block.alt)
        case blocks.Numbers():
            _numbers(block)
        case blocks.Boxes():
            for place, box in zip(st.columns(len(block.boxes)), block.boxes, strict=True):
                with place.container(border=True, height="stretch"):
                    for each in box:
                        _draw(each, section, told)
        case blocks.Meter():
            st.progress(min(block.share, 1.0), text=block.text)
        case Chart():
            _chart(block, section, told)
        case blocks.Part():
            assert isinstance(block.question, Question)
            tell(section, block.question)
        case blocks.More():
            _more(block, section, told)
        case blocks.Formulas():
            formula_expander.formula_expander(block.key, block.formulas)
        case blocks.Take():
            if _is_of_part(told.answer.question) and "scenario.epsilon0" in block.fields:
                return
            fields = {setting_of(section, path): value for path, value in block.fields.items()}
            controls.button(block.label, settings.put_all, fields, hint=block.hint or None)
        case blocks.Beside():
            with st.container(horizontal=True):
                for each in block.blocks:
                    _draw(each, section, told)
        case blocks.File():
            downloads.button(block.label, block.make, block.name, key=block.key, hint=block.hint)
        case blocks.Own():
            section.own[block.name](section, told.answer)


def _is_of_part(question: Question) -> bool:
    """Return whether a question is about a part of the plan: then the dial is that of the plan, and no level of this part."""
    return plan.works() and question.scenario != present_scenario()


def _numbers(block: blocks.Numbers) -> None:
    """Draw numbers beside each other. They wrap and are never cut off, however long the amounts are."""
    st.html(_NUMBERS)
    with st.container(horizontal=True, gap="medium", key=f"numbers_{block.key}"):
        for each in block.numbers:
            hint = f"{explain(each.term)} Unrounded: {each.unrounded()}"
            st.metric(each.label, each.told(), help=hint, width="content")


def _hover(words: Words) -> str | None:
    """Return the line of the glossary, or which claims the words name."""
    if words.term:
        return explain(words.term)
    claims = [*(words.claims or ())]

    def note(source: object) -> str:
        if claim := getattr(source, "claim", ""):
            claims.append(claim)
        return ""

    words.marked(note)
    return badges.legend(*dict.fromkeys(claims)) if claims or words.claims is not None else None


def _cell(content: Words | str) -> str:
    if isinstance(content, str):
        return content
    text = content.marked(badges.of)
    return f"[{text}]({badges.link_to(content.claims[0])})" if content.claims else text


def _more(more: blocks.More, section: Section, told: Told) -> None:
    if not callable(more.blocks):
        with st.popover(more.label):
            for inner in more.blocks:
                _draw(inner, section, told)
        return
    with st.expander(more.label, key=more.key, on_change="rerun") as expander:
        if expander.open:
            for inner in more.opened():
                _draw(inner, section, told)


def setting_of(section: Section, path: str) -> Setting[Any]:
    """Return the setting that holds a field of the section's question."""
    if path.startswith("scenario."):
        return settings.scenario_setting(path.removeprefix("scenario."))
    return (section.fields() if callable(section.fields) else section.fields)[path]


# --- a chart and its frames ---


def _chart(block: Chart, section: Section, told: Told) -> None:
    question, drawing = told.answer.question, told.drawing(block)
    paths = () if block.stays else question.dials
    if _is_of_part(question):
        paths = tuple(path for path in paths if not path.startswith("scenario."))
    dials = {setting_of(section, path): path for path in paths}
    click = section.clicks.get(block.key)

    # What the frames are made of, and is not kept, would be answered anew at every stop.
    dials = {each: path for each, path in dials.items() if _is_known(question.moved(path, each.value()))}
    chart.show(
        block.key,
        told.json(block),
        height=drawing.layout.get("height"),
        alt=block.alt.told(),
        source=block.source,
        stamps={dial: _stamp(question, dial, path) for dial, path in dials.items()},
        frames=lambda dial: _frames(block.key, question, dial, dials[dial]),
        handle=setting_of(section, block.handle) if block.handle else None,
        on_click=partial(click, told.answer) if click else None,
    )
    title = html.unescape(re.sub(r"<[^>]+>", " ", drawing.layout["title"]["text"])).strip()
    # What a reader's own table is asked quotes its columns and categories, and that of a student the numbers of a class: no file holds it.
    asked = {} if question.private or question.passing else {"question": repr(question)}
    source = {"source": block.source} if block.source else {}  # a table may name one in each row
    notes = {**source, **block.notes, **asked}
    table = block.table or (lambda: points.table(drawing))
    downloads.row(block.key, table, title=title, notes=notes, texts=not question.private)


def _is_known(question: Question) -> bool:
    return all(map(answers.known, question.needs()))


def _stamp(question: Question, dial: Setting[float], path: str) -> str:
    """Return in short what the frames of a dial depend on: every other field, and its stops."""
    return hashlib.sha256(json.dumps([question.apart_from(path), stops(dial)]).encode()).hexdigest()[:16]


def _frames(key: str, question: Question, dial: Setting[float], path: str) -> str:
    """Return what a chart, the headline and the strip are at the stops of a dial; made once for all readers."""
    at = stops(dial)
    strip = path.startswith("scenario.")
    what = ("frames", key, path, tuple(at), question.apart_from(path), scenario_strip.kind() if strip else None)
    frames = partial(_at_stops, key, question, path, at, strip=strip)
    return answers.kept_for(question).get(what, lambda: packed_frames(frames()))


def _at_stops(
    key: str, question: Question, path: str, at: Sequence[float], *, strip: bool
) -> Iterator[tuple[float, Drawing, FrameWords]]:
    together = question.along(path, at)
    for stop in at:
        try:
            there = question.moved(path, stop)
            frame = _at(key, Told(together[stop]) if stop in together else answers.told(there))
            if frame is None:
                continue
            words = {"headline": [pieces(frame[1])]} if frame[1] else {}
            if strip:
                words["strip"] = [pieces(text) for text in scenario_strip.texts(there.scenario)]
        except (ParameterError, InfeasibleError):
            continue  # at this stop there is nothing to draw
        yield stop, frame[0], words


def _at(key: str, told: Told) -> tuple[Drawing, str] | None:
    """Return a chart of an answer and the headline above it; the story is read no further than that."""
    headline = ""
    for block in told.story():
        if isinstance(block, Headline):
            headline = block.marked(badges.of)
        if isinstance(block, Chart) and block.key == key:
            drawing = told.drawing(block)
            answers.weigh(told)
            return drawing, headline
    return None
