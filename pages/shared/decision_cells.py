"""What a notebook recomputes of the present decision."""

from __future__ import annotations

from pages.shared import present_decision, wish_fields
from pages.shared.notebooks import the_scenario
from par_core.export.notebook import Cell, code, words


def cells() -> list[Cell]:
    """Return the scenario, the wishes and what they ask of ε₀; a sentence where there is no wish."""
    found = present_decision.found()
    if not found.wishes:
        return [words("No wish is switched on: every ε₀ will do.")]
    made = [
        the_scenario(),
        code(
            f"""
            from par_core.decision import {", ".join(sorted({type(wish).__name__ for wish in found.wishes}))}, decide

            wishes = $wishes
            found = decide(wishes, scenario)
            """,
            wishes=list(found.wishes),
        ),
    ]
    if found.possible:
        asks = "The example wishes ask for ε₀" if wish_fields.are_examples() else "Take ε₀"
        made.append(
            code(
                f"""
                from par_core.figures.decision_words import levels_of

                show("{asks}", levels_of(found, beside=scenario.epsilon0), of=found)
                """
            )
        )
    elif found.collision is not None:
        made.append(
            code(
                """
                from par_core.figures.decision_words import would_give

                show("Way out", would_give(found, scenario.currency), of=found.collision)
                """
            )
        )
    return made
