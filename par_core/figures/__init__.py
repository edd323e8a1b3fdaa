"""Pure functions from a result to a picture (`drawing.Drawing`), one module per page."""

from par_core.public_names import listed, modules

__all__ = [
    "budget_minimiser",
    "class_progress",
    "compared_budgets",
    "composition",
    "decide",
    "decision_words",
    "drawing",
    "empirical_audit",
    "explicit_risk",
    "frames",
    "lab_best_of_runs",
    "lab_choose_one",
    "lab_coins",
    "lab_loss_walk",
    "lab_proof",
    "lab_refute_claim",
    "lab_sample_and_group",
    "lab_sensitivity",
    "lab_traps",
    "lab_two_worlds",
    "lab_watch_it_run",
    "lab_which_mechanism",
    "overview",
    "paper_check",
    "pate_votes",
    "quantities",
    "quiz",
    "report",
    "sample_planner",
    "style",
    "svg",
    "synthetic",
    "theme",
    "your_table",
]
__getattr__ = modules(__name__, __all__)
__dir__ = listed(__all__)
