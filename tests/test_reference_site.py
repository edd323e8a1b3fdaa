"""The reference is built from the docstrings: each package with its public names, and the examples with what they print."""

import subprocess
import sys
from pathlib import Path

import par_core
from tests.test_examples import PRINTED

ROOT = Path(__file__).parents[1]


def test_the_site_has_every_package_and_runs_every_example(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "reference_site.py", tmp_path], capture_output=True, text=True, check=True
    )
    assert "Warning" not in done.stderr
    front = (tmp_path / "par_core.html").read_text(encoding="utf-8")
    assert all(line in front for printed in PRINTED.values() for line in printed.splitlines())
    for name in par_core.__all__:
        page = (tmp_path / "par_core" / f"{name}.html").read_text(encoding="utf-8")
        public = getattr(getattr(par_core, name), "__all__", ())
        assert len(public) > 4 or name in ("errors", "evidence", "scenario")
        assert all(f'id="{each}"' in page or f'{name}/{each}.html"' in page for each in public)
