"""What a notebook recomputes of each section of Decide."""

from __future__ import annotations

from pages.decide import odds_in_100
from pages.shared import decision_cells, wish_fields
from pages.shared.notebooks import possible_scenario, the_scenario
from par_core.export.notebook import Cell, code


def decision() -> list[Cell]:
    made = decision_cells.cells()
    return [*made, _picture()] if wish_fields.chosen() else made


def odds() -> list[Cell]:
    scenario = possible_scenario()
    return [
        the_scenario(),
        code(
            """
            from par_core.decision import odds
            from par_core.figures import decide as figures

            found = odds(scenario, releases=$releases)
            show("of 100 releases point to you if you are in the data", figures.of_100(found.if_in), of=found)
            show("and if you are not", figures.of_100(found.if_out), of=found)
            show("exactly: points to you if you are in the data", found.quantity("if_in"))
            show("and if you are not", found.quantity("if_out"))
            draw(figures.odds(found, epsilon0=scenario.epsilon0))
            """,
            releases=scenario.releases if odds_in_100.ABOUT.value() == "all" else 1,
        ),
    ]


def duties() -> list[Cell]:
    possible_scenario()
    return [
        the_scenario(),
        code(
            """
            from par_core.datasets.deployments import deployments, reporting_less
            from par_core.decision import duties, total
            from par_core.figures import decide as figures

            found = total(scenario)
            show("ε of all planned releases together", found.quantity("epsilon"))
            print(len(reporting_less(found.epsilon, delta=found.delta)), "deployments report less")
            asked = duties(scenario)
            print(sum(each.state == "answered" for each in asked), "of", len(asked), "questions are answered by the scenario")
            for each in asked:
                print(f"{each.state:9} {each.question} {each.says}")
            draw(figures.precedents(found, deployments=deployments()))
            """
        ),
    ]


def _picture() -> Cell:
    return code(
        """
        from par_core.datasets.deployments import deployments
        from par_core.figures import decide as figures

        draw(
            figures.decision(
                found,
                epsilon0=scenario.epsilon0,
                deployments=deployments(),
                delta=scenario.delta,
                currency=scenario.currency,
            )
        )
        """
    )
