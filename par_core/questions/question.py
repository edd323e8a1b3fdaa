"""What can be asked: a question of plain values, its answer, and the same question with one value moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from typing import Any, Self

from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import Quantity
from par_core.mechanisms import MECHANISMS
from par_core.progress import Progress, portion
from par_core.questions.blocks import Block, Chart, Headline, Words
from par_core.rounding import amount, small
from par_core.scenario import FIELDS, Scenario

Ask = Callable[["Question"], Any]
"""Returns the answer to a question, of the kind that the question gives: `anew`, or from what is known."""


def anew(question: Question) -> Answer:
    """Return the answer to a question, computed now."""
    return question.answer()


_NAMES = {
    "epsilon": "ε",
    "epsilon0s": "Levels ε₀",
    "ks": "k",
    "prior": "Belief before",
    "all_releases": "All releases together",
    "even": "Change spread evenly",
    "size": "Simulated releases",
    "largest": "Releases, up to",
    "numbers_at": "Numbers at",
    "paper_only": "As in the paper",
    "drawn_epsilon0": "ε₀ of each",
    "drawn_delta": "δ of all together",
    "drawn_k": "k",
    "target": "ε′ of all together",
    "samples": "Sampled pairs",
    "rho": "Distance ρ",
    "rhos": "Distances ρ",
    "alpha": "Probability α",
    "sampled": "Sampled sensitivity",
    "order": "Constant c",
    "sure": "With probability",
    "noise_epsilon0": "ε₀ of the noise",
}
"""What fields of questions are called for people, where their own name is not one."""


@dataclass(frozen=True, repr=False)
class Question:
    """What a section asks: plain values, checked when it is made. What is None follows the scenario."""

    scenario: Scenario

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> Answer:
        """Return the answer, computed from these values alone; `of` answers what it `needs`."""
        raise NotImplementedError

    @property
    def long(self) -> str:
        """What is being done, where the answer takes more than a moment: "Simulating"."""
        return ""

    @property
    def heavy(self) -> bool:
        """Whether a long answer may take a minute: it gets the time, and where others may know it a process beside the server."""
        return False

    @property
    def private(self) -> bool:
        """Whether it holds a text of a reader's own or anything of their file: then no other reader may meet its answer."""
        return False

    @property
    def public(self) -> Self:
        """The same question about what anybody may know, which a file asks in place of a private one."""
        return self

    @property
    def passing(self) -> bool:
        """Whether it is of a moment, or of numbers that are one reader's alone: then there is no file to take along."""
        return False

    @property
    def dials(self) -> tuple[str, ...]:
        """The fields that a dial may move at once: so quick is the answer."""
        return "epsilon", "scenario.epsilon0"

    @property
    def given(self) -> Mapping[str, str]:
        """What it asks beside the scenario, each in words under its name, as a report lists it."""
        read = [each.name for each in fields(self) if each.name not in self.unread]
        named = ((name, _in_words(getattr(self, name))) for name in read)
        return {_NAMES.get(name, name.replace("_", " ").capitalize()): words for name, words in named if words}

    @property
    def unread(self) -> tuple[str, ...]:
        """The names of the fields, of its own and of the scenario, that play no part in the answer."""
        return ()

    def along(self, path: str, values: Sequence[float]) -> Mapping[float, Answer]:  # noqa: ARG002  # for who overrides it
        """Return the answers at those values of a field that are found together more quickly than one by one."""
        return {}

    @property
    def begun(self) -> Answer | None:
        """The answer before anything is computed, where others can be told with that for the moment."""
        return None

    def needs(self) -> tuple[Question, ...]:
        """The long questions whose answers this one is made of: a page asks them beforehand, with a bar."""
        return ()

    def moved(self, path: str, value: Any) -> Self:
        """Return the same question with another value of a field: `epsilon`, `scenario.epsilon0`, or in a tuple `wishes.0.within`."""
        moved: Self = _moved(self, path.split("."), value)
        return moved

    def apart_from(self, path: str) -> str:
        """Return every other value than that of a field: what is the same wherever a dial of this field stands."""
        return repr(_apart_from(self, path.split(".")))

    def __repr__(self) -> str:
        # Heads of files, keys and messages quote questions.
        return f"{type(self).__name__}(<private>)" if self.private else code(self)

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()


class Stepwise(Question):
    """A long question of which something can be told before all is known."""

    def steps(self) -> Iterator[tuple[float, Answer]]:
        """Yield the share that is done and the answer so far: first before anything is computed, last the whole answer."""
        raise NotImplementedError

    @property
    def begun(self) -> Answer | None:
        """The first of the steps."""
        return next(self.steps())[1]

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> Answer:  # noqa: ARG002  # it needs no other
        """Return the last of the steps."""
        tell, answer = portion(progress), None
        for share, answer in self.steps():  # noqa: B007  # the last one is returned
            tell(share)
        assert answer is not None
        return answer


class Answer:
    """What was found: numbers with what they are worth, and how they are told."""

    question: Question

    def story(self) -> Iterator[Block]:
        """Yield what is told, in this order everywhere: nothing by an answer that others are made of."""
        return iter(())

    def numbers(self) -> Mapping[str, Quantity]:
        """Return the numbers that the answer consists of, by name."""
        return {}

    @property
    def for_others(self) -> Self:
        """The same answer without what only the reader may see, as files hold it."""
        return self

    @property
    def headline(self) -> str:
        """The answer in one line; of a part of a page, which has no headline, its first words."""
        words = [each for each in self.story() if isinstance(each, Words)]
        return next((each for each in words if isinstance(each, Headline)), words[0]).told()

    @property
    def chart(self) -> Chart | None:
        """The first picture, if there is one."""
        return next((each for each in self.story() if isinstance(each, Chart)), None)

    def _repr_html_(self) -> str:
        from par_core.questions.html import told  # late: only Jupyter and reports write HTML

        return told(self.story())


def must_be_possible(scenario: Scenario) -> None:
    """Raise InfeasibleError where the scenario's mechanism cannot take its numbers."""
    try:
        scenario.release  # noqa: B018  # asked for the sake of its error
    except (ParameterError, InfeasibleError) as error:
        name, why = MECHANISMS[scenario.mechanism].name, str(error)
        raise InfeasibleError(f"{name} cannot be used here. {why[:1].upper()}{why[1:]}") from error


def must_be_published(scenario: Scenario) -> None:
    """Raise InfeasibleError where the scenario has another mechanism than the paper's formula is for."""
    if not scenario.as_published:
        raise InfeasibleError(
            f"the paper's formula is for Laplace noise, and the scenario has {MECHANISMS[scenario.mechanism].name}: LossOfMechanism and "
            "LossByLevel answer for any mechanism"
        )


def levels_around(epsilon0: float) -> tuple[float, ...]:
    """Return the level of a scenario between its half and its double, as far as a scenario can have these."""
    return tuple(each for each in (0.5 * epsilon0, epsilon0, 2.0 * epsilon0) if takes("epsilon0", each))


def takes(name: str, value: float) -> bool:
    """Return whether a number lies within the bounds of a field of the scenario."""
    field = next(each for each in FIELDS if each.name == name)
    return (field.at_least or 0.0) <= value <= (field.at_most or value)


def _moved(held: Any, path: Sequence[str], value: Any) -> Any:
    if not path:
        return value
    name, *inner = path
    if isinstance(held, tuple):
        at = int(name)
        return (*held[:at], _moved(held[at], inner, value), *held[at + 1 :])
    return replace(held, **{name: _moved(getattr(held, name), inner, value)})


def _apart_from(held: Any, path: Sequence[str]) -> object:
    if not path or held is None:  # what stands in for nothing is given by the rest
        return None
    name, *inner = path
    if isinstance(held, tuple):
        return [_apart_from(each, inner) if at == int(name) else each for at, each in enumerate(held)]
    values = ((each.name, getattr(held, each.name)) for each in fields(held))
    return type(held).__qualname__, {
        each: _apart_from(value, inner) if each == name else value for each, value in values
    }


def _in_words(value: object) -> str:
    """Return a number, or several, for people; of a key, or of what follows the scenario, nothing."""
    if isinstance(value, bool):
        return "yes" * value
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return small(value) if 0.0 < value < 0.001 else amount(value, 6)
    if isinstance(value, tuple):
        return ", ".join(filter(None, map(_in_words, value)))
    return ""


def code(value: object, *, full: bool = False) -> str:
    """Return a value of a question as code, dataclasses by what is not at its default; `full` holds every field.

    >>> code(Scenario(epsilon0=0.3, releases=4))
    'Scenario(epsilon0=0.3, releases=4)'
    """
    if isinstance(value, Enum):
        return repr(value.value)
    if is_dataclass(value):
        held = ((each, getattr(value, each.name)) for each in fields(value) if each.init)
        given = ", ".join(f"{each.name}={code(one, full=full)}" for each, one in held if full or one != each.default)
        return f"{type(value).__name__}({given})"
    if isinstance(value, tuple):
        return f"({', '.join(code(each, full=full) for each in value)}{',' * (len(value) == 1)})"
    return repr(value)


def types_in(value: object) -> Iterator[type]:
    """Yield the types whose names stand in the code of a value."""
    if is_dataclass(value):
        yield type(value)
        for each in fields(value):
            yield from types_in(getattr(value, each.name))
    elif isinstance(value, tuple):
        for each in value:
            yield from types_in(each)
