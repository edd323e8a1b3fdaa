"""What do 100 releases spend together: by basic composition, and in truth?"""

from par_core.composition import basic, exact

print(f"basic composition: ε = {basic(0.1, 100):.2f}")
print(f"in truth: ε = {exact(0.1, 100, delta=1e-5).value:.2f} with δ = 0.00001")
