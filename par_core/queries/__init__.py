"""What is asked of a table: counts of rows or persons, sums and means; the exact answer and its sensitivity.

Conditions, category lists and bounds come from the user and from what is publicly known. None is ever read off the
table: that would publish something about the table before any noise is added.
"""

from par_core.public_names import listed
from par_core.queries.amounts import Mean, Sum
from par_core.queries.answer import Answer, Kept
from par_core.queries.columns import Category, Kind
from par_core.queries.conditions import Comparison, Condition
from par_core.queries.counts import OTHER, Count, CountBy
from par_core.queries.dates import date_letters, dates_as_text
from par_core.queries.person_counts import PersonCount, PersonCountBy, PersonCounts
from par_core.queries.persons import Over, cap_rows
from par_core.queries.question import Question
from par_core.queries.sensitivity import Part

__all__ = [
    "OTHER",
    "Answer",
    "Category",
    "Comparison",
    "Condition",
    "Count",
    "CountBy",
    "Kept",
    "Kind",
    "Mean",
    "Over",
    "Part",
    "PersonCount",
    "PersonCountBy",
    "PersonCounts",
    "Query",
    "Question",
    "Sum",
    "cap_rows",
    "date_letters",
    "dates_as_text",
]
__dir__ = listed(__all__)

Query = Count | CountBy | Sum | Mean
