"""How do I tell the public what differential privacy protects?"""

from par_core.plan import PlanScenario, Release
from par_core.queries.shapes import CountsShape
from par_core.questions import PublicLabel

releases = (Release(CountsShape(12), times=4),)  # twelve counts a quarter
label = PublicLabel(PlanScenario(epsilon0=0.25, plan=releases), name="Visits by ward", publisher="City Hospital")
found = label.answer().numbers()

print(f"Of 100 guesses about one person, at most {found['right_of_100_guesses'].value} are right; a coin gets 50.")
print(f"In 95 of 100 releases a count is off by {found['release_1_within'].value:.0f} at most.")
print(f"The label still lacks {', '.join(label.lacks())}.")
