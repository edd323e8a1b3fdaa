"""How far off is a median with differential privacy, before anybody has seen the data?"""

from par_core.queries import Quantile
from par_core.release import plan_release
from par_core.scenario import Neighbours

age = Quantile("age", 0, 110, 1)  # one of the whole years from 0 to 110 is chosen
for epsilon in (0.1, 0.5, 1.0):
    error = plan_release(age, epsilon, neighbours=Neighbours.REPLACE_ONE).error
    print(f"ε = {epsilon}: at most {error.range95:.0f} rows from the true median in 95 of 100 releases")
