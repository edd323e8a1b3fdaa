"""What do 100 releases of two mechanisms spend together?"""

from par_core.composition import compose
from par_core.mechanisms import DiscreteLaplace, Laplace

together = compose([Laplace(0.1), DiscreteLaplace(0.05)], [60, 40])
print(f"100 releases: ε = {together.epsilon(1e-5):.2f} with δ = 0.00001")
