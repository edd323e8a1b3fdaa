"""Write ledgers.csv: random ledgers of plans and of other tools, between the two accounts that dp-accounting gives of them.

A release of another tool that is (epsilon, delta)-private is the worst there is: with probability delta it tells which of two neighbours
it is of, and else answers by randomised response at epsilon. Its accounts and those of plans are composed on a grid of 0.00002; the levels
of other tools lie on it. Run: python tests/core/data/make_ledgers.py (some minutes).
"""

import csv
import math
from pathlib import Path

import numpy as np
from dp_accounting.pld import privacy_loss_distribution as pld
from make_composition_plans import account

SEED = 20_261_128
LEDGERS = 200
INTERVAL = 2e-5


def other_tool(epsilon, delta, *, pessimistic, interval):
    true, false = -math.log1p(math.exp(-epsilon)), -math.log1p(math.exp(epsilon))
    kept = math.log1p(-delta)
    laws = [{1: kept + true, 2: kept + false}, {1: kept + false, 2: kept + true}]
    if delta:
        laws[0][3] = laws[1][0] = math.log(delta)
    return pld.from_two_probability_mass_functions(
        laws[1], laws[0], pessimistic_estimate=pessimistic, value_discretization_interval=interval, symmetric=True
    )


def accounts(ledger):
    """The optimistic and the pessimistic account: rows of kind, parameter, whole number or delta, and times."""
    for pessimistic in (False, True):
        how, together = {"pessimistic": pessimistic, "interval": INTERVAL}, None
        for kind, parameter, second, times in ledger:
            one = other_tool(parameter, second, **how) if kind == "tool" else account(kind, parameter, second, **how)
            one = one.self_compose(times)
            together = one if together is None else together.compose(one)
        yield together


def any_ledger(rng):
    kinds, ledger = ["laplace", "gaussian", "discrete-laplace", "tool"], []
    for kind in rng.choice(kinds, size=int(rng.integers(2, 7))).tolist():
        level = round(float(np.exp(rng.uniform(math.log(0.02), math.log(1.0)))), 2)
        times = int(np.exp(rng.uniform(0, math.log(30))))
        if kind == "tool":
            second = float(f"{10 ** rng.uniform(-10, -6.5):.1e}") if rng.random() < 0.7 else 0.0
        else:
            second = int(rng.integers(1, 5))
        ledger.append((kind, 1 / level if kind == "gaussian" else level, second, times))
    return ledger


def main():
    rng = np.random.default_rng(SEED)
    with (Path(__file__).parent / "ledgers.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["ledger", "delta", "optimistic", "pessimistic"])
        for _ in range(LEDGERS):
            ledger = any_ledger(rng)
            delta = float(rng.choice([1e-4, 1e-5, 1e-6]))
            ends = (each.get_epsilon_for_delta(delta) for each in accounts(ledger))
            text = " ".join(",".join(map(str, each)) for each in ledger)
            table.writerow([text, delta, *(repr(float(each)) for each in ends)])
            file.flush()


if __name__ == "__main__":
    main()
