"""How many samples: which of pairs, distance and probability is to be found, and the other two."""

from __future__ import annotations

from pages.sample_planner.of_question import Fields
from pages.shared import controls, paper_switch, settings
from pages.shared.dial import dial
from par_core.questions.glossary import explain
from par_core.questions.sample_planner.how_many import HowManySamples
from par_core.scenario import Scenario

FIELDS = Fields(HowManySamples)
FIND = FIELDS.setting("find", "sfind", "Find")
PAIRS = FIELDS.setting("samples", "sn", "Sampled pairs")
RHO = FIELDS.setting("rho", "srho", "Distance ρ")
ALPHA = FIELDS.setting("alpha", "sa", "Probability α")
PAPER_ONLY = FIELDS["paper_only"] = paper_switch.setting("spaper")
RHOS = FIELDS.setting("rhos", "srhos", "Curves for ρ")

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
    controls.number_list(RHOS, hint=explain("rho"), offers=("0.0001", "0.001", "0.01", "0.1"))
    as_published = {each: each.default for each in (FIND, PAIRS, RHO, ALPHA, RHOS)}
    hint = "As in the paper: ρ = 0.0001, 0.001, 0.01 and 0.1."
    controls.button("Figure 2", settings.put_all, as_published, hint=hint)
    paper_switch.draw(PAPER_ONLY)
    return HowManySamples(scenario, **FIELDS.now())
