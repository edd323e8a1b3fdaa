"""Write composition_plans.csv: random plans of releases of every mechanism, between the two accounts that dp-accounting gives of them.

dp-accounting rounds losses to a lattice of its own, up in its pessimistic account and down in its optimistic one, and composes by
convolution. It does not know the exponential mechanism: its law is taken from the trade-off of its worst ranges, f(x) =
(1 - x)/(1 + x·(e^epsilon0 - 1)), by the polygon around it (tangents, pessimistic) and the one within it (chords, optimistic). For that
mechanism both are accounts of the law that dominates it, and the true loss may be below both. Run:
python tests/core/data/make_composition_plans.py (some minutes).
"""

import csv
import math
from pathlib import Path

import numpy as np
from dp_accounting.pld import privacy_loss_distribution as pld

SEED = 20_260_315
PLANS = 200
_STEPS = 400  # of a mechanism's largest loss, into which its losses are rounded


def choice(epsilon0, *, pessimistic, interval):
    """The exponential mechanism."""
    number = math.ceil(epsilon0 / interval)
    loss = np.clip(interval * np.arange(number, -number - 1, -1), -epsilon0, epsilon0)
    loss = loss[np.append(True, np.diff(loss) < -1e-9 * interval)]
    rise = math.expm1(epsilon0)
    rate = np.expm1(0.5 * (epsilon0 - loss)) / rise
    missed = (1 - rate) / (1 + rise * rate)
    if pessimistic:  # where the tangents meet, each of the slope -exp(loss)
        height = missed + np.exp(loss) * rate
        corner = (height[:-1] - height[1:]) / (np.exp(loss[:-1]) - np.exp(loss[1:]))
        own = np.append(1.0, height[1:] - np.exp(loss[1:]) * corner)
        rate, missed = np.concatenate([[0.0], corner, [1.0]]), np.concatenate([own, [0.0]])
    other, own = np.diff(rate), -np.diff(missed)
    kept = (other > 0) & (own > 0)
    tables = [{at: math.log(each) for at, each in enumerate(law[kept].tolist())} for law in (other, own)]
    return pld.from_two_probability_mass_functions(
        *tables, pessimistic_estimate=pessimistic, value_discretization_interval=interval, symmetric=True
    )


def account(kind, parameter, whole, *, pessimistic, interval):
    """One account of one release; `parameter` is epsilon0, or σ of Gaussian noise, `whole` the sensitivity or the categories."""
    common = {"pessimistic_estimate": pessimistic, "value_discretization_interval": interval}
    dots = {"use_connect_dots": pessimistic}  # closer, and only there for this side
    if kind == "laplace":
        return pld.from_laplace_mechanism(1 / parameter, **common, **dots)
    if kind == "gaussian":
        return pld.from_gaussian_mechanism(parameter, **common, **dots)
    if kind == "discrete-laplace":
        return pld.from_discrete_laplace_mechanism(parameter / whole, sensitivity=whole, **common)
    if kind == "randomised-response":
        other = 1 / (math.exp(parameter) + whole - 1)
        return pld.from_randomized_response(whole * other, whole, **common)
    return choice(parameter, pessimistic=pessimistic, interval=interval)


def accounts(plan):
    """The optimistic and the pessimistic account of a plan: rows of kind, parameter, whole number and times."""
    interval = max(min(2.0 if kind == "gaussian" else parameter for kind, parameter, _, _ in plan) / _STEPS, 1e-4)
    both = []
    for pessimistic in (False, True):
        together = None
        for kind, parameter, whole, times in plan:
            one = account(kind, parameter, whole, pessimistic=pessimistic, interval=interval).self_compose(times)
            together = one if together is None else together.compose(one)
        both.append(together)
    return both


def any_plan(rng):
    kinds = ["laplace", "gaussian", "discrete-laplace", "randomised-response", "exponential"]
    chosen = rng.choice(kinds, size=int(rng.integers(1, 5)), replace=False)
    plan = []
    for kind in chosen.tolist():
        level = float(np.exp(rng.uniform(math.log(0.05), math.log(2.0))))
        level = round(level, 2) if rng.random() < 0.7 else level
        times = int(np.exp(rng.uniform(0, math.log(40))))
        plan.append((kind, 1 / level if kind == "gaussian" else level, int(rng.integers(2, 6)), times))
    return plan


def main():
    rng = np.random.default_rng(SEED)
    with (Path(__file__).parent / "composition_plans.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["plan", "delta", "optimistic", "pessimistic", "epsilon", "low", "high"])
        for _ in range(PLANS):
            plan = any_plan(rng)
            below, above = accounts(plan)
            delta = float(f"{10 ** rng.uniform(-9, -1):.3g}")
            ends = [each.get_epsilon_for_delta(delta) for each in (below, above)]
            epsilon = float(f"{float(rng.uniform(0.2, 1.1)) * ends[1]:.3g}")
            text = " ".join(f"{kind},{parameter!r},{whole},{times}" for kind, parameter, whole, times in plan)
            found = [each.get_delta_for_epsilon(epsilon) for each in (below, above)]
            numbers = (delta, *ends, epsilon, *found)
            writer.writerow([text, *(repr(float(each)) for each in numbers)])
            file.flush()


if __name__ == "__main__":
    main()
