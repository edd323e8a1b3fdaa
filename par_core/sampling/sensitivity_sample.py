"""What a sample of sensitivities says: its quantiles, its distribution function, and which value to take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from par_core.errors import ParameterError
from par_core.evidence import ESTIMATE, PROVEN, PUBLISHED, Evidence, Result, quantities, stated
from par_core.parameters import FloatOrArray, check_integer, check_number, check_numbers, check_type, like_input
from par_core.sampling.coupled_calibration import share_to_take
from par_core.sampling.sample_counts import coverage, rank_for, rho_for

_Floats = NDArray[np.float64]

_LIMITS = (
    "An estimate, never a bound: rare pairs that move the query further may not have been drawn. Pairs are drawn "
    "independently, so what is said of all pairs holds for all that can be drawn from this table or these distributions; of other "
    "people it says less, the smaller the table the less. Sampled from private data it depends on them, and tells about them "
    "unless it is protected itself."
)


@dataclass(frozen=True)
class PublishedChoice(Result):
    """The sampled sensitivity that Theorem 5 asks for, and what is true of it.

    `value`, in the unit of the query (L1), is the rank-th of so many sorted ones. `wanted` is the empirical confidence that was asked
    for, `alpha` the tolerance at rho, and `confidence2` wanted/alpha: the share of the sample that the value is at least as large as.
    `mean_coverage`, rank/(samples + 1), is the share of all pairs that could be drawn that the value covers at least, on average over
    samples; exactly that where no two pairs have the same sensitivity, more where many have. `certainty` is the probability, at
    least, that it covers at least the wanted share of them; exact in the same case.
    """

    value: float
    rank: int
    samples: int
    wanted: float
    alpha: float
    confidence2: float
    rho: float
    mean_coverage: float
    certainty: float
    QUANTITIES = quantities(
        value=stated("level", "up", PUBLISHED, "par-theorem-5", lambda found: found.mean_coverage >= found.wanted),
        confidence2=stated(
            "quantile", "up", PUBLISHED, "par-theorem-5", lambda found: found.mean_coverage >= found.wanted
        ),
        mean_coverage=stated("share", "down", PROVEN),
        wanted=stated("share", "down", PROVEN),
        certainty=stated("share", "down", PROVEN),
        best=stated("share", "down", PUBLISHED, "par-theorem-5"),
    )
    evidence = Evidence(
        PUBLISHED,
        source="Privacy at Risk (PoPETs 2021), Theorem 5 and Definition 7",
        limits="Theorem 5 loses a -rho, and with a large rho claims anything; mean_coverage and certainty hold for all pairs that could be "
        "drawn, exactly where no two have the same sensitivity, and as lower bounds where some have. " + _LIMITS,
    )


@dataclass(frozen=True)
class CoveringChoice(Result):
    """The smallest sampled sensitivity that covers a share of all pairs that could be drawn with a wanted probability.

    `value`, in the unit of the query (L1), is the rank-th of so many sorted ones. `certainty` is the probability, at least, that it
    covers that share, no less than the wanted one; exact for independent pairs of a continuous law. `mean_coverage` as in
    `PublishedChoice`.
    """

    value: float
    rank: int
    samples: int
    share: float
    certainty: float
    mean_coverage: float
    QUANTITIES = quantities(share=stated("share", "down"), certainty=stated("share", "down"))
    evidence = Evidence(
        ESTIMATE,
        source="Beta law of a sorted sample value; Privacy at Risk (PoPETs 2021), Definition 7",
        limits=_LIMITS,
    )


@dataclass(frozen=True, eq=False)
class SensitivitySample(Result):
    """Sampled sensitivities of a query, sorted: Definition 7 of Privacy at Risk.

    `values`, shape (pairs,), are L1 distances between the answers on neighbouring data sets of `rows` rows, from small to large; they
    cannot be written to. `worst_case` is the proven sensitivity, for replacing one record, where one is known: beside it a sample is
    not needed.
    """

    values: _Floats
    rows: int
    worst_case: float | None = None
    QUANTITIES = quantities(values=stated("level", "up"), worst_case=stated("level", "up", PROVEN))
    evidence = Evidence(ESTIMATE, source="Privacy at Risk (PoPETs 2021), Definition 7", limits=_LIMITS)

    def __post_init__(self) -> None:
        values = check_numbers("values", self.values, at_least=0)
        if values.ndim != 1:
            raise ParameterError(f"values must have one axis, got shape {values.shape}")
        values = np.sort(values)
        values.setflags(write=False)
        object.__setattr__(self, "rows", check_integer("rows", self.rows, at_least=1))
        if self.worst_case is not None:
            object.__setattr__(self, "worst_case", check_number("worst_case", self.worst_case, at_least=0))
        object.__setattr__(self, "values", values)

    @property
    def pairs(self) -> int:
        """How many pairs were drawn."""
        return len(self.values)

    def quantile(self, share: ArrayLike) -> FloatOrArray:
        """Return the smallest sampled value that at least this share of the sample, in [0, 1], does not exceed."""
        return like_input(np.asarray(self.values[self._rank(check_numbers("share", share, at_least=0, at_most=1)) - 1]))

    def cdf(self, x: ArrayLike) -> FloatOrArray:
        """Return the share of the sample that is at most x (in the unit of the query, finite)."""
        return like_input(np.asarray(np.searchsorted(self.values, check_numbers("x", x), side="right") / self.pairs))

    def band(self, confidence: float) -> tuple[_Floats, _Floats]:
        """Return the lower and upper ends, at `values`, of a band that holds the whole distribution function.

        The Dvoretzky-Kiefer-Wolfowitz inequality: for independent pairs it does so with at least this probability, 0 to below 1.
        """
        rho = rho_for(self.pairs, check_number("confidence", confidence, at_least=0, below=1))
        share = np.asarray(self.cdf(self.values))
        return np.maximum(share - rho, 0.0), np.minimum(share + rho, 1.0)

    def for_confidence(self, wanted: float, rho: float) -> PublishedChoice:
        """Return the sampled sensitivity for an empirical confidence, above 0, as published: `share_to_take` of the sample."""
        taken = share_to_take(check_number("wanted", wanted, above=0, at_most=1), samples=self.pairs, rho=rho)
        rank = int(self._rank(np.asarray(taken.share)))
        return PublishedChoice(
            value=float(self.values[rank - 1]),
            rank=rank,
            samples=self.pairs,
            wanted=taken.wanted,
            alpha=taken.alpha,
            confidence2=taken.share,
            rho=taken.rho,
            mean_coverage=rank / (self.pairs + 1),
            certainty=float(coverage(self.pairs, rank, share=taken.wanted)),
        )

    def for_share(self, share: float, wanted: float) -> CoveringChoice:
        """Return the smallest sampled sensitivity that covers a share of all pairs with the wanted probability; see `rank_for`."""
        rank = rank_for(self.pairs, share=share, wanted=wanted)
        return CoveringChoice(
            value=float(self.values[rank - 1]),
            rank=rank,
            samples=self.pairs,
            share=float(share),
            certainty=float(coverage(self.pairs, rank, share=share)),
            mean_coverage=rank / (self.pairs + 1),
        )

    def _rank(self, share: _Floats) -> NDArray[np.int64]:
        """The smallest rank, from 1, whose share of the sample is not below the given one as floats go."""
        rank = np.clip(np.ceil(share * self.pairs), 1, self.pairs)
        rank = np.where((rank > 1) & ((rank - 1) / self.pairs >= share), rank - 1, rank)
        return np.where(rank / self.pairs < share, rank + 1, rank).astype(np.int64)


def sample_table(sample: SensitivitySample, confidence: float) -> pd.DataFrame:
    """Return one row for each sampled pair, from the smallest sensitivity to the largest, with the ends of `sample.band(confidence)`."""
    lower, upper = check_type("sample", sample, SensitivitySample).band(confidence)
    return pd.DataFrame(
        {
            "sensitivity": sample.values,
            "share of pairs up to it": sample.cdf(sample.values),
            "band, lower end": lower,
            "band, upper end": upper,
        }
    )
