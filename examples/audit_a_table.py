"""Whom do yearly means give away, published without any noise?"""

import pandas as pd

from par_core.audit import Panel, audit
from par_core.audit.queries import PanelMean

incomes = {"Ann": 31, "Ben": 35, "Cem": 28, "Dora": 33, "Eve": 41, "Finn": 30}
rows = [(year, who, income + year % 7) for year in range(2001, 2021) for who, income in incomes.items()]
table = pd.DataFrame(rows, columns=["year", "person", "income"])
panel = Panel.from_long(table, database="year", individual="person", value="income")

found = audit(panel, PanelMean()).at(0.1)
print(f"most exposed: {panel.individuals[found.ranking[0]]}, δ = {found.deltas.max():.2f} at ε = 0.1")
