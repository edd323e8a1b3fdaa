"""What a notebook recomputes of the overview: the present decision, and the number on each card, by where the card leads."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from pages.overview import cards, first_view
from pages.shared.notebooks import the_scenario
from pages.shared.settings import present_scenario
from par_core.errors import InfeasibleError, ParameterError
from par_core.export.notebook import Cell, code, words
from par_core.questions import notebook as questions_notebook
from par_core.scenario import Scenario


def overview() -> list[Cell]:
    own = present_scenario()
    of_cards = replace(own, mechanism=Scenario.mechanism)
    made = []
    with suppress(ParameterError, InfeasibleError):  # the page then says why there is no decision
        made = [words("### The present decision"), *questions_notebook.cells(first_view.question())]
    made.append(the_scenario(of_cards))
    for card in cards.CARDS:
        asks = questions_notebook.cells(card.answer(of_cards)) if isinstance(card.answer, type) else None
        made += [words(f"### {card.question}"), *(asks or [code(CODE[card.module, card.tab])])]
    return made


CODE = {
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
        from par_core.risk import explicit_curves

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
