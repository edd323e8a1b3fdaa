"""The panels that come with the audit: real murders, generated rain, and the reader for the real rain."""

import calendar
import datetime
import sys

import h5netcdf
import numpy as np
import pytest
from scipy.io import netcdf_file

from par_core.audit.leave_one_out import answers
from par_core.audit.panel import Panel
from par_core.audit.queries import PanelMean
from par_core.datasets import county_murders, gpcp, precipitation_synthetic
from par_core.errors import DataError, ParameterError


def test_murders_by_county_and_year():
    data = county_murders()
    panel = Panel.from_long(data.table, database="year", individual="county", value="murders")
    assert panel.matrix.shape == (2197, 17)
    assert not np.isnan(panel.matrix).any()
    assert list(panel.databases) == list(range(1980, 1997))
    assert panel.individuals[int(np.argmax(panel.matrix.max(axis=1)))] == "California 06037"  # Los Angeles
    yearly = answers(panel, PanelMean())
    assert yearly[[0, 16]] == pytest.approx([7.806, 6.390], abs=5e-4)
    apart = yearly - yearly.mean()
    assert (apart[1:] @ apart[:-1]) / (apart @ apart) == pytest.approx(0.726, abs=5e-4)
    assert data.licence.startswith("MIT")
    assert all(column in data.note for column in data.table.columns)
    rate = data.table["murders"] / data.table["population"] * 10_000
    assert data.table["murder_rate"].to_numpy() == pytest.approx(rate.to_numpy(), rel=1e-4, abs=1e-4)
    assert set(data.table["state"]) <= set(data.categories["state"])
    for column, (lower, upper) in data.bounds.items():
        assert data.table[column].between(lower, upper).all()


def test_nobody_changes_the_murders_for_others():
    mine = county_murders().table
    mine.loc[:, "murders"] = 0
    assert county_murders().table["murders"].max() == 1944


def test_generated_rain_has_the_shape_of_the_paper():
    panel = precipitation_synthetic()
    assert panel.matrix.shape == (10_368, 41)
    assert panel.individuals[0] == "88.75S 1.25E"
    assert panel.individuals[-1] == "88.75N 358.75E"
    assert panel.matrix.std(axis=0).mean() == pytest.approx(686, abs=15)  # the paper: about 686 mm within a year
    yearly = answers(panel, PanelMean())
    assert 600 < yearly.mean() < 900
    assert 4 < yearly.std() < 12
    zonal = panel.matrix.mean(axis=1).reshape(72, 144).mean(axis=1)
    latitude = -88.75 + 2.5 * np.arange(72)
    assert abs(latitude[np.argmax(zonal)]) < 15  # wettest in the tropics
    assert zonal[np.abs(latitude) > 75].max() < 500  # dry at the poles
    assert panel.independent
    assert panel.source.startswith("synthetic")


def test_generated_rain_follows_its_seed():
    assert (precipitation_synthetic(3, years=2).matrix == precipitation_synthetic(3, years=2).matrix).all()
    assert (precipitation_synthetic(3, years=2).matrix != precipitation_synthetic(4, years=2).matrix).all()
    with pytest.raises(ParameterError, match="seed"):
        precipitation_synthetic(-1)


# --- the reader --------------------------------------------------------------------------------------------------

LATITUDE, LONGITUDE = np.array([-1.25, 1.25]), np.array([1.25, 3.75, 6.25])
FILL = np.float32(-9.96921e36)


def months(first, last):
    return [(year, month) for year in range(first, last + 1) for month in range(1, 13)]


def rain(times):
    """Rates in mm a day that tell month and cell apart."""
    cells = np.arange(6.0).reshape(2, 3)
    return np.array([year - 1990 + month / 8 + cells for year, month in times], dtype=np.float32)


def write(path, times, *, rates=None, units="days since 1800-01-01 00:00:0.0", packed=False, leave_out=None):
    file = netcdf_file(path, "w")
    file.createDimension("time", None)
    file.createDimension("lat", 2)
    file.createDimension("lon", 3)
    start = datetime.date(1800, 1, 1)
    hours = 24 if units.startswith("hours") else 1
    contents = {
        "time": (
            "d",
            ("time",),
            np.array([hours * (datetime.date(year, month, 1) - start).days for year, month in times]),
        ),
        "lat": ("f", ("lat",), LATITUDE),
        "lon": ("f", ("lon",), LONGITUDE),
        "precip": ("h" if packed else "f", ("time", "lat", "lon"), rain(times) if rates is None else rates),
    }
    for name, (kind, dimensions, values) in contents.items():
        if name != leave_out:
            variable = file.createVariable(name, kind, dimensions)
            variable[:] = np.round((values - 2) / 0.125).astype(np.int16) if packed and name == "precip" else values
            if name == "time":
                variable.units = units
            if name == "precip":
                variable.missing_value = np.int16(-32768) if packed else FILL
                if packed:
                    variable.scale_factor, variable.add_offset = 0.125, 2.0
    file.close()
    return path


def totals(first, last):
    """The totals of years, added up day by day."""
    table = np.zeros((6, last - first + 1))
    for year, month in months(first, last):
        table[:, year - first] += calendar.monthrange(year, month)[1] * rain([(year, month)])[0].ravel()
    return table


@pytest.mark.parametrize("units", ["days since 1800-01-01 00:00:0.0", "hours since 1800-1-1"])
def test_years_are_added_up_from_months(tmp_path, units):
    path = write(tmp_path / "rain.nc", [*months(1990, 1993), (1994, 1)], units=units)
    panel = gpcp(path, first=1991, last=1993)
    assert panel.matrix == pytest.approx(totals(1991, 1993), rel=1e-6)  # 1992 is a leap year
    assert list(panel.databases) == [1991, 1992, 1993]
    assert list(panel.individuals)[:4] == ["1.25S 1.25E", "1.25S 3.75E", "1.25S 6.25E", "1.25N 1.25E"]
    assert not panel.independent


def test_the_whole_span_of_the_paper_is_read_by_default(tmp_path):
    assert gpcp(write(tmp_path / "rain.nc", months(1979, 2019))).matrix.shape == (6, 41)


def test_packed_numbers_are_unpacked(tmp_path):
    panel = gpcp(write(tmp_path / "rain.nc", months(1990, 1990), packed=True), first=1990, last=1990)
    assert panel.matrix == pytest.approx(totals(1990, 1990), rel=1e-6)


def test_a_missing_month_makes_a_cell_missing_in_that_year(tmp_path):
    rates = rain(months(1990, 1991))
    rates[13, 0, 1] = FILL
    panel = gpcp(write(tmp_path / "rain.nc", months(1990, 1991), rates=rates), first=1990, last=1991)
    expected = totals(1990, 1991)
    expected[1, 1] = np.nan
    assert panel.matrix == pytest.approx(expected, rel=1e-6, nan_ok=True)
    assert panel.presence().tolist() == [2, 1, 2, 2, 2, 2]


def test_files_that_cannot_be_used(tmp_path):
    with pytest.raises(DataError, match="the year 1991 lacks months in the file: 12"):
        gpcp(write(tmp_path / "a.nc", months(1990, 1991)[:-1]), first=1990, last=1991)
    with pytest.raises(DataError, match="no variable named precip"):
        gpcp(write(tmp_path / "b.nc", months(1990, 1990), leave_out="precip"), first=1990, last=1990)
    with pytest.raises(DataError, match="units such as"):
        gpcp(write(tmp_path / "c.nc", months(1990, 1990), units="fortnights since 1800-01-01"), first=1990, last=1990)
    for name, content, message in (
        ("d.nc", b"rain", "not a NetCDF file"),
        ("e.nc", b"CDF\x01\x00", "not a whole NetCDF 3 file"),
        ("f.nc", b"", "not a NetCDF file"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(DataError, match=message):
            gpcp(tmp_path / name)
    with pytest.raises(DataError, match="cannot be opened"):
        gpcp(tmp_path / "nowhere.nc")
    with pytest.raises(ParameterError, match="last"):
        gpcp(tmp_path / "a.nc", first=1990, last=1989)


def test_without_h5netcdf_it_says_what_to_install(tmp_path, monkeypatch):
    (tmp_path / "new.nc").write_bytes(b"\x89HDF\r\n\x1a\n")
    monkeypatch.setitem(sys.modules, "h5netcdf", None)
    with pytest.raises(DataError, match="pip install h5netcdf h5py"):
        gpcp(tmp_path / "new.nc")


def test_a_netcdf_4_file_is_read(tmp_path):
    """A real one, as NOAA offers it today: HDF5 inside, a fill value for what is missing."""
    times = months(1990, 1992)
    start = datetime.date(1800, 1, 1)
    rates = rain(times).astype(np.float32)
    rates[5, 1, 2] = FILL
    with h5netcdf.File(tmp_path / "rain.nc", "w") as file:
        file.dimensions = {"time": len(times), "lat": 2, "lon": 3}
        days = file.create_variable("time", ("time",), float)
        days[:] = [(datetime.date(year, month, 1) - start).days for year, month in times]
        days.attrs["units"] = "days since 1800-01-01 00:00:0.0"
        file.create_variable("lat", ("lat",), np.float32)[:] = LATITUDE
        file.create_variable("lon", ("lon",), np.float32)[:] = LONGITUDE
        precipitation = file.create_variable("precip", ("time", "lat", "lon"), np.float32)
        precipitation[:] = rates
        precipitation.attrs["missing_value"] = np.float32(FILL)
    panel = gpcp(tmp_path / "rain.nc", first=1990, last=1992)
    expected = totals(1990, 1992)
    missing = np.isnan(panel.matrix)
    assert missing.sum() == 1
    assert missing[:, 0].any(), "in the first year alone"
    assert panel.matrix[~missing] == pytest.approx(expected[~missing], rel=1e-6)
