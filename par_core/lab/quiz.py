"""The quiz: twelve questions whose answers are computed from the numbers that are asked about, never stored.

The numbers are the lecture's, follow a reader's ε and δ, or are drawn for a student of a class: whoever knows the class seed can
compute every answer of the class.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence, Quantity, Result
from par_core.lab.questions import KINDS, Given, Kind
from par_core.parameters import check_choice, check_integer, check_number, check_type, shown
from par_core.randomness import seeded
from par_core.rounding import rounded
from par_core.scenario import is_decimal

STUDENTS = 40  # of a class, each with numbers of their own
LARGEST_CLASS = 999_999
TOLERANCE = 0.01  # by which an answer may be off, as a share of the right one; whole numbers must be right
# A reader's own levels are asked about within these ends: beyond them answers are 0 or 1.
EPSILONS, DELTAS = (0.1, 2.0), (1e-9, 1e-3)

_LONGEST = 40  # letters of an answer
_ANSWER = re.compile(
    r"(?:ε=)?(?P<log>ln|log)?\(?(?P<number>[-+.,\de]*\d[.,]?)\)?(?P<unit>%|percent(?:agepoints?)?|points?|pp)?"
)


@dataclass(frozen=True)
class Question(Result):
    """One question: the numbers that it gives, the answers that it asks for, and further numbers that explain them.

    `labels` says what each answer is and in which unit; one of whole numbers is an `int`.
    """

    key: str
    given: Given
    answers: Mapping[str, Quantity]
    labels: Mapping[str, str]
    explained: Mapping[str, Quantity | float]

    @property
    def evidence(self) -> Evidence:
        """What the answers are computed by."""
        return Evidence(PROVEN, source=_kind(self.key).source)

    def accepts(self, name: str, text: str) -> bool:
        """Whether a text answers one part: within 1 %, a whole number exactly.

        A share may be written as 36 %, 36 or 0.36, decimals with a point or a comma, a logarithm as ln 3. ParameterError where the text is
        no number.

        >>> [lecture()[1].accepts("share", each) for each in ("36 %", "36", "0,36", "43")]
        [True, True, True, False]
        """
        right = self.answers[check_choice("name", name, self.answers)]
        readings = _readings(check_type("text", text, str), share=right.kind in ("share", "points"))
        if isinstance(right.value, int):
            return right.value in readings
        # The last digits of a bound that was typed as it is told are rounded.
        return any(abs(each - right.value) <= TOLERANCE * (1 + 1e-9) * abs(right.value) for each in readings)


@dataclass(frozen=True)
class Picture(Result):
    """How the first answer of a question depends on one of its numbers, and where the question stands."""

    key: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    at: float
    answer: Quantity

    @property
    def evidence(self) -> Evidence:
        """That of the question."""
        return Evidence(PROVEN, source=_kind(self.key).source)


def lecture() -> tuple[Question, ...]:
    """Return the twelve questions with the numbers of the lecture.

    >>> [round(each, 3) for each in (lecture()[2].answers["exceeds"].value, lecture()[7].answers["spent"].value)]
    [0.847, 3.19]
    """
    return tuple(_question(kind.key, *kind.lecture.items()) for kind in KINDS)


def own(epsilon: float, delta: float) -> tuple[Question, ...]:
    """Return the twelve questions with a reader's own ε and δ in those of the lecture that have them.

    Levels are above 0, δ below 1; outside `EPSILONS` and `DELTAS` the nearest end is asked about, where the answers can be told apart.
    """
    level = min(max(check_number("epsilon", epsilon, above=0.0), EPSILONS[0]), EPSILONS[1])
    small = min(max(check_number("delta", delta, above=0.0, below=1.0), DELTAS[0]), DELTAS[1])
    level, small = (float(f"{each:.4g}") for each in (level, small))
    return tuple(_question(kind.key, *{**kind.lecture, **kind.own(level, small)}.items()) for kind in KINDS)


def of_student(seed: int, student: int) -> tuple[Question, ...]:
    """Return the twelve questions of one student, 1 to 40, of the class with this seed, 0 to 999,999.

    No two of a class are given the same numbers in any question.

    >>> of_student(7, 1)[0].given == of_student(7, 2)[0].given
    False
    """
    place = check_integer("student", student, at_least=1, at_most=STUDENTS) - 1
    rng = seeded(check_integer("seed", seed, at_least=0, at_most=LARGEST_CLASS))
    drawn = [kind.variants[rng.permutation(len(kind.variants))[place]] for kind in KINDS]
    return tuple(_question(kind.key, *given.items()) for kind, given in zip(KINDS, drawn, strict=True))


def answer_sheet(seed: int) -> pd.DataFrame:
    """Return the answers of a whole class: a row for each student, a column for each number asked for.

    Shares are in percent, as the labels say, and all but whole numbers have four digits. The seed is as in `of_student`.
    """
    return pd.DataFrame([{"student": each, **_row(of_student(seed, each))} for each in range(1, STUDENTS + 1)])


def picture(question: Question) -> Picture:
    """Return how the first answer of a question moves along one of its given numbers."""
    kind = _kind(check_type("question", question, Question).key)
    name, axis = kind.along(question.given)
    first = next(iter(kind.answers))
    at = float(question.given[name])
    axis = np.union1d(axis, [at])
    moved = kind.solve(**{**question.given, name: axis})[first]
    return Picture(question.key, axis, np.asarray(moved), at, question.answers[first])


def _kind(key: str) -> Kind:
    return next(each for each in KINDS if each.key == key)


@lru_cache(maxsize=2048)
def _question(key: str, *given: tuple[str, float]) -> Question:
    """Return a question with its answers; one run of a page asks several times."""
    kind, numbers = _kind(key), dict(given)
    found = kind.solve(**numbers)
    return Question(
        key=key,
        given=numbers,
        answers={
            name: Quantity(
                _plain(found[name], whole=kind.whole),
                told.kind,
                Evidence(told.basis or PROVEN, source=kind.source),
                told.toward,
            )
            for name, (_, told) in kind.answers.items()
        },
        labels={name: label for name, (label, _) in kind.answers.items()},
        explained=kind.explained(**numbers),
    )


def _plain(value: Any, *, whole: bool) -> float:
    return int(value) if whole else float(value)


def _row(questions: tuple[Question, ...]) -> dict[str, float]:
    cells = {}
    for number, question in enumerate(questions, start=1):
        for letter, (name, right) in zip("abc", question.answers.items(), strict=False):
            part = f"{number}{letter * (len(question.answers) > 1)}"
            times = 100 if right.kind in ("share", "points") else 1
            whole = isinstance(right.value, int)
            cells[f"{part} {question.labels[name]}"] = right.value if whole else rounded(times * right.value, 4)
    return cells


def _readings(text: str, *, share: bool) -> list[float]:
    """Return every number that a text may stand for: a comma can part thousands, and a share may be given in percent or not."""
    plain = re.sub(r"\s", "", text[: _LONGEST + 1].replace("\u2212", "-")).lower()
    found = _ANSWER.fullmatch(plain) if len(text) <= _LONGEST else None
    numbers = [float(each) for each in _decimals(found["number"]) if is_decimal(each)] if found else []
    if found and found["log"]:
        numbers = [math.log(each) for each in numbers if each > 0]
    if not found or not numbers or (found["unit"] and not share):
        raise ParameterError(f"an answer must be a number such as 0.36, 36 % or 0,36, got {shown(text)}")
    if not share:
        return numbers
    return [scaled for each in numbers for scaled in ([each / 100] if found["unit"] else [each / 100, each])]


def _decimals(number: str) -> set[str]:
    """Return the ways to write a number with a point for its decimals alone."""
    last = max(number.rfind("."), number.rfind(","))
    if "." in number and "," in number:  # the last sign is the decimal one
        return {re.sub("[.,]", "", number[:last]) + "." + number[last + 1 :]}
    ways = {number.replace(",", ".")}
    if re.fullmatch(r"[-+]?\d{1,3}(,\d{3})+", number):
        ways.add(number.replace(",", ""))
    return ways
