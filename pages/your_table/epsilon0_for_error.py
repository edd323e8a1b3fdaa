"""ε₀ for a wanted error: the error that will do, and the query on the table."""

from typing import cast, get_args

from pages.shared import controls, settings
from pages.your_table import into_plan
from pages.your_table.query_controls import choose
from pages.your_table.query_settings import ASK
from par_core.questions.glossary import explain
from par_core.questions.your_table.epsilon0_for_error import Epsilon0ForError, Measured
from par_core.scenario import Scenario
from par_core.tables.table import Table

WANTED = settings.number("want", "Largest error that will do", Epsilon0ForError.wanted, at_least=1e-9, at_most=1e12)
MEASURE = settings.choice("meas", "Error of", get_args(Measured))

_IN_ITS_UNIT = "In the unit of the published number."
_MEASURE_WORDS = {"each": "Each number", "all": "All at once", "total": "Their total", "average": "On average"}


def ask(scenario: Scenario, table: Table) -> Epsilon0ForError:
    into_plan.say_alone()
    statistic = ASK.value()
    unit = "In rows between the published value and the true one." if statistic == "quantile" else _IN_ITS_UNIT
    wanted = controls.number(WANTED, hint=unit)
    measure = controls.choice(MEASURE, hint=explain("measure"), words=_MEASURE_WORDS.__getitem__)
    return Epsilon0ForError(
        scenario, **choose(scenario, table, statistic, of_plan=False), wanted=wanted, measure=cast(Measured, measure)
    )
