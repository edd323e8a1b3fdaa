"""The charts of every section at three settings of the links, thinned: what they draw is on record.

`python -m tests.golden.record charts` writes `tests/data/charts.json.gz` anew.
"""

from pages.shared.navigation import PAGES
from tests.golden.flat import thinned
from tests.pages.conftest import View, values

POINTS = 40
EXTREMES = (
    {"e0": 1e-8, "k": 10_000},
    {"e0": 700, "k": 10_000, "s": 1e12},
    {"e0": 700, "e": 1e-8},
    {"e": 700},
)
"""Of these the first is on record too."""

_ANOTHER = {
    "decide": {
        "m": "discrete-laplace",
        "wev": 30,
        "wbv": 0.6,
        "wbp": 0.3,
        "wr": 1,
        "wd": 1,
        "wg": 1,
        "wm": 1,
        "wo": "all",
    },
    "your_table": {"ask": "mean", "only": 1, "n": 300, "want": 4, "nb": "add-or-remove"}
    | {"mrows": 5000, "mcells": 60, "mdraw": 7},
    "explicit_risk": {"e": 0.07, "ks": "1,2,5", "fe0": 2, "e0s": "0.5,3", "fk": 2, "find": "epsilon", "conf": 0.4}
    | {"spread": "even", "size": 10_000, "prior": 0.2, "th": -1},
    "budget_minimiser": {
        "model": "fine",
        "fine": 5000,
        "frate": 0.2,
        "rate": 0.7,
        "bud": 900_000,
        "err": 40,
        "pct": 25,
    },
    "composition": {"ce0": 0.2, "cn": 60, "cd": 1e-7, "ck": 2, "cno": "1,20", "cte": 2, "mix": "1 0.1_3 0.3_2"}
    | {"vtable": "digits", "ve0": 1, "ve": 0.42, "vn": 200, "vm": 12}
    | {"curves": "zcdp,rdp,optimal_pure,at_risk_exact,at_risk_preprint"},
    "sample_planner": {"sfind": "rho", "sn": 5000, "srhos": "0.02,0.2", "sask": "mean", "spairs": 2000, "sp": 100}
    | {"sshare": 0.8, "bby": "samples", "be0": 0.5, "bc2": 0.9, "ae0": 2, "aruns": 10, "aseed": 3},
    "empirical_audit": {"etable": "county_murders", "eask": "variance", "ewhich": "total", "enoise": 1, "erank": 2},
    "paper_check": {"claim": "par-theorem-3-with-theorem-4", "own": "0.5_200", "qf": "PaR Theorem 5", "qw": "lecture"},
    "mechanism_lab": {
        "le": 1.2,
        "lm": "gaussian",
        "ld": 1e-6,
        "lwa": 38,
        "lrn": 500,
        "lrk": 3,
        "ps": 3,
        "tr": "average",
        "lq": 7,
    }
    | {"lfa": "curve", "lfs": 0.4, "lfp": 500, "lfd": 3}
    | {"lcfrom": "own", "lcsaid": 200, "lutab": "1 A_1_1 B_0_2", "lwerr": "all", "lwmoves": "one"}
    | {"lsq": 0.3, "lgn": 7, "lln": 12, "lbn": 25, "lx": 4, "lxn": "add-or-remove", "lxv": 9},
}
_OF_NO_SCENARIO = {
    "paper_check": {"qp": "first-preprint", "qv": "refuted", "qn": 1, "qf": "all", "qm": 1},
    "empirical_audit": {"eask": "sum", "edraws": 12, "epart": 0.1, "ekern": "gaussian", "enoise": 3},
    "mechanism_lab": {
        "le": 20,
        "ld": 0.5,
        "lwa": -1e6,
        "lcn": 1_000_000,
        "lff": "table",
        "lrn": 10_000,
        "lrk": 10,
        "ps": 4,
        "tr": "floats",
        "lsq": 0.001,
        "lgn": 50,
        "lln": 100,
        "lbn": 100,
        "lx": 8,
    },
}


def sections_of(module):
    sections = next(info for info in PAGES if info.module == module).load().sections
    return [section.slug for section in sections] if len(sections) > 1 else []


SECTIONS = [(info.module, slug) for info in PAGES for slug in sections_of(info.module) or [None]]
OF_SCENARIO = [info.module for info in PAGES if info.load().of_scenario]


def settings_of(module, name):
    """The settings of the address under the name "defaults", "another" or "extreme"."""
    of_page = module in OF_SCENARIO
    return {
        "defaults": {},
        "another": {**({"e0": 0.1, "s": 3, "k": 2, "sh": 50} if of_page else {}), **_ANOTHER.get(module, {})},
        "extreme": EXTREMES[0] if of_page else _OF_NO_SCENARIO[module],
    }[name]


def key_of(module, section, name):
    return f"{module} {section} {name}"


def drawn(page):
    """What the charts of an open page draw, as numbers and texts under their paths."""
    found = {}
    for key, chart in page.charts.items():
        found |= {f"{key} title": chart.title, f"{key} x": chart.x_title, f"{key} y": chart.y_title}
        for place, trace in enumerate(chart.figure["data"]):
            found[f"{key} {place} name"] = trace.get("name")
            for axis in ("x", "y"):
                found[f"{key} {place} {axis}"] = _points(trace.get(axis, []))
    return found


def _points(encoded):
    if isinstance(encoded, list) and any(isinstance(each, str) for each in encoded):
        return [str(each) for each in encoded]
    return thinned(values(encoded), POINTS)


def recorded_now():
    """Open every section at each of the three settings."""
    found = {}
    for module, section in SECTIONS:
        for name in ("defaults", "another", "extreme"):
            tab = {"tab": section} if section else {}
            page = View().visit(module, **settings_of(module, name), **tab)
            found[key_of(module, section, name)] = drawn(page)
    return found
