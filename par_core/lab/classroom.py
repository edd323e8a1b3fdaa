"""A class that takes the quiz at the same time, in the memory of one process: which seats are taken, and how far each is. No names."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

import pandas as pd

from par_core.lab.questions import KINDS
from par_core.lab.quiz import LARGEST_CLASS, STUDENTS, answer_sheet
from par_core.parameters import check_integer

LETTERS = (
    "BCDFGHJKMNPQRSTVWXZ"  # no vowel, so that no code is a word, and no letter that is read as another or as a digit
)
CODE = 5  # letters of a code
MOST_CLASSES, MOST_SEATS = 200, 500
LASTS = 12 * 3600.0  # seconds without anybody who comes in or answers, after which a class is gone

_BLOCKS = -(-MOST_SEATS // STUDENTS)  # so many seeds give each seat numbers of its own
_TRIED, _RIGHT, _SHOWN = 1, 2, 3


@dataclass(frozen=True)
class Seat:
    """A place in a class, from 1: the ticket takes a student back to it, the seed and the student say which numbers are asked about."""

    number: int
    ticket: str
    seed: int
    student: int


@dataclass(frozen=True)
class Progress:
    """How many came in; of each question how many tried it and how many were right, and how many wrong answers there were."""

    joined: int
    tried: tuple[int, ...]
    right: tuple[int, ...]
    wrong: tuple[int, ...]


class Classroom:
    """One class; any thread may ask. Who has its `key` leads it, whoever knows its `code` may come in."""

    def __init__(self, code: str, clock: Callable[[], float]) -> None:
        self.code, self.key = code, secrets.token_urlsafe(12)
        self.is_open = True
        self._seed = secrets.randbelow(LARGEST_CLASS + 2 - _BLOCKS)
        self._seats: dict[str, Seat] = {}
        self._states: list[bytearray] = []  # of each seat, by question
        self._wrong = [0] * len(KINDS)
        self._clock, self._lock = clock, Lock()
        self.last = clock()

    def is_led_by(self, key: str) -> bool:
        """Return whether this is the key of who leads the class."""
        return secrets.compare_digest(key.encode(errors="replace"), self.key.encode())

    def join(self, ticket: str = "") -> Seat | None:
        """Return the seat of a ticket, or the next free one; None if there is none."""
        with self._lock:
            if ticket in self._seats:
                return self._seats[ticket]
            at = len(self._seats)
            if at == MOST_SEATS or not self.is_open:
                return None
            seat = Seat(at + 1, secrets.token_urlsafe(9), self._seed + at // STUDENTS, at % STUDENTS + 1)
            self._seats[seat.ticket] = seat
            self._states.append(bytearray(len(KINDS)))
            self.last = self._clock()
            return seat

    def record(self, seat: Seat, question: int, *, right: bool) -> None:
        """Note an answer to a question, from 1: the first right one is the last that counts. Of a class that is over nothing is noted."""
        at = check_integer("question", question, at_least=1, at_most=len(KINDS)) - 1
        with self._lock:
            state = self._states[seat.number - 1]
            if self.is_open and state[at] < _RIGHT:
                state[at] = _RIGHT if right else _TRIED
                self._wrong[at] += not right
                self.last = self._clock()

    def show(self, seat: Seat, question: int) -> None:
        """Note that the answer to a question, from 1, was asked for: whatever is answered then counts no more."""
        at = check_integer("question", question, at_least=1, at_most=len(KINDS)) - 1
        with self._lock:
            state = self._states[seat.number - 1]
            state[at] = _RIGHT if state[at] == _RIGHT else _SHOWN

    def right_of(self, seat: Seat) -> tuple[int, ...]:
        """Return the questions that were answered right from a seat, from 1."""
        return self._those(seat, _RIGHT)

    def shown_of(self, seat: Seat) -> tuple[int, ...]:
        """Return the questions whose answers were asked for from a seat, from 1."""
        return self._those(seat, _SHOWN)

    def _those(self, seat: Seat, wanted: int) -> tuple[int, ...]:
        with self._lock:
            return tuple(at for at, state in enumerate(self._states[seat.number - 1], start=1) if state == wanted)

    def progress(self) -> Progress:
        """Return how far the class is."""
        with self._lock:
            tried, right = (
                tuple(sum(state[at] in wanted for state in self._states) for at in range(len(KINDS)))
                for wanted in ((_TRIED, _SHOWN), (_RIGHT,))
            )
            return Progress(len(self._states), tried, right, tuple(self._wrong))

    def answers(self) -> pd.DataFrame:
        """Return the answers for whoever leads the class: a row for each seat that is taken, as `answer_sheet` has it."""
        taken = max(len(self._seats), 1)
        sheets = pd.concat([answer_sheet(self._seed + each) for each in range(-(-taken // STUDENTS))])
        return sheets.head(taken).assign(student=range(1, taken + 1))

    def end(self) -> None:
        """Close the class: nobody comes in any more."""
        with self._lock:
            self.is_open = False

    @property
    def is_empty(self) -> bool:
        """Whether nobody has come in yet."""
        return not self._seats


class Register:
    """The classes of a process: each is gone when it ends, or some hours after its last answer.

    >>> register = Register()
    >>> lesson = register.open()
    >>> lesson.join().number, lesson.join().number
    (1, 2)
    >>> register.find(lesson.code.lower()) is lesson
    True
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._classes: dict[str, Classroom] = {}
        self._clock, self._lock = clock, Lock()

    def open(self) -> Classroom:
        """Return a new class. Where there are too many, an empty one makes room, or the one without an answer for longest."""
        with self._lock:
            self._sweep()
            if len(self._classes) == MOST_CLASSES:
                self._drop(min(self._classes.values(), key=lambda each: (not each.is_empty, each.last)))
            code = self._code()
            while code in self._classes:
                code = self._code()
            self._classes[code] = Classroom(code, self._clock)
            return self._classes[code]

    def find(self, code: str) -> Classroom | None:
        """Return the open class with this code, in letters of either case; None if there is none."""
        with self._lock:
            self._sweep()
            return self._classes.get(code.upper())

    def _code(self) -> str:
        return "".join(secrets.choice(LETTERS) for _ in range(CODE))

    def _sweep(self) -> None:
        now = self._clock()
        for each in [*self._classes.values()]:
            if now - each.last > LASTS or not each.is_open:
                self._drop(each)

    def _drop(self, classroom: Classroom) -> None:
        classroom.end()
        del self._classes[classroom.code]
