"""What the present setting means: a strip of a few numbers under the question of a page, each with a line on hover."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import plan
from pages.shared.words import HARDLY_PRIVATE, amount, as_sentence, level0
from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import quantity_of
from par_core.export.sentences import every
from par_core.figures.quantities import format_quantity
from par_core.mechanisms import MECHANISMS, MaxPosterior, Mechanism, belief_after, max_posterior
from par_core.mechanisms.mechanism import is_noise
from par_core.rounding import error
from par_core.scenario import Scenario

if TYPE_CHECKING:
    from par_core.plan import PlanScenario

_ATTACKER = "Somebody who knows everyone else's data asks whether your true record was used. 50\u00a0% sure before"


def draw(scenario: Scenario, *, accuracy: bool) -> None:
    """Draw the strip; `accuracy` as in `numbers`."""
    st.session_state["_strip"] = accuracy, scenario.mechanism
    with st.container(horizontal=True, key="strip"):
        for text, hover in numbers(scenario, accuracy=accuracy):
            st.markdown(text, help=hover, width="content")


def numbers(scenario: Scenario, *, accuracy: bool = True) -> Iterator[tuple[str, str]]:
    """Yield each number in its words, with what is said on hover.

    Without `accuracy` the error is left out: for a page that plans a query of its own and says that itself.
    """
    setting = f"At {level0(scenario.epsilon0)}"
    if plan.releases():
        from par_core.plan import PlanScenario  # late: most readers have none

        if isinstance(scenario, PlanScenario):
            yield from _of_plan(scenario, setting)
            return
    try:
        release = scenario.release
    except (ParameterError, InfeasibleError) as error_:
        yield setting, "The privacy level of each release."
        yield (
            f"**no {MECHANISMS[scenario.mechanism].name} noise:** {as_sentence(str(error_))}",
            "Change it in the sidebar.",
        )
        return
    attacker = f"an attacker 50\u00a0% sure becomes {_belief(scenario, release, 1)}"
    noise = release if accuracy and is_noise(release) else None
    if noise:
        count = scenario.k * scenario.statistics
        each = "the published number" if count == 1 else f"each of {count:,} published numbers"
        moved = "" if scenario.sensitivity == 1 else f" and sensitivity {amount(scenario.sensitivity, 4)}"
        yield (
            f"{setting}{moved}, off by **{error(noise.mean_error)}** on average",
            f"The mean size of the {noise.name} noise in {each}.",
        )
        within = f"In 95 of 100 releases {each} is this close to the truth, whatever the data."
        yield f"within **±{error(noise.error_quantile(0.95))}** in 95 of 100", within
    first = f"{_ATTACKER} the release, they are at most this sure after it. Smaller ε₀: less sure."
    yield attacker if noise else f"{setting}, {attacker}", first
    if scenario.releases > 1:
        planned = f"{_ATTACKER} the first, they are at most this sure after all releases that you plan."
        yield f"after {scenario.releases:,} releases {_belief(scenario, release, scenario.releases)}", planned
    if scenario.epsilon0 > HARDLY_PRIVATE:
        yield "**hardly anyone is protected**", "Above ε₀ = 5 one release can turn 50\u00a0% into more than 99\u00a0%."


def _of_plan(scenario: PlanScenario, setting: str) -> Iterator[tuple[str, str]]:
    """Yield the numbers of a plan: how far off the release is that is looked at, what it gives away, and what all do."""
    from par_core.decision import ErrorWish  # late: most readers have no plan
    from par_core.plan import in_words, off_in_words

    which = f"{setting} your release"
    if len(plan.releases()) > 1:
        which = f"Release {scenario.at + 1} ({level0(scenario.whole.levels[scenario.at])} of your plan's {amount(scenario.epsilon0, 4)})"
    try:
        off = error(ErrorWish(1.0).reached(scenario))
    except ParameterError:  # a mean over a private number of rows of which nobody has guessed it, or no noise
        yield f"{which} is off by an unknown amount", "A mean needs a guess of its rows: “Your plan” on Your table."
    else:
        hover = f"{in_words(scenario.seen)}: in 95 of 100 releases each number is this close to the truth, whatever the data."
        yield f"{which} is within **{off_in_words(scenario.seen, off)}** in 95 of 100", hover[0].upper() + hover[1:]
    first = f"{_ATTACKER} this release, they are at most this sure after it. Smaller ε₀: less sure."
    yield f"an attacker 50\u00a0% sure becomes {_after(scenario, 1)}", first
    if scenario.releases > 1:
        all_of = f"{_ATTACKER} the first, they are at most this sure after every release of your plan."
        yield f"after {every(scenario.releases, 'release')} {_after(scenario, scenario.releases)}", all_of


def _after(scenario: Scenario, releases: int) -> str:
    from par_core.risk.attacks import believed_after

    try:
        return _told(believed_after(scenario, 0.5, releases=releases))
    except ParameterError:  # they lose more than is added up
        return "**almost 100\u00a0%**"


def kind() -> tuple[bool, str] | None:
    """Return what the strip of this page leaves out, and of which mechanism it is: None before there is one."""
    drawn: tuple[bool, str] | None = st.session_state.get("_strip")
    return drawn


def texts(scenario: Scenario) -> list[str]:
    """Return the words of the strip of this page for another scenario."""
    accuracy, mechanism = kind() or (True, scenario.mechanism)
    return [text for text, _ in numbers(replace(scenario, mechanism=mechanism), accuracy=accuracy)]


def _belief(scenario: Scenario, release: Mechanism, releases: int) -> str:
    """Return how sure of one true record an attacker can become who was half sure, after so many releases."""
    if isfinite(release.largest_loss):
        told = format_quantity(quantity_of(max_posterior, 0.5, releases * float(release.largest_loss)))
        return f"**{told}**" if told.startswith("almost") else f"at most **{told}**"
    together = release.repeated(releases)
    assert together is not None, "a loss without a largest value has a closed form"
    return _told(belief_after(together, 0.5, delta=scenario.delta))


def _told(found: MaxPosterior) -> str:
    told = format_quantity(found.quantity("believed"))
    most = f"**{told}**" if told.startswith("almost") else f"at most **{told}**"
    return f"{most} (more in {format_quantity(found.quantity('rare'))} of releases)" if found.rare else most
