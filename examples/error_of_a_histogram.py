"""How wrong will a histogram with differential privacy be, before anybody has seen the data?"""

from par_core.queries import Histogram
from par_core.release import plan_release
from par_core.scenario import Neighbours

ages = Histogram("age", edges=(0, 18, 30, 45, 65, 120))
planned = plan_release(ages, 0.5, neighbours=Neighbours.REPLACE_ONE)
print(f"one count: within {planned.error.range95:.0f} in 95 of 100 releases")
print(f"all {ages.k} counts at once: within {planned.error.all95:.0f}")
