"""Refute a claim: what is claimed, and of which outputs."""

from __future__ import annotations

from typing import Any

from pages.mechanism_lab import release_columns
from pages.mechanism_lab.lab_settings import choose_epsilon, choose_noise, toy_setting
from pages.mechanism_lab.release_columns import FROM
from pages.shared import controls, settings
from pages.shared.dial import dial
from par_core.lab.refute_claim import AGAINST
from par_core.questions.glossary import explain
from par_core.questions.mechanism_lab.refute_claim import RefuteDrawn, RefuteOutputs
from par_core.scenario import Scenario
from par_core.tables.table import Table

AGAINST_WHAT = settings.choice("lfa", "The claim", AGAINST)
SHARE = toy_setting("lfs", RefuteDrawn, "share")
PAIRS = toy_setting("lfp", RefuteDrawn, "pairs")
SEED = toy_setting("lfd", RefuteDrawn, "seed")
CLAIMED_DELTA = toy_setting("lfx", RefuteOutputs, "claimed_delta")

_SHARES = tuple(round(0.05 * step, 2) for step in range(5, 26))


def ask(scenario: Scenario, table: Table | None) -> RefuteDrawn | RefuteOutputs:
    words = {"drawn": "Drawn", "table": "A table"}
    controls.choice(FROM, hint=explain("refuted_outputs"), words=words.__getitem__)
    epsilon = choose_epsilon(hint="claimed_epsilon", label="Claimed ε")
    words = {"level": "ε alone", "curve": "Its whole curve"}
    against: Any = controls.choice(AGAINST_WHAT, hint=explain("claimed_curve"), words=words.__getitem__)
    if table is not None:
        noise = choose_noise() if against == "curve" else {}
        delta = CLAIMED_DELTA.value() if noise else controls.number(CLAIMED_DELTA, hint=explain("delta"))
        columns = release_columns.choose(table)
        return RefuteOutputs(scenario, epsilon, **noise, against=against, claimed_delta=delta, **columns)
    share = dial(SHARE, hint=explain("share_of_noise"), steps=_SHARES)
    noise = choose_noise()
    pairs = controls.whole(PAIRS, hint=explain("refuting_pairs"))
    seed = controls.whole(SEED, hint=explain("lab_seed"))
    return RefuteDrawn(scenario, epsilon, **noise, against=against, share=share, pairs=pairs, seed=seed)
