"""How do several statistics share one privacy budget, and how accurate is each?"""

from par_core.plan import Plan, Release
from par_core.queries.shapes import CountsShape, SumShape

visits = Release(CountsShape(12), mechanism="discrete-laplace", weight=3.0)  # twelve wards, weighted three to one
costs = Release(SumShape(lower=0.0, upper=50.0))
plan = Plan((visits, costs), 1.0)

for at, name in enumerate(("each of 12 counts", "the sum of costs")):
    print(f"{name}: ε = {plan.levels[at]:.2f}, within {plan.error(at):.4g} in 95 of 100 releases")
