"""Answers by value: equal questions of all readers are answered once and their pictures drawn once; a private one in its session alone."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from itertools import islice
from threading import Event, RLock
from typing import Any, TypeVar, cast

import numpy as np
import streamlit as st

from pages.shared import job_process
from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.figures.drawing import Drawing
from par_core.lazy_pandas import pd
from par_core.questions.blocks import Block, Chart
from par_core.questions.question import Answer, Ask, Question, Stepwise

_MOST_BYTES = 64_000_000  # of the whole process
_STEP = 0.1  # seconds between two looks of who waits
_MOST_PRIVATE = 8_000_000  # of one session
_NOTHING: tuple[Any, int, frozenset[Question]] = (None, 0, frozenset())
Value = TypeVar("Value")


class Kept:
    """What is kept by value, the least recently used given up first; who asks for what is being made waits for it."""

    def __init__(self, most: int) -> None:
        self.most, self.bytes, self.asked, self.made = most, 0, 0, 0
        self._held: OrderedDict[Hashable, tuple[Any, int, frozenset[Question]]] = OrderedDict()
        self._begun: dict[Hashable, Event] = {}
        self._lock = RLock()

    def get(self, key: Hashable, make: Callable[[], Value], waiting: Callable[[], object] = lambda: None) -> Value:
        """Return what is kept under a key, or make it; an error of `make` is raised, and nothing is kept.

        Who waits for another calls `waiting` from time to time, which may raise.
        """
        while True:
            with self._lock:
                self.asked += 1
                if key in self._held:
                    value, _, parts = self._held[key]
                    for each in (*parts, key):
                        self._held.move_to_end(each)
                    return cast(Value, value)
                begun = self._begun.get(key)
                if begun is None:
                    self._begun[key] = Event()
                    break
            while not begun.wait(_STEP):
                waiting()
        try:
            made = make()
            self.weigh(key, made)
        finally:
            with self._lock:
                self._begun.pop(key).set()
        return made

    def __contains__(self, key: Hashable) -> bool:
        with self._lock:
            return key in self._held

    def weigh(self, key: Hashable, value: object) -> None:
        """Keep a value under a key with the size that it has now, and give up what is then too much.

        An answer that is made of others holds them too: they are not counted twice, and it is given up with them.
        """
        parts = frozenset(key.needs()) if isinstance(key, Question) else frozenset()
        with self._lock:
            self.made += key not in self._held
            self.bytes -= self._held.pop(key, _NOTHING)[1]
            if not parts <= self._held.keys():
                return
            size = size_of(value, beside=[self._held[each][0] for each in parts])
            self._held[key] = value, size, parts
            self.bytes += size
            while self.bytes > self.most and self._held:
                self._give_up(next(iter(self._held)))

    def _give_up(self, key: Hashable) -> None:
        self.bytes -= self._held.pop(key, _NOTHING)[1]
        # Most answers are made of no other, and to look for a question in a set takes long.
        for each in [each for each, (_, _, parts) in self._held.items() if parts and key in parts]:
            self._give_up(each)


@dataclass
class Told:
    """An answer with its blocks as far as they have been read, its drawings, and the JSON of those that were shown."""

    answer: Answer
    blocks: list[Block] = field(default_factory=list)
    drawings: dict[str, Drawing] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._lock = RLock()
        self._rest: Iterator[Block] = self.answer.story()
        self._error: ValueError | None = None
        self.has_grown = False  # since it was weighed

    def story(self) -> Iterator[Block]:
        """Yield the blocks; nobody computes a block that another has read."""
        at = 0
        while True:
            with self._lock:
                if at == len(self.blocks) and not self._read_on():
                    return
                block = self.blocks[at]
            yield block
            at += 1

    def _read_on(self) -> bool:
        if self._error:
            raise self._error
        try:
            following = next(self._rest, None)
        except (ParameterError, InfeasibleError, DataError) as error:
            self._error = error
            raise
        except Exception:  # the next reader tries again from there
            self._rest = islice(self.answer.story(), len(self.blocks), None)
            raise
        if following is not None:
            self.blocks.append(following)
            self.has_grown = True
        return following is not None

    def drawing(self, chart: Chart) -> Drawing:
        """Return a chart of the story, drawn."""
        with self._lock:
            if chart.key not in self.drawings:
                self.drawings[chart.key] = chart.draw()
                self.has_grown = True
            return self.drawings[chart.key]

    def json(self, chart: Chart) -> str:
        """Return what the browser draws of a chart."""
        with self._lock:
            if chart.key not in self.shown:
                self.shown[chart.key] = self.drawing(chart).to_json()
                self.has_grown = True
            return self.shown[chart.key]


PUBLIC = Kept(_MOST_BYTES)


def kept_for(question: Question) -> Kept:
    """Return where the answer to a question may be kept."""
    if not question.private:
        return PUBLIC
    own: Kept = st.session_state.setdefault("_answers", Kept(_MOST_PRIVATE))
    return own


def told(question: Question) -> Told:
    """Return the answer to a question with what has been made of it."""
    return kept_for(question).get(question, lambda: Told(question.answer(of=lambda each: told(each).answer)))


def known(question: Question) -> bool:
    """Return whether the answer to a question is kept."""
    return question in kept_for(question)


def weigh(present: Told) -> None:
    """Note how large an answer has become by what was made of it, where it is kept."""
    question = present.answer.question
    if present.has_grown and known(question):
        present.has_grown = False
        kept_for(question).weigh(question, present)


def work(question: Question, of_parts: Mapping[Question, Answer], *, apart: bool) -> Callable[..., Told]:
    """Return what answers a long question in a thread of its own, where there is no session; or `apart`, in a process of its own.

    Of what it needs the answers are there.
    """
    kept = kept_for(question)

    def answered(*, progress: Callable[..., None]) -> Told:
        def of(part: Question) -> Answer:
            if part in of_parts:
                return of_parts[part]
            return kept.get(part, lambda: Told(part.answer(progress, of))).answer

        def make() -> Told:
            if apart:
                return Told(job_process.run(question.answer, progress=progress))
            return Told(_answered(question, progress, of))

        return kept.get(question, make, waiting=lambda: progress(0.0))

    return answered


def _answered(question: Question, progress: Callable[..., None], of: Ask) -> Answer:
    if not isinstance(question, Stepwise):
        return question.answer(progress, of)
    told: Told | None = None
    for share, found in question.steps():
        told = Told(found)
        progress(share, told if share else None)
    assert told is not None
    return told.answer


def size_of(value: object, *, beside: Sequence[object] = ()) -> int:
    """Return about how many bytes a value takes beside others, with all that it holds; questions and functions are passed over."""
    seen = set[int]()
    _add(seen, beside)
    return _add(seen, [value])


def _add(seen: set[int], values: Sequence[object]) -> int:
    size, left = 0, [*values]
    while left:
        each = left.pop()
        if id(each) in seen or isinstance(each, Question) or (callable(each) and not is_dataclass(each)):
            continue
        seen.add(id(each))
        if isinstance(each, np.ndarray):
            size += 100 + int(each.nbytes)
        elif isinstance(each, pd.DataFrame):
            size += int(each.memory_usage(deep=True).sum())
        elif isinstance(each, str | bytes):
            size += 50 + len(each)
        else:
            size += 64
            left += _inside(each)
    return size


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    if isinstance(value, list | tuple):
        return [*value]
    # What a result has computed of itself since it was made stands beside its fields.
    return [*vars(value).values()] if is_dataclass(value) or isinstance(value, Drawing | Block) else []
