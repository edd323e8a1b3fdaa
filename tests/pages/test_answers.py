"""Answers are kept by value: one computation for all who ask the same, bounded in bytes, and nothing private among them."""

import threading
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from pages.shared import answers
from pages.shared.answers import Kept, size_of
from par_core.errors import InfeasibleError, ParameterError
from par_core.progress import Cancelled
from par_core.questions import RiskByDimension
from par_core.questions.question import Answer, Question, anew
from par_core.risk import explicit_curves
from par_core.scenario import Scenario
from tests.pages.conftest import View


@pytest.fixture
def fresh(monkeypatch):
    kept = Kept(64_000_000)
    monkeypatch.setattr(answers, "PUBLIC", kept)
    return kept


@pytest.fixture
def computed(monkeypatch, fresh):  # noqa: ARG001  # nothing is known yet
    """Count what is computed of a release."""
    calls = []
    for name in ("risk_at", "by_dimension"):
        real = getattr(explicit_curves, name)
        monkeypatch.setattr(
            explicit_curves, name, lambda *a, real=real, name=name, **k: calls.append(name) or real(*a, **k)
        )
    return calls


def test_a_section_computes_its_answer_once_and_another_session_nothing(computed):
    first = View().visit("explicit_risk", e=0.31)
    assert sorted(computed) == ["by_dimension", "risk_at"]
    second = View().visit("explicit_risk", e=0.31)
    assert sorted(computed) == ["by_dimension", "risk_at"]
    assert second.words == first.words
    assert second.chart.figure == first.chart.figure


def test_frames_are_made_for_the_first_session_and_an_answer_is_known_where_the_dial_is_let_go(computed):
    def frames():
        view = View().visit("explicit_risk", e=0.31)
        return view, view.come_near("risk_by_dimension", "e").charts["risk_by_dimension"].frames["e"]

    _, packed = frames()
    calls = len(computed)
    view, again = frames()
    assert again == packed
    view.turn("e", view.dials["e"].steps[7])
    assert len(computed) == calls


def test_who_asks_at_the_same_moment_waits_for_the_one_who_computes():
    kept, together, made = Kept(1000), threading.Barrier(8), []

    def make():
        made.append(1)
        return "answer"

    found = []

    def ask():
        together.wait()
        found.append(kept.get("question", make))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert (made, found) == ([1], ["answer"] * 8)


def test_who_waits_may_give_up():
    kept, begun, go_on = Kept(1000), threading.Event(), threading.Event()

    def make():
        begun.set()
        go_on.wait()

    def give_up():
        raise Cancelled

    thread = threading.Thread(target=kept.get, args=("question", make))
    thread.start()
    begun.wait()
    with pytest.raises(Cancelled):
        kept.get("question", make, waiting=give_up)
    go_on.set()
    thread.join()


def test_an_error_is_kept_for_nobody():
    kept = Kept(1000)

    def fail():
        raise ParameterError("this fails")

    with pytest.raises(ParameterError, match="this fails"):
        kept.get("question", fail)
    assert kept.get("question", lambda: 1) == 1


def test_what_is_kept_stays_below_its_bytes_and_the_least_used_goes_first():
    kept = Kept(10_000)
    for at in range(50):
        kept.get(at, lambda: np.zeros(300))
        kept.get(0, lambda: np.zeros(300))
        assert kept.bytes <= 10_000
    made = kept.made
    kept.get(0, lambda: np.zeros(300))
    kept.get(49, lambda: np.zeros(300))
    assert kept.made == made
    kept.weigh(49, np.zeros(10_000))
    assert kept.bytes <= 10_000, "larger than all that may be kept"


def test_an_answer_weighs_what_is_made_of_it(fresh):
    question = RiskByDimension(Scenario())
    told = answers.told(question)
    before = fresh.bytes
    blocks = list(told.story())
    told.json(next(block for block in blocks if hasattr(block, "draw")))
    answers.weigh(told)
    arrays = sum(
        each.nbytes for curve in told.answer.curves for each in vars(curve).values() if isinstance(each, np.ndarray)
    )
    assert fresh.bytes > before + arrays
    assert size_of(told) == fresh.bytes


def test_the_rows_of_a_frame_are_weighed():
    assert size_of(pd.DataFrame({"cell": ["a" * 100] * 1000})) > 100_000


def test_a_story_that_fails_fails_for_everyone_who_reads_it():
    class Broken:
        def story(self):
            yield "headline"
            raise InfeasibleError("no picture")

    told = answers.Told(Broken())
    for _ in range(2):
        with pytest.raises(InfeasibleError, match="no picture"):
            list(told.story())


def test_after_an_unexpected_error_the_next_reader_gets_the_whole_story():
    class Broken:
        failures = 1

        def story(self):
            yield "headline"
            if self.failures:
                self.failures -= 1
                raise MemoryError
            yield "chart"

    told = answers.Told(Broken())
    with pytest.raises(MemoryError):
        list(told.story())
    assert list(told.story()) == ["headline", "chart"]


def test_a_private_question_is_kept_in_its_session_alone(fresh, monkeypatch):
    monkeypatch.setattr(Question, "private", True)
    monkeypatch.setattr(answers.st, "session_state", {})
    question = RiskByDimension(Scenario())
    answers.told(question)
    assert (fresh.bytes, fresh.made) == (0, 0)
    assert answers.kept_for(question).made == 1


@dataclass(frozen=True, repr=False)
class Part(Question):
    heavy = True
    long = "Counting"

    def answer(self, progress=None, of=anew):  # noqa: ARG002  # as questions are asked
        progress(0.5)
        return Found(self, np.zeros(500))


@dataclass(frozen=True, repr=False)
class Whole(Question):
    width: int = 1
    long = "Adding"

    def needs(self):
        return (Part(Scenario()),)

    def answer(self, progress=None, of=anew):  # noqa: ARG002  # as questions are asked
        (part,) = map(of, self.needs())
        return Found(self, [part.held, np.zeros(self.width)])


@dataclass(frozen=True)
class Found(Answer):
    question: Question
    held: object


def told_progress(*_):
    """Work tells how far it is."""


def test_an_answer_made_of_others_is_weighed_beside_them_and_goes_with_them():
    kept, part = Kept(12_000), Part(Scenario())
    whole = [Whole(Scenario(), 10 + at) for at in range(5)]
    found = part.answer(told_progress)
    kept.weigh(whole[0], whole[0].answer(of=lambda _: found))
    assert whole[0] not in kept, "what it is made of is not kept"
    kept.weigh(part, found)
    before = kept.bytes
    for each in whole:
        kept.weigh(each, each.answer(of=lambda _: found))
    assert kept.bytes - before < 5 * 1_000
    kept.weigh("another", np.zeros(200))
    kept.get(whole[2], list)
    for at in range(4):
        kept.weigh(at, np.zeros(300))
        kept.get(whole[2], list)
        assert part in kept, "who asks for the whole asks for the part"
    kept.weigh("large", np.zeros(1_450))
    assert not [each for each in (part, *whole) if each in kept]
    assert kept.bytes <= 12_000


@pytest.mark.parametrize("apart", [False, True])
def test_a_job_takes_what_its_question_is_made_of(fresh, apart):
    part, whole = Part(Scenario()), Whole(Scenario())
    known = answers.work(part, {}, apart=apart)(progress=told_progress).answer
    assert answers.known(part)
    handed = answers.work(whole, {part: known}, apart=False)(progress=told_progress).answer
    assert handed.held[0] is known.held
    fresh.weigh(part, Found(part, np.zeros(100_000_000 // 8)))
    assert not [each for each in (part, whole) if answers.known(each)]
    asked = answers.work(whole, {}, apart=False)(progress=told_progress).answer
    assert len(asked.held[0]) == 500
    assert answers.known(part), "what nobody handed over is found and kept"
