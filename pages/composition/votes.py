"""The votes of PATE's teachers: what their noisy maxima spend, as *Privacy at Risk* counts it in table 1, and as proven."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.composition import formulas
from pages.shared import badges, controls, settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.release import only_laplace
from pages.shared.say import paragraph, told, written
from pages.shared.table_fields import UnreadyError, ask
from pages.shared.uploads import Builtin, choose_table, is_own, public, source
from pages.shared.words import HARDLY_PRIVATE
from par_core.composition import VoteComposition, compose_votes
from par_core.cost import CostModel
from par_core.datasets import digit_votes, synthetic_votes
from par_core.errors import DataError
from par_core.figures import votes as figures
from par_core.published.pate import TABLE_1
from par_core.questions.glossary import explain
from par_core.rounding import small
from par_core.scenario import Scenario
from par_core.tables.table import Table

BUILTIN = (
    Builtin("synthetic", "250 teachers (synthetic)", synthetic_votes),
    Builtin("digits", "100 teachers, handwritten digits", digit_votes),
)
_POINTS, _BENDS = 50, 12  # numbers of queries that are drawn: evenly, and from 1 on by a factor
_QUICK, _EXACT_QUICK = (
    2_000,
    100,
)  # queries that are counted at every stop of a dial, and at every stop of ε₀, which takes longer


def _cheapest(scenario: Scenario) -> float:
    """Where the published cost is least, as in the paper."""
    return float(f"{CostModel(1.0).optimum(scenario.epsilon0, truth='published').epsilon:.4g}")


TABLE = source("vtable", BUILTIN)
EPSILON0 = settings.following(
    settings.number("ve0", "ε₀ of each query", 0.5, at_least=1e-6, at_most=50.0), lambda scenario: scenario.epsilon0
)
EPSILON = settings.following(settings.number("ve", "Level hoped for, ε", 0.4, at_least=1e-8, at_most=50.0), _cheapest)
QUERIES = settings.whole("vn", "Queries answered", 1_000, at_least=1, at_most=200_000)
DELTA = settings.following(
    settings.number("vd", "δ of all together", 1e-5, at_least=1e-15, at_most=0.5), lambda scenario: scenario.delta
)
MOMENTS = settings.whole("vm", "Moments", 8, at_least=1, at_most=32)

_PRINTED: dict[settings.Setting[Any], Any] = {
    TABLE: "synthetic",
    EPSILON0: 0.1,
    EPSILON: 0.08,
    DELTA: 1e-5,
    MOMENTS: 8,
}
_ABOUT = {
    "any_votes": "The noisy counts behind each answer, composed: it holds for every table of votes.",
    "these_votes": "From how rarely the class with most votes loses, in both directions. The number itself gives something of the votes "
    "away: protect it before you publish it.",
    "plain": "Also from these votes, but in one direction only, and rougher. It gives something away too.",
    "at_risk": "A weighted mean of e^ε and e^ε₀ in place of e^ε₀. The paper has no proof of it.",
    "script": "An index slip: one query is counted as often as there are queries. Mean over which one.",
}


def draw() -> None:
    main, side = chart_and_controls()
    with side:
        dial(EPSILON, hint=explain("epsilon"))
        dial(EPSILON0, hint=explain("vote_level"))
        controls.whole(QUERIES, hint=explain("vote_queries"))
        with st.container(horizontal=True):
            for number in TABLE_1:
                hint = f"As in table 1 of the paper: ε₀ = {_PRINTED[EPSILON0]}, {number:,} queries."
                controls.button(f"Table 1: {number:,}", settings.put_all, {QUERIES: number, **_PRINTED}, hint=hint)
        controls.number(DELTA, hint=explain("delta"))
        controls.whole(MOMENTS, hint=explain("moments"))
    found = ask(main, side, _open)
    if found is not None:
        with main:
            _draw(*found)


def _open() -> tuple[Table, VoteComposition]:
    """Draw the choice of the votes; returns them with what they spend. UnreadyError or DataError where they are no votes."""
    with st.expander("Votes: built in, or your own file", expanded=TABLE.value() != TABLE.default, key="votes_data"):
        table = choose_table(TABLE, BUILTIN)
        known = public(table)
        st.caption(
            "A row for each query, a column for each class: how many teachers voted for it."
            if is_own(table)
            else f"{known.note} Source: {known.source}. Licence: {known.licence}."
        )
    for place, column in enumerate(table.columns, start=1):
        if column.kind != "number" or table.is_identifier(column.name):
            raise UnreadyError(
                f"Column {place} seems to hold no votes. Leave names and numbers of queries out of the file: each column is a class."
            )
    try:
        return table, _count(table)
    except DataError as error:
        raise DataError(f"{error}; rows are counted below the line of names") from None


def _count(table: Table) -> VoteComposition:
    """Count at the present settings, up to the queries that are asked for or that there are."""
    return compose_votes(
        table.frame,
        EPSILON0.value(),
        delta=DELTA.value(),
        epsilon=EPSILON.value(),
        moments=MOMENTS.value(),
        numbers=places(min(QUERIES.value(), table.rows)),
    )


def places(queries: int) -> list[int]:
    """Return the numbers of queries that are drawn: all of a few, else evenly spread ones, and more at the start, where curves bend."""
    if queries <= _POINTS:
        return list(range(1, queries + 1))
    even = (round(queries * each / _POINTS) for each in range(1, _POINTS + 1))
    return sorted({*even, *(round(queries ** (each / _BENDS)) for each in range(_BENDS))})


def _headline(count: VoteComposition) -> str:
    number = int(count.numbers[-1])
    many = "1 noisy vote" if number == 1 else f"{number:,} noisy votes"
    return told(
        f"## {many} with {{count.epsilon0:level0}} {'spends' if number == 1 else 'spend'} at most ε = {{count.any_votes[-1]}}; the "
        "paper’s count: {count.at_risk[-1]}",
        count=count,
    )


def _draw(table: Table, count: VoteComposition) -> None:
    st.markdown(_headline(count), help=badges.legend(count.quantity("at_risk", -1).claim))
    paragraph(
        "That holds whatever the votes, at δ = {delta}; these votes alone spend at most ε = {count.these_votes[-1]}.",
        delta=small(count.delta),
        count=count,
        help=explain("data_dependent"),
    )
    quick = int(count.numbers[-1]) <= _EXACT_QUICK
    chart(
        lambda: figures.votes(_count(table)),
        "votes_spent",
        dials=(EPSILON, *[EPSILON0, settings.scenario_setting("epsilon0")] * quick) if table.rows <= _QUICK else (),
        headline=lambda: _headline(_count(table)),
        about=table.digest,
        alt="Privacy spent against the number of queries. After {number:,}: any votes {count.any_votes[-1]}, these votes "
        "alone {count.these_votes[-1]}; PATE’s bound {count.plain[-1]}, with PaR {count.at_risk[-1]}, by the script {count.script[-1]}.",
        number=int(count.numbers[-1]),
        count=count,
        notes={"source": count.source},
    )
    st.markdown(
        "Teachers are models, each trained on other people’s data. All vote on each query, and the class with most votes after noise is "
        "published (PATE). PaR is Privacy at Risk."
    )
    _in_a_table(table, count)
    only_laplace("Votes are counted here")
    formula_expander("votes", formulas.VOTES)


def _in_a_table(table: Table, count: VoteComposition) -> None:
    """Show what each count comes to, and say what became of the claim."""
    kinds = {name: count.quantity(name, -1) for name in _ABOUT}
    st.table(
        {
            "Count": [f"**{figures.NAMES[name]}** {badges.of(each)}" for name, each in kinds.items()],
            "ε": [written(each) for each in kinds.values()],
            "What it is": list(_ABOUT.values()),
        },
        hide_index=True,
        alt="Privacy spent by all queries that are counted, by each count.",
    )
    number = int(count.numbers[-1])
    if count.any_votes[-1] > HARDLY_PRIVATE:
        st.markdown(
            "Anyone planning without the votes must use the first number. At such an ε next to nothing is protected: lower ε₀, or "
            "answer fewer queries."
        )
    if count.epsilon >= count.epsilon0:
        st.markdown("Choose ε below ε₀ to see what the paper takes off PATE’s bound.")
    elif count.at_risk[-1] < count.these_votes[-1]:
        st.markdown("**The claim is below everything that is proven for these votes**: it is no guarantee.")
    else:
        st.markdown(
            "Here the claim is not below what is proven for these votes. That is luck: PATE’s bound is loose there, and nothing proves "
            "what privacy at risk takes off it."
        )
    if number in TABLE_1 and all(each.value() == value for each, value in _PRINTED.items()):
        plain, at_risk = TABLE_1[number]
        st.markdown(
            f"Table 1 prints {plain} without privacy at risk, quoted from PATE, and {at_risk} with it, from votes that were not published."
        )
    if QUERIES.value() > table.rows:
        st.caption(f"There are {table.rows:,} queries in this table: all of them are counted.")
