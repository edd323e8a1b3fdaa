"""How much of a year's privacy budget is left, and does the next plan still fit?"""

from datetime import date

from par_core.ledger import Ledger, Policy, check, released
from par_core.plan import Plan, Release
from par_core.queries.shapes import CountsShape

plan = Plan((Release(CountsShape(12), times=4),), 0.25)  # twelve counts a quarter
policy = Policy("visits", delta=1e-6, epsilon_per_release=0.5, epsilon_per_year=2.5, epsilon_for_ever=10)
ledger = Ledger((released(plan, "visits", date(2026, 3, 1)),))

for month in (6, 9):
    found = check(policy, ledger, plan, date(2026, month, 1))
    print(f"spent: ε = {found.year_before:.2f} of {policy.epsilon_per_year}; with one more plan {found.year:.2f}")
    print("it fits" if found.passes else f"it does not fit: {found.why}")
    ledger = Ledger((*ledger.records, released(plan, "visits", date(2026, month, 1))))
