"""What do 100 releases of two mechanisms spend together?"""

from par_core.composition import compose
from par_core.mechanisms import Gaussian, Laplace

together = compose([Laplace(0.1), Gaussian(10.0)], [60, 40])  # noise for ε = 0.1, and of deviation 10
print(f"100 releases: ε = {together.epsilon(1e-5):.2f} with δ = 0.00001")
