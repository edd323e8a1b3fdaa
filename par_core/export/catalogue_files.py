"""The catalogue as files: a table for a spreadsheet, JSON for a program, and one page that needs no network and prints on A4."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date as Date  # noqa: N812
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args

from markupsafe import Markup

from par_core.claims import CLAIMS, REFUTED, Verdict
from par_core.claims.catalogue import Numbers, Outcome, Paper
from par_core.claims.error_severity import GRAVITIES, gravity
from par_core.claims.root_errors import RootError, root_errors
from par_core.export import safe_csv
from par_core.export.sentences import counted
from par_core.figures.paper_check import told
from par_core.parameters import check_list, check_type

if TYPE_CHECKING:
    from jinja2 import Template

_HERE = Path(__file__).parent
_ORDER: Final[tuple[Outcome, ...]] = (REFUTED, *(each for each in reversed(get_args(Outcome)) if each != REFUTED))
"""The verdicts, what a reader looks for first at the front."""


def citation(*, version: str, date: Date | None = None, claim: str = "") -> str:
    """Return how to cite the catalogue, or the claim with an id: by its version, for a later one may find otherwise."""
    day = f", {_day(date)}" if date else ""
    return f"Privacy at Risk explorer, version {version}, Paper check{f', claim {claim}' if claim else ''}{day}."


def headline(verdicts: Sequence[Verdict]) -> str:
    """Return how many independent errors the whole catalogue holds and with which most falls; of some claims only how many fail."""
    fail = sum(each.refuted for each in verdicts)
    if not (roots := _roots(verdicts)):
        return f"{fail:,} of {counted(len(verdicts), 'claim')} fail{'s' * (fail == 1)}"
    falling = len(roots[0].falling)
    return f"{counted(len(roots), 'root error')}; {counted(falling, 'claim')} fall{'s' * (falling == 1)} with {roots[0].place} alone"


def gravest(root: RootError, verdict_of: Callable[[str], Verdict]) -> str:
    """Return how grave an error is: as its gravest claim."""
    return max((gravity(verdict_of(name)) for name in root.claims), key=[*GRAVITIES].index)  # type: ignore[arg-type, return-value]


def as_csv(
    verdicts: Sequence[Verdict], *, version: str, date: Date | None = None, found: Mapping[str, str] | None = None
) -> str:
    """Return the verdicts as CSV, one row each; `version` is that of the explorer, `date` the day on which they were found.

    `found` is what else stands above them, such as another title. Numbers keep every digit, several stand in brackets; no text is a
    formula to a spreadsheet.
    """
    import pandas as pd  # the page of HTML and a check of one claim do without

    rows = [
        {
            "id": claim.id,
            "paper": claim.paper.value,
            "section": claim.section,
            "where": claim.where,
            "statement": claim.statement,
            "quantity": claim.quantity,
            "published": _cell(each.published),
            "recomputed": _cell(each.recomputed),
            "exact": _cell(each.exact),
            "as printed": _as_printed(each, _cell),
            "case": each.case,
            "verdict": each.verdict,
            "comparison": each.reason,
            "gravity": gravity(each) or "",
            "convention": each.convention,
            "explanation": claim.explanation,
        }
        for each in _checked(verdicts)
        for claim in [each.claim]
    ]
    head = {"title": "Paper check", "cite": citation(version=version, date=date), **(found or {})}
    return safe_csv.as_csv(pd.DataFrame(rows, dtype=object), head, version=version)


def as_json(verdicts: Sequence[Verdict], *, version: str, date: Date) -> str:
    """Return the verdicts as JSON with version, date and how to cite them, and of the whole catalogue its root errors."""
    every = _checked(verdicts)
    by_id = {each.claim.id: each for each in every}
    roots = [
        {
            "name": root.name,
            "paper": root.paper.value,
            "where": root.place,
            "subject": root.subject,
            "gravity": gravest(root, by_id.__getitem__),
            "claims": root.claims,
            "falling": root.falling,
        }
        for root in _roots(every)
    ]
    whole = {
        "title": "Paper check",
        "version": version,
        "date": date.isoformat(),
        "cite": citation(version=version, date=date),
        "gravities": GRAVITIES,
        "root_errors": roots,
        "claims": records(every),
    }
    return json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def records(verdicts: Sequence[Verdict]) -> list[dict[str, object]]:
    """Return what a program reads of every claim; numbers have every digit."""
    return [
        {
            "id": claim.id,
            "paper": claim.paper.value,
            "where": claim.where,
            "statement": claim.statement,
            "quantity": claim.quantity,
            "verdict": each.verdict,
            "gravity": gravity(each) or "",
            "published": _plain(each.published),
            "recomputed": _plain(each.recomputed),
            "exact": _plain(each.exact),
            "rounded": "near",
            "case": each.case,
            "comparison": each.reason,
            "convention": each.convention,
            "standing": each.evidence.basis.value,
            "explanation": claim.explanation,
        }
        for each in verdicts
        for claim in [each.claim]
    ]


def as_html(verdicts: Sequence[Verdict], *, version: str, date: Date) -> str:
    """Return the verdicts as one page of HTML, by paper and verdict; `version` is that of the explorer.

    Each claim has its id as anchor. The same arguments give the same file.
    """
    every = _checked(verdicts)
    by_id = {each.claim.id: each for each in every}
    not_compared = sum(each.rule is None for each in every)
    papers = []
    for paper in Paper:
        found = {
            name: [each for each in every if each.claim.paper is paper and each.verdict == name] for name in _ORDER
        }
        groups = [
            (f"{paper.name.lower().replace('_', '-')}-{name.replace(' ', '-')}", name, those)
            for name, those in found.items()
            if those
        ]
        if groups:
            papers.append((paper.value, groups))
    return _template().render(
        style=Markup((_HERE / "catalogue.css").read_text(encoding="utf-8")),
        papers=papers,
        headline=headline(every),
        roots=[(root, gravest(root, by_id.__getitem__)) for root in _roots(every)],
        cite=citation(version=version, date=date),
        number=len(every),
        refuted=sum(each.refuted for each in every),
        left=f" ({not_compared} {'is' if not_compared == 1 else 'are'} not)" if not_compared else "",
        gravities=GRAVITIES,
        version=version,
        date=_day(date),
    )


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined  # late: only who asks for a file pays for it

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["shown"], environment.filters["gravity"] = _shown, gravity
    environment.filters["as_printed"] = partial(_as_printed, show=_shown)
    return environment.from_string((_HERE / "catalogue.html").read_text(encoding="utf-8"))


def _roots(verdicts: Sequence[Verdict]) -> tuple[RootError, ...]:
    """Return the independent errors of the whole catalogue; of fewer claims nothing can be said, and there are none."""
    return root_errors(verdicts) if {each.id for each in CLAIMS} <= {each.claim.id for each in verdicts} else ()


def _day(date: Date) -> str:
    return f"{date.day} {date:%B %Y}"


def _plain(value: Numbers | str | None) -> object:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return float(value) if isinstance(value, int | float) else value


def _checked(verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    return tuple(check_type("verdicts", each, Verdict) for each in check_list("verdicts", verdicts))


def _as_printed(verdict: Verdict, show: Callable[[Numbers], object]) -> str:
    """Return the numbers of the literal reading of a claim that is reproduced with a convention; empty for any other."""
    literal = verdict.as_printed
    if literal is None or not verdict.convention:
        return ""
    found = {"recomputed": literal.recomputed, "exact": literal.exact}
    return ", ".join(f"{name} {show(value)}" for name, value in found.items() if value is not None)


def _cell(value: Numbers | str | None) -> Numbers | str | None:
    return str(value) if isinstance(value, tuple) else value


def _shown(value: Numbers | str) -> str:
    return value if isinstance(value, str) else told(value, first=len(value) if isinstance(value, tuple) else 1)
