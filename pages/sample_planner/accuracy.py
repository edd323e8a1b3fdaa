"""What it does to accuracy: the regression on the table, its noise, and how often it is run."""

from __future__ import annotations

from dataclasses import replace

from pages.sample_planner import own_level, ridge_fields, tables
from pages.sample_planner.of_question import Fields
from pages.shared import controls
from pages.shared.uploads import is_own
from par_core.questions.glossary import explain
from par_core.questions.sample_planner.accuracy import RegressionError
from par_core.scenario import Scenario
from par_core.tables.table import Table

FIELDS = Fields(RegressionError)
EPSILON = FIELDS.setting("epsilon", "ae", "Level hoped for, ε")
EPSILON0 = FIELDS.setting("noise_epsilon0", "ae0", "ε₀ of the noise")
EPSILON0S = FIELDS["epsilon0s"] = replace(  # in the order of the paper
    FIELDS.setting("epsilon0s", "ae0s", "Confidence for ε₀"), default=["1", "0.8", "0.6"]
)
RUNS = FIELDS.setting("runs", "aruns", "Runs")
SEED = FIELDS.setting("seed", "aseed", "Seed of the runs")
NOISE = FIELDS.setting("noise", "anoise", "Noise for")

_NOISE_WORDS = {"proven": "the proven sensitivity", "published": "the published one"}


def ask(scenario: Scenario, table: Table) -> RegressionError:
    controls.number(EPSILON, hint=explain("epsilon"))
    controls.number(EPSILON0, hint=explain("epsilon0"))
    own_level.say(scenario, EPSILON0)
    controls.number_list(EPSILON0S, hint=explain("confidence"), offers=("0.6", "0.8", "1", "2"))
    fields = tables.fields_of(table, ridge_fields.choose(table))
    controls.choice(NOISE, hint=explain("noise_for"), words=_NOISE_WORDS.__getitem__)
    controls.whole(RUNS, hint=explain("runs"))
    controls.whole(SEED, hint="The same seed gives the same picture.")
    controls.button(
        "Figure 6",
        _as_published,
        table,
        hint="As in the paper: ε from 0.1 to 0.99, ε₀ = 1, 0.8 and 0.6, 50 runs, λ = 0.01, no intercept and the published noise; of a "
        "built-in table also what is predicted from what, and its bounds.",
    )
    return RegressionError(scenario, **fields, **FIELDS.now())


def _as_published(table: Table) -> None:
    for each in (*FIELDS.values(), ridge_fields.PENALTY, ridge_fields.INTERCEPT):
        each.put(each.default)
    NOISE.put("published")
    if not is_own(table):
        ridge_fields.put_preset(table)
