"""What a page is: the question it answers, its sections, and all that a link to it has to hold."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pages.shared.settings import Setting, seen_scenario
from par_core.errors import ParameterError
from par_core.questions.question import Answer, Question
from par_core.scenario import Scenario


@dataclass(frozen=True)
class Section:
    """One section: its name in the address, its label, what it asks or what draws it, and what its own dial sets, if it has one.

    A section that asks (`asked.draw`) names the settings behind those `fields` of its question that a dial or a button can move,
    what draws the places that its story leaves to it (`own`), and what a click in a chart does (`clicks`, by the key of the chart).
    Which settings these are may hang on others: then `fields` returns them. A section without controls takes the whole width. What it
    is `about`, a table, is chosen above the answer and handed to `ask`. `scenario` is what it is asked of: of a plan the release that is
    looked at, or all of it (`present_scenario`). What has an ε₀ of its own, or none, is not `of_scenario`: there
    the dial of the scenario would move nothing.
    """

    slug: str
    label: str
    draw: Callable[[Scenario], Answer | None] | None = None  # of the scenario
    dial: str = ""
    of_scenario: bool = True
    about: Callable[[], Any] | None = None
    ask: Callable[..., Question] | None = None  # of the scenario and what it is about
    scenario: Callable[[], Scenario] = seen_scenario
    has_controls: bool = True
    fields: Mapping[str, Setting[Any]] | Callable[[], Mapping[str, Setting[Any]]] = field(default_factory=dict)
    own: Mapping[str, Callable[[Any, Any], None]] = field(default_factory=dict)  # of the section and its answer
    clicks: Mapping[str, Callable[[Any, Any], None]] = field(default_factory=dict)  # of the answer and the points


@dataclass(frozen=True)
class Page:
    """One page: `name` is its package and its name in the address; with one section alone it has no tabs.

    A page that says itself how far off its numbers will be (`says_accuracy`) has that left out of the strip under its
    question; one that is not about the scenario has no strip. What is `for_laplace` says so where the scenario has another
    mechanism. `stops` names the sections that a talk shows: at most three, but for the lab. `also` are settings that it shares with
    other pages.
    """

    name: str
    question: str
    sections: tuple[Section, ...]
    says_accuracy: bool = False
    of_scenario: bool = True
    for_laplace: bool = False
    stops: tuple[str, ...] = ()
    also: tuple[Setting[Any], ...] = ()

    @property
    def talk(self) -> tuple[Section, ...]:
        """The sections that a talk shows: the named ones, or all of a page that has no more than three."""
        return tuple(each for each in self.sections if each.slug in self.stops) or self.sections[:3]

    @cached_property
    def tab(self) -> Setting[str]:
        """The setting that holds the label of the open section; the first one is the default."""
        labels = {section.slug: section.label for section in self.sections}
        slugs = {section.label: section.slug for section in self.sections}

        def read(text: str) -> str:
            if text not in labels:
                raise ParameterError(f"the section must be one of {', '.join(labels)}, got {text[:40]!r}")
            return labels[text]

        first = self.sections[0].label
        return Setting("tab", "the section", first, read, slugs.__getitem__, own_key=f"tab_{self.name}")

    @cached_property
    def settings(self) -> tuple[Setting[Any], ...]:
        """What a link to the page holds: the open section, what it shares, and each setting that a file of the page names at its top."""
        package = f"pages.{self.name}"
        files = [module for name, module in [*sys.modules.items()] if f"{name}.".startswith(f"{package}.")]
        named = [each for file in files for each in vars(file).values() if isinstance(each, Setting) and each.in_links]
        return (*([self.tab] if len(self.sections) > 1 else []), *dict.fromkeys((*self.also, *named)))
