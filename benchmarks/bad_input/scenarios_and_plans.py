"""scenario.json and plan.toml, held against what Python's json and tomllib read, and a plan in a line of an address."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import asdict
from typing import Any

from par_core.plan import NamedRelease, Plan, Release, from_address, from_toml, in_address, to_toml
from par_core.queries import CountBy, Sum
from par_core.scenario import FIELDS, Scenario, from_file, plan_in, wishes_in

LINE = "2~counts_12_r3_t12~mean_l0_u110_n9277_t12~quantile_q0.5_d111~sum_u50_w2~numbers_3_s2"
SCENARIO = (
    Scenario().to_file().encode(),
    Scenario(epsilon0=0.25, k=3, releases=7).to_file({"we": "1"}, "1~counts_12_r3").encode(),
)
_COUNTS = CountBy(("district",), (("north", "south"),))
_OF_COUNTS = Release(_COUNTS.shape, rows_per_person=3, mechanism="discrete-laplace", times=12)
_SUM = Sum("cost", 0, 50)
_NAMED = (NamedRelease(_OF_COUNTS, _COUNTS, person="patient"), NamedRelease(Release(_SUM.shape, times=4), _SUM))
PLAN = (
    to_toml(Plan(tuple(each.release for each in _NAMED), budget=3.0), _NAMED).encode(),
    b'format = 1\nepsilon0 = 0.6\nneighbours = "add-or-remove"\ndelta = 1e-6\n\n[[release]]\nquantile = "age"\nbounds = [0, 110]\nstep = 1'
    b'\nwhere = ["ward", "in", ["A", "B"]]\n'
    b'\n[[release]]\nmean = "cost"\nbounds = [0, 50]\nsize = 100\nby = "ward"\ncategories = ["A", "B"]\n'
    b'\n[[release]]\nhistogram = "age"\nedges = [0, 18, 65]\nweight = 2\n',
)


def decoded(data: bytes) -> tuple[Any, bool]:
    """What JSON says, and whether a key stands twice: which one counts, nobody can say."""
    twice = []

    def held(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        twice.append(len(dict(pairs)) < len(pairs))
        return dict(pairs)

    return json.loads(data, object_pairs_hook=held), any(twice)


def take_scenario(data: bytes) -> str | None:
    scenario, missing = from_file(data)
    wishes_in(data), plan_in(data)
    held, twice = decoded(data)
    if twice:
        return "a key stands there twice"
    labels = {each.label: each.name for each in FIELDS}
    for name, value in asdict(scenario).items():
        stands = getattr(Scenario(), name) if name in {labels[each] for each in missing} else held[name]
        if value != stands or isinstance(stands, bool):
            return f"{name} is {value!r}"
    return None


def take_plan(data: bytes) -> str | None:
    plan, named = from_toml(data)
    held = tomllib.loads(data.decode("utf-8-sig"))
    if any(getattr(plan, name) != held[name] for name in ("epsilon0", "delta", "neighbours")):
        return "its levels are others"
    if plan.budget != held.get("budget"):
        return "its budget is another"
    for each, cells in zip(named, held["release"], strict=True):
        for name in ("rows_per_person", "times", "weight", "rows", "size", "statistics", "mechanism"):
            if name in cells and getattr(each.release, name) != cells[name]:
                return f"{name} is {getattr(each.release, name)!r}"
        query = each.query
        for name, values in (("edges", getattr(query, "edges", ())), ("step", getattr(query, "step", None))):
            if name in cells and (list(values) if name == "edges" else values) != cells[name]:
                return f"{name} is {values!r}"
        if "bounds" in cells and [query.lower, query.upper] != cells["bounds"]:
            return f"bounds are {query!r}"
    return None if from_toml(to_toml(plan, named)) == (plan, named) else "saved, it is another plan"


def take_line(data: bytes) -> str | None:
    text = data.decode("utf-8", "replace")
    releases = from_address(text)
    if from_address(in_address(releases)) != releases:
        return "written again, it is another plan"
    for release, part in zip(releases, text.split("~")[1:], strict=True):
        for cell in part.split("_")[1:]:
            if re.fullmatch(r"[trn]\d+", cell):
                name = {"t": "times", "r": "rows_per_person", "n": "rows"}[cell[0]]
                if getattr(release, name) != int(cell[1:]):
                    return f"{name} is {getattr(release, name)}"
    return None
