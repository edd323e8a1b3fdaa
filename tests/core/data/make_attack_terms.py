"""Write attack_terms.csv: trade-off, Gaussian-DP μ and its regret of many releases, as riskcal 1.5.1 and gdpnum 0.1.2 find them.

Both read an account of dp-accounting, once the optimistic and once the pessimistic one (make_composition_plans.py makes them). They are not
among the requirements: pip install --no-deps riskcal==1.5.1 gdpnum==0.1.2, then run python tests/core/data/make_attack_terms.py.
"""

import csv
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from make_composition_plans import account

RATES = (1e-3, 0.01, 0.1, 0.5)
RELEASES = (1, 10, 1000)
KINDS = (
    ("laplace", 1),
    ("gaussian", 1),
    ("discrete-laplace", 1),
    ("discrete-laplace", 3),
    ("randomised-response", 2),
    ("randomised-response", 5),
    ("exponential", 1),
)
LEVELS = {1: (0.1, 1.0, 4.0), 10: (0.1, 1.0), 1000: (0.01, 0.1)}


def main():
    from gdpnum import PLDConverter  # here: the file is collected where these are not installed
    from riskcal.analysis import get_beta_from_pld

    with (Path(__file__).parent / "attack_terms.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        names = ["mu", "regret", *(f"missed_at_{rate:g}" for rate in RATES)]
        writer.writerow(["plan", *(f"{name}_{side}" for name in names for side in ("optimistic", "pessimistic"))])
        for times in RELEASES:
            for kind, whole in KINDS:
                for level in LEVELS[times]:
                    parameter = 1 / level if kind == "gaussian" else level
                    found = []
                    for pessimistic in (False, True):
                        interval = level / (2000 if times == 1 else 400)
                        one = account(kind, parameter, whole, pessimistic=pessimistic, interval=interval)
                        together = one.self_compose(times) if times > 1 else one
                        rates = np.asarray(get_beta_from_pld(together, alpha=np.array(RATES)))
                        found.append([*PLDConverter(together).get_mu_and_regret(), *rates.tolist()])
                    row = [repr(float(each)) for pair in zip(*found, strict=True) for each in pair]
                    writer.writerow([f"{kind},{parameter!r},{whole},{times}", *row])


if __name__ == "__main__":
    main()
