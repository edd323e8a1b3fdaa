"""Which ε keeps a count within 6 persons of the truth, and a mean within half a year, in 95 of 100 releases?"""

from par_core.queries import Mean
from par_core.release import epsilon_for_error, epsilon_for_query
from par_core.scenario import Neighbours

print(f"count: ε = {epsilon_for_error(6.0, 1.0, measure='range95'):.3f}")

age = Mean("age", lower=0, upper=100)  # of a public number of rows: neighbours then differ in one row's values
epsilon = epsilon_for_query(0.5, age, neighbours=Neighbours.REPLACE_ONE, rows=2_000)
print(f"mean age of 2,000 persons: ε = {epsilon:.3f}")
