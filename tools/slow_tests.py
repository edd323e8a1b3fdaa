"""List the tests that `make check` leaves out, from the times of one run of all: `python -m tools.slow_tests TIMES.xml`.

TIMES.xml is what `make test PYTEST_ADDOPTS=--junitxml=TIMES.xml` has written.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "tests" / "slow.txt"
FOLDERS = ("tests.core.", "tests.figures.", "tests.golden.")
MOST_SECONDS = 0.25  # of a test with all its values


def slow(times: Path) -> list[str]:
    """Return the tests that took longer, as pytest names them, without their values."""
    spent: Counter[tuple[str, str]] = Counter()
    for case in ElementTree.parse(times).getroot().iter("testcase"):
        spent[case.get("classname", ""), case.get("name", "").partition("[")[0]] += float(case.get("time", "0"))
    return sorted(
        f"{module.replace('.', '/')}.py::{name}"
        for (module, name), seconds in spent.items()
        if seconds > MOST_SECONDS and module.startswith(FOLDERS)
    )


if __name__ == "__main__":
    LIST.write_text("\n".join(slow(Path(sys.argv[1]))) + "\n", encoding="utf-8")
