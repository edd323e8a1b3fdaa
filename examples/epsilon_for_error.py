"""Which ε keeps a count within 6 persons of the truth in 95 of 100 releases?"""

from par_core.release import epsilon_for_error

epsilon = epsilon_for_error(6.0, 1.0, measure="range95")
print(f"Laplace noise on a count: ε = {epsilon:.4f}")
