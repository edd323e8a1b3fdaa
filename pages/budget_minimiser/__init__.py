"""Budget minimiser: what a breach would cost, what Privacy at Risk claims to save, and what it saves in truth."""

from pages.budget_minimiser import affordable, budget, claimed_saving, compared_scenarios, what_moves
from pages.shared.page import Page, Section

PAGE = Page(
    "budget_minimiser",
    "Cost of a breach: how much is it, and what can be saved?",
    (
        Section("budget", "Budget · fig. 4", ask=budget.ask),
        Section("truth", "Claimed and real", ask=claimed_saving.ask),
        Section("afford", "What can I afford?", ask=affordable.ask),
        Section("moves", "What moves the answer?", ask=what_moves.ask),
        Section("compare", "Compare", ask=compared_scenarios.ask),
    ),
    for_laplace=True,
    stops=("budget", "truth", "moves"),
)
