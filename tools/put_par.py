"""Put `par` into the virtual environment, or where the first argument says: the command line of this very folder."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHON = Path(sys.executable)
TARGET = Path(sys.argv[1]) if len(sys.argv) > 1 else PYTHON.parent / "par"

start = f"import sys; sys.path[0] = {str(ROOT)!r}; from par_core.cli import par; par()"
TARGET.write_text(f'#!/bin/sh\nexec {shlex.quote(str(PYTHON))} -c {shlex.quote(start)} "$@"\n', encoding="utf-8")
TARGET.chmod(0o755)
