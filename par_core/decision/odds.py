"""Odds that people understand: of 100 releases, how many point to the person being in the data."""

from __future__ import annotations

from dataclasses import dataclass

from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.parameters import check_integer, check_type
from par_core.risk.attacks import lost
from par_core.scenario import Scenario


@dataclass(frozen=True)
class Odds(Result):
    """How likely what is published points to a person being in the data, if they are and if they are not.

    It does where it is likelier with the person than without, and every second time where it is as likely: no other test is right more
    often from a prior of 1/2. Their difference is the advantage, and by symmetry they add up to 1.
    """

    if_in: float
    if_out: float
    releases: int
    QUANTITIES = quantities(if_in=stated("share", "up"), if_out=stated("share", "down"))
    only_if: str = ""
    USUALLY = Evidence(
        PROVEN,
        source="total variation of the worst-case neighbours, who are alike but for the order",
        limits="an attacker who knows everyone else's data",
    )

    @property
    def evidence(self) -> Evidence:
        """Proven, or by the reader's model where something has to be true."""
        return self.USUALLY.only_if(self.only_if)


def odds(scenario: Scenario, *, releases: int = 1) -> Odds:
    """Return the odds that one release of a scenario gives, or so many together.

    >>> found = odds(Scenario(epsilon0=1.0))
    >>> round(found.if_in, 3), round(found.if_out, 3)
    (0.697, 0.303)
    """
    number = check_integer("releases", releases, at_least=1)
    half = 0.5 * float(lost(check_type("scenario", scenario, Scenario), number).advantage)
    return Odds(0.5 + half, 0.5 - half, number, scenario.only_if)
