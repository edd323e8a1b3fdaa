"""What a sample of sensitivities says: its quantiles, its distribution function, and which value to take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.errors import InfeasibleError, ParameterError
from par_core.parameters import like_input, one, one_whole, real
from par_core.sampling.closed_forms import coverage, rank_for, rho_for, tolerance
from par_core.standing import ESTIMATE, PROVEN, PUBLISHED, Result, Standing, Told, quantities

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

    Attributes
    ----------
    value : float
        The sensitivity, in the unit of the query (L1).
    rank, samples : int
        It is the rank-th of so many sorted values.
    wanted : float
        The empirical confidence that was asked for.
    alpha, confidence2 : float
        Tolerance at rho, and wanted/alpha: the share of the sample that the value is at least as large as.
    rho : float
        As given.
    mean_coverage : float
        rank/(samples + 1): the share of all pairs that could be drawn that the value covers at least, on average over samples;
        exactly that where no two pairs have the same sensitivity, more where many have.
    certainty : float
        Probability at least that it covers at least the wanted share of them; exact in the same case.
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
        value=Told("level", "up", PUBLISHED, "par-theorem-5"),
        confidence2=Told("level", "up", PUBLISHED, "par-theorem-5"),
        mean_coverage=Told("share", "down", PROVEN),
        wanted=Told("share", "down", PROVEN),
        certainty=Told("share", "down", PROVEN),
        best=Told("share", "down", PUBLISHED, "par-theorem-5"),
    )
    standing: Standing = PUBLISHED
    source: str = "Privacy at Risk (PoPETs 2021), Theorem 5 and Definition 7"
    limits: str = (
        "Theorem 5 loses a -rho, and with a large rho claims anything; mean_coverage and certainty hold for all pairs that could be "
        "drawn, exactly where no two have the same sensitivity, and as lower bounds where some have. " + _LIMITS
    )


@dataclass(frozen=True)
class CoveringChoice(Result):
    """The smallest sampled sensitivity that covers a share of all pairs that could be drawn with a wanted probability.

    Attributes
    ----------
    value : float
        The sensitivity, in the unit of the query (L1).
    rank, samples : int
        It is the rank-th of so many sorted values.
    share : float
        The share of all pairs that could be drawn whose sensitivity it is not to fall below.
    certainty : float
        Probability at least that it covers that share, no less than the wanted one; exact for independent pairs of a
        continuous law.
    mean_coverage : float
        rank/(samples + 1): the share that it covers at least on average over samples, exact for a continuous law.
    """

    value: float
    rank: int
    samples: int
    share: float
    certainty: float
    mean_coverage: float
    QUANTITIES = quantities(value=Told("level", "up"), share=Told("share", "down"), certainty=Told("share", "down"))
    standing: Standing = ESTIMATE
    source: str = "Beta law of a sorted sample value; Privacy at Risk (PoPETs 2021), Definition 7"
    limits: str = _LIMITS


@dataclass(frozen=True, eq=False)
class SensitivitySample(Result):
    """Sampled sensitivities of a query, sorted: Definition 7 of Privacy at Risk.

    Attributes
    ----------
    values : float array of shape (pairs,)
        L1 distances between the answers on neighbouring data sets, from small to large; cannot be written to.
    rows : int, at least 1
        Rows of each data set.
    worst_case : float, at least 0, or None
        The proven sensitivity, for replacing one record, where one is known: beside it a sample is not needed.
    standing, source, limits
        What the numbers are worth.
    """

    values: _Floats
    rows: int
    worst_case: float | None = None
    QUANTITIES = quantities(values=Told("level", "up"), worst_case=Told("level", "up", PROVEN))
    standing: Standing = ESTIMATE
    source: str = "Privacy at Risk (PoPETs 2021), Definition 7"
    limits: str = _LIMITS

    def __post_init__(self) -> None:
        """Check the values, sort a copy and lock it."""
        values = real("values", self.values, at_least=0)
        if values.ndim != 1:
            raise ParameterError(f"values must have one axis, got shape {values.shape}")
        values = np.sort(values)
        values.setflags(write=False)
        object.__setattr__(self, "rows", one_whole("rows", self.rows, at_least=1))
        if self.worst_case is not None:
            object.__setattr__(self, "worst_case", one("worst_case", self.worst_case, at_least=0))
        object.__setattr__(self, "values", values)

    @property
    def pairs(self) -> int:
        """How many pairs were drawn."""
        return len(self.values)

    def quantile(self, share: ArrayLike) -> Any:
        """Return the smallest sampled value that at least this share of the sample does not exceed.

        Parameters
        ----------
        share : array_like in [0, 1]
            0 gives the smallest value.

        Raises
        ------
        ParameterError
            A share out of range.
        """
        return like_input(np.asarray(self.values[self._rank(real("share", share, at_least=0, at_most=1)) - 1]))

    def cdf(self, x: ArrayLike) -> Any:
        """Return the share of the sample that is at most x (in the unit of the query, finite)."""
        return like_input(np.asarray(np.searchsorted(self.values, real("x", x), side="right") / self.pairs))

    def band(self, confidence: float) -> tuple[_Floats, _Floats]:
        """Return the lower and upper ends, at `values`, of a band that holds the whole distribution function.

        The Dvoretzky-Kiefer-Wolfowitz inequality: for independent pairs it does so with at least this probability.

        Parameters
        ----------
        confidence : float, from 0 to below 1
            Probability that the band holds the function everywhere.

        Raises
        ------
        ParameterError
            A confidence out of range.
        """
        rho = rho_for(self.pairs, one("confidence", confidence, at_least=0, below=1))
        share = np.asarray(self.cdf(self.values))
        return np.maximum(share - rho, 0.0), np.minimum(share + rho, 1.0)

    def for_confidence(self, wanted: float, rho: float) -> PublishedChoice:
        """Return the sampled sensitivity for an empirical confidence as published: the quantile at wanted/alpha.

        Parameters
        ----------
        wanted : float, above 0, at most 1
            The empirical confidence that the sensitivity is to have.
        rho : float, above 0
            Distance of the Dvoretzky-Kiefer-Wolfowitz inequality, which gives alpha.

        Raises
        ------
        InfeasibleError
            wanted is above alpha; `.best` is alpha, the largest empirical confidence there is.
        ParameterError
            A value out of range.
        """
        wish = one("wanted", wanted, above=0, at_most=1)
        alpha = float(tolerance(self.pairs, one("rho", rho, above=0)))
        if wish > alpha:
            raise InfeasibleError(
                f"no empirical confidence above {alpha:.6g} can be had from {self.pairs:,} pairs at rho = {rho:g}, wanted {wish:g}",
                best=alpha,
            )
        share = wish / alpha
        rank = int(self._rank(np.asarray(share)))
        return PublishedChoice(
            value=float(self.values[rank - 1]),
            rank=rank,
            samples=self.pairs,
            wanted=wish,
            alpha=alpha,
            confidence2=share,
            rho=float(rho),
            mean_coverage=rank / (self.pairs + 1),
            certainty=float(coverage(self.pairs, rank, share=wish)),
        )

    def for_share(self, share: float, wanted: float) -> CoveringChoice:
        """Return the smallest sampled sensitivity that covers a share of all pairs with the wanted probability.

        Parameters
        ----------
        share : float in [0, 1]
            The share of all pairs whose sensitivity is not to exceed it.
        wanted : float, from 0 to below 1
            How probable that is to be, over samples of independent pairs.

        Raises
        ------
        InfeasibleError
            Even the largest value does not cover the share so probably; `.best` is the probability that it does.
        ParameterError
            A value out of range.
        """
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
