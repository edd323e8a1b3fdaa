"""What a lecture shows of mechanisms: one file for each toy of the mechanism lab, computed, never stored."""

from par_core.public_names import listed, modules

__all__ = [
    "a_group",
    "best_of_runs",
    "choose_one",
    "clamping",
    "classroom",
    "coins",
    "float_noise",
    "loss_walk",
    "only_a_sample",
    "private_average",
    "published_records",
    "questions",
    "quiz",
    "refute_claim",
    "sensitivity",
    "ten_students",
    "two_worlds",
    "watch_it_run",
    "which_mechanism",
    "why_the_proof_fails",
]
__getattr__ = modules(__name__, __all__)
__dir__ = listed(__all__)
