"""Each recipe of CONTRIBUTING.md is followed to the letter in a copy of the project: its test passes, it touches no more files."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPES = {
    title: (int(files), code)
    for title, files, code in re.findall(
        r"^## ([^\n:]+): (\d) files? and its test$.*?^```python\n(.+?)^```$", TEXT, re.M | re.S
    )
}
PART = re.compile(r"^# ([\w/]+\.py), (new|at the end|above: .+|below: .+)\n", re.M)
COPIED = ("pages", "par_core", "assets", "app.py", "tests/pages/conftest.py", "tests/audits.py", "tests/shown.py")


def parts_of(code):
    """Return the file, the place in it and the text of each part."""
    _, *found = PART.split(code)
    return list(zip(found[::3], found[1::3], found[2::3], strict=True))


def put(text, place, part):
    """Return the text of a file with a part at its place: lines are found by how they begin."""
    if place == "at the end":
        return f"{text}\n\n{part}"
    side, start = place.split(": ", 1)
    lines = text.splitlines(keepends=True)
    (at,) = (at for at, line in enumerate(lines) if line.lstrip().startswith(start))
    return "".join([*lines[: at + (side == "below")], part, *lines[at + (side == "below") :]])


def test_every_recipe_is_found():
    assert list(RECIPES) == ["A section of a page", "A mechanism", "An accountant", "A statistic of a table", "A claim"]


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_touches_as_few_files_as_it_says(title):
    files, code = RECIPES[title]
    touched = {file for file, *_ in parts_of(code)}
    tests = {each for each in touched if each.startswith("tests/")}
    assert len(tests) == 1
    assert len(touched - tests) == files
    assert files == {"A claim": 1, "An accountant": 1, "A section of a page": 3, "A statistic of a table": 4}.get(
        title, 2
    )


def test_the_recipes_work(tmp_path):
    for name in COPIED:
        source, copy = ROOT / name, tmp_path / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        bare = shutil.ignore_patterns("__pycache__")  # other workers write there
        shutil.copytree(source, copy, ignore=bare) if source.is_dir() else shutil.copy(source, copy)
    for _, code in RECIPES.values():
        for name, place, part in parts_of(code):
            file = tmp_path / name
            assert file.exists() == (place != "new"), name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(part if place == "new" else put(file.read_text("utf-8"), place, part), "utf-8")
    asked = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        ".",
        "--import-mode=importlib",
    ]
    done = subprocess.run(
        [*asked, "tests"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"{len(RECIPES)} passed" in done.stdout, done.stdout + done.stderr
