"""What the toys of the lab ask in common: a level, a noise and its δ of their own, which follow the scenario as far as the lab can go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Generic, NamedTuple, TypeVar

from par_core.evidence import Quantity, Result
from par_core.figures.drawing import Drawing
from par_core.mechanisms import NOISES
from par_core.parameters import check_choice, check_integer, check_number
from par_core.questions.blocks import Chart, Headline, Sentence, Words
from par_core.questions.question import Answer, Question
from par_core.scenario import FIELDS, Scenario


class Range(NamedTuple):
    """What a field of a toy is called, and between which numbers it lies: whole ones, if these are."""

    label: str
    at_least: float
    at_most: float

    def check(self, name: str, value: float) -> None:
        """Raise ParameterError for a value beyond."""
        if isinstance(self.at_least, int):
            check_integer(name, value, at_least=self.at_least, at_most=int(self.at_most))
        else:
            check_number(name, value, at_least=self.at_least, at_most=self.at_most)


EPSILON = Range("Privacy level ε", 1e-3, 20.0)
DELTA = Range("δ of Gaussian noise", 1e-15, 0.5)
SEED = Range("Seed", 0, 10**9)


def usual_epsilon(scenario: Scenario) -> float:
    """Return the ε of a toy, unless it has one of its own."""
    within = EPSILON.at_least <= scenario.epsilon0 <= EPSILON.at_most
    return scenario.epsilon0 if within else Scenario.epsilon0


def usual_noise(scenario: Scenario) -> str:
    """Return the noise of a toy, by its name in `NOISES`, unless it has one of its own."""
    return scenario.mechanism if scenario.mechanism in NOISES else Scenario.mechanism


@dataclass(frozen=True, repr=False)
class Toy(Question):
    """What a toy asks: nothing of the scenario, but where it follows it."""

    ranges: ClassVar[Mapping[str, Range]] = {}  # of its fields
    choices: ClassVar[
        Mapping[str, tuple[str, Mapping[str, str]]]
    ] = {}  # of others: what they are called, and each choice
    moved_by: ClassVar[tuple[str, ...]] = ("epsilon",)

    def __post_init__(self) -> None:
        for name, ends in self.ranges.items():
            ends.check(name, getattr(self, name))
        for name, (_, known) in self.choices.items():
            check_choice(name, getattr(self, name), known)

    @property
    def dials(self) -> tuple[str, ...]:
        return self.moved_by

    @property
    def unread(self) -> tuple[str, ...]:
        return tuple(each.name for each in FIELDS)

    @property
    def given(self) -> dict[str, str]:
        labels = {"Noise delta": "δ", **{name.capitalize(): ends.label for name, ends in self.ranges.items()}}
        listed = {labels.get(name, name): words for name, words in super().given.items()}
        return listed | {label: known[getattr(self, name)] for name, (label, known) in self.choices.items()}


@dataclass(frozen=True, repr=False)
class LabQuestion(Toy):
    """What a toy with an ε asks."""

    epsilon: float | None = None  # None: that of the scenario, where the lab can take it

    def __post_init__(self) -> None:
        super().__post_init__()
        EPSILON.check("epsilon", self.level)

    @property
    def level(self) -> float:
        """The ε that is asked about."""
        return usual_epsilon(self.scenario) if self.epsilon is None else self.epsilon

    @property
    def given(self) -> dict[str, str]:
        return super(LabQuestion, replace(self, epsilon=self.level)).given


@dataclass(frozen=True, repr=False)
class DeltaQuestion(LabQuestion):
    """What a toy with an ε and a δ asks."""

    noise_delta: float | None = None  # None: that of the scenario

    def __post_init__(self) -> None:
        super().__post_init__()
        DELTA.check("noise_delta", self.aim)

    @property
    def aim(self) -> float:
        """The δ that is asked about."""
        return self.scenario.delta if self.noise_delta is None else self.noise_delta

    @property
    def given(self) -> dict[str, str]:
        return super(DeltaQuestion, replace(self, noise_delta=self.aim)).given


@dataclass(frozen=True, repr=False)
class NoiseQuestion(DeltaQuestion):
    """What a toy with noise asks; its δ is that of Gaussian noise."""

    noise: str | None = None  # None: that of the scenario, where it is noise

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("noise", self.kind, NOISES)

    @property
    def kind(self) -> str:
        """The noise that is asked about, by its name in `NOISES`."""
        return usual_noise(self.scenario) if self.noise is None else self.noise

    @property
    def unread(self) -> tuple[str, ...]:
        return (*super().unread, *["noise_delta"] * (self.kind != "gaussian"))

    @property
    def given(self) -> dict[str, str]:
        return super().given | ({} if "noise" in self.unread else {"Noise": NOISES[self.kind].name})


Asked = TypeVar("Asked", bound=Toy)
Found = TypeVar("Found", bound=Result)


@dataclass(frozen=True)
class ToyAnswer(Answer, Generic[Asked, Found]):
    """What a toy shows: one result, of which `told` names the numbers."""

    question: Asked
    found: Found
    told: ClassVar[Mapping[str, str]] = {}

    def numbers(self) -> dict[str, Quantity]:
        return {name: self.found.quantity(each) for name, each in self.told.items()}

    def pictured(self, key: str, draw: Callable[[], Drawing], alt: str) -> Chart:
        """Return a picture of what was `found`, as its words call it."""
        limits = getattr(self.found, "limits", "")
        notes = {"limits": limits} if limits else {}
        return Chart(key, draw, Words(alt, found=self.found), self.found.source, notes=notes)

    def titled(self, template: str, *, term: str = "") -> Headline:
        """Return a headline about what was `found`; the sentence below says what its numbers are worth."""
        return Headline(template, found=self.found, term=term, bare=True)

    def said(self, template: str, *, term: str = "") -> Sentence:
        """Return a sentence about what was `found`."""
        return Sentence(template, found=self.found, term=term)
