"""Whom do yearly means give away, published without any noise?"""

import pandas as pd

from par_core.audit import Panel, audit
from par_core.audit.queries import PanelMean

rows = [(year, person, float(year % 7 + 3 * person % 5)) for year in range(2001, 2021) for person in range(8)]
rows += [(year, 8, 40.0) for year in range(2001, 2021)]  # one who stands out
table = pd.DataFrame(rows, columns=["year", "person", "income"])

found = audit(Panel.from_long(table, database="year", individual="person", value="income"), PanelMean()).at(0.1)
print(f"most exposed: person {found.ranking[0]}, δ = {found.deltas.max():.2f} at ε = 0.1")
