"""What does sampling add to privacy, and what is left of it for a family of four?"""

from par_core.mechanisms import Laplace

noise = Laplace(1.0)
print(f"everybody's data: one person loses at most ε = {noise.largest_loss:.2f}")
print(f"a secret tenth of them: ε = {noise.subsampled(0.1).largest_loss:.2f}")
print(f"everybody's data, a family of four: ε = {noise.for_group(4).largest_loss:.2f}")
