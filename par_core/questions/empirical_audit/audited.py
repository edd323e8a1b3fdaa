"""What the sections of an audit ask in common: repeated databases, a query on each of them, and the audit that all speak of.

Of a table of the reader's own nothing is told on; names are told only where they are not masked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal, Self, TypeVar, get_args

import numpy as np

from par_core.audit import Panel
from par_core.audit.auditing import AuditAt, AuditResult, audit
from par_core.audit.deltas import LARGEST_EPSILON as LARGEST_CHECKED
from par_core.audit.noise import hausdorff_scale, wasserstein_scale
from par_core.audit.queries import PLAIN, ShareAbove
from par_core.audit.query import PanelQuery
from par_core.audit.variance_and_quantile import PanelQuantile
from par_core.datasets import census2000, county_murders, precipitation_synthetic
from par_core.export.sentences import literal
from par_core.parameters import check_choice, check_integer, check_number
from par_core.progress import Progress
from par_core.questions.blocks import Block, Caution, Headline, Missing, Note
from par_core.questions.question import Answer, Ask, Question, anew
from par_core.randomness import seeded
from par_core.rounding import small
from par_core.scenario import Scenario
from par_core.tables.table import Table

BuiltIn = Literal["census2000", "county_murders", "precipitation"]
Form = Literal["record", "person", "subsample"]
Asked = Literal["mean", "sum", "count", "share", "variance", "quantile"]
VALUES: dict[BuiltIn, tuple[str, ...]] = {
    "census2000": ("weekly_income", "education", "experience", "age"),
    "county_murders": ("murders", "murder_rate"),
    "precipitation": ("value",),
}
"""The numbers of each record of a built-in table: one of them is asked about, the first unless another one is wanted."""
MOST_SUBSAMPLES = 1_000
LEAST_SHARE = 1e-6

TITLES: dict[str, str] = {
    "census2000": "US Census 2000, random subsamples",
    "county_murders": "Murders in US counties, 17 years",
    "precipitation": "Precipitation (synthetic), 41 years",
}
_WORDS = {"share": "share above"}
_PLURALS = {"county": "counties", "person": "people"}
_SUBSAMPLE = (
    "Each database is a random subsample. What is audited is a release from one of them; nobody may know who is in it."
)
_GENERATED = "Generated, not measured: years of one law, independent of each other, in the shape of the paper’s data."
Of = TypeVar("Of", bound="AuditQuestion")


@dataclass(frozen=True, repr=False)
class AuditQuestion(Question):
    """What is asked about a query on repeated databases: built-in ones, or those of a file of the reader's own."""

    table: BuiltIn = "census2000"
    value: str = ""  # of each record: a column; none: the first that there is
    query: Asked = "mean"
    above: float = 1000.0  # the threshold of a share
    quantile: float = 0.5  # which one
    subsamples: int = 60  # that are drawn of one table
    share: float = 0.02  # of the persons, in each of them
    seed: int = 1
    masked: bool = False  # nobody is named
    own: Table | None = None  # in place of a built-in one
    form: Form = "subsample"  # of it: what one row is
    database: str = ""  # the column that says in which database a record is
    individual: str = ""  # the column that says whose it is; none: a person in each row

    def __post_init__(self) -> None:
        check_choice("table", self.table, VALUES)
        check_choice("query", self.query, get_args(Asked))
        if self.own is None and self.value:
            check_choice("value", self.value, VALUES[self.table])
        check_number("above", self.above)
        check_number("quantile", self.quantile, at_least=0.0, at_most=1.0)
        check_integer("subsamples", self.subsamples, at_least=2, at_most=MOST_SUBSAMPLES)
        check_number("share", self.share, at_least=LEAST_SHARE, at_most=1.0)
        check_integer("seed", self.seed, at_least=0)

    @property
    def heavy(self) -> bool:
        return True

    @property
    def private(self) -> bool:
        return self.own is not None

    @property
    def public(self) -> Self:
        plain = AuditQuestion
        columns: dict[str, Any] = {"value": plain.value, "form": plain.form, "database": "", "individual": ""}
        return replace(self, own=None, table=plain.table, above=plain.above, **columns) if self.private else self

    @property
    def dials(self) -> tuple[str, ...]:
        return ()

    @property
    def given(self) -> Mapping[str, str]:
        drawn = f": {self.subsamples:,}, each of a share of {small(self.share)}, seed {self.seed}"
        table = f"{TITLES[self.table]}{drawn * (self.table == 'census2000')}"
        return {"Databases": table, "Query": f"{self.asked} of {self._column.replace('_', ' ')}", **super().given}

    @property
    def unread(self) -> tuple[str, ...]:
        # What is audited carries no noise.
        return (*(each.name for each in fields(Scenario)), *(each.name for each in fields(AuditQuestion)))

    def apart_from(self, path: str) -> str:
        # The code of a table of the reader's own does not tell it from another one like it.
        return super().apart_from(path) + (self.own.digest if self.own else "")

    def of_these(self, kind: type[Of], **values: Any) -> Of:
        """Return another question about the same databases and query, whatever the scenario."""
        same = {each.name: getattr(self, each.name) for each in fields(AuditQuestion)}
        return kind(**{**same, "scenario": Scenario(), "masked": False, **values})

    @property
    def audited(self) -> Audited:
        """The audit that all sections speak of."""
        return self.of_these(Audited)

    def needs(self) -> tuple[Question, ...]:
        return (self.audited,)

    # --- the databases and the query ---

    @property
    def kind(self) -> str:
        """What one individual is called."""
        if self.own is not None:
            return "person" if self.form == "subsample" else "individual"
        return {"county_murders": "county", "precipitation": "cell"}.get(self.table, "person")

    @property
    def kinds(self) -> str:
        """What several individuals are called."""
        return _PLURALS.get(self.kind, f"{self.kind}s")

    @property
    def note(self) -> str:
        """What is known of how the databases came about."""
        if self.own is not None:
            return _SUBSAMPLE if self.form == "subsample" else ""
        return {"county_murders": county_murders().note, "precipitation": _GENERATED}.get(self.table, _SUBSAMPLE)

    @property
    def asked(self) -> str:
        """What was asked of every database, without the name of a column."""
        name = _WORDS.get(self.query, self.query)
        if self.query == "share":
            return f"{name} {self.above:g}"
        return f"{name} {self.quantile:g}" if self.query == "quantile" else name

    @property
    def _column(self) -> str:
        return self.value or VALUES[self.table][0]

    def panel(self) -> Panel:
        """Return the databases; DataError where none can be made of the table."""
        who = self.individual or None
        if self.own is None and self.table == "precipitation":
            return precipitation_synthetic()
        if self.own is None and self.table == "county_murders":
            return Panel.from_long(county_murders().table, database="year", individual="county", value=self._column)
        frame = census2000().table if self.own is None else self.own.frame
        if self.form == "record":
            return Panel.from_long(frame, database=self.database, individual=self.individual, value=self._column)
        if self.form == "person":
            return Panel.from_wide(frame, individual=who)
        drawn: dict[str, Any] = {"databases": self.subsamples, "share": self.share, "rng": seeded(self.seed)}
        return Panel.from_table(frame, value=self._column, individual=who, **drawn)

    def panel_query(self) -> PanelQuery:
        """Return what is asked of each database."""
        if self.query == "share":
            return ShareAbove(self.above)
        return PanelQuantile(self.quantile) if self.query == "quantile" else PLAIN[self.query]()


@dataclass(frozen=True, repr=False)
class Audited(AuditQuestion):
    """How much does every individual show in the answers on the databases?"""

    lacking: int | None = None  # the individual whose records are left out of all databases

    @property
    def long(self) -> str:
        return "Auditing"

    def needs(self) -> tuple[Question, ...]:
        return ()

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> AuditedAnswer:
        panel = self.panel() if self.lacking is None else self.panel().lacking(self.lacking)
        result = audit(panel, self.panel_query(), progress=progress)
        return AuditedAnswer(self, result, panel.source, panel.most_records(), int(panel.sizes().min()))


@dataclass(frozen=True)
class AuditedAnswer(Answer):
    """The audit; of the databases how they came about, how many records one individual has at most, and a database at least."""

    question: Audited
    result: AuditResult
    source: str
    most_records: int
    least_size: int

    # Whoever is farthest is so at every ε, and takes long to find.
    @cached_property
    def farthest(self) -> int:
        """Whose leaving moves the answers furthest, by the valid distance."""
        return wasserstein_scale(self.result.answers, self.result.without, epsilon=1.0).individual

    @cached_property
    def farthest_as_published(self) -> int:
        """The same by the distance of the paper."""
        return hausdorff_scale(self.result.answers, self.result.without, epsilon=1.0).individual


@dataclass(frozen=True, repr=False)
class AtLevel(AuditQuestion):
    """What is asked of the individuals at one level, or of one of them by its rank there."""

    epsilon: float = 0.1
    rank: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("epsilon", self.epsilon, at_least=0.0, at_most=LARGEST_CHECKED)
        check_integer("rank", self.rank, at_least=1)


@dataclass(frozen=True, repr=False)
class WithLimits(AtLevel):
    """What is told with limits of the truth, unless a dial moves: they are not found in no time."""

    intervals: bool = True

    @property
    def dials(self) -> tuple[str, ...]:
        return ("epsilon",)

    def moved(self, path: str, value: Any) -> Self:
        return replace(super().moved(path, value), intervals=False)

    def apart_from(self, path: str) -> str:
        return super(WithLimits, replace(self, intervals=False)).apart_from(path)


@dataclass(frozen=True)
class Found(Answer):
    """What was found for those that tell it: None before it is known."""

    question: Question
    found: Any


@dataclass(frozen=True)
class AuditAnswer(Answer):
    """What a section makes of the audit."""

    question: Any
    audited: AuditedAnswer

    @property
    def result(self) -> AuditResult:
        """The audit itself."""
        return self.audited.result

    @property
    def for_others(self) -> Self:
        return replace(self, question=replace(self.question, masked=True)) if self.question.private else self

    @cached_property
    def at(self) -> AuditAt:
        """Everybody at ε."""
        return self.result.at(self.question.epsilon)

    def name(self, individual: int, rank: int) -> str:
        """Return what an individual is called: by its rank where names are masked."""
        if self.question.masked:
            return f"no. {rank}"
        label = str(self.result.individuals[individual])
        return f"{self.question.kind} {label}" if label.isdigit() else label

    def shown(self, individual: int, rank: int) -> str:
        """Return the same as Markdown that shows it letter by letter."""
        name = self.name(individual, rank)
        return literal(name) if self.question.private and not self.question.masked else name

    def cautions(self) -> Iterator[Block]:
        """Say what speaks against the audit, unless the databases were drawn at random: see `chance`."""
        result = self.result
        if result.by_construction:
            return
        if result.independent.failed:
            yield Caution(
                "**Do not rely on this audit: its databases are not independent.** {found} The numbers below treat them as independent "
                "draws.",
                found=result.independent.words,
            )
        if result.comparable.failed:
            found = result.comparable.words
            yield Caution("**The individuals differ in when they are there.** {found}", found=found)

    def chance(self) -> Iterator[Block]:
        """Say which check fails where the databases were drawn at random: that is chance."""
        found = [each.words for each in (self.result.independent, self.result.comparable) if each.failed]
        if found and self.result.by_construction:
            yield Note("A check fails by chance now and then, as here: {found}", found=" ".join(found))

    def beyond_the_last(self) -> Iterator[Block]:
        """Say that the last is looked at where there are fewer than the rank; in the address its own would tell their number."""
        number, rank = len(self.result.individuals), self.question.rank
        if rank > number:
            yield Note(f"There is no rank {rank}: the last of {number:,} {self.question.kinds} is looked at.")

    def too_few(self, fewest: int) -> Iterator[Block]:
        """Say that a section needs more databases."""
        yield Headline("Too few databases: nothing can be said")
        yield Missing(f"This needs at least {fewest:,} databases. Take more subsamples, or a file with more databases.")


def once(of: Ask) -> Ask:
    """Return what answers each question once, where all is computed anew: several ask for the audit."""
    known: dict[Question, Any] = {}

    def ask(question: Question) -> Any:
        if question not in known:
            known[question] = question.answer(of=ask)
        return known[question]

    return ask if of is anew else of


def ranked(ranking: np.ndarray, rank: int) -> tuple[int, int]:
    """Return the individual of a ranking (n,) at a rank, and the rank: the last where there are not so many."""
    place = min(rank, len(ranking))
    return int(ranking[place - 1]), place


def evidence_note(found: Any) -> dict[str, str]:
    """Return what stands in the head of a file about what a result is worth."""
    return {"standing": f"{found.evidence.basis.value}; {found.limits}"}
