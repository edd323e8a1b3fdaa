"""The examples of the README's section "Command line", each in a shell of its own, and what they print."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SECTION = README.split("\n## Command line\n", 1)[1].split("\n## ", 1)[0]
EXAMPLES = re.findall(r"^    \$ (.+)\n((?:    (?!\$ ).*\n|\n(?=    (?!\$ )))*)", SECTION, re.M)


def test_every_command_has_an_example():
    commands = set(re.findall(r"\bpar (\w+)", " ".join(line for line, _ in EXAMPLES)))
    assert commands == {"audit", "refute", "release", "plan", "compose", "epsilon", "show", "check", "ledger"}


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    """The command as it is installed."""
    path = tmp_path_factory.mktemp("bin") / "par"
    subprocess.run([sys.executable, ROOT / "tools" / "put_par.py", path], check=True)
    return path


@pytest.mark.parametrize(("line", "printed"), EXAMPLES, ids=[line[:40] for line, _ in EXAMPLES])
def test_an_example_prints_what_stands_below_it(script, line, printed, tmp_path):
    clean = {"PATH": f"{script.parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    found = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=clean, capture_output=True, text=True, check=True)
    wanted = re.sub(r"^    ", "", printed, flags=re.M)
    if wanted.strip():
        assert found.stdout.strip() == wanted.strip()
    else:
        assert found.stdout or any((tmp_path / each).exists() for each in re.findall(r"[\w.]+\.(?:py|csv|json)", line))
