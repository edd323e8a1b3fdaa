"""What is asked of a table: counts of rows or persons, sums and means; the exact answer and its sensitivity.

Conditions, category lists and bounds come from the user and from what is publicly known. None is ever read off the
table: that would publish something about the table before any noise is added.
"""

from par_core.queries.amounts import Mean as Mean
from par_core.queries.amounts import Sum as Sum
from par_core.queries.answer import Answer as Answer
from par_core.queries.answer import Kept as Kept
from par_core.queries.columns import Category as Category
from par_core.queries.columns import Kind as Kind
from par_core.queries.conditions import Comparison as Comparison
from par_core.queries.conditions import Condition as Condition
from par_core.queries.counts import OTHER as OTHER
from par_core.queries.counts import Count as Count
from par_core.queries.counts import CountBy as CountBy
from par_core.queries.dates import date_letters as date_letters
from par_core.queries.dates import dates_as_text as dates_as_text
from par_core.queries.person_counts import PersonCount as PersonCount
from par_core.queries.person_counts import PersonCountBy as PersonCountBy
from par_core.queries.person_counts import PersonCounts as PersonCounts
from par_core.queries.persons import Over as Over
from par_core.queries.persons import cap_rows as cap_rows
from par_core.queries.question import Question as Question
from par_core.queries.sensitivity import Part as Part

Query = Count | CountBy | Sum | Mean
