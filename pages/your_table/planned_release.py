"""What both sections speak of: the reader's table and query, and the plan for publishing the answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from streamlit.delta_generator import DeltaGenerator

from pages.shared import jobs
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.settings import present_scenario
from pages.shared.table_fields import ask
from pages.your_table.query_controls import choose, open_table
from pages.your_table.query_words import Choice, left_out_words, missing_words
from par_core.queries import Kept, Mean, PersonCounts, Sum
from par_core.release import ErrorCurves, PlannedRelease, error_curves, plan
from par_core.scenario import Scenario


@dataclass(frozen=True)
class Ready:
    """A choice with its plan at the present scenario."""

    choice: Choice
    planned: PlannedRelease
    rows: int  # of the table, as far as their number is taken for public
    scenario: Scenario
    kept: Kept | None  # what the cap leaves of the table: private
    blanks: int  # how many rows without a value count: private

    @property
    def size(self) -> float | None:
        """How many rows are averaged, where that has to be guessed."""
        return self.choice.guess if self.planned.is_pair else None

    def now(self) -> Ready:
        """Return the same choice planned at the present scenario, which a dial may have moved."""
        scenario = present_scenario()
        return replace(self, planned=_plan(self.choice, scenario, self.rows), scenario=scenario)

    @property
    def about(self) -> str:
        """What the plan depends on beside the settings in the link."""
        return f"{self.choice.table.digest} {self.choice.query!r} {self.choice.person}"

    def curves(self) -> ErrorCurves:
        """Return the error against ε₀."""
        scenario = self.scenario
        return error_curves(self.planned, epsilon0=scenario.epsilon0, statistics=scenario.statistics, size=self.size)

    def left_out(self) -> str:
        """Say what the cap leaves out before any noise, as far as it is known; "" where nothing is to be said of it."""
        if self.kept is None or not self.choice.capped:
            return ""
        return left_out_words(self.choice, self.kept, most=self.scenario.rows_per_person, presented=PRESENT.value())

    def missing(self) -> str:
        """Say what a sum or a mean takes missing values for."""
        return missing_words(self.choice, self.blanks, presented=PRESENT.value()) if self.blanks else ""


def start(main: DeltaGenerator, side: DeltaGenerator) -> Ready | None:
    """Draw the choice of table and query; returns the plan for it, or None after saying what is missing or wrong."""
    with main:
        table = open_table()
    choice = ask(main, side, partial(choose, table))
    if choice is None:
        return None
    with main:
        return _planned(choice)


def _planned(choice: Choice) -> Ready | None:
    scenario = present_scenario()
    rows, kept = choice.table.rows, None
    public = isinstance(choice.query, Mean) and not choice.query.is_pair(scenario.neighbours)
    if choice.person and (public or choice.capped):
        kept = _kept(choice, scenario)
        if kept is None and public:
            return None
        rows = kept.number if public and kept is not None else rows
    return Ready(choice, _plan(choice, scenario, rows), rows, scenario, kept, _blanks(choice, scenario))


def _plan(choice: Choice, scenario: Scenario, rows: int) -> PlannedRelease:
    return plan(
        choice.query,
        scenario.epsilon0,
        neighbours=scenario.neighbours,
        rows_per_person=scenario.rows_per_person,
        rows=rows,
        mechanism=scenario.mechanism,
        delta=scenario.delta,
        statistics=scenario.statistics,
    )


def _kept(choice: Choice, scenario: Scenario) -> Kept | None:
    """Return what the cap leaves of the table, as soon as that is counted."""
    query, most = choice.query, scenario.rows_per_person
    work = partial(query.kept, choice.table.frame, person=choice.person, rows_per_person=most, over=choice.over)
    of_cells = query if isinstance(query, PersonCounts) else None  # the rows that are kept depend on no query
    inputs = (choice.table.digest, choice.person, choice.over, most, of_cells)
    return jobs.run("kept", work, inputs=inputs, label="Counting what is left out")


def _blanks(choice: Choice, scenario: Scenario) -> int:
    """Return how many rows without a value count, as soon as that is counted; 0 before, and where none does."""
    query, most = choice.query, scenario.rows_per_person
    if not (isinstance(query, Sum | Mean) and query.takes_blanks and choice.table.missing(query.column)):
        return 0
    person = choice.person if choice.capped else None  # else no rows are left out
    work = partial(query.blanks, choice.table.frame, person=person, rows_per_person=most)
    inputs = (choice.table.digest, person, most if person else 0, query.column, query.where)
    return jobs.run("blanks", work, inputs=inputs, label="Counting rows without a value") or 0
