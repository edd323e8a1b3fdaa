"""What rests on what: around which statement, and the way from a statement to its claim."""

from collections.abc import Mapping, Sequence

from pages.paper_check.own_numbers import CLAIM
from pages.shared import controls, links, settings
from par_core.claims.theorems import NODES
from par_core.questions.glossary import explain
from par_core.questions.paper_check.theorem_map import ALL, TheoremMap, TheoremMapAnswer, claim_of, in_full
from par_core.scenario import Scenario

FOCUS = settings.choice("qf", "Around", (ALL, *(each.name for each in NODES)), TheoremMap.around)


def ask(_: Scenario) -> TheoremMap:
    return TheoremMap(around=controls.select(FOCUS, hint=explain("map_focus"), words=_in_words))


def _in_words(around: str) -> str:
    return "All" if around == ALL else in_full(around)


def clicked(answer: TheoremMapAnswer, points: Sequence[Mapping[str, float]]) -> None:
    """Open the claim that says most of a statement, in the first section of this page."""
    shown = answer.shown
    for point in points[:1]:
        if claim := claim_of(shown[len(shown) - round(point["y"])]):
            tab = next(each for each in links.here()[0] if each.key == "tab")
            tab.put(tab.default)
            CLAIM.put(claim)
            controls.ask_for_the_whole_page()  # the tabs stand outside of the section
