"""How many samples: which of pairs, distance and probability is to be found, and the other two."""

from __future__ import annotations

from typing import Any, cast

from pages.shared import controls, paper_switch, settings
from pages.shared.dial import dial
from pages.shared.settings import Setting
from par_core.questions.glossary import explain
from par_core.questions.sample_planner.how_many import (
    LEAST_RHO,
    MOST_ALPHA,
    MOST_DRAWN_RHO,
    MOST_PAIRS,
    Found,
    HowManySamples,
)
from par_core.scenario import Scenario

FIND = settings.choice("sfind", "Find", ("samples", "alpha", "rho"))
PAIRS = settings.whole("sn", "Sampled pairs", HowManySamples.samples, at_least=1, at_most=MOST_PAIRS)
RHO = settings.number("srho", "Distance ρ", HowManySamples.rho, at_least=LEAST_RHO, at_most=1.0)
ALPHA = settings.number("sa", "Probability α", HowManySamples.alpha, at_least=0.0, at_most=MOST_ALPHA)
PAPER_ONLY = paper_switch.setting("spaper")
RHOS = settings.numbers("srhos", "Curves for ρ", HowManySamples.rhos, at_least=LEAST_RHO, at_most=MOST_DRAWN_RHO)
SETTINGS: tuple[Setting[Any], ...] = (FIND, PAIRS, RHO, ALPHA, RHOS)

_RHO_STEPS = (*(round(lead * 10.0**power, 6) for power in (-4, -3, -2, -1) for lead in (1, 1.5, 2, 3, 5, 7)), 1.0)
_ALPHA_STEPS = (*(round(0.05 * each, 2) for each in range(2, 19)), 0.95, 0.98, 0.99, 0.995, 0.999, 0.9999)
_FIND_WORDS = {"samples": "pairs", "alpha": "probability α", "rho": "distance ρ"}


def ask(scenario: Scenario) -> HowManySamples:
    find = controls.choice(FIND, hint="Any two of the three give the third.", words=_FIND_WORDS.__getitem__)
    if find != "samples":
        controls.whole(PAIRS, hint=explain("pairs"))
    if find != "rho":
        dial(RHO, hint=explain("rho"), steps=_RHO_STEPS)
    if find != "alpha":
        dial(ALPHA, hint=explain("alpha"), steps=_ALPHA_STEPS)
    rhos = controls.number_list(RHOS, hint=explain("rho"), offers=("0.0001", "0.001", "0.01", "0.1"))
    as_published = {each: each.default for each in SETTINGS}
    controls.button(
        "Figure 2", settings.put_all, as_published, hint="As in the paper: ρ = 0.0001, 0.001, 0.01 and 0.1."
    )
    paper_switch.draw(PAPER_ONLY)
    given = PAIRS.value(), RHO.value(), ALPHA.value()
    return HowManySamples(scenario, cast(Found, find), *given, tuple(rhos), PAPER_ONLY.value())
