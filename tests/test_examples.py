"""The examples run with the package alone, and print what they should."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PRINTED = {
    "audit_a_table": "most exposed: Eve, δ = 0.26 at ε = 0.1\n",
    "check_a_claim": "Lemma 1 of the empirical paper: reproduced\n",
    "epsilon_for_error": "count: ε = 0.499\nmean age of 2,000 persons: ε = 0.300\n",
    "many_releases": "basic composition: ε = 10.00\nin truth: ε = 4.22 with δ = 0.00001\n",
    "price_of_a_breach": "at ε₀ = 0.5: 13,534 dollars\nat ε = 0.29, which holds in 11% of releases: 12,360 dollars\n",
    "release_script": "pip install opendp==0.16.0\npython release.py patients.csv\n",
    "samples_for_a_sensitivity": "299 pairs: the largest then covers 99 in 100 pairs, with 95 % certainty\n",
    "two_mechanisms": "100 releases: ε = 4.28 with δ = 0.00001\n",
}


def test_every_example_is_held_against_its_text():
    assert {path.stem for path in (ROOT / "examples").glob("*.py")} == set(PRINTED)


@pytest.mark.parametrize("name", sorted(PRINTED))
def test_an_example_prints_its_text(name, tmp_path):
    script = ROOT / "examples" / f"{name}.py"
    assert len(script.read_text(encoding="utf-8").splitlines()) <= 40
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, script], env=environment, cwd=tmp_path, capture_output=True, check=True)
    assert done.stdout.decode("utf-8") == PRINTED[name]
