"""What is asked of a table: counts of rows or persons, histograms, sums, means, shares and quantiles; the exact answer and its sensitivity.

Conditions, category lists, edges and bounds come from the user and from what is publicly known. None is ever read off the
table: that would publish something about the table before any noise is added.

`Count`, `Histogram`, `Sum`, `Mean`, `Share` and `Quantile` are queries on a table here, `TableCount` and so on by their full names. The
statistics themselves, whoever asks for them, are in `par_core.queries.statistics`.
"""

from typing import TYPE_CHECKING

from par_core.old_names import by_old_name
from par_core.public_names import listed
from par_core.queries.amounts import AMOUNTS, TableAmount, TableMean, TableSum
from par_core.queries.amounts import TableMean as Mean
from par_core.queries.amounts import TableSum as Sum
from par_core.queries.answer import Answer, Kept, MeansAnswer
from par_core.queries.columns import Kind
from par_core.queries.conditions import Comparison, Condition
from par_core.queries.counts import OTHER, CountBy, TableCount
from par_core.queries.counts import TableCount as Count
from par_core.queries.dates import Category, date_letters, dates_as_text
from par_core.queries.grouped_query import MeanQuery
from par_core.queries.groups import Groups
from par_core.queries.histogram import TableHistogram, edges_between
from par_core.queries.histogram import TableHistogram as Histogram
from par_core.queries.person_counts import PersonCount, PersonCountBy, PersonCounts
from par_core.queries.persons import Over, cap_rows
from par_core.queries.quantiles import QuantileAnswer, TableQuantile
from par_core.queries.quantiles import TableQuantile as Quantile
from par_core.queries.sensitivity import Part
from par_core.queries.shares import TableShare
from par_core.queries.shares import TableShare as Share
from par_core.queries.table_query import TableQuery

__all__ = [
    "AMOUNTS",
    "OTHER",
    "Answer",
    "Category",
    "Comparison",
    "Condition",
    "Count",
    "CountBy",
    "Groups",
    "Histogram",
    "Kept",
    "Kind",
    "Mean",
    "MeanQuery",
    "MeansAnswer",
    "Over",
    "Part",
    "PersonCount",
    "PersonCountBy",
    "PersonCounts",
    "Quantile",
    "QuantileAnswer",
    "Query",
    "Share",
    "Sum",
    "TableAmount",
    "TableCount",
    "TableHistogram",
    "TableMean",
    "TableQuantile",
    "TableQuery",
    "TableShare",
    "TableSum",
    "cap_rows",
    "date_letters",
    "dates_as_text",
    "edges_between",
]
__dir__ = listed(__all__)

Query = TableCount | CountBy | TableHistogram | TableAmount | TableShare | TableQuantile

if not TYPE_CHECKING:
    __getattr__ = by_old_name(__name__, {"Question": "TableQuery"})
