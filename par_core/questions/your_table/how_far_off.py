"""How far off numbers published from a table will be, whatever the data: the error that a plan promises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from par_core import rounding
from par_core.evidence import Quantity
from par_core.export import release_meaning
from par_core.export.sentences import counted
from par_core.figures import your_table as figures
from par_core.mechanisms import NOISES
from par_core.progress import Progress
from par_core.queries import Count, CountBy, MeanQuery, Part, PersonCounts, Quantile, Share, TableAmount
from par_core.queries.quantile_shape import AFTER_MOVING
from par_core.queries.sensitivity import AS_MANY
from par_core.questions.blocks import Beside, Block, Chart, Formulas, Headline, Note, Notice, Own, Sentence, Take, Words
from par_core.questions.glossary import explain
from par_core.questions.question import Ask, anew, takes
from par_core.questions.your_table import formulas, query_words
from par_core.questions.your_table.table_question import TableAnswer, TableQuestion
from par_core.release import compare_noise, processed_error, within

_SHARED = {
    "L1": "Each gets half of this statistic's ε.",
    "L2": "ε₀ and δ cover both together.",
}
_EVERY_COUNT = 1e12  # scale of noise beyond which it is no matter what is cut off


@dataclass(frozen=True, repr=False)
class HowFarOff(TableQuestion):
    """How far off will numbers be that are published of a table?"""

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> HowFarOffAnswer:
        return HowFarOffAnswer(**self.found(of))


@dataclass(frozen=True)
class HowFarOffAnswer(TableAnswer):
    """The plan, and what of the table plays a part in it."""

    @property
    def each(self) -> float:
        """What a published number is within of the truth, in 95 of 100 releases."""
        planned = self.planned
        return planned.quotient_error(size=self.question.guess).range95 if planned.is_pair else within(planned).each

    @property
    def _all_means(self) -> float:
        """What no mean of a group is further off than, in 95 of 100 releases."""
        return self.planned.quotient_error(size=self.question.guess).range_of_all(0.95, self.planned.query.k)

    def numbers(self) -> dict[str, Quantity]:
        ranges = {"each_within": self.each}
        if self.planned.query.k > 1 and self.planned.is_pair:
            ranges["all_at_once_within"] = self._all_means
        elif self.planned.query.k > 1:
            both = within(self.planned)
            ranges |= {"all_at_once_within": both.every, "their_total_within": both.total}
        return {name: Quantity(value, "error", self.planned.evidence, "up") for name, value in ranges.items()}

    def story(self) -> Iterator[Block]:
        asked, planned, scenario, curves = self.question, self.planned, self.question.scenario, self.curves
        instead = query_words.replaced(planned, scenario)
        if toy := scenario.mechanism not in NOISES and not planned.is_selection:
            yield Notice(instead)
            yield Own("toy")
        if planned.is_selection:
            yield Headline(query_words.ranks(planned, self.each), term="ranks")
        else:
            off = query_words.within(self.each, asked, of=" of the truth")
            yield Headline(
                f"{query_words.published(planned, start='The')} is {off} in 95 of 100 releases", term="range95"
            )
        yield self._assumed()
        yield from self._fewer_left_out()
        yield Chart(
            "error_against_epsilon0",
            lambda: figures.error_against_epsilon0(curves, unit=asked.unit),
            Words(
                query_words.against_epsilon0(planned)
                + ". At ε₀ = {level:g} "
                + ("at most {own} do" if planned.is_selection else "it is within {own}")
                + " in 95 of 100 releases.",
                level=scenario.epsilon0,
                own=rounding.error(curves.own),
            ),
            curves.source,
            notes={"standing": curves.evidence.basis.value},
            stays=self.waits,
        )
        if instead and not toy:
            yield Sentence(instead)
        if not planned.is_selection:
            noises = compare_noise(planned, epsilon0=scenario.epsilon0, delta=scenario.delta, size=self.size)
            if better := query_words.compared(noises, asked):
                yield Sentence(better, evidence_from=noises, term="noise_compared")
        yield from self._more()
        yield Note(query_words.of_scenario(planned, scenario, differs=self._other_query()), term="sensitivity")
        yield Own("plan")
        yield from self._processing()
        yield Own("cells")
        yield Own("publish")
        yield Formulas("your_table", formulas.of(planned))

    def _assumed(self) -> Sentence:
        """Say what “the truth” is, and what is assumed."""
        asked, planned, left_out = self.question, self.planned, query_words.left_out(self)
        what = "choice" if planned.is_selection else "noise"
        noise = (
            f"Before any {what}, {left_out}; the range covers the {what} alone"
            if left_out
            else f"That covers the {what} alone"
        )
        if planned.is_selection:
            noise += ", not counting one candidate"
        assumed = [query_words.guessed(asked)] * planned.is_pair
        if not asked.person:
            assumed.append(f"no person has more than {counted(planned.rows_per_person, 'row')}")
        assumed += [AS_MANY] * planned.assumes_as_many
        given = f", if {' and '.join(assumed)}" if assumed else ""
        then = f"Rows are {AFTER_MOVING}." if planned.is_selection else query_words.missing(self)
        return Sentence(f"{noise}{given}.", evidence_from=planned, then=then)

    def _fewer_left_out(self) -> Iterator[Block]:
        """Propose to leave fewer rows out, where the reader sees that some are."""
        asked = self.question
        if self.kept is None or not asked.capped or not self.kept.left_out or asked.for_audience:
            return
        persons, most = isinstance(asked.query, PersonCounts), asked.scenario.rows_per_person + 1
        proposed = []
        if takes("rows_per_person", most):
            more = f"Allow {most:,} {'cells' if persons else 'rows'} per person"
            grows = "Fewer are left out, and the error grows."
            proposed.append(Take(more, {"scenario.rows_per_person": most}, grows))
        if isinstance(asked.query, Count | CountBy) and not persons:
            proposed.append(Take("Count each person once per cell", {"once": True}, explain("once_per_cell")))
        yield Beside(tuple(proposed))

    def _more(self) -> Iterator[Block]:
        """Say what else the plan promises."""
        asked, planned, query = self.question, self.planned, self.planned.query
        if planned.is_pair:
            divided = f"{release_meaning.divisor(planned, None)} {_SHARED[planned.norm]}"
            yield Sentence(f"{divided} Your guess stands in for that number.")
            if query.k > 1:
                every = query_words.within(self._all_means, asked)
                yield Sentence(f"All {query.k:,} at once will be **{every}**, as often.", evidence_from=planned)
        elif query.k > 1:
            ranges = within(planned)
            yield Sentence(
                f"All {query.k:,} at once will be **{query_words.within(ranges.every, asked)}**, and their total "
                f"**{query_words.within(ranges.total, asked)}**, as often.",
                evidence_from=planned,
            )
        if isinstance(query, Quantile):
            yield Sentence(
                f"“Not counting one candidate”: rows at the candidate next to the true {query.labels[0]} do not count. No plan can "
                "tell how far that is in the unit of the column: it depends on how close together the rows lie."
            )
        if isinstance(query, TableAmount | Share | Quantile):
            single = isinstance(query, MeanQuery) and not planned.is_pair
            divided = f" {release_meaning.divisor(planned, self.rows)}" if single else ""
            yield Sentence(f"“The truth” is {release_meaning.truth(planned, capped=asked.capped)}.{divided}")

    def _other_query(self) -> Part | None:
        """Return what one row of this query moves, if that is not what the scenario says."""
        planned, scenario = self.planned, self.question.scenario
        if planned.is_pair or planned.is_selection:
            return None
        one_row = planned.query.parts(planned.neighbours, 1, rows=self.rows)[0]
        moves = one_row.sensitivity if self.adopted is None else self.adopted.sensitivity
        same = (one_row.k, moves) == (scenario.k, scenario.sensitivity)
        return None if same else replace(one_row, sensitivity=moves)

    def _processing(self) -> Iterator[Block]:
        """Say what may be done with the noisy numbers for free."""
        planned = self.planned
        if planned.is_pair or not planned.parts[0].part.whole:
            free = "Rounding the published number, or moving it inside what is possible, is post-processing: it costs no privacy."
            yield Sentence(free, term="post_processing")
            return
        scale = planned.parts[0].error.scale
        if scale > _EVERY_COUNT:
            return
        free = "Setting negative counts to 0 costs no privacy. It changes"
        if planned.norm == "L2":
            free = "Rounding published counts costs no privacy, nor does setting negative ones to 0. That changes"
        cell, adding = (
            ("an empty cell", ": do not add up many such cells") if planned.query.k > 1 else ("a count of 0", "")
        )
        yield Sentence(
            f"{free} the average error of {cell} from {{clamped.worst_expected}} to {{clamped.expected}} and adds a bias of "
            f"{{clamped.bias}}{adding}.",
            clamped=processed_error(0, scale, whole=True, clamped=True, mechanism=planned.mechanism),
            term="post_processing",
        )
