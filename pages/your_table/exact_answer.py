"""The exact answer of a query beside the cells of its plan: for the steward alone, in no link, no file and no code.

It stands in a table without a toolbar: the grid of `st.dataframe` offers what it holds as a file.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from pages.shared import jobs
from pages.shared.words import letters, percent
from par_core.queries import Answer, CountBy, MeansAnswer, PersonCounts, Quantile, QuantileAnswer, Share, TableAmount
from par_core.questions.glossary import explain
from par_core.questions.your_table.query_words import size_of
from par_core.questions.your_table.table_question import TableAnswer, TableQuestion
from par_core.release import ShareWithin, quantile_within, share_within
from par_core.rounding import amount

_MOST_SHOWN = 500  # rows of a plain table, which a browser lays out in full


def if_wanted(asked: TableQuestion) -> Answer | None:
    """Draw the switch; returns the exact answer where it is on."""
    hidden = f"exact_{asked.table.digest}"  # in no link, and of this table: another starts hidden again
    wanted = st.toggle("Show me the exact answer", key=hidden, help=explain("exact_answer"))
    return _computed(asked) if wanted else None


def draw(found: TableAnswer, answer: Answer, shown: list[dict[str, str]]) -> None:
    """Draw what is private about the cells that are `shown`: in words, then as a table."""
    planned = found.planned
    close, whole = None, planned.parts[0].part.whole
    if not (planned.is_pair or planned.is_selection):
        close = share_within(answer.exact, planned.error.scale, whole=whole, mechanism=planned.mechanism)
    _say(found, answer, close)
    _draw_table(shown, answer, close)


def _draw_table(shown: list[dict[str, str]], answer: Answer, close: ShareWithin | None) -> None:
    """Draw the exact answer where it can be read and not be taken along."""
    first = 0
    if len(shown) > _MOST_SHOWN:
        last = len(shown) - _MOST_SHOWN + 1
        first = st.number_input(f"Show {_MOST_SHOWN} cells from number", 1, last, step=_MOST_SHOWN) - 1
    rows: list[dict[str, Any]] = []
    for at in range(first, min(first + _MOST_SHOWN, len(shown))):
        row = {name: letters(text) if name == "Cell" else text for name, text in shown[at].items()}
        none = isinstance(answer, MeansAnswer) and not answer.sizes[at]
        row["Exact (private)"] = "no rows" if none else f"{float(answer.exact[at]):,.12g}"
        if close is not None:
            row["Within 10 %, chance"] = percent(float(close.of_each[at]))
        rows.append(row)
    st.table(
        rows,
        hide_index=True,
        height="content" if len(rows) <= 12 else 420,
        alt="The cells of the release, their ranges, and the exact answer, which is private.",
    )


def _say(found: TableAnswer, answer: Answer, close: ShareWithin | None) -> None:
    """Say what only the steward may see."""
    st.markdown("**For your eyes only.** It is in no link, no file and no code.")
    asked, planned, words = found.question, found.planned, []
    if close is not None:
        which = "of the cells" if planned.query.k > 1 else "of releases"
        words.append(f"On average **{percent(close.share)}** {which} will come out within 10 % of the exact number.")
    if isinstance(answer, MeansAnswer):
        words.append(_say_groups(found, answer))
    elif planned.is_pair:
        error = planned.quotient_error(size=answer.size, mean=float(answer.exact[0]))
        words.append(
            f"{answer.size:,} rows are {planned.query.shape.rows_are}, so the published {planned.query.asks.noun} will be within "
            f"{size_of(error.range95, asked)}."
        )
    if isinstance(answer, QuantileAnswer) and isinstance(planned.query, Quantile):
        near = quantile_within(planned, answer)
        unit = asked.column_unit(planned.query.column)
        off = f"{amount(near.within, 4)}{'' if asked.own else f' {unit}'}"
        words.append(f"On this table 95 of 100 releases come out within **{off}** of the exact {answer.labels[0]}.")
    words.append(f"Rows with a missing value in a column that is used: {answer.missing:,}.")
    if isinstance(planned.query, CountBy):
        words.append(f"Rows in no cell, because their category is not on the list: {answer.absent:,}.")
    elif isinstance(planned.query, TableAmount | Share) and planned.query.groups:
        words.append(f"Rows left out, because their group is not on the list: {answer.absent:,}.")
    if asked.person and not isinstance(planned.query, PersonCounts):
        words.append(
            f"Rows left out, because that person has more rows than the cap: {asked.table.rows - answer.rows:,}."
        )
    st.markdown(" ".join(words))


def _say_groups(found: TableAnswer, answer: MeansAnswer) -> str:
    """Say how far off the mean of the smallest group will be, which may be smaller than the guess."""
    at = int(answer.sizes.argmin())
    size = float(answer.sizes[at])
    if not size:
        return "The smallest group has no rows: what is published of it is noise."
    error = found.planned.quotient_error(size=size, mean=float(answer.exact[at]))
    within = f"{found.planned.query.asks.noun} will be within {size_of(error.range95, found.question)}"
    return f"The smallest group has {size:,.0f} rows, so its published {within}."


def _computed(asked: TableQuestion) -> Answer | None:
    """Compute the exact answer, which stays in the session; of a large table this takes a moment."""
    query, person, most = asked.query, asked.person, asked.scenario.rows_per_person
    work = partial(query.answer, asked.table.frame, person=person or None, rows_per_person=most, over=asked.over)
    inputs = (asked.table.digest, query, person, asked.over, most if person else 0)
    return jobs.run("exact_answer", work, inputs=inputs, label="Reading the table")
