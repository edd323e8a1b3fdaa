"""Reports: one page of HTML that needs no network and prints on A4, of the answer of one section or of a decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date as Date  # noqa: N812
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from par_core.mechanisms import MECHANISMS
from par_core.plan import PlanScenario, in_full
from par_core.questions.evidence import MEANINGS
from par_core.questions.html import told
from par_core.questions.question import Answer
from par_core.rounding import amount, small
from par_core.scenario import FIELDS, Neighbours, Scenario

_HERE = Path(__file__).parent
_OF_ONE = ("k", "sensitivity", "rows_per_person", "statistics", "mechanism")  # what each release of a plan says itself


def report(answer: Answer, *, title: str, link: str, version: str, date: Date) -> str:
    """Return an answer as an HTML file; `link` reopens the section, where there is one.

    Of a private question nothing is said but its answer.
    """
    question = answer.question
    body = told(answer.story())
    scenario = scenario_rows(question.scenario, money=False, without=("stakeholders", *question.unread))
    return page(
        title=title,
        headline=answer.headline,
        body=body,
        setting=[*({} if question.private else question.given).items(), *scenario],
        worth={word: meaning for word, meaning in MEANINGS.items() if f">{word}<" in body},
        link=link,
        version=version,
        date=date,
    )


def page(
    *,
    title: str,
    headline: str,
    body: str,
    setting: Sequence[tuple[str, str]],
    worth: Mapping[str, str],
    version: str,
    date: Date,
    link: str = "",
    lead: str = "",
    **more: object,
) -> str:
    """Return the page of a report; of a decision it has a `lead` under its headline, and `more`: what template calls so."""
    return _template().render(
        {"plan": "", "left_out": "", "method": (), "sources": (), "links": (), "are_local": False} | more,
        style=Markup((_HERE / "report.css").read_text(encoding="utf-8")),
        title=title,
        headline=headline,
        lead=Markup(lead),
        body=Markup(body),
        setting=setting,
        worth=worth,
        link=link,
        # Nothing but a page of a server leads anywhere: an address is text from outside.
        leads_there=lambda address: address.startswith(("http://", "https://")),
        version=version,
        date=f"{date.day} {date:%B %Y}",
    )


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string((_HERE / "report.html").read_text(encoding="utf-8"))


def scenario_rows(
    scenario: Scenario, *, money: bool, planned: bool = True, without: Sequence[str] = ()
) -> list[tuple[str, str]]:
    """Return the fields of a scenario with their values; those about `money` where it is asked about.

    Where nobody has `planned` the number of releases it is an example.
    """
    left_out, releases = (*without, *(() if money else ("compensation", "currency"))), list[tuple[str, str]]()
    if isinstance(scenario, PlanScenario):
        left_out = (*left_out, *_OF_ONE)
        releases = [(f"Release {at + 1}", in_full(scenario.whole, at)) for at in range(len(scenario.plan))]
    examples = () if planned else ("releases",)
    return releases + [
        (field.label, _value(getattr(scenario, field.name)) + " (an example)" * (field.name in examples))
        for field in FIELDS
        if field.name not in left_out
    ]


def _value(value: Any) -> str:
    if isinstance(value, Neighbours):
        return {Neighbours.REPLACE_ONE: "replaced by another", Neighbours.ADD_OR_REMOVE: "added or removed"}[value]
    if isinstance(value, str):
        return MECHANISMS[value].name if value in MECHANISMS else value
    return f"{value:,}" if isinstance(value, int) else small(value) if 0 < value < 0.001 else amount(value, 6)
