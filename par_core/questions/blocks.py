"""What an answer is told in: words, pictures, and what can be opened. Each medium draws them as it can; none of them computes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import TYPE_CHECKING, Any, Protocol

from par_core.evidence import Quantity
from par_core.export import sentences
from par_core.figures.drawing import Drawing
from par_core.figures.money import unrounded
from par_core.figures.quantities import format_quantity

if TYPE_CHECKING:
    import pandas as pd

Mark = Callable[[object], str]
"""Returns how a medium writes what a number is worth: of a quantity, a result, a function, or the id of a claim."""


class Block:
    """One piece of a story."""


class Words(Block):
    """Sentences with numbers in them, as in `export.sentences`, rounded and marked where they are shown.

    A last sentence whose evidence is that of no number in it names it in `evidence_from`; what is said `then` has no mark. `term` is the
    word of the glossary that explains the words on hover, `claims` are those that it names beside the claims of its numbers: given as
    none, the hover still explains the marks. Words that are `bare` have no marks: a sentence beside them says what they are worth.
    TypeError for a value that the words do not name.
    """

    def __init__(
        self,
        template: str,
        /,
        *,
        evidence_from: object = None,
        then: str = "",
        term: str = "",
        claims: tuple[str, ...] | None = None,
        bare: bool = False,
        currency: str = "",
        **values: Any,
    ) -> None:
        """Hold the words; see the class."""
        named = {each.partition(".")[0].partition("[")[0] for _, each, *_ in Formatter().parse(template) if each}
        if unread := values.keys() - named:
            raise TypeError(f"the words do not name {', '.join(sorted(unread))}")
        self.template, self.evidence_from, self.then, self.term, self.claims = (
            template,
            evidence_from,
            then,
            term,
            claims,
        )
        self.bare, self.currency, self.values = bare, currency, values

    def told(self) -> str:
        """Return the words without marks."""
        return f"{sentences.told(self.template, self.values, currency=self.currency)} {self.then}".rstrip()

    def marked(self, mark: Mark) -> str:
        """Return the words as Markdown, with a mark for each evidence."""
        if self.bare:
            return self.told()
        text = sentences.marked(self.template, self.values, mark, currency=self.currency)
        marked = text if self.evidence_from is None else f"{text} {mark(self.evidence_from)}"
        return f"{marked} {self.then}".rstrip()


class Headline(Words):
    """The answer in one line."""


class Heading(Words):
    """What a part of the story is called."""


class Sentence(Words):
    """A paragraph."""


class Holds(Sentence):
    """That something came out well."""


class Fails(Sentence):
    """That something did not."""


class Note(Words):
    """Small print."""


class Missing(Words):
    """What the reader has to do before there is more to see."""


class Notice(Words):
    """What has to be known before the answer is read: that it is about something else than was asked for."""


class Caution(Notice):
    """What speaks against relying on the answer."""


class Unreachable(Words):
    """Why there is no number for a wish, in the words of an error."""


@dataclass(frozen=True)
class Chart(Block):
    """A picture under its name in files, drawn when it is shown; `alt` is read out to who cannot see it."""

    key: str
    draw: Callable[[], Drawing]
    alt: Words
    source: str
    table: Callable[[], pd.DataFrame] | None = None  # what can be opened or downloaded, else the plotted points
    notes: Mapping[str, str] = field(default_factory=dict)  # what else stands in the head of its file
    stays: bool = False  # whatever a dial does
    handle: str = ""  # the path of the field whose mark can be drawn aside in the picture itself
    caption: str = ""  # on paper in place of its title, where a heading says that
    height: int = 300  # pixels between the axes on paper


@dataclass(frozen=True)
class Listed(Block):
    """A paragraph with what it announces, line by line."""

    announced: Words
    lines: tuple[Words, ...]


@dataclass(frozen=True)
class Table(Block):
    """A small table, by its columns; `alt` is read out to who cannot see it. A cell whose words name a claim leads to it."""

    columns: Mapping[str, Sequence[Words | str]]
    alt: str


@dataclass(frozen=True)
class Number:
    """A number under its label, with the word of the glossary that explains it; money has its currency."""

    label: str
    quantity: Quantity
    term: str
    currency: str = ""

    def told(self) -> str:
        """Return the number on its safe side."""
        return format_quantity(self.quantity, currency=self.currency)

    def unrounded(self) -> str:
        """Return the number with all its digits."""
        value, currency = self.quantity.value, self.currency
        return unrounded(value, currency) if self.quantity.kind == "money" else f"{value:.15g}"


@dataclass(frozen=True)
class Numbers(Block):
    """Numbers beside each other, without marks: a sentence above them says what they are worth."""

    key: str
    numbers: tuple[Number, ...]


@dataclass(frozen=True)
class Boxes(Block):
    """What is to be compared, side by side and each in a frame."""

    boxes: tuple[tuple[Block, ...], ...]


@dataclass(frozen=True)
class Meter(Block):
    """How much of an allowance is used: a share, which may be above 1, and the words beside it."""

    share: float
    text: str


class _TellsItself(Protocol):
    def story(self) -> Iterator[Block]: ...


class _IsAnswered(Protocol):
    def answer(self) -> _TellsItself: ...


@dataclass(frozen=True)
class Part(Block):
    """Another question whose answer is told here; where that takes long, nothing else waits for it."""

    question: _IsAnswered


@dataclass(frozen=True)
class More(Block):
    """What is folded away under a label: a word beside the way, or what is long and made when it is opened."""

    key: str
    label: str
    blocks: tuple[Block, ...] | Callable[[], Iterable[Block]]

    def opened(self) -> Iterable[Block]:
        """Return what is folded away."""
        return self.blocks() if callable(self.blocks) else self.blocks


@dataclass(frozen=True)
class Take(Block):
    """Fields of the question, by their paths, for which the answer proposes values: a button in a browser, nothing on paper."""

    label: str
    fields: Mapping[str, Any]
    hint: str = ""


@dataclass(frozen=True)
class Beside(Block):
    """What stands side by side, where there is room."""

    blocks: tuple[Block, ...]


class Below(Block):
    """Where the picture with its controls ends: what follows is to be read and not to be shown, and takes the whole width."""


@dataclass(frozen=True)
class File(Block):
    """A file that can be taken along, made when it is asked for."""

    key: str
    label: str
    name: str
    make: Callable[[], str]
    hint: str


@dataclass(frozen=True)
class Formula:
    """One formula with what says its basis, where it comes from, and what must hold for it."""

    words: str
    latex: str
    of: object  # the function or result that computes it, or the id of the claim that it is
    source: str
    assumptions: str


@dataclass(frozen=True)
class Formulas(Block):
    """How the numbers of an answer are computed."""

    key: str
    formulas: tuple[Formula, ...]


@dataclass(frozen=True)
class Own(Block):
    """The place of what only a browser has; the section's file draws it under this name, and other media tell something `instead`."""

    name: str
    instead: tuple[Block, ...] = ()
