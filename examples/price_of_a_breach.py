"""Which ε needs the least money set aside for a breach?"""

from par_core.cost import CostModel

model = CostModel(100_000.0)  # dollars that a breach of unprotected data costs in all
best = model.optimum(0.5)  # of releases with Laplace noise for ε₀ = 0.5
print(f"at ε₀ = 0.5: {best.baseline:,.0f} dollars")
print(f"at ε = {best.epsilon:.2f}, which holds in {best.confidence:.0%} of releases: {best.budget:,.0f} dollars")
