"""What the present setting means: a strip of a few numbers under the question of a page, each with a line on hover."""

import streamlit as st

from pages.shared.say import written
from pages.shared.words import HARDLY_PRIVATE, amount, level0
from par_core.mechanisms import drawn, strongest_belief
from par_core.rounding import error
from par_core.scenario import Scenario
from par_core.standing import quantity_of

_ATTACKER = "Somebody who knows everyone else's data asks whether your true record was used. 50\u00a0% sure before"


def draw(scenario: Scenario, *, accuracy: bool) -> None:
    """Draw the strip; `accuracy` as in `numbers`."""
    with st.container(horizontal=True, key="strip"):
        for text, hover in numbers(scenario, accuracy=accuracy):
            st.markdown(text, help=hover, width="content")


def numbers(scenario: Scenario, *, accuracy: bool = True) -> list[tuple[str, str]]:
    """Return each number in its words, with what is said on hover.

    Without `accuracy` the error is left out: for a page that plans a query of its own and says that itself.
    """
    found, setting = [], f"At {level0(scenario.epsilon0)}"
    if accuracy:
        moves = scenario.sensitivity * scenario.rows_per_person * scenario.statistics
        noise = drawn(whole=False).for_epsilon(scenario.epsilon0, sensitivity=moves)
        count = scenario.k * scenario.statistics
        each = "the published number" if count == 1 else f"each of {count:,} published numbers"
        moved = "" if scenario.sensitivity == 1 else f" and sensitivity {amount(scenario.sensitivity, 4)}"
        off, within = error(noise.mean_error), error(noise.error(0.95))
        found = [
            (f"{setting}{moved}, off by **{off}** on average", f"The mean size of the noise in {each}."),
            (
                f"within **±{within}** in 95 of 100",
                f"So near the truth {each} is in 95 of 100 releases, whatever the data.",
            ),
        ]
    believed = f"attacker 50\u00a0% sure becomes {_belief(scenario, 1)}"
    lead = "an" if accuracy else f"{setting}, an"
    found.append(
        (f"{lead} {believed}", f"{_ATTACKER} the release, they are at most so sure after it. Smaller ε₀: less sure.")
    )
    if scenario.releases > 1:
        told = f"after {scenario.releases:,} releases {_belief(scenario, scenario.releases)}"
        found.append((told, f"{_ATTACKER} the first, they are at most so sure after all releases that you plan."))
    if scenario.epsilon0 > HARDLY_PRIVATE:
        found.append(
            (
                "**hardly anyone is protected**",
                "Above ε₀ = 5 a single release can turn 50\u00a0% into more than 99\u00a0%.",
            )
        )
    return found


def _belief(scenario: Scenario, releases: int) -> str:
    """Return how sure of one true record an attacker can become who was half sure, after so many releases."""
    told = written(quantity_of(strongest_belief, 0.5, releases * scenario.epsilon0))
    return f"**{told}**" if told.startswith("almost") else f"at most **{told}**"
