"""Where the answer to each question of the quiz is shown."""

from typing import NamedTuple
from urllib.parse import parse_qsl

from par_core.lab.quiz import Question


class Link(NamedTuple):
    """What leads to a section of a page, with the address under which that shows the answer: of the numbers given and the answers."""

    label: str
    module: str
    query: str


_SPENT = "tab=accountants&ce0={epsilon}&cn={releases}&cno={releases}"
LINKS = {
    "grade": Link("See who is exposed by exact answers", "empirical_audit", "tab=exposed"),
    "response": Link("Toss the coins", "mechanism_lab", "tab=coins&lcfrom=own&lcsaid={yes}&lcn={people}&le={level}"),
    "loss": Link("See claim and truth", "explicit_risk", "tab=truth&e0={epsilon0}&e={epsilon}&m=laplace"),
    "belief": Link(
        "See what an attacker gains", "explicit_risk", "tab=attacker&e0={epsilon}&prior={prior}&m=laplace&att=one"
    ),
    "hits": Link("See the errors of an attack", "explicit_risk", "tab=attacker&e0={epsilon}&m=laplace&att=one"),
    "invented": Link("See what setting to 0 does", "mechanism_lab", "tab=traps&tr=clamping&le={epsilon}&tc={cells}"),
    "added": Link("See the accountants", "composition", _SPENT),
    "spent": Link("See the exact curve", "composition", _SPENT + "&cd={delta:g}&m=laplace"),
    "crossing": Link(
        "See which mechanism", "mechanism_lab", "tab=which&le={epsilon}&ld={delta:g}&lwerr=average&lwmoves=all"
    ),
    "clamped": Link("See the traps", "mechanism_lab", "tab=traps&tr=clamping&le={epsilon}&tk={bound}"),
    "refuted": Link("See what an attack can reach", "explicit_risk", "tab=attacker"),
    "somebody": Link("See the traps", "mechanism_lab", "tab=traps&tr=delta&td={expected:g}&tn={people}"),
}


def address(question: Question) -> dict[str, str]:
    """Return the parameters of the link, with the numbers of the question."""
    values = {**question.answers, **question.explained, **question.given}
    numbers = {name: getattr(each, "value", each) for name, each in values.items()}
    return dict(parse_qsl(LINKS[question.key].query.format(**numbers)))
