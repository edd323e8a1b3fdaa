"""Murders in US counties, year by year: a panel whose years are not independent."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from par_core.datasets.dataset import Dataset
from par_core.datasets.wooldridge import STATES, wooldridge_table
from par_core.lazy_pandas import pd

_UNUSED_CODES = (3, 7, 14, 43, 52)  # of the FIPS codes 1 to 56, which otherwise follow the states' alphabet
_STATE_OF = dict(zip((code for code in range(1, 57) if code not in _UNUSED_CODES), STATES, strict=True))


def county_murders() -> Dataset:
    """Return the murders in 2,197 US counties in each of the years 1980 to 1996, one row for each county and year.

    The yearly means hang together (lag-1 correlation 0.73), so that the years are no independent draws: the audit shows it
    for that reason.

    Raises DataError if the package `wooldridge` is not installed or its file is not the one that is expected.

    >>> murders = county_murders()
    >>> len(murders.table), murders.table["county"].nunique(), murders.table["year"].nunique()
    (37349, 2197, 17)
    """
    return Dataset(
        name="county_murders",
        table=_county_murders().copy(),
        source=(
            "FBI Uniform Crime Reports, US Census Bureau and Death Penalty Information Center, compiled by J. Monroe Gamble; data "
            "set countymurders of J. M. Wooldridge, Introductory Econometrics, 7th edition; from the "
            "Python package wooldridge by Tetsu Haruyama"
        ),
        licence="MIT (package wooldridge)",
        note=(
            "One row for each county and year. county: name of the state and five-digit FIPS code. state: name. year: 1980 to 1996. "
            "murders: number in that year. murder_rate: murders for each 10,000 inhabitants. population: inhabitants."
        ),
        bounds={"murders": (0.0, 2500.0), "murder_rate": (0.0, 50.0), "population": (0.0, 10_000_000.0)},
        categories={"state": STATES, "year": tuple(range(1980, 1997))},
    )


@lru_cache(maxsize=1)
def _county_murders() -> pd.DataFrame:
    raw = wooldridge_table("countymurders", {"countyid", "statefips", "year", "murders", "murdrate", "popul"})
    state = raw["statefips"].map(_STATE_OF)
    return pd.DataFrame(
        {
            "county": state + " " + raw["countyid"].astype(str).str.zfill(5),
            "state": state,
            "year": raw["year"],
            "murders": raw["murders"],
            "murder_rate": raw["murdrate"].astype(np.float64),
            "population": raw["popul"],
        }
    )
