"""What a breach costs once several releases have spoken about the same people."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from par_core.cost.confidence import GIVEN, NOT_EXPECTED
from par_core.cost.optimum import NEXT_TO_NOTHING, Cost, priced
from par_core.evidence import MODEL, PROVEN, Evidence, Result, quantities, stated
from par_core.parameters import check_integer, check_number


@dataclass(frozen=True)
class AllReleases(Result):
    """Several releases, each with noise for `epsilon0`: together they are as private as `epsilon`, and a breach costs `money`.

    `beside` is what others about the same people add to that. The money is enough whichever way the noise of the releases falls, if the
    model is right: all of it where one of the others may lose without end.
    """

    epsilon0: float
    releases: int
    epsilon: float
    money: float
    beside: float = 0.0
    QUANTITIES = quantities(epsilon=stated("level", "up", PROVEN), money=stated("money", "up"))
    model: Cost = field(repr=False, kw_only=True)

    @property
    def evidence(self) -> Evidence:
        """By the model of cost."""
        source = f"basic composition: releases times epsilon0{' and what is beside them' * (self.beside > 0)}; cost: {self.model.name}"
        return Evidence(MODEL, source, f"{GIVEN} {NOT_EXPECTED}")


def all_releases(model: Cost, epsilon0: float, *, releases: int, beside: float = 0.0) -> AllReleases:
    """Return what a breach costs at most after so many releases about the same people, each with noise for epsilon0 (above 0).

    `beside`, at least 0, is the epsilon of what else is published about them, infinite where that has no largest loss.
    """
    calibrated, number = check_number("epsilon0", epsilon0, above=0.0), check_integer("releases", releases, at_least=1)
    endless = isinstance(beside, float) and beside == math.inf
    others = beside if endless else check_number("beside", beside, at_least=0.0)
    together, full = number * calibrated + others, float(getattr(model, "full", 0.0))
    money = full if math.isinf(together) else float(priced(model, np.asarray(together)))
    return AllReleases(
        epsilon0=calibrated,
        releases=number,
        epsilon=together,
        money=money or NEXT_TO_NOTHING * bool(full),
        beside=others,
        model=model,
    )
