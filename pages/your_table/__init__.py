"""Your table: from a private table to a plan that can be published, and the code that publishes by it."""

from functools import partial

from pages.shared.page import Page, Section
from pages.shared.settings import PLAN, present_scenario, single_scenario
from pages.your_table import (
    epsilon0_for_error,
    how_far_off,
    into_plan,
    only_counts,
    plan_and_code,
    publish_plan,
    query_cells,
    your_plan,
)
from pages.your_table.query_controls import open_table
from pages.your_table.query_settings import ONCE
from pages.your_table.toy_link import toy_link

_OWN = {"toy": toy_link, "plan": into_plan.draw, "cells": query_cells.draw, "publish": plan_and_code.draw}
_PUBLISH = {"publish": publish_plan.draw}
_COUNTS = {"toy": toy_link, "decide": only_counts.link_to_decide}


def _open_counts() -> None:
    PAGE.tab.put(PAGE.sections[-1].label)


_ASK = partial(how_far_off.ask, open_counts=_open_counts)

PAGE = Page(
    "your_table",
    "How far off will numbers published from your table of persons be?",
    (
        Section(
            "plan", "How far off", about=open_table, ask=_ASK, scenario=single_scenario, fields={"once": ONCE}, own=_OWN
        ),
        Section("all", "Your plan", ask=your_plan.ask, scenario=present_scenario, fields={"plan": PLAN}, own=_PUBLISH),
        Section(
            "wanted", "ε₀ for a wanted error", about=open_table, ask=epsilon0_for_error.ask, scenario=single_scenario
        ),
        Section("counts", "Only counts", ask=only_counts.ask, scenario=single_scenario, own=_COUNTS),
    ),
    says_accuracy=True,  # the strip under the question would speak of the scenario's own query
)
