"""The report on a decision: one HTML file for a director that needs no network and prints on A4. It takes plain settings, never data."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as Date  # noqa: N812

from par_core.decision import MoneyWish, Wish
from par_core.parameters import check_list, check_type
from par_core.questions.decide import report_story as story
from par_core.questions.evidence import MEANINGS
from par_core.questions.html import told
from par_core.questions.report import page, scenario_rows
from par_core.scenario import Scenario

_LOCAL = tuple(f"{scheme}://{host}" for scheme in ("http", "https") for host in ("127.0.0.1", "localhost", "[::1]"))


def report(
    scenario: Scenario,
    wishes: Sequence[Wish] = (),
    *,
    ticked: Sequence[str] = (),
    examples: bool = False,
    planned: bool = True,
    also: Sequence[tuple[float, float]] = (),
    left_out: str = "",
    links: Sequence[tuple[str, str]] = (),
    version: str,
    date: Date,
) -> str:
    """Return the report on a scenario as HTML: the decision that the wishes lead to, and what the scenario's own level gives.

    `ticked` are the keys of duties that the reader has settled, `examples` says that nobody has made these wishes, and `planned` whether
    somebody has planned this number of releases. `also` are other releases, levels and how many there are at each, and `left_out` is
    said first. `links` are the titles and the addresses of pages that show it, `version` is that of the explorer. The same arguments give
    the same file. ParameterError for other types; where the mechanism is impossible the report says so.

    >>> html = report(Scenario(), version="1.0", date=Date(2026, 1, 31))
    >>> html.splitlines()[0], "31 January 2026" in html, "<script" in html
    ('<!doctype html>', True, False)
    """
    check_type("scenario", scenario, Scenario)
    asked = tuple(check_type("wishes", each, Wish) for each in check_list("wishes", wishes))
    found = story.find(scenario, asked)
    asks_money = any(isinstance(each, MoneyWish) for each in asked)
    by_model = asks_money or bool(scenario.only_if)
    headline = story.headline(found, examples=examples)
    return page(
        title="Privacy report",
        headline=headline,
        plan=story.plan(scenario, planned=planned),
        left_out=left_out,
        lead=told(story.decision(found, examples=examples)),
        body=told(story.parts(found, headline=headline, also=also, ticked=tuple(ticked))),
        setting=scenario_rows(scenario, money=asks_money, planned=planned),
        method=story.method(scenario),
        worth={word: MEANINGS[word] for word in ("Proven", "By your model") if word == "Proven" or by_model},
        sources=story.sources(found),
        links=links,
        are_local=any(address.startswith(_LOCAL) for _, address in links),
        version=version,
        date=date,
    )
