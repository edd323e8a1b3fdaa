"""The section "Sampled sensitivity": how far one person's data move a query, sampled from pairs of neighbouring tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from pages.sample_planner import both_sources, formulas, law_fields, query_fields, tables
from pages.sample_planner.tables import Population
from pages.shared import badges, controls, jobs, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.say import paragraph, told, written
from pages.shared.settings import Setting
from pages.shared.table_fields import ask
from pages.shared.uploads import is_own, public
from pages.shared.words import counted, letters, percent
from par_core import sampling
from par_core.errors import InfeasibleError
from par_core.figures import sample_planner as figures
from par_core.progress import Progress
from par_core.published import coupled
from par_core.questions.glossary import explain
from par_core.randomness import seeded
from par_core.standing import quantity_of
from par_core.tables.table import Table

ROWS = settings.whole("sp", "Rows per data set", 1_000, at_least=1, at_most=10_000_000)
PAIRS = settings.whole("spairs", "Pairs to draw", 15_000, at_least=10, at_most=1_000_000)
SEED = settings.whole("sseed", "Seed of the pairs", 1, at_least=0, at_most=2**31)
SHARE = settings.number("sshare", "Share of pairs to cover", 0.9, at_least=0.001, at_most=0.999999)
SURE = settings.number("ssure", "With probability", 0.9, at_least=0.5, at_most=0.999999)
RHO = settings.number("scrho", "ρ of Theorem 5", 0.01, at_least=1e-6, at_most=1.0)
AXIS = settings.choice("sax", "Sensitivity axis", ("plain", "log"))

_THEOREM_5 = "par-theorem-5"


@dataclass(frozen=True)
class _Asked:
    """Everything that a sample depends on."""

    query: sampling.PairQuery
    population: Population
    laws: law_fields.Laws | None
    rows: int
    pairs: int
    seed: int


@dataclass(frozen=True)
class _Drawn:
    sample: sampling.SensitivitySample
    fitted: sampling.FittedPopulation | None


def draw(open_both: Callable[[], None]) -> None:
    """Draw the section; `open_both` opens the one on both sources."""
    main, side = chart_and_controls()
    with main:
        table = tables.open_table()
    asked = ask(main, side, partial(_controls, table))
    with main:
        if asked is None or not _enough_rows(asked):
            return
        drawn = jobs.run(
            "sampled_sensitivity",
            partial(_work, asked),
            inputs=(asked.query, asked.population.key, asked.laws, asked.rows, asked.pairs, asked.seed),
            label="Drawing pairs",
            deadline=jobs.LONG,
            public=not is_own(table),
        )
        if drawn is not None:
            _show(asked, drawn, open_both)


def _controls(table: Table) -> _Asked:
    query = query_fields.choose(table)
    population = tables.population(table, query.used_columns)
    laws = law_fields.choose(table, query.used_columns)
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
    most = len(asked.population.frame)
    if asked.laws is not None or asked.rows + 1 <= most:
        return True
    st.info(
        f"A pair of neighbours of {counted(asked.rows, 'row')} each needs {asked.rows + 1:,} different rows; the table has {most:,}. Take "
        "fewer rows per data set, or draw new rows from fitted distributions. What is sampled is the sensitivity of a table of that "
        "size, and the smaller a table, the further one person moves it."
    )
    half = max(most // 2, 1)
    if most >= 2:
        controls.button(f"Take {counted(half, 'row')} per data set", ROWS.put, half)
    return False


def _work(asked: _Asked, *, progress: Progress) -> _Drawn:
    frame = asked.population.frame
    fitted = None
    if asked.laws is not None:
        progress(0.0)
        fitted = sampling.fit_population(frame[list(asked.query.used_columns)], laws=dict(asked.laws))
    sample = sampling.sample_sensitivity(
        asked.query, fitted or frame, rows=asked.rows, pairs=asked.pairs, rng=seeded(asked.seed), progress=progress
    )
    return _Drawn(sample, fitted)


def _show(asked: _Asked, drawn: _Drawn, open_both: Callable[[], None]) -> None:
    sample = drawn.sample
    chosen = _chosen(sample)
    value = chosen.value if chosen else float(sample.values[-1])
    _answer(asked, sample, value, chosen)
    if drawn.fitted is not None:
        law_fields.warn_of_ill_fit(drawn.fitted)
    share, sure = chosen.rank / chosen.samples if chosen else 1.0, SURE.value()
    chart(
        figures.sensitivity_cdf(sample, share=share, confidence=sure, unit=_unit(asked), log=AXIS.value() == "log"),
        "sampled_sensitivity",
        alt=(
            f"Share of {sample.pairs:,} sampled pairs up to each sensitivity, with a band of {percent(sure)}. Marked: "
            f"{written(sample.as_quantity('values', sample.quantile(share)))} at a share of {percent(share)}."
        ),
        table=lambda: sampling.sample_table(sample, sure),
        notes={
            "query": asked.query.label,
            "rows per data set": str(asked.rows),
            "pairs": str(asked.pairs),
            "seed": str(asked.seed),
            "drawn from": "rows of the table" if asked.laws is None else "fitted distributions",
            "standing": f"{sample.standing.value}; {sample.limits}",
            "source": f"{sample.source}; figure 7",
        },
    )
    _which_value(asked, chosen)
    if drawn.fitted is not None:
        law_fields.show_fit(drawn.fitted)
    _worst_case(asked, sample, value, share, open_both)
    drawn_from = "the fitted distributions, and it holds for pairs of these only."
    if asked.laws is None:
        rows = counted(len(asked.population.frame), "row")
        drawn_from = f"the same {rows}: it holds for the pairs of this table, not for other people."
    st.caption(
        f"The pairs are drawn independently from {drawn_from} A sensitivity sampled from private data is private itself: sample public "
        "data of the same kind, or keep the number to yourself."
    )
    _as_published(asked, sample)
    formula_expander("sampled_sensitivity", formulas.SAMPLED)


def _chosen(sample: sampling.SensitivitySample) -> sampling.CoveringChoice | None:
    try:
        return sample.for_share(SHARE.value(), SURE.value())
    except InfeasibleError as error:
        st.warning(
            told(
                f"**Too few pairs for this**: even the largest of {sample.pairs:,} covers {{share}} of all pairs with a probability of "
                "{best} only. Draw more, or wish for less. The largest is marked.",
                share=sampling.CoveringChoice.as_quantity("share", SHARE.value()),
                best=sampling.CoveringChoice.as_quantity("certainty", error.best or 0.0),
            )
        )
        return None


def _answer(
    asked: _Asked, sample: sampling.SensitivitySample, value: float, chosen: sampling.CoveringChoice | None
) -> None:
    unit = f" {_unit(asked)}" if _unit(asked) else ""
    covered, sure = f"in the {sample.pairs:,} sampled pairs", "For"
    if chosen:
        covered = told("in {chosen.share} of pairs", chosen=chosen)
        sure = told("With {chosen.certainty} certainty for", chosen=chosen)
    st.markdown(
        f"## One person moves the {letters(asked.query.label)} by at most {written(sample.as_quantity('values', value))}{unit} {covered}",
        help=explain("sampled_sensitivity"),
    )
    rare = ": rare pairs can move it further" if sample.worst_case is None or value < sample.worst_case else ""
    words = f"{sure} tables of {counted(asked.rows, 'row')}, but **never a bound**{rare}. {badges.of(sample)}"
    st.markdown(words, help=badges.legend())


def _which_value(asked: _Asked, chosen: sampling.CoveringChoice | None) -> None:
    """Say which of the sampled values is marked, and of a regression what it measures."""
    if chosen:
        st.markdown(
            told(
                f"Marked is number {{chosen.rank:,}} of {{chosen.samples:,}}: the smallest that covers {{chosen.share}} of all pairs "
                f"{_drawn_from(asked)} with a probability of {{chosen.certainty}}, counted exactly.",
                chosen=chosen,
            )
        )
    if isinstance(asked.query, sampling.RidgeOf):
        st.markdown("It is the sum of the changes of all coefficients, for a target from 0 to 1.")


def _unit(asked: _Asked) -> str:
    """Return the unit of the answer in words; "" where none is known, or the answer is a number of rows or of no unit."""
    if not isinstance(asked.query, sampling.MeanOf | sampling.SumOf | sampling.QuantileOf | sampling.VarianceOf):
        return ""
    unit = public(asked.population.table).units.get(asked.query.column, "")
    return f"({unit})²" if unit and isinstance(asked.query, sampling.VarianceOf) else unit


def _drawn_from(asked: _Asked) -> str:
    return "that could be drawn from " + ("this table" if asked.laws is None else "these distributions")


def _worst_case(
    asked: _Asked, sample: sampling.SensitivitySample, value: float, share: float, open_both: Callable[[], None]
) -> None:
    """Say which number the noise is to be for: what no pair exceeds, where that is known; and offer to carry the ratio on."""
    if sample.worst_case is None:
        st.markdown(
            "**Which number for the noise?** No bound is known here that all pairs keep, so there is only the sampled one. Pairs beyond "
            "it are less private than ε₀ by the same factor: a pair twice as far apart has 2·ε₀."
        )
        return
    paragraph(
        "**No pair exceeds {sample.worst_case}**. Take this number for the noise: then everybody has ε₀, and nothing has to be sampled.",
        sample=sample,
    )
    if not (controls.takes(both_sources.SAMPLED, value) and controls.takes(both_sources.BOUND, sample.worst_case)):
        return
    if is_own(asked.population.table):  # the sampled value is one of the reader's own data: it goes into no link
        ratio = written(quantity_of(coupled.eta_of_bound, sample.worst_case, value))
        st.markdown(
            f"With noise for the sampled one instead, pairs at this bound would be as private as {ratio}·ε₀, not as ε₀. It is not "
            "carried on to “Both sources”, since that would put a number from your table into the link."
        )
        return
    carried: dict[Setting[Any], Any] = {
        both_sources.ETA_FROM: "bound",
        both_sources.BOUND: sample.worst_case,
        both_sources.SAMPLED: value,
        both_sources.SHARE: share,
        both_sources.VARY: "rho",
        both_sources.PAIRS: sample.pairs,
        both_sources.K: asked.query.k,
    }

    def carry_on() -> None:
        settings.put_all(carried)
        open_both()

    controls.button(
        "See what the sampled one would cost in privacy",
        carry_on,
        hint="Opens “Both sources” with this ratio, the quantile, the number of pairs and k.",
    )


def _as_published(asked: _Asked, sample: sampling.SensitivitySample) -> None:
    """Say which value the paper's theorem takes for the same share."""
    rho, wanted = RHO.value(), SHARE.value()
    try:
        found = sample.for_confidence(wanted, rho)
    except InfeasibleError as error:
        paragraph(
            f"By Theorem 5 with ρ = {rho:g}, {sample.pairs:,} pairs reach an empirical confidence of at most {{best}}; {percent(wanted)} "
            "is out of reach.",
            best=sampling.PublishedChoice.as_quantity("best", error.best or 0.0),
            help=badges.legend(_THEOREM_5),
        )
        return
    paragraph(
        f"Theorem 5 takes {{found.value}} for an empirical confidence of {percent(wanted)}: the quantile at {{found.confidence2}}, with "
        f"ρ = {rho:g}. Of all pairs {_drawn_from(asked)} it covers at least {{found.mean_coverage}} on average; {{found.wanted}} with a "
        "probability of at least {found.certainty}.",
        found=found,
        help=badges.legend(_THEOREM_5),
    )
