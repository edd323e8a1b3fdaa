"""Two answers: what is published beside the first one."""

from typing import cast, get_args

from pages.empirical_audit.query_fields import EPSILON, RANK, choose
from pages.shared import controls, settings
from pages.shared.dial import dial
from par_core.questions.empirical_audit.joint import LEFT_OUT, Second, TwoAnswers
from par_core.questions.glossary import explain
from par_core.scenario import Scenario
from par_core.tables.table import Table

SECOND = settings.choice("ejoin", "Published with it", get_args(Second))


def ask(_: Scenario, table: Table) -> TwoAnswers:
    chosen, epsilon = choose(table), dial(EPSILON, hint=explain("audit_epsilon"))
    second = cast(Second, controls.choice(SECOND, hint=explain("joint_second"), words=_words))
    rank = controls.whole(RANK, hint=explain("ranking"))
    return TwoAnswers(**chosen, epsilon=epsilon, rank=rank, second=second)


def _words(second: str) -> str:
    return "the same, one left out" if second == LEFT_OUT else second
