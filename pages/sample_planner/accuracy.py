"""What it does to accuracy: the regression on the table, its noise, and how often it is run."""

from __future__ import annotations

from typing import Any, cast, get_args

from pages.sample_planner import own_level, ridge_fields, tables
from pages.shared import controls, settings
from pages.shared.settings import Setting
from pages.shared.uploads import is_own
from par_core.questions.glossary import explain
from par_core.questions.sample_planner.accuracy import LEAST_LEVEL, MOST_LEVEL, MOST_RUNS, Noise, RegressionError
from par_core.questions.sample_planner.sampled import MOST_SEED
from par_core.scenario import Scenario
from par_core.tables.table import Table

_PLAIN = RegressionError
_ENDS: dict[str, Any] = {"at_least": LEAST_LEVEL, "at_most": MOST_LEVEL}
EPSILON = settings.number("ae", "Level hoped for, ε", _PLAIN.epsilon, **_ENDS)
EPSILON0 = settings.number("ae0", "ε₀ of the noise", _PLAIN.drawn_epsilon0, **_ENDS)
EPSILON0S = settings.numbers("ae0s", "Confidence for ε₀", _PLAIN.epsilon0s, **_ENDS)
RUNS = settings.whole("aruns", "Runs", _PLAIN.runs, at_least=2, at_most=MOST_RUNS)
SEED = settings.whole("aseed", "Seed of the runs", _PLAIN.seed, at_least=0, at_most=MOST_SEED)
NOISE = settings.choice("anoise", "Noise for", get_args(Noise))
SETTINGS: tuple[Setting[Any], ...] = (EPSILON, EPSILON0, EPSILON0S, RUNS, SEED, NOISE)

_NOISE_WORDS = {"proven": "the proven sensitivity", "published": "the published one"}


def ask(scenario: Scenario, table: Table) -> RegressionError:
    epsilon = controls.number(EPSILON, hint=explain("epsilon"))
    epsilon0 = controls.number(EPSILON0, hint=explain("epsilon0"))
    own_level.say(scenario, EPSILON0)
    epsilon0s = controls.number_list(EPSILON0S, hint=explain("confidence"), offers=("0.6", "0.8", "1", "2"))
    fields = tables.fields_of(table, ridge_fields.choose(table))
    noise = controls.choice(NOISE, hint=explain("noise_for"), words=_NOISE_WORDS.__getitem__)
    runs = controls.whole(RUNS, hint=explain("runs"))
    seed = controls.whole(SEED, hint="The same seed gives the same picture.")
    controls.button(
        "Figure 6",
        _as_published,
        table,
        hint="As in the paper: ε from 0.1 to 0.99, ε₀ = 1, 0.8 and 0.6, 50 runs, λ = 0.01, no intercept and the published noise; of a "
        "built-in table also what is predicted from what, and its bounds.",
    )
    return RegressionError(
        scenario,
        **fields,
        runs=runs,
        seed=seed,
        noise=cast(Noise, noise),
        epsilon=epsilon,
        drawn_epsilon0=epsilon0,
        epsilon0s=tuple(epsilon0s),
    )


def _as_published(table: Table) -> None:
    for each in (*SETTINGS, ridge_fields.PENALTY, ridge_fields.INTERCEPT):
        each.put(each.default)
    NOISE.put("published")
    if not is_own(table):
        ridge_fields.put_preset(table)
