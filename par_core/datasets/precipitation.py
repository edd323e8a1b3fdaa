"""Yearly precipitation on a grid of the earth: a generated panel, and a reader for the real file of whoever has it.

The paper's example is GPCP v2.3: 41 years (databases) × 10,368 cells of 2.5° (individuals), 1979 to 2019.
"""

from __future__ import annotations

import calendar
import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from par_core.audit.panel import Panel
from par_core.errors import DataError, ParameterError
from par_core.lazy_pandas import pd
from par_core.parameters import check_integer, shown

YEARS = (1979, 2019)
"""First and last year of the paper's data."""

_ROWS, _COLUMNS = 72, 144  # latitudes and longitudes, 2.5° each
_LEAST = 20.0  # mm a year: no cell of the earth is without any precipitation
_MISSING = -9.0e36  # what NetCDF fills gaps with, or less

_Floats = NDArray[np.float64]


def precipitation_synthetic(seed: int = 2019, *, years: int = 41) -> Panel:
    """Return a generated panel of the paper's shape: yearly precipitation in mm of 10,368 cells. No measured value is in it.

    Recipe: a mean for each latitude (a tropical belt near 6° N, storm tracks near 43° north and south), times exp(0.57·Z), Z a
    smooth normal field that stays over the years: deserts and rain forests; each year times exp(0.12·Y + 0.10·E), Y another such
    field and E noise of each cell; times 1 + 0.006·G, common to all cells of a year. All years have one law and are independent
    of each other, which real years are not.

    The same seed, from 0 on, gives the same panel. `years`, from 1 to 1,000, are the databases; the first is labelled 1.

    >>> panel = precipitation_synthetic()
    >>> len(panel.databases), len(panel.individuals)
    (41, 10368)
    """
    rng = np.random.default_rng(check_integer("seed", seed, at_least=0))
    count = check_integer("years", years, at_least=1, at_most=1000)
    latitude = -88.75 + 2.5 * np.arange(_ROWS)
    mean = 240 + 1760 * np.exp(-(((latitude - 6) / 9) ** 2)) + 800 * np.exp(-(((np.abs(latitude) - 43) / 13) ** 2))
    place = mean[:, None] * np.exp(0.57 * _smooth(rng, (2.0, 6.0)))
    amounts = np.empty((_ROWS * _COLUMNS, count))
    for year in range(count):
        change = 0.12 * _smooth(rng, (2.0, 5.0)) + 0.10 * rng.standard_normal(place.shape)
        amounts[:, year] = (np.maximum(place * np.exp(change), _LEAST) * (1 + 0.006 * rng.standard_normal())).ravel()
    return Panel.from_arrays(
        amounts,
        individuals=_cells(latitude, 1.25 + 2.5 * np.arange(_COLUMNS)),
        databases=pd.RangeIndex(1, count + 1),
        column="precipitation in mm",
        independent=True,
        source=f"synthetic: generated from seed {seed}, years independent by construction; no measured value is in it",
    )


def gpcp(path: str | Path, *, first: int = YEARS[0], last: int = YEARS[1]) -> Panel:
    """Read NOAA's monthly precipitation file (GPCP) into the paper's panel: yearly totals in mm of each cell.

    The NetCDF file holds `precip(time, lat, lon)` in mm a day, means of months, and its coordinates `time` ("days since ..."),
    `lat` and `lon`. NetCDF 3 is read by scipy, NetCDF 4 by h5netcdf. Both the first and the last year are included.

    Years are the databases, cells the individuals. A cell is missing in a year in which a month of its is missing. Raises
    DataError for a file that cannot be read, holds something else or lacks a month, and where h5netcdf is needed and missing.
    """
    if not isinstance(path, str | Path):
        raise ParameterError(f"path must be the path of a file, got {shown(path)}")
    begin = check_integer("first", first, at_least=1900, at_most=2200)
    end = check_integer("last", last, at_least=begin, at_most=2200)
    with _opened(Path(path)) as variables:
        missing = [name for name in ("precip", "time", "lat", "lon") if name not in variables]
        if missing:
            raise DataError(f"the file has no variable named {', '.join(missing)}")
        months = _months(variables["time"])
        latitude, longitude = (np.asarray(variables[name][:], dtype=np.float64) for name in ("lat", "lon"))
        rates = _values(variables["precip"])
    if rates.shape != (len(months), len(latitude), len(longitude)):
        raise DataError(f"precip must have the shape of (time, lat, lon), got {rates.shape}")
    totals = np.column_stack([_total(rates, months, year) for year in range(begin, end + 1)])
    return Panel.from_arrays(
        totals,
        individuals=_cells(latitude, longitude),
        databases=pd.RangeIndex(begin, end + 1),
        column="precipitation in mm",
        source=f"GPCP monthly precipitation, {begin} to {end}, totals of years; real years, whose independence the checks ask for",
    )


def _smooth(rng: np.random.Generator, widths: tuple[float, float]) -> _Floats:
    """Return a smooth field of standard deviation 1 that closes around the earth; widths in cells, down and along."""
    from scipy import ndimage  # late: only this needs it

    field: _Floats = ndimage.gaussian_filter(rng.standard_normal((_ROWS, _COLUMNS)), widths, mode=("nearest", "wrap"))
    return np.asarray((field - field.mean()) / field.std())


def _cells(latitude: NDArray[Any], longitude: NDArray[Any]) -> list[str]:
    """Return labels such as "1.25N 3.75E", row by row from the first latitude."""
    rows = [f"{abs(value):g}{'N' if value >= 0 else 'S'}" for value in latitude]
    return [f"{row} {value:g}E" for row in rows for value in longitude]


def _total(rates: _Floats, months: list[tuple[int, int]], year: int) -> _Floats:
    """Return the total of one year in mm, shape (cells,), NaN where a month is missing."""
    places = {month: place for place, (found, month) in enumerate(months) if found == year}
    absent = [month for month in range(1, 13) if month not in places]
    if absent:
        raise DataError(f"the year {year} lacks months in the file: {', '.join(map(str, absent))}")
    parts = [rates[places[month]] * calendar.monthrange(year, month)[1] for month in range(1, 13)]
    return np.asarray(np.sum(parts, axis=0).ravel())


def _months(variable: Any) -> list[tuple[int, int]]:
    found = _attribute(variable, "units")
    unit, _, since = (found.decode() if isinstance(found, bytes) else str(found)).partition(" since ")
    steps = {"days": 1.0, "hours": 24.0}
    try:
        year, month, day = map(int, since.split()[0].split("T")[0].split("-"))
        start = datetime.datetime(year, month, day)
        days = np.asarray(variable[:], dtype=np.float64) / steps[unit.strip()]
        dates = [start + datetime.timedelta(days=float(each)) for each in days]
    except (KeyError, ValueError, TypeError, IndexError, OverflowError) as error:
        raise DataError('time must have units such as "days since 1800-01-01"') from error
    return [(date.year, date.month) for date in dates]


def _values(variable: Any) -> _Floats:
    """Return a variable as floats with its scale and offset, NaN where a value is missing."""
    raw = np.asarray(variable[:])
    values = raw.astype(np.float64)
    for name in ("missing_value", "_FillValue"):
        marker = _attribute(variable, name)
        if marker is not None:
            values[raw == np.asarray(marker).astype(raw.dtype).reshape(-1)[0]] = np.nan
    values[values < _MISSING] = np.nan
    return values * _number(variable, "scale_factor", 1.0) + _number(variable, "add_offset", 0.0)


def _attribute(variable: Any, name: str, otherwise: Any = None) -> Any:
    """Return an attribute of a variable of either reader."""
    attributes = getattr(variable, "attrs", None)  # h5netcdf; scipy makes them attributes of the object itself
    return getattr(variable, name, otherwise) if attributes is None else attributes.get(name, otherwise)


def _number(variable: Any, name: str, otherwise: float) -> float:
    return float(np.asarray(_attribute(variable, name, otherwise)).reshape(-1)[0])


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """Give the variables of a NetCDF file by name."""
    try:
        with path.open("rb") as file:
            begins = file.read(4)
    except OSError as error:
        raise DataError("the file cannot be opened") from error
    if begins[:3] == b"CDF":
        from scipy.io import netcdf_file  # late: only this needs it

        try:
            old = netcdf_file(path, "r", mmap=False)
        except Exception as error:  # scipy names no error of its own
            raise DataError("the file is not a whole NetCDF 3 file") from error
        with old:
            yield old.variables
        return
    if begins != b"\x89HDF":
        raise DataError("the file is not a NetCDF file")
    try:
        new = import_module("h5netcdf").File(path, "r")
    except ImportError as error:
        raise DataError("a NetCDF 4 file needs two more packages: pip install h5netcdf h5py") from error
    except Exception as error:  # a damaged file fails in many ways
        raise DataError("the file is not a whole NetCDF 4 file") from error
    with new:
        yield new.variables
