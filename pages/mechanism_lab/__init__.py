"""Mechanism lab: toys for a lecture, and for a student alone, each with one question and a dial."""

from pages.mechanism_lab import (
    choose_one,
    coins,
    notebook_cells,
    quiz,
    refute_claim,
    traps,
    two_worlds,
    watch_it_run,
    which_mechanism,
    why_the_proof_fails,
)
from pages.shared.page import Page, Section

PAGE = Page(
    "mechanism_lab",
    "What does a private mechanism do, and what can go wrong?",
    (
        Section("worlds", "One answer, two worlds", two_worlds.draw, dial="ε", cells=notebook_cells.worlds),
        Section("run", "Watch it run", watch_it_run.draw, dial="ε", cells=notebook_cells.rain),
        Section("coins", "Coins", coins.draw, dial="ε", cells=notebook_cells.survey),
        Section("choose", "Choose one of many", choose_one.draw, dial="ε", cells=notebook_cells.choice),
        Section("which", "Which mechanism?", which_mechanism.draw, dial="ε", cells=notebook_cells.compared),
        Section("proof", "Why the proof fails", why_the_proof_fails.draw, dial="ε", cells=notebook_cells.proof),
        Section("traps", "Traps", traps.draw, dial="its number", cells=notebook_cells.traps),
        Section("refute", "Refute a claim", refute_claim.draw, dial="ε", cells=notebook_cells.refuted),
        Section("quiz", "Quiz", quiz.draw, dial="question", cells=notebook_cells.question),
    ),
    of_scenario=False,  # a lecture has its own settings, which begin at the reader's
    stops=("worlds", "run", "coins", "choose", "which", "proof", "traps"),  # made for a talk, all of it
)
