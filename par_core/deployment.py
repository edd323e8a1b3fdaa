"""The few things that whoever runs the dashboard may set, through environment variables."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from par_core.errors import ParameterError
from par_core.parameters import check_integer, check_number, shown


@dataclass(frozen=True)
class Settings:
    """What the environment says, or these defaults.

    The smaller of `upload_mb` and Streamlit's own `server.maxUploadSize` counts. From the file `gpcp`, NOAA's monthly
    precipitation, the catalogue recomputes what rests on it; it is opened when that is asked for, not before.
    """

    uploads: bool = True  # PAR_UPLOADS, 1 or 0: whether visitors may open files of their own; 0 for a demonstration
    upload_mb: int = 50  # PAR_UPLOAD_MB, from 1 to 1000: the largest file, as uploaded, in units of 2**20 bytes
    job_seconds: float = 30.0  # PAR_JOB_SECONDS, from 1 to 3600: of a computation whose page does not say otherwise
    jobs: int = 1  # PAR_JOBS, from 1 to 64: long computations at once in this process; the others wait
    gpcp: str | None = None  # PAR_GPCP, a path
    commit: str | None = None  # PAR_COMMIT: what stands behind the version where no git can be asked, as in a container


@lru_cache(maxsize=1)
def settings() -> Settings:
    """Return the settings of this process; the environment is read once."""
    return read(os.environ)


def read(environment: Mapping[str, str]) -> Settings:
    """Return the settings that `environment` holds; an empty value counts as none."""
    plain = Settings()
    if not isinstance(environment, Mapping):
        raise ParameterError(f"environment must be a mapping from name to text, got {shown(environment)}")
    uploads = environment.get("PAR_UPLOADS") or str(int(plain.uploads))
    if uploads not in ("0", "1"):
        raise ParameterError(f"PAR_UPLOADS must be 0 or 1, got {uploads[:40]!r}")
    commit = environment.get("PAR_COMMIT") or plain.commit
    if commit and not re.fullmatch(r"[\w.+-]{1,60}", commit, re.ASCII):
        raise ParameterError(f"PAR_COMMIT must be letters, digits and . _ + - (60 at most), got {commit[:40]!r}")
    return Settings(
        uploads=uploads == "1",
        upload_mb=_whole(environment, "PAR_UPLOAD_MB", plain.upload_mb, at_most=1000),
        job_seconds=check_number(
            "PAR_JOB_SECONDS", _number(environment, "PAR_JOB_SECONDS", plain.job_seconds), at_least=1, at_most=3600
        ),
        jobs=_whole(environment, "PAR_JOBS", plain.jobs, at_most=64),
        gpcp=environment.get("PAR_GPCP") or plain.gpcp,
        commit=commit,
    )


def _whole(environment: Mapping[str, str], name: str, default: int, *, at_most: int) -> int:
    return check_integer(name, _number(environment, name, default), at_least=1, at_most=at_most)


def _number(environment: Mapping[str, str], name: str, default: float) -> float | str:
    text = environment.get(name) or str(default)
    try:
        return float(text)
    except ValueError:
        return text  # the check that follows names it
