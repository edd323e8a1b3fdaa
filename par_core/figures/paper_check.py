"""The figures of the page that checks papers: verdicts by paper, one claim's numbers, what rests on what, the numbering."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final, get_args

import numpy as np

from par_core.claims import theorems
from par_core.claims.catalogue import Claim, Numbers, Outcome, Paper, Verdict, format_numbers, misses
from par_core.claims.inventory import Stated
from par_core.claims.theorems import Fate
from par_core.evidence import PROVEN, PUBLISHED, Basis
from par_core.figures import style, theme
from par_core.figures.drawing import Drawing, Trace
from par_core.rounding import raised

if TYPE_CHECKING:
    import pandas as pd

PAPERS: Final[dict[Paper, str]] = {
    Paper.FINAL: "Privacy at Risk",
    Paper.PREPRINT: "Its preprint",
    Paper.FIRST_PREPRINT: "Its first preprint",
    Paper.EMPIRICAL: "Empirical DP",
    Paper.LECTURE: "Lecture",
}
"""What each paper is called where there is little room."""

OUTCOMES: Final[dict[Outcome, str]] = {
    each: {
        "refuted": "Refuted",
        "reproduced": "Reproduced",
        "reproduced with a stated convention": "Reproduced by a convention",
        "needs data": "Needs data",
        "not reproducible from what is published": "Not reproducible",
    }.get(each, each.capitalize())
    for each in ("refuted", *(each for each in get_args(Outcome) if each != "refuted"))
}
"""What each verdict is called, the refuted ones first."""

_LOOKS: Final[Mapping[str, Mapping[str, Any]]] = {
    "refuted": {"color": theme.LIGHT["invalid"]},
    "reproduced": {"color": theme.LIGHT["exact"]},
    "reproduced with a stated convention": {
        "color": theme.LIGHT["exact"],
        "pattern": {"shape": "/", "fillmode": "replace", "fgcolor": theme.LIGHT["exact"], "size": 6, "solidity": 0.4},
    },
    "needs data": {"color": theme.LIGHT["muted"]},
}
_OTHER_LOOK: Final = {
    "color": theme.LIGHT["muted"],
    "pattern": {"shape": ".", "fillmode": "replace", "fgcolor": theme.LIGHT["muted"], "size": 5, "solidity": 0.4},
}
_LETTERS = 88  # of a title on one line
_ROW_LETTERS = 26  # of the name of a row, on one line
_FEW_STEPS = 6  # that have a tick each
_FIRST = 4  # of many numbers
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_OF_A_LETTER, _OF_A_MARK, _ON_A_PHONE = 7, 12, 230  # pixels: a letter beside a mark, the mark, and the axis there
_PALE = 0.22  # what a filter leaves out


def verdicts_by_paper(verdicts: Sequence[Verdict], *, left: Collection[str] | None = None) -> Drawing:
    """Draw how many claims of each paper have which verdict; what a filter does not leave (`left`, ids) is pale."""
    drawing = Drawing(title="What became of the claims of each paper", x="Number of claims", y="Paper")
    papers = papers_of(verdicts)
    places = style.set_rows(drawing, [PAPERS[each] for each in papers])
    for outcome, name in OUTCOMES.items():
        of = [
            [one.claim.id for one in verdicts if one.claim.paper is each and one.verdict == outcome] for each in papers
        ]
        if not any(of):
            continue
        kept = np.array([sum(left is None or each in left for each in ids) for ids in of])
        look = _LOOKS.get(outcome, _OTHER_LOOK)
        drawing.add(_counts(kept, places, name, look))
        if (pale := np.array([len(ids) for ids in of]) - kept).any():
            drawing.add(_counts(pale, places, name, look) | {"opacity": _PALE, "showlegend": False})
    drawing.layout.update(barmode="stack", height=200 + 44 * len(papers), legend={"y": -0.36, "traceorder": "normal"})
    drawing.set_x(tickformat=",d", rangemode="tozero")
    return drawing


def papers_of(verdicts: Sequence[Verdict]) -> list[Paper]:
    """Return the papers that have a claim among these: the rows of the figure, from its top."""
    return [each for each in PAPERS if any(one.claim.paper is each for one in verdicts)]


def verdicts_table(verdicts: Sequence[Verdict]) -> pd.DataFrame:
    """Return the same numbers as a table."""
    import pandas as pd

    rows = [(PAPERS[each.claim.paper], OUTCOMES[each.verdict]) for each in verdicts]
    table = pd.DataFrame(rows, columns=["paper", "verdict"])
    return table.value_counts(sort=False).rename("claims").reset_index()


def _counts(numbers: Any, places: Any, name: str, look: Mapping[str, Any]) -> Trace:
    return style.bars(
        numbers,
        places,
        name,
        orientation="h",
        width=0.62,
        marker=dict(look),
        meta="counted",
        hovertemplate="%{x}<extra>%{fullData.name}</extra>",
    )


def told(value: Numbers, *, first: int = _FIRST) -> str:
    """Return one number, or several in brackets, with the digits of a comparison as people write them; of many the first."""
    if isinstance(value, tuple):
        more = f", … of {len(value)} numbers" if len(value) > first else ""
        return f"({', '.join(map(told, value[:first]))}{more})"
    lead, _, exponent = format_numbers(value).partition("e")
    number = f"{Decimal(lead):,f}"
    return f"{number}·10{raised(int(exponent))}".removeprefix("1·") if exponent else number


def indexed(text: str) -> str:
    """Return a text of the catalogue with the digits behind a Greek letter as its index, and whole exponents raised: ε₀, 10⁻⁵."""
    text = re.sub(r"\^(\()?([-−]?\d+)(?(1)\))(?![\d.])", lambda found: raised(int(found[2].replace("−", "-"))), text)
    return re.sub(r"(?<=[α-ωΑ-Ω\u0302])\d+", lambda found: found[0].translate(_LOWERED), text)


def claim_numbers(verdict: Verdict) -> Drawing | None:
    """Draw the numbers of one claim on one axis: printed, by the paper's own formula, exact; None if it has none.

    Where one number is tested against another and fails, what lies between them is hatched.
    """
    rows = _rows(verdict)
    if not rows:
        return None
    drawing = Drawing(title=_title(verdict), x="Value", y="Number")
    places = style.set_rows(drawing, list(rows))
    every = np.concatenate([np.atleast_1d(values) for values, _ in rows.values()])
    low, high = float(every.min()), float(every.max())
    room = (high - low) or abs(high) or 1.0
    # A number alone is written outside of what is hatched, and needs room there on a phone.
    letters = max((len(told(values)) for values, _ in rows.values() if not isinstance(values, tuple)), default=0)
    wide = _OF_A_LETTER * letters + _OF_A_MARK
    aside = room * (max(0.75, wide / (_ON_A_PHONE - 2 * wide)) if letters else 0.1)
    drawing.set_x(range=[low - aside, high + aside], nticks=4, tickangle=0)
    failed = misses(verdict)
    if alone := len(failed) == 1:
        ends = np.array([0.55, len(rows) + 0.45])
        true, claimed = ((np.full(2, each), ends) for each in failed[0])
        drawing.add(style.not_valid(claimed, true, name="the claim fails by so much"))
    for place, (name, (values, basis)) in zip(places.tolist(), rows.items(), strict=True):
        drawing.add(_marks(np.atleast_1d(values), place, name, basis, middle=(low + high) / 2))
    lines = len(drawing.layout["title"]["text"].split("<br>"))
    height = 130 + 20 * lines + 40 * len(rows)
    drawing.layout.update(height=height, showlegend=alone, legend={"y": -70 / (40 * len(rows))})
    drawing.layout["title"]["y"] = 1 - 12 / height
    drawing.layout["margin"] = {"t": 24 + 20 * lines}
    return drawing


def _rows(verdict: Verdict) -> dict[str, tuple[Numbers, Basis]]:
    """Return what is drawn, from the top, each with what it is worth."""
    claim, rule = verdict.claim, verdict.rule
    implied = None if rule is None or isinstance(rule.other, str) else rule.other
    named: dict[str, tuple[Numbers | str | None, Basis]] = {
        "Published": (claim.published, PUBLISHED),
        "By its words": (implied, PUBLISHED),
        "Recomputed": (verdict.recomputed, PUBLISHED),
        "Exact": (verdict.exact, PROVEN),
    }
    return {name: (values, basis) for name, (values, basis) in named.items() if isinstance(values, int | float | tuple)}


def quantity(claim: Claim) -> str:
    """Return what the numbers of a claim are numbers of; a symbol at its head stays as it is, for Δ is not δ."""
    words = indexed(claim.quantity)
    return f"{words[0].upper()}{words[1:]}" if words[0].isascii() else words


def _title(verdict: Verdict) -> str:
    return "<br>".join(map(style.letters, wrap(quantity(verdict.claim), _LETTERS)))


def _marks(values: Any, place: float, name: str, basis: Basis, *, middle: float) -> Trace:
    make = style.exact if basis is PROVEN else style.published
    line = make(values, np.full(len(values), place), name)
    words = [told(each) for each in values.tolist()]
    symbol = {"Published": "circle-open", "By its words": "circle-open", "Recomputed": "square"}.get(name, "diamond")
    side = "middle left" if values[0] < middle else "middle right"
    alone = (
        {"mode": "markers+text", "text": [f"\u00a0{words[0]}\u00a0"], "textposition": side} if len(values) == 1 else {}
    )
    marker = {
        "color": line["line"]["color"],
        "size": 12,
        "symbol": symbol,
        "line": {"width": 2, "color": line["line"]["color"]},
    }
    look = {"mode": "markers", "marker": marker, "cliponaxis": False, "showlegend": False, "customdata": words}
    return line | look | alone | {"hovertemplate": "%{customdata}<extra>" + name + "</extra>"}


_FATES: Final[dict[theorems.Outcome, tuple[str, str, str]]] = {
    "stands": ("stands", "exact", "circle"),
    "stands where used": ("stands where it is used", "exact", "circle-open"),
    "undecided": ("cannot be decided", "muted", "square-open"),
    "falls": ("falls with another", "invalid", "triangle-down-open"),
    "fails by itself": ("fails by itself", "invalid", "x"),
}
"""Of each outcome its words in the legend, its colour and its symbol."""
_DOWN: Final = ("falls", "fails by itself")


def theorem_map(fates: Sequence[Fate]) -> Drawing:
    """Draw what rests on what: a row for each statement, after all that it rests on, and a line from each of these.

    What is not among `fates` is left out, with its lines. Statements begin on the left; each stands a step to the right of the last of
    those that it rests on.
    """
    drawing = Drawing(title="What rests on what, and what falls", x="Number of steps", y="Statement")
    rows = dict(zip((each.node.name for each in fates), style.set_rows(drawing, _names(fates)).tolist(), strict=True))
    steps: dict[str, int] = {}
    for each in fates:
        under = [steps[name] + 1 for name in (*each.node.rests_on, *each.node.proof) if name in steps]
        steps[each.node.name] = max(under, default=0)
    at = {name: (steps[name], rows[name]) for name in rows}
    drawing.add(
        _lines(fates, at, "rests on what stands", "muted", down=False),
        _lines(fates, at, "rests on what fails", "invalid", down=True),
    )
    for outcome, (words, role, symbol) in _FATES.items():
        if of := [each for each in fates if each.outcome == outcome]:
            drawing.add(_nodes(of, at, words, {"color": theme.LIGHT[role], "symbol": symbol}))
    height = 200 + 24 * len(fates)
    drawing.layout.update(height=height, legend={"y": -78 / (height - 104)})
    drawing.layout["title"]["y"] = 1 - 12 / height
    last = max(steps.values(), default=0)
    drawing.set_x(dtick=1 if last < _FEW_STEPS else 2, range=[-0.4, last + 0.4])
    drawing.set_y(tickfont={"size": 12})
    return drawing


def _names(fates: Sequence[Fate]) -> list[str]:
    """Return what the rows are called: all of one paper without its name, and long ones on two lines, for a phone."""
    names = [each.node.name.partition(" ") for each in fates]
    one = len({paper for paper, *_ in names}) == 1
    lines = [wrap(name if one else f"{paper} {name}", _ROW_LETTERS) for paper, _, name in names]
    return ["<br>".join(map(style.letters, each)) for each in lines]


def _lines(fates: Sequence[Fate], at: Mapping[str, tuple[int, int]], name: str, role: str, *, down: bool) -> Trace:
    """Return the lines from what fails, or from what does not, to what rests on it."""
    failing = {each.node.name for each in fates if each.outcome in _DOWN}
    ends = [
        (at[under], at[each.node.name])
        for each in fates
        for under in (*each.node.rests_on, *each.node.proof)
        if under in at and (under in failing) is down
    ]
    x, y = (np.array([[one[axis], other[axis], np.nan] for one, other in ends]).ravel() for axis in (0, 1))
    line = style.reference(x, y, name, role=role, width=1.6 if down else 0.8) | {"hoverinfo": "skip"}
    del line["hovertemplate"]
    return line


def _nodes(fates: Sequence[Fate], at: Mapping[str, tuple[int, int]], words: str, look: Mapping[str, Any]) -> Trace:
    x, y = np.array([at[each.node.name] for each in fates], dtype=float).T
    about = [f"{each.node.name}: {each.node.subject}" for each in fates]
    return style.reference(x, y, words) | {
        "mode": "markers",
        "marker": {"size": 11, "line": {"width": 2}, **look},
        "customdata": list(map(style.letters, about)),
        "hovertemplate": "%{customdata}<extra>%{fullData.name}</extra>",
    }


def map_table(fates: Sequence[Fate]) -> pd.DataFrame:
    """Return the map as a table, a row for each statement."""
    import pandas as pd

    return pd.DataFrame(
        {
            "statement": each.node.name,
            "subject": each.node.subject,
            "rests on": "; ".join(each.node.rests_on),
            "its proof needs": "; ".join(each.node.proof),
            "outcome": each.outcome,
            "falls with": "; ".join(each.falls_with),
        }
        for each in fates
    )


def inventory(rows: Sequence[Stated]) -> Drawing:
    """Draw how many statements of each text are checked, and how many hold nothing to compute."""
    drawing = Drawing(title="How much of each text is checked", x="Number of statements", y="Paper")
    places = style.set_rows(drawing, list(PAPERS.values()))
    looks: tuple[tuple[str, bool, Mapping[str, Any]], ...] = (
        ("checked", True, _LOOKS["reproduced"]),
        ("nothing to compute", False, _OTHER_LOOK),
    )
    for name, checked, look in looks:
        numbers = [sum(each in row.places and bool(row.claims) is checked for row in rows) for each in PAPERS]
        drawing.add(_counts(np.array(numbers), places, name, look))
    drawing.layout.update(barmode="stack", height=170 + 38 * len(PAPERS), legend={"y": -0.42, "traceorder": "normal"})
    drawing.set_x(tickformat=",d", rangemode="tozero")
    return drawing


def small_inventory(rows: Sequence[Stated]) -> Drawing:
    """Draw the same for a card."""
    drawing = inventory(rows)
    style.shrink(drawing, left=132)
    return drawing


def inventory_table(rows: Sequence[Stated]) -> pd.DataFrame:
    """Return the inventory as a table: a row for each statement, a column for each text."""
    import pandas as pd

    return pd.DataFrame(
        {
            "kind": each.kind,
            **{name: stated_at(each, paper) for paper, name in PAPERS.items()},
            "subject": each.subject,
            "claims": " ".join(each.claims),
        }
        for each in rows
    )


def stated_at(stated: Stated, paper: Paper) -> str:
    """Return where a text states it, "Theorem 4" or "Section 5.3"; a dash where it does not."""
    place = stated.places.get(paper, "")
    words = f"{stated.kind} {place}" if place[:1].isdigit() else place
    return f"{words[:1].upper()}{words[1:]}" or "–"
