"""What a notebook recomputes of the overview: the present decision, and the number on each card, by where the card leads."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from pages.overview import cards
from pages.shared import decision_cells
from pages.shared.notebooks import the_scenario
from pages.shared.settings import present_scenario
from par_core.errors import InfeasibleError, ParameterError
from par_core.export.notebook import Cell, code, words
from par_core.scenario import Scenario


def overview() -> list[Cell]:
    own = present_scenario()
    of_cards = replace(own, mechanism=Scenario.mechanism)
    made = []
    with suppress(ParameterError, InfeasibleError):  # the page then says why there is no decision
        made = [words("### The present decision"), *decision_cells.cells()]
    made.append(the_scenario(of_cards))
    for card in cards.CARDS:
        made += [words(f"### {card.question}"), code(CODE[card.module, card.tab])]
    return made


CODE = {
    ("your_table", "plan"): """
        from par_core.queries import Comparison, Condition, Count
        from par_core.release import plan, within
        from par_core.rounding import error

        any_count = Count(Condition("any column", Comparison.EQUAL, "any value"))
        planned = plan(
            any_count,
            scenario.epsilon0,
            neighbours=scenario.neighbours,
            rows_per_person=scenario.rows_per_person,
            statistics=scenario.statistics,
        )
        show("a count is within", error(within(planned).each), of=planned)
        """,
    ("explicit_risk", "attacker"): """
        from par_core.mechanisms import strongest_belief
        from par_core.standing import quantity_of

        show("an attacker half sure becomes at most so sure", quantity_of(strongest_belief, 0.5, scenario.epsilon0))
        """,
    ("explicit_risk", "truth"): """
        from par_core.risk import explicit_curves

        half = explicit_curves.risk_at(scenario.epsilon0 / 2, scenario.epsilon0, k=scenario.k)
        show("the loss exceeds half of ε₀, a paper says, in", half.quantity("risk"))
        show("in truth, in the worst case, in", half.quantity("exact_risk"))
        """,
    ("composition", "plan"): """
        from par_core.composition import LARGEST_EPSILON0, compare

        if scenario.epsilon0 <= LARGEST_EPSILON0:
            compared = compare(scenario.epsilon0, [100], delta=scenario.delta, keys=["basic"])
            show("100 releases spend together", compared.exact.quantity("upper", 0))
            show("by basic composition", compared.curves[0].quantity("epsilon", 0))
        """,
    ("budget_minimiser", "truth"): """
        from par_core import cost

        model = cost.CostModel(scenario.compensation, scenario.stakeholders)
        for truth in cost.TRUTHS:
            found = cost.optimum(model, scenario.epsilon0, k=scenario.k, truth=truth)
            show(f"share of the cost of a breach that is saved, {truth}", found.quantity("share_saved"))
        """,
    ("sample_planner", "sampled"): """
        from par_core.sampling import samples_for_largest

        show("pairs of tables, for 99 % of all with 90 % certainty", samples_for_largest(0.99, 0.9), of=samples_for_largest)
        """,
    ("empirical_audit", "exposed"): """
        from par_core.figures import overview as figures

        draw(figures.excess(explicit_curves.excess(scenario.epsilon0)))  # nobody beyond ε₀
        """,
    ("mechanism_lab", "worlds"): """
        from par_core.lab.two_worlds import two_worlds

        seen = two_worlds("laplace", min(max(scenario.epsilon0, 0.001), 20.0))
        show("an answer is at most so many times as likely with you", seen.quantity("factor"))
        """,
    ("paper_check", "claims"): """
        from par_core.claims.inventory import rows

        print(f"statements that are checked: {sum(bool(each.claims) for each in rows())} (exact)")
        """,
}
