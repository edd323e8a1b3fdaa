"""Releases at different levels: the table of them, and the target for all."""

from pages.composition import levels_table, scenario_fields
from pages.composition.how_many_releases import TARGET
from pages.shared.dial import dial
from pages.shared.settings import following, present_scenario
from par_core.questions.composition.levels import planned
from par_core.questions.composition.mixed_releases import MixedReleases
from par_core.questions.glossary import explain
from par_core.scenario import Scenario

TABLE = following(
    levels_table.setting("mix", "Releases at different levels", planned(Scenario())), planned, scenario=present_scenario
)


def ask(scenario: Scenario) -> MixedReleases:
    rows, without = levels_table.draw(TABLE, TABLE.value(), hint=explain("mixed_table"))
    target = dial(TARGET, hint=explain("target"))
    scenario_fields.field(scenario, "delta", "Target δ", hint=explain("delta"))
    return MixedReleases(scenario, None if rows == TABLE.opens_on else rows, target, without)
