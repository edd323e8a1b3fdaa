"""What was spent on a data set, by every release and every tool, and what may still be: a ledger, a policy and a gate between them.

>>> import datetime
>>> from par_core.plan import Plan, Release
>>> from par_core.queries.shapes import CountsShape
>>> plan = Plan((Release(CountsShape(12), times=4),), 0.25)
>>> policy = Policy("visits", delta=1e-6, epsilon_per_release=0.5, epsilon_per_year=1.5, epsilon_for_ever=4)
>>> today = datetime.date(2026, 3, 1)
>>> ledger = Ledger((released(plan, "visits", today),))
>>> check(policy, ledger, plan, today).why
'the releases of 2026 would come to ε = 1.98, which is above 1.5: without this plan to 1'
"""

from par_core.ledger.checking import Check, Line, check, dated
from par_core.ledger.file import OpenLedger, append, opened, read
from par_core.ledger.forecasting import Forecast, forecast
from par_core.ledger.ledger import Ledger
from par_core.ledger.policy import Policy
from par_core.ledger.record import Kind, Place, Record, of_other_tool, plan_of, released, reserved
from par_core.ledger.remaining import Left, left, spent_by_day
from par_core.ledger.reserving import Reservation, reserve, utc_today
from par_core.ledger.spending import Spent, spent
from par_core.public_names import listed

__all__ = [
    "Check",
    "Forecast",
    "Kind",
    "Ledger",
    "Left",
    "Line",
    "OpenLedger",
    "Place",
    "Policy",
    "Record",
    "Reservation",
    "Spent",
    "append",
    "check",
    "dated",
    "forecast",
    "left",
    "of_other_tool",
    "opened",
    "plan_of",
    "read",
    "released",
    "reserve",
    "reserved",
    "spent",
    "spent_by_day",
    "utc_today",
]
__dir__ = listed(__all__)
