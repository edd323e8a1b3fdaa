"""How far off a quantile comes out on the table at hand, in the unit of its column: as private as the table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.parameters import check_number, check_type
from par_core.queries import QuantileAnswer, TableQuantile
from par_core.release.planned_release import PlannedRelease
from par_core.release.rank_error import RankError


@dataclass(frozen=True, repr=False)
class QuantileWithin(Result):
    """A published quantile is `within` so much of the exact one, in the unit of the column, with the `share` that was asked for.

    Private like the exact answer; `repr` shows none of it.
    """

    within: float
    share: float
    QUANTITIES = quantities(within=stated("error", "up"))
    evidence = Evidence(
        PROVEN, source="law of permute and flip on the scores of the table itself", limits="this table alone"
    )

    def __repr__(self) -> str:
        return "QuantileWithin(<hidden>)"


def quantile_within(planned: PlannedRelease, answer: QuantileAnswer, *, share: float = 0.95) -> QuantileWithin:
    """Return how far off a planned quantile is on the table of an answer, at most, with a probability above 0 and below 1.

    ParameterError for the plan of anything else, or the answer to another question.
    """
    error = check_type("planned", planned, PlannedRelease).parts[0].error
    query, aim = planned.query, check_number("share", share, above=0.0, below=1.0)
    if not isinstance(query, TableQuantile) or not isinstance(error, RankError):
        raise ParameterError("planned must be the release of a quantile")
    if len(check_type("answer", answer, QuantileAnswer).utilities) != len(query.candidates):
        raise ParameterError("answer must be that to the planned query, with as many candidates")
    law = error.choice.probabilities(answer.utilities)
    off = np.abs(query.candidates - answer.exact[0])
    order = np.argsort(off, kind="stable")
    reached = int(np.searchsorted(law[order].cumsum(), aim * (1.0 + 1e-12)))
    return QuantileWithin(float(off[order][min(reached, len(off) - 1)]), aim)
