"""How is a count published with noise, by a script that needs nothing of this project?"""

from pathlib import Path

from par_core.export.release_code import release_code
from par_core.queries import Condition, Count
from par_core.scenario import Scenario

code = release_code(Count(Condition("bmi", ">=", 30)), Scenario(epsilon0=0.5, releases=1), file="patients.csv")
Path("release.py").write_text(code.text, encoding="utf-8")
print("pip install", *code.requirements[:1])
print("python release.py patients.csv")
