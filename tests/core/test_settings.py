"""What whoever runs the dashboard may set in the environment."""

import pytest

from par_core.errors import ParameterError
from par_core.settings import Settings, read, settings


def test_defaults():
    assert read({}) == Settings(uploads=True, upload_mb=50, job_seconds=30.0, jobs=1, gpcp=None)
    empty = {"PAR_UPLOADS": "", "PAR_UPLOAD_MB": "", "PAR_JOB_SECONDS": "", "PAR_JOBS": "", "PAR_GPCP": ""}
    assert read(empty) == read({"PAR_CHROMIUM": "/usr/bin/chromium"}) == Settings()


def test_every_variable_is_read():
    found = read(
        {"PAR_UPLOADS": "0", "PAR_UPLOAD_MB": "5", "PAR_JOB_SECONDS": "2.5", "PAR_JOBS": "3", "PAR_GPCP": "rain.nc"}
    )
    assert found == Settings(uploads=False, upload_mb=5, job_seconds=2.5, jobs=3, gpcp="rain.nc")
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
