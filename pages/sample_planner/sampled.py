"""The section "Sampled sensitivity": how far one person's data move a query, sampled from pairs of neighbouring tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.sample_planner import both_sources, formulas, law_fields, query_fields, tables
from pages.shared import badges, controls, jobs, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.say import say, told, written
from pages.shared.table_fields import UnreadyError, error_words
from pages.shared.uploads import is_own
from pages.shared.words import letters, percent
from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.figures import sample_planner as figures
from par_core.progress import Progress
from par_core.published import coupled
from par_core.randomness import seeded
from par_core.sampling import (
    CoveringChoice,
    FittedPopulation,
    MeanOf,
    PairQuery,
    PublishedChoice,
    QuantileOf,
    RidgeOf,
    SensitivitySample,
    SumOf,
    VarianceOf,
    fit_population,
    sample_sensitivity,
    sample_table,
)
from par_core.standing import quantity_of

if TYPE_CHECKING:
    from pages.sample_planner.tables import Population

ROWS = settings.whole("sp", "Rows per data set", 1_000, at_least=1, at_most=10_000_000)
PAIRS = settings.whole("spairs", "Pairs to draw", 15_000, at_least=10, at_most=1_000_000)
SEED = settings.whole("sseed", "Seed of the pairs", 1, at_least=0, at_most=2**31)
SHARE = settings.number("sshare", "Share of pairs to cover", 0.9, at_least=0.001, at_most=0.999999)
SURE = settings.number("ssure", "With probability", 0.9, at_least=0.5, at_most=0.999999)
RHO = settings.number("scrho", "ρ of Theorem 5", 0.01, at_least=1e-6, at_most=1.0)
AXIS = settings.choice("sax", "Sensitivity axis", ("plain", "log"))

_THEOREM_5 = "par-theorem-5"
_SECONDS = 120.0  # a million pairs of a regression take longer than other work


@dataclass(frozen=True)
class _Asked:
    """Everything that a sample depends on."""

    query: PairQuery
    population: Population
    laws: law_fields.Laws | None
    rows: int
    pairs: int
    seed: int

    @property
    def inputs(self) -> tuple[object, ...]:
        return (self.query, self.population.key, self.laws, self.rows, self.pairs, self.seed)


@dataclass(frozen=True)
class _Drawn:
    sample: SensitivitySample
    fitted: FittedPopulation | None


def draw(open_both: Callable[[], None]) -> None:
    """Draw the section; `open_both` opens the one on both sources."""
    main, side = chart_and_controls()
    with main:
        table = tables.open_table()
    asked: _Asked | str
    with side:
        wrong = False
        try:
            query = query_fields.choose(table)
            population = tables.population(table, query.used_columns)
            asked = _sampling(query, population)
        except UnreadyError as unready:
            asked = str(unready)
        except (ParameterError, DataError) as error:
            asked, wrong = error_words(error), True
    with main:
        if isinstance(asked, str):
            (st.error if wrong else st.info)(asked)
            return
        if not _enough_rows(asked):
            return
        result: jobs.Result[_Drawn] | None = jobs.run(
            "sampled_sensitivity",
            partial(_work, asked),
            inputs=asked.inputs,
            label="Drawing pairs",
            deadline=_SECONDS,
            public=not is_own(asked.population.table),
        )
        if result is not None and result.complete:
            _show(asked, result.value, open_both)


def _sampling(query: PairQuery, population: Population) -> _Asked:
    laws = law_fields.choose(population.table, query.used_columns)
    rows = controls.whole(ROWS, hint=explain("rows_per_set"))
    pairs = controls.whole(PAIRS, hint=explain("pairs"))
    controls.number(SHARE, hint=explain("share_to_cover"), step=0.05)
    controls.number(SURE, hint=explain("sure"), step=0.05)
    with st.expander("More", key="sample_more", on_change="rerun", type="compact") as more:
        if more.open:
            controls.number(RHO, hint=explain("rho"))
            controls.whole(SEED, hint="The same seed gives the same pairs.")
            controls.choice(AXIS, words={"plain": "Plain", "log": "Logarithmic"}.__getitem__, hint=explain("axes"))
    return _Asked(query, population, laws, rows, pairs, SEED.value())


def _enough_rows(asked: _Asked) -> bool:
    """Say what to do where the table is too small for such pairs."""
    most = asked.population.rows
    if asked.laws is not None or asked.rows + 1 <= most:
        return True
    st.info(
        f"A pair of neighbours of {_rows(asked.rows)} each needs {asked.rows + 1:,} different rows; the table has {most:,}. Take "
        "fewer rows per data set, or draw new rows from fitted distributions. What is sampled is the sensitivity of a table of that "
        "size, and the smaller a table, the further one person moves it."
    )
    half = max(most // 2, 1)
    if most >= 2:
        controls.button(f"Take {_rows(half)} per data set", ROWS.put, half)
    return False


def _work(asked: _Asked, *, progress: Progress) -> _Drawn:
    frame = asked.population.frame
    fitted = None
    if asked.laws is not None:
        progress(0.0)
        fitted = fit_population(frame[list(asked.query.used_columns)], laws=dict(asked.laws))
    sample = sample_sensitivity(
        asked.query, fitted or frame, rows=asked.rows, pairs=asked.pairs, rng=seeded(asked.seed), progress=progress
    )
    return _Drawn(sample, fitted)


# --- what came out ----------------------------------------------------------------------------------------------------


def _show(asked: _Asked, drawn: _Drawn, open_both: Callable[[], None]) -> None:
    sample = drawn.sample
    chosen = _chosen(sample)
    _answer(asked, sample, chosen)
    if drawn.fitted is not None:
        law_fields.say_fit(drawn.fitted)
    share, sure = chosen.rank / chosen.samples if chosen else 1.0, SURE.value()
    chart(
        figures.sensitivity_cdf(sample, share=share, confidence=sure, unit=_unit(asked), log=AXIS.value() == "log"),
        "sampled_sensitivity",
        alt=(
            f"Share of {sample.pairs:,} sampled pairs up to each sensitivity, with a band of {percent(sure)}. Marked: "
            f"{written(sample.as_quantity('values', sample.quantile(share)))} at a share of {percent(share)}."
        ),
        table=lambda: sample_table(sample, sure),
        notes=_notes(asked, sample),
    )
    _worst_case(asked, sample, chosen, open_both)
    _caution(asked)
    _as_published(asked, sample)
    formula_expander("sampled_sensitivity", formulas.SAMPLED)


def _chosen(sample: SensitivitySample) -> CoveringChoice | None:
    try:
        return sample.for_share(SHARE.value(), SURE.value())
    except InfeasibleError as error:
        st.warning(
            told(
                "**Too few pairs for this**: even the largest of {pairs:,} covers {share} of all pairs with a probability of {best} only. "
                "Draw more, or wish for less. The largest is marked.",
                pairs=sample.pairs,
                share=CoveringChoice.as_quantity("share", SHARE.value()),
                best=CoveringChoice.as_quantity("certainty", error.best or 0.0),
            )
        )
        return None


def _answer(asked: _Asked, sample: SensitivitySample, chosen: CoveringChoice | None) -> None:
    value = chosen.value if chosen else float(sample.values[-1])
    unit = f" {_unit(asked)}" if _unit(asked) else ""
    covered, sure = f" in the {sample.pairs:,} sampled pairs", ""
    if chosen:
        covered = told(" in {chosen.share} of pairs, with {chosen.certainty} certainty", chosen=chosen)
        sure = told(
            " The smallest of the sampled values that covers {chosen.share} of all pairs {source} with a probability of "
            "{chosen.certainty}, counted exactly: number {chosen.rank:,} of {chosen.samples:,}.",
            chosen=chosen,
            source=_drawn_from(asked),
        )
    if isinstance(asked.query, RidgeOf):
        covered += " (all coefficients together, for a target from 0 to 1)"
    st.markdown(
        f"#### One person moves the {letters(asked.query.label)} by at most {written(sample.as_quantity('values', value))}{unit}{covered}",
        help=explain("sampled_sensitivity"),
    )
    rare = ": a rare pair can move it further" if sample.worst_case is None or value < sample.worst_case else ""
    st.markdown(
        f"For tables of {_rows(asked.rows)}. {badges.of(sample)} **Never a bound**{rare}.{sure}",
        help=badges.legend(),
    )


def _unit(asked: _Asked) -> str:
    """Return the unit of the answer in words; "" where none is known, or the answer is a number of rows or of no unit."""
    if not isinstance(asked.query, MeanOf | SumOf | QuantileOf | VarianceOf):
        return ""
    unit = tables.unit(asked.population.table, asked.query.column)
    return f"({unit})²" if unit and isinstance(asked.query, VarianceOf) else unit


def _drawn_from(asked: _Asked) -> str:
    return "that could be drawn from " + ("this table" if asked.laws is None else "these distributions")


def _caution(asked: _Asked) -> None:
    if asked.laws is None:
        about = f"The pairs are drawn independently from the same {_rows(asked.population.rows)}: it holds for the pairs of this table."
    else:
        about = "The pairs are drawn independently from the fitted distributions, and it holds for pairs of these."
    st.caption(
        f"{about} Of other people it says less, the fewer rows the table has the less. Sampled from private data, a sensitivity leaks "
        "itself unless it is protected: sample public data of the same kind, or keep the number to yourself."
    )


def _worst_case(
    asked: _Asked, sample: SensitivitySample, chosen: CoveringChoice | None, open_both: Callable[[], None]
) -> None:
    """Say which number the noise is to be for: what no pair exceeds, where that is known; and offer to carry the ratio on."""
    if sample.worst_case is None:
        st.markdown(
            "**Which number for the noise?** No bound is known here that all pairs keep, so there is only the sampled one. Pairs beyond "
            "it are less private than ε₀ by the same factor: a pair twice as far apart has 2·ε₀."
        )
        return
    value = chosen.value if chosen else float(sample.values[-1])
    st.markdown(
        say(
            "**No pair exceeds {sample.worst_case}**. Take this number for the noise: then everybody has ε₀, and nothing has to be "
            "sampled.",
            sample=sample,
        )
    )
    smallest, largest = both_sources.SAMPLED.at_least or 0.0, both_sources.SAMPLED.at_most or 0.0
    if not (smallest <= value and sample.worst_case <= largest):
        return
    if is_own(asked.population.table):  # the sampled value is one of the reader's own data: it goes into no link
        ratio = written(quantity_of(coupled.eta_of_bound, sample.worst_case, value))
        st.markdown(
            f"With noise for the sampled one instead, pairs at this bound would be as private as {ratio}·ε₀, not as ε₀. It is not "
            "carried on to “Both sources”, since that would put a number from your table into the link."
        )
        return
    controls.button(
        "See what the sampled one would cost in privacy",
        _carry_on,
        _Carried(
            sample.worst_case, value, chosen.rank / chosen.samples if chosen else 1.0, sample.pairs, asked.query.k
        ),
        open_both,
        hint="Opens “Both sources” with this ratio, the quantile, the number of pairs and k.",
    )


@dataclass(frozen=True)
class _Carried:
    """What goes along to the section on both sources."""

    bound: float
    sampled: float
    share: float
    pairs: int
    k: int


def _carry_on(carried: _Carried, open_both: Callable[[], None]) -> None:
    both_sources.ETA_FROM.put("bound")
    both_sources.BOUND.put(carried.bound)
    both_sources.SAMPLED.put(carried.sampled)
    both_sources.SHARE.put(carried.share)
    both_sources.VARY.put("rho")
    both_sources.PAIRS.put(carried.pairs)
    both_sources.K.put(carried.k)
    open_both()


def _as_published(asked: _Asked, sample: SensitivitySample) -> None:
    """Say which value the paper's theorem takes for the same share."""
    rho, wanted = RHO.value(), SHARE.value()
    try:
        found = sample.for_confidence(wanted, rho)
    except InfeasibleError as error:
        words = say(
            "By Theorem 5 with ρ = {rho:g}, {pairs:,} pairs reach an empirical confidence of at most {best}; {wanted} is not to be had.",
            rho=rho,
            pairs=sample.pairs,
            best=PublishedChoice.as_quantity("best", error.best or 0.0),
            wanted=percent(wanted),
        )
        st.markdown(words, help=badges.legend(_THEOREM_5))
        return
    st.markdown(
        say(
            "Theorem 5 takes {found.value} for an empirical confidence of {wanted}: the quantile at {found.confidence2}, with ρ = {rho:g}. "
            "Of all pairs {source} it covers at least {found.mean_coverage} on average; {found.wanted} with a probability of at least "
            "{found.certainty}.",
            found=found,
            wanted=percent(wanted),
            rho=rho,
            source=_drawn_from(asked),
        ),
        help=badges.legend(_THEOREM_5),
    )


def _rows(count: int) -> str:
    return f"{count:,} row{'s' * (count != 1)}"


def _notes(asked: _Asked, sample: SensitivitySample) -> dict[str, str]:
    return {
        "query": asked.query.label,
        "rows per data set": str(asked.rows),
        "pairs": str(asked.pairs),
        "seed": str(asked.seed),
        "drawn from": "rows of the table" if asked.laws is None else "fitted distributions",
        "standing": f"{sample.standing.value}; {sample.limits}",
        "source": f"{sample.source}; figure 7",
    }
