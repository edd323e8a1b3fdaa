"""The report: one HTML file for a director that needs no network and prints on A4. It takes plain settings alone, never data."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as Date  # noqa: N812
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from par_core.datasets.deployments import deployments
from par_core.decision import MoneyWish, Wish
from par_core.export import report_words as words
from par_core.export.report_found import Found, find, wished_total
from par_core.figures import decide as decide_figures
from par_core.figures import report as figures
from par_core.figures.decision_words import own_level
from par_core.figures.drawing import Drawing
from par_core.figures.quantities import written
from par_core.figures.svg import svg
from par_core.parameters import listed, of_type
from par_core.scenario import Scenario

_LOCAL = tuple(f"{scheme}://{host}" for scheme in ("http", "https") for host in ("127.0.0.1", "localhost", "[::1]"))
_HERE = Path(__file__).parent
_WIDE, _NARROW = 680, 340  # pixels: of a sheet of paper, and of a phone


class Picture(NamedTuple):
    """A drawing twice: for paper and a wide screen, and for a phone."""

    wide: Markup
    narrow: Markup


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
    of_type("scenario", scenario, Scenario)
    asked = tuple(of_type("wishes", each, Wish) for each in listed("wishes", wishes))
    found = find(scenario, asked)
    asks_money = any(isinstance(each, MoneyWish) for each in asked)
    return _template().render(
        style=Markup((_HERE / "report.css").read_text(encoding="utf-8")),
        headline=words.headline(found, examples=examples),
        left_out=left_out,
        plan=words.plan(scenario, planned=planned),
        level=own_level(scenario.epsilon0),
        decision=words.decision_sentences(found, examples=examples),
        is_possible=found.decision is not None,
        wishes=words.wish_rows(found),
        odds=words.odds_sentences(found),
        numbers=words.numbers_sentences(found),
        spent=words.spent_sentences(found),
        also=words.also_sentences(scenario, also) if also and found.decision is not None else None,
        money=words.money_sentences(found),
        duties=words.duty_rows(found, ticked),
        scenario=words.scenario_rows(scenario, money=asks_money, planned=planned),
        method=words.method(scenario),
        worth={name: meaning for name, meaning in words.WORTH.items() if name == "Proven" or asks_money},
        local=any(address.startswith(_LOCAL) for _, address in links),
        sources=words.sources(found),
        pictures=_pictures(found, words.headline(found, examples=examples)),
        # Nothing but a page of a server leads anywhere: an address is text from outside.
        links=[(title, address, address.startswith(("http://", "https://"))) for title, address in links],
        version=version,
        date=f"{date.day} {date:%B %Y}",
    )


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string((_HERE / "report.html").read_text(encoding="utf-8"))


def _pictures(found: Found, headline: str) -> dict[str, Picture]:
    scenario, pictures = found.scenario, {}
    if found.decision is not None:
        drawing = decide_figures.decision(
            found.decision,
            epsilon0=scenario.epsilon0,
            deployments=deployments(),
            delta=scenario.delta,
            currency=scenario.currency,
        )
        rows = "; ".join(f"{each.wish}: ε₀ {each.levels}" for each in words.wish_rows(found))
        pictures["decision"] = _picture("decision", drawing, f"{headline}. {rows}", drawing.layout["height"] - 165)
    if found.odds is not None:
        drawing = decide_figures.odds(found.odds, epsilon0=scenario.epsilon0)
        inside, outside = (decide_figures.of_100(each) for each in (found.odds.if_in, found.odds.if_out))
        pictures["odds"] = _picture(
            "odds", drawing, f"{inside} of 100 squares are dark if a person is in the data, {outside} if not.", 170
        )
    if found.numbers is not None:
        drawing = figures.made_up_numbers(found.numbers)
        alt = f"{len(found.numbers.exact)} made-up numbers as bars, each with its range of 95 in 100."
        pictures["numbers"] = _picture("numbers", drawing, alt, 130)
    if found.spent is not None:
        spent = found.spent
        wished = wished_total(found.wishes, scenario.delta)
        drawing = figures.spent(spent.releases, spent.exact, spent.basic, planned=spent.at, wished=wished)
        alt = f"ε of all together rises to {written(spent.exact.quantity('upper', -1))} after {spent.releases[-1]:,} releases."
        pictures["spent"] = _picture("spent", drawing, alt, 130)
    return pictures


def _picture(name: str, drawing: Drawing, alt: str, height: float) -> Picture:
    title = drawing.layout["title"]["text"]
    wide, narrow = (
        Markup(svg(drawing, width=width, height=height, name=f"{name}-{width}", title=title, alt=alt))
        for width in (_WIDE, _NARROW)
    )
    return Picture(wide, narrow)
