"""Mechanism lab: toys for a lecture, and for a student alone, each with one question and a dial."""

from pages.mechanism_lab import (
    a_group,
    best_of_runs,
    choose_one,
    coins,
    loss_walk,
    only_a_sample,
    quiz,
    refute_claim,
    release_columns,
    sensitivity,
    traps,
    two_worlds,
    watch_it_run,
    which_mechanism,
    why_the_proof_fails,
)
from pages.mechanism_lab.lab_settings import DELTA, DIALS
from pages.shared.page import Page, Section

PAGE = Page(
    "mechanism_lab",
    "What does a private mechanism do, and what can go wrong?",
    (
        Section(
            "worlds",
            "One answer, two worlds",
            ask=two_worlds.ask,
            fields=two_worlds.DIALS,
            own=two_worlds.OWN,
            dial="ε",
        ),
        Section("run", "Watch it run", ask=watch_it_run.ask, fields=DIALS | {"drawn": watch_it_run.RELEASES}, dial="ε"),
        Section("sensitivity", "Sensitivity", ask=sensitivity.ask, dial="exercise"),
        Section("coins", "Coins", ask=coins.ask, fields=DIALS | {"true": coins.TRUE}, dial="ε"),
        Section("choose", "Choose one of many", ask=choose_one.ask, fields=DIALS, dial="ε"),
        Section("which", "Which mechanism?", ask=which_mechanism.ask, fields=DIALS | {"noise_delta": DELTA}, dial="ε"),
        Section("losses", "Loss by loss", ask=loss_walk.ask, fields=loss_walk.DIALS, dial="releases"),
        Section("sample", "Only a sample", ask=only_a_sample.ask, fields=only_a_sample.DIALS, dial="the share"),
        Section("group", "A group", ask=a_group.ask, fields=a_group.DIALS, dial="the size"),
        Section("best", "The best of several", ask=best_of_runs.ask, fields=best_of_runs.DIALS, dial="runs"),
        Section(
            "proof", "Why the proof fails", ask=why_the_proof_fails.ask, fields=why_the_proof_fails.DIALS, dial="ε"
        ),
        Section("traps", "Traps", ask=traps.ask, fields=traps.DIALS, dial="its number"),
        Section(
            "refute",
            "Refute a claim",
            about=release_columns.open_table,
            ask=refute_claim.ask,
            fields=DIALS | {"share": refute_claim.SHARE},
            dial="ε",
        ),
        Section("quiz", "Quiz", ask=quiz.ask, own=quiz.OWN, dial="question"),
    ),
    of_scenario=False,  # a lecture has its own settings, which begin at the reader's
    stops=(
        "worlds",
        "run",
        "coins",
        "choose",
        "which",
        "proof",
        "traps",
        "refute",
        "quiz",
    ),  # made for a talk, all of it
)
