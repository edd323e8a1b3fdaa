"""Budget minimiser: what a breach would cost, what Privacy at Risk claims to save, and what it saves in truth."""

from pages.budget_minimiser import (
    affordable,
    budget,
    claimed_and_real,
    compared_scenarios,
    notebook_cells,
    what_moves,
)
from pages.shared.page import Page, Section

PAGE = Page(
    "budget_minimiser",
    "Cost of a breach: how much is it, and what can be saved?",
    (
        Section("budget", "Budget · fig. 4", budget.draw, cells=notebook_cells.least_budget),
        Section("truth", "Claimed and real", claimed_and_real.draw, cells=notebook_cells.claimed_and_real),
        Section("afford", "What can I afford?", affordable.draw, cells=notebook_cells.afford),
        Section("moves", "What moves the answer?", what_moves.draw, cells=notebook_cells.moves),
        Section("compare", "Compare", compared_scenarios.draw, cells=notebook_cells.compare),
    ),
    for_laplace=True,
    stops=("budget", "truth", "moves"),
)
