"""What whoever runs the dashboard may set in the environment."""

import math
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path

import pytest

from par_core.deployment import Settings, read, settings
from par_core.errors import ParameterError

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_defaults():
    assert read({}) == Settings(uploads=True, upload_mb=50, job_seconds=30.0, jobs=1, gpcp=None, commit=None)
    empty = dict.fromkeys((f"PAR_{field.name.upper()}" for field in fields(Settings)), "")
    assert read(empty) == read({"PAR_CHROMIUM": "/usr/bin/chromium"}) == Settings()


def test_every_variable_is_read():
    found = read(
        {"PAR_UPLOADS": "0", "PAR_UPLOAD_MB": "5", "PAR_JOB_SECONDS": "2.5", "PAR_JOBS": "3", "PAR_GPCP": "rain.nc"}
        | {"PAR_COMMIT": "v1.2-3-gab12-dirty"}
    )
    assert found == Settings(False, 5, 2.5, 3, "rain.nc", "v1.2-3-gab12-dirty")
    assert type(found.upload_mb) is type(found.jobs) is int


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("PAR_UPLOADS", "yes", "must be 0 or 1, got 'yes'"),
        ("PAR_UPLOAD_MB", "0", "must be a whole number at least 1 and at most 1000, got 0"),
        ("PAR_UPLOAD_MB", "1001", "must be a whole number at least 1 and at most 1000, got 1001"),
        ("PAR_UPLOAD_MB", "2.5", "must be a whole number at least 1 and at most 1000, got 2.5"),
        ("PAR_UPLOAD_MB", "50MB", "must be a whole number at least 1 and at most 1000, got '50MB'"),
        ("PAR_JOB_SECONDS", "0.5", "must be at least 1 and at most 3600, got 0.5"),
        ("PAR_JOB_SECONDS", "nan", "must be at least 1 and at most 3600, got nan"),
        ("PAR_JOB_SECONDS", "inf", "must be at least 1 and at most 3600, got inf"),
        ("PAR_JOBS", "0", "must be a whole number at least 1 and at most 64, got 0"),
        ("PAR_JOBS", "65", "must be a whole number at least 1 and at most 64, got 65"),
        ("PAR_COMMIT", "a b", "must be letters, digits and . _ + - (60 at most), got 'a b'"),
        ("PAR_COMMIT", "a" * 61, f"must be letters, digits and . _ + - (60 at most), got '{'a' * 40}'"),
        ("PAR_COMMIT", "v1\n", "must be letters, digits and . _ + - (60 at most), got 'v1\\n'"),
        ("PAR_COMMIT", "é", "must be letters, digits and . _ + - (60 at most), got 'é'"),
    ],
)
def test_a_bad_value_names_its_variable(name, value, message):
    with pytest.raises(ParameterError) as caught:
        read({name: value})
    assert str(caught.value) == f"{name} {message}"


def test_the_environment_is_read_once(monkeypatch):
    settings.cache_clear()
    monkeypatch.setenv("PAR_JOBS", "2")
    assert settings().jobs == 2
    monkeypatch.setenv("PAR_JOBS", "3")
    assert settings().jobs == 2
    settings.cache_clear()


@pytest.mark.parametrize(
    ("name", "field", "least", "most"),
    [("PAR_UPLOAD_MB", "upload_mb", 1, 1000), ("PAR_JOB_SECONDS", "job_seconds", 1, 3600), ("PAR_JOBS", "jobs", 1, 64)],
)
def test_both_ends_of_a_range_may_be_set_and_nothing_beyond(name, field, least, most):
    for value in (least, most):
        for text in (str(value), f"{value}.0", f" {value} "):
            found = read({name: text})
            assert getattr(found, field) == value
            assert replace(found, **{field: getattr(Settings(), field)}) == Settings()
    for text in (str(least - 1), str(math.nextafter(most, math.inf)), str(-most), "nan", "-inf", "1e400", "ten", "0x5"):
        with pytest.raises(ParameterError, match=f"^{name} must be "):
            read({name: text})


def test_whole_numbers_are_whole():
    for name in ("PAR_UPLOAD_MB", "PAR_JOBS"):
        with pytest.raises(ParameterError, match=f"^{name} must be a whole number .* got 1.5$"):
            read({name: "1.5"})
    assert read({"PAR_JOB_SECONDS": "1.5"}).job_seconds == 1.5


def test_every_setting_has_its_variable_in_the_readme():
    for field in fields(Settings):
        assert f"| `PAR_{field.name.upper()}` |" in README


def test_one_bad_value_is_enough():
    with pytest.raises(ParameterError, match="^PAR_JOBS"):
        read({"PAR_UPLOADS": "0", "PAR_JOBS": "none", "PAR_GPCP": "rain.nc"})
    with pytest.raises(ParameterError, match="^PAR_UPLOADS must be 0 or 1, got 'x{40}'$"):
        read({"PAR_UPLOADS": "x" * 5000})  # of a long value the start
    with pytest.raises(ParameterError, match="^environment must be a mapping"):
        read("PAR_JOBS=3")


def test_settings_cannot_be_changed_and_a_path_is_not_opened():
    found = read({"PAR_GPCP": "/nowhere/rain.nc"})
    assert found.gpcp == "/nowhere/rain.nc"
    with pytest.raises(FrozenInstanceError):
        found.jobs = 2
