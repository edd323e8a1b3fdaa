"""Which version of the explorer this is, for footers, reports and CSV heads."""

from __future__ import annotations

import subprocess
from functools import lru_cache
from pathlib import Path

from par_core import __version__
from par_core.deployment import settings


@lru_cache(maxsize=1)
def text() -> str:
    """Return the version with the commit, that of a checkout with whether files were changed since, or the one named to it."""
    if commit := settings().commit:
        return f"{__version__} ({commit})"
    try:
        commit = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=10"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            timeout=5,
            check=True,
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return __version__
    return f"{__version__} ({commit})"
