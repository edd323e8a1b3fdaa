"""What a notebook recomputes of each section on the cost of a breach."""

from __future__ import annotations

from typing import Any

from pages.budget_minimiser import affordable, budget, compared_scenarios, cost_controls, what_moves
from pages.shared import packed_settings, settings
from pages.shared.notebooks import the_scenario
from par_core.export.notebook import Cell, code

_OWN = """
    own = cost.curve(model, [scenario.epsilon0], k=scenario.k).curves[0]
    true, claimed = own.exact_optimum, own.published_optimum
    """


def least_budget() -> list[Cell]:
    levels0, _ = settings.usable(budget.LEVELS)
    return [
        *_scenario_and_model(),
        code(
            _OWN
            + """
    currency = scenario.currency
    show("a breach costs up to", true.quantity("baseline"), currency=currency)
    show("least average over releases", true.quantity("budget"), currency=currency)
    show("as the paper claims", claimed.quantity("budget"), currency=currency)
    """
        ),
        code(
            """
            from par_core.figures import budget_minimiser as figures

            levels0 = sorted({*$levels0, scenario.epsilon0}, reverse=True)
            curves = cost.curve(model, levels0, k=scenario.k)
            draw(figures.budgets(curves, own=scenario.epsilon0, currency=scenario.currency))
            """,
            levels0=levels0,
        ),
    ]


def claimed_and_real() -> list[Cell]:
    return [
        *_scenario_and_model(),
        code(
            _OWN
            + """
    show("saving, as claimed", claimed.quantity("saving"), currency=scenario.currency)
    show("saving, in truth", true.quantity("saving"), currency=scenario.currency)
    """
        ),
        code(
            """
            from par_core.figures import budget_minimiser as figures

            draw(figures.claim_and_truth(own, currency=scenario.currency))
            """
        ),
    ]


def afford() -> list[Cell]:
    values = {"budget": affordable.BUDGET.value(), "error": affordable.ERROR.value()}
    return [
        *_scenario_and_model(),
        code(
            """
            budget, largest_error = $budget, $error
            unit = scenario.noise_scale * scenario.epsilon0
            needed = cost.budget_for(largest_error, model=model, k=scenario.k, sensitivity=unit)
            show("ε₀ for that error", needed.quantity("epsilon0"))
            show("then always enough", needed.exact.as_quantity("baseline", needed.baseline), currency=scenario.currency)
            show("then the least average", needed.exact.quantity("budget"), currency=scenario.currency)
            """,
            **values,
        ),
        code(
            """
            given = {"model": model, "k": scenario.k, "sensitivity": unit}
            for truth in cost.TRUTHS:
                try:
                    found = cost.epsilon_range(budget, largest_error, scenario.epsilon0, **given, truth=truth)
                    for lower, upper in found.intervals:
                        if lower:
                            show(f"ε at least, {truth}", found.as_quantity("lower", lower), of=found)
                        show(f"ε at most, {truth}", found.as_quantity("upper", upper), of=found)
                except cost.UnmetWishError as unmet:
                    print(f"no ε, {truth}: {unmet}")
                    if unmet.wish == "budget":
                        least = getattr(needed, truth)
                        missing = least.as_quantity("budget", unmet.missing)
                        show(f"missing, {truth}", missing, of=least, currency=scenario.currency)
            """
        ),
    ]


def moves() -> list[Cell]:
    return [
        *_scenario_and_model(),
        code(
            """
            from par_core.figures import budget_minimiser as figures

            published, exact = (
                cost.sensitivity_of(model, scenario.epsilon0, k=scenario.k, percent=$percent, truth=truth)
                for truth in cost.TRUTHS
            )
            first = exact.effects[0]
            print(figures.label_of(first.name), "moves the answer most")
            show("least average, from", first.quantity("budget_low"), currency=scenario.currency)
            show("to", first.quantity("budget_high"), currency=scenario.currency)
            draw(figures.tornado(published, exact, currency=scenario.currency))
            """,
            percent=what_moves.MOVED.value(),
        ),
    ]


def compare() -> list[Cell]:
    entries = compared_scenarios.KEPT.value()
    kept = [packed_settings.restored(cost_controls.ALL, entry) for entry in entries]
    present = packed_settings.present(cost_controls.ALL)
    each = kept if present in kept else [*kept, present]
    made: list[Cell] = []
    for values in each:
        made += _scenario_and_model(values)
        made.append(
            code(
                """
                for truth in cost.TRUTHS:
                    found = cost.optimum(model, scenario.epsilon0, k=scenario.k, truth=truth)
                    show(f"least average, {truth}", found.quantity("budget"), currency=scenario.currency)
                    show(f"saving, {truth}", found.quantity("saving"), currency=scenario.currency)
                """
            )
        )
    return made


def _scenario_and_model(values: dict[str, Any] | None = None) -> list[Cell]:
    """Return the scenario and the cost model, by default the present ones; ParameterError where their numbers contradict each other."""
    own = packed_settings.present(cost_controls.ALL) if values is None else values
    model = cost_controls.model_of(own)
    kind = type(model).__name__
    return [
        the_scenario(cost_controls.scenario_of(own)),
        code(f"from par_core import cost\nfrom par_core.cost import {kind}\n\nmodel = $model", model=model),
    ]
