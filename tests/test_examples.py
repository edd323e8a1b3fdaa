"""The examples run with the package alone, and print what they should; the reference, which is built from docstrings, shows that."""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

import par_core

ROOT = Path(__file__).parents[1]
PRINTED = {
    "audit_a_table": "most exposed: Eve, δ = 0.26 at ε = 0.1\n",
    "budget_left_this_year": "spent: ε = 1.00 of 2.5; with one more plan 1.97\nit fits\n"
    "spent: ε = 1.97 of 2.5; with one more plan 2.57\nit does not fit: the releases of 2026 would come to ε = 2.57, which is above 2.5: "
    "without this plan to 1.98\n",
    "check_a_claim": "Lemma 1 of the empirical paper: reproduced\n",
    "epsilon_for_error": "count: ε = 0.499\nmean age of 2,000 persons: ε = 0.300\n",
    "error_of_a_histogram": "one count: within 12 in 95 of 100 releases\nall 7 counts at once: within 20\n",
    "error_of_a_median": "ε = 0.1: at most 139 rows from the true median in 95 of 100 releases\n"
    "ε = 0.5: at most 27 rows from the true median in 95 of 100 releases\n"
    "ε = 1.0: at most 13 rows from the true median in 95 of 100 releases\n",
    "many_releases": "basic composition: ε = 10.00\nin truth: ε = 4.22 with δ = 0.00001\n",
    "odds_in_100": "ε = 0.1: at most 53 of 100 guesses about one person are right; a coin gets 50\n"
    "ε = 0.5: at most 62 of 100 guesses about one person are right; a coin gets 50\n"
    "ε = 1.0: at most 70 of 100 guesses about one person are right; a coin gets 50\n"
    "ε = 3.0: at most 89 of 100 guesses about one person are right; a coin gets 50\n",
    "price_of_a_breach": "at ε₀ = 0.5: 13,534 dollars\nat ε = 0.29, which holds in 11% of releases: 12,360 dollars\n",
    "public_label": "Of 100 guesses about one person, at most 57 are right; a coin gets 50.\n"
    "In 95 of 100 releases a count is off by 24 at most.\nThe label still lacks what it is for, a contact, a date.\n",
    "release_script": "pip install opendp==0.16.0\npython release.py patients.csv\n",
    "samples_for_a_sensitivity": "299 pairs: the largest then covers 99 in 100 pairs, with 95 % certainty\n",
    "sampling_and_groups": "everybody's data: one person loses at most ε = 1.00\na secret tenth of them: ε = 0.16\n"
    "everybody's data, a family of four: ε = 4.00\n",
    "several_statistics": "each of 12 counts: ε = 0.75, within 8 in 95 of 100 releases\n"
    "the sum of costs: ε = 0.25, within 599.1 in 95 of 100 releases\n",
    "two_mechanisms": "100 releases: ε = 4.28 with δ = 0.00001\n",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The reference as its tool writes it, which runs each example in a process and a folder of its own."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "reference_site.py", folder], capture_output=True, text=True, check=True
    )
    assert "Warning" not in done.stderr
    return folder


def test_every_example_is_held_against_its_text():
    assert {path.stem for path in (ROOT / "examples").glob("*.py")} == set(PRINTED)


@pytest.mark.parametrize("name", sorted(PRINTED))
def test_an_example_prints_its_text(name, site):
    script = ROOT / "examples" / f"{name}.py"
    question, *more = script.read_text(encoding="utf-8").splitlines()
    assert question.startswith('"""')
    assert question.endswith('?"""'), "its first line is what somebody would search for"
    assert len(more) < 40
    front = (site / "par_core.html").read_text(encoding="utf-8")
    _, beneath = front.split(f"{question.strip(chr(34))}</h3>")
    _, _, printed, *_ = re.split("</?code>", beneath.partition("<h3")[0])[1:]
    assert unescape(printed) == PRINTED[name]


def test_every_package_has_a_page_with_its_public_names(site):
    for name in par_core.__all__:
        page = (site / "par_core" / f"{name}.html").read_text(encoding="utf-8")
        public = getattr(getattr(par_core, name), "__all__", ())
        assert len(public) > 4 or name in ("errors", "evidence", "scenario")
        assert all(f'id="{each}"' in page or f'{name}/{each}.html"' in page for each in public)
