"""What does ε mean in plain odds: how often does an attacker guess right?"""

from math import ceil

from par_core.decision import odds
from par_core.scenario import Scenario

for epsilon0 in (0.1, 0.5, 1.0, 3.0):
    right = ceil(100 * odds(Scenario(epsilon0=epsilon0)).if_in)
    print(f"ε = {epsilon0}: at most {right} of 100 guesses about one person are right; a coin gets 50")
