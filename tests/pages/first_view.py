"""What stands before the first chart of a section: the page's question, one headline, at most one sentence, few words."""

import re

from pages.shared import scenario_strip
from par_core.scenario import Scenario
from tests.pages.conftest import BADGE, plain

MOST_WORDS, MOST_OF_HEADLINE = 45, 16
TEXTS = ("markdown", "caption", "info", "warning", "error")
STRIP = {plain(text) for accuracy in (True, False) for text, _ in scenario_strip.numbers(Scenario(), accuracy=accuracy)}


def elements(block):
    """What a block shows, in its order; a closed expander shows its label alone, a popover its button. Controls stand beside."""
    for child in block.children.values():
        if getattr(child, "proto", None) and getattr(child.proto, "id", "").endswith("-controls"):
            continue
        if type(child).__name__ not in ("Expander", "Popover"):
            yield child
            if hasattr(child, "children"):
                yield from elements(child)


def before_the_chart(view):
    """The texts above the first chart, without the title, the badges and the strip of the scenario."""
    found = []
    for each in elements(view.app.main):
        if each.type == "bidi_component" and '"figure"' in (each.proto.json or ""):
            return [text for text in found if plain(text) not in STRIP]
        if each.type in TEXTS:
            found.append(re.sub(BADGE, "", each.value))
    raise AssertionError("the section has no chart")


def words(text):
    return re.findall(r"[^\W_][\w.,'’/-]*", plain(text))


def assert_shows_before_it_tells(view):
    question, *texts = before_the_chart(view)
    headlines = [each for each in texts if each.startswith("## ")]
    told = " ".join(each for each in texts if each not in headlines)
    assert len(headlines) == 1
    assert len(words(headlines[0])) <= MOST_OF_HEADLINE, headlines
    assert len(re.findall(r"[.!?](?=\W*(?:\s|$))", plain(told))) <= 1, told
    assert sum(len(words(each)) for each in (question, *texts)) <= MOST_WORDS, [question, *texts]
