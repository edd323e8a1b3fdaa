"""Draw a random sample of mutants and report which of them the tests let live (`make mutants`, also with OPTIONS=--pages).

A mutant is one small fault: a comparison, boundary or operator changed, a number off by one or doubled, a condition
negated or removed, a clamp or a keyword argument dropped, another value returned. The places are drawn uniformly, by a
seed, over par_core and par_distributed without the claims: those are entries, whose verdicts are tested in another
way. Strings, messages, annotations and decorators are left alone, and the numbers in par_core/figures, which are places
and sizes. Each mutant meets the tests in tests/core, tests/figures and tests/golden and the doctests that run its line,
quickest first, until one fails; the tests of pages and browser take no part. With --pages the mutants are of the pages,
and meet the tests in tests/pages alone. Survivors are for reading one by one: some change nothing that anybody could see.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.util import cache_from_source
from pathlib import Path
from queue import SimpleQueue

import coverage

from tools.mutant_faults import faults

RUNNER = Path(__file__).with_name("mutant_tests.py")
KEPT = ".mutants"  # which test runs which line, until a file changes
SCRIPTS, ASSEMBLER = (
    "par_core/export/scripts/",
    "par_core/export/specialised.py",
)  # whose text is taken, and who takes it
OF_GIT = "test_app_version.py"  # asks a repository, which copies are not
SLACK = 10.0  # seconds that a test may take beside five times the slowest of its file
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", KEPT, ".hypothesis", ".*_cache", "browser")
PASSED, FAILED = 0, (1, 2, 3)  # for pytest: failed, not even collected, broken within


@dataclass(frozen=True)
class Part:
    """What is mutated, and the tests that its mutants meet."""

    packages: tuple[str, ...]
    tests: tuple[str, ...]

    def files(self, root: Path) -> list[Path]:
        """Return what may be mutated, from the root."""
        found = [each.relative_to(root) for name in self.packages for each in sorted((root / name).rglob("*.py"))]
        return [each for each in found if "claims" not in each.parts]


CORE = Part(
    ("par_core", "par_distributed"),
    ("tests/core", "tests/figures", "tests/golden", "par_core", "par_distributed", "README.md"),
)
OF_PAGES = Part(("pages",), ("tests/pages",))


@dataclass(frozen=True)
class Mutant:
    """One change of one file, where it is, and the lines from the start of its statement to its own end."""

    file: str
    line: int
    column: int  # from 0
    lines: range
    before: str
    after: str
    source: bytes

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column + 1}  {self.before}  →  {self.after}"


def parts(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node in which a fault may stand."""
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list"):
            yield from (each for each in (value if isinstance(value, list) else [value]) if isinstance(each, ast.AST))


def places(node: ast.AST, start: int = 1) -> Iterator[tuple[ast.AST, int]]:
    """Yield the nodes that have faults, each with the first line of the statement that it stands in."""
    if isinstance(node, ast.Raise | ast.JoinedStr | ast.pattern):
        return  # messages, and what cannot be an expression
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
        node = node.args[0]
    start = node.lineno if isinstance(node, ast.stmt) else start
    if faults(node):
        yield node, start
    for part in parts(node):
        yield from places(part, start)


def mutant(file: str, source: bytes, before: ast.AST, after: ast.AST, start: int) -> Mutant:
    """Put the change into the text of the file, whose other lines stay as they are."""
    lines = source.splitlines(keepends=True)
    offset = [sum(map(len, lines[: number - 1])) for number in (before.lineno, before.end_lineno)]
    new = ast.unparse(after)
    text = new if isinstance(before, ast.stmt) else f"({new})"
    edited = source[: offset[0] + before.col_offset] + text.encode() + source[offset[1] + before.end_col_offset :]
    compile(edited, file, "exec")
    reach = range(start, before.end_lineno + 1)
    return Mutant(file, before.lineno, before.col_offset, reach, ast.unparse(before), new, edited)


def draw(root: Path, seed: int, number: int, part: Part = CORE) -> list[Mutant]:
    """Draw places uniformly over a part, and of each one of its faults."""
    files = part.files(root)
    sources = {str(each): (root / each).read_bytes() for each in files}
    found = [
        (str(file), node, start)
        for file in files
        for node, start in places(ast.parse(sources[str(file)]))
        if "figures" not in file.parts or not isinstance(node, ast.Constant)
    ]
    rng = random.Random(seed)
    drawn = rng.sample(found, min(number, len(found)))
    return [mutant(file, sources[file], *rng.choice(faults(node)), start) for file, node, start in drawn]


class Copies:
    """Copies of the tree, one for each process at a time: the tree itself is never changed."""

    def __init__(self, root: Path, folder: Path, number: int) -> None:
        self.free: SimpleQueue[Path] = SimpleQueue()
        self.all = [shutil.copytree(root, folder / str(each), ignore=LEFT_OUT) for each in range(number)]
        for each in self.all:
            self.free.put(each)

    def run(self, task: dict[str, object], file: str = "", source: bytes = b"") -> subprocess.CompletedProcess[str]:
        """Run tests in a free copy, with another source in one of its files."""
        tree = self.free.get()
        path = tree / file
        original = path.read_bytes() if file else b""
        try:
            self._write(path, source)
            return subprocess.run(
                [sys.executable, str(RUNNER)],
                input=json.dumps(task),
                cwd=tree,
                env=os.environ | {"PYTHONHASHSEED": "0", "PYTHONPATH": str(tree)},
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            self._write(path, original)
            self.free.put(tree)

    @staticmethod
    def _write(path: Path, source: bytes) -> None:
        """Write a file, and forget what Python and numba have compiled of it and, numba, of what stands beside it."""
        if path.is_dir():
            return
        path.write_bytes(source)
        Path(cache_from_source(str(path))).unlink(missing_ok=True)
        for each in path.parent.glob("__pycache__/*.nb[ci]"):
            each.unlink()


class Runs:
    """Which test runs which line, and how long each test takes."""

    def __init__(self, folder: Path, part: Part) -> None:
        self.part = part
        self.seconds: dict[str, float] = {}
        self.slowest: dict[str, float] = {}  # test of each file: whichever comes first makes what all of them share
        self._lines: list[coverage.CoverageData] = []
        for part in sorted(folder.glob("*.seconds")):
            self.seconds |= json.loads(part.read_text(encoding="utf-8"))
            self._lines.append(coverage.CoverageData(str(part.with_suffix(".lines"))))
            self._lines[-1].read()
        for test, seconds in self.seconds.items():
            file = test.partition("::")[0]
            self.slowest[file] = max(seconds, self.slowest.get(file, 0.0))

    def contexts(self, file: str, lines: range | None = None) -> set[str]:
        """Return what runs any of these lines, or any line: beginnings of names of tests, empty for an import."""
        by_line = [each.contexts_by_lineno(file) for each in self._lines]
        return {name for each in by_line for line in lines or each for name in each.get(line, ())}

    def of(self, mutant: Mutant) -> list[str]:
        """Return the tests that run the line of a mutant, quickest first.

        A line that is run at import belongs to all tests that run anything of its file. Where there are none, and of a line
        that no test is seen to run, as it is compiled or run in another process, it is those that run anything in its folder.
        """
        near = self.contexts(mutant.file) - {""}
        chosen = self.contexts(mutant.file, mutant.lines)
        if "" in chosen:
            chosen = near
        if mutant.file.startswith(SCRIPTS):
            chosen |= self.contexts(ASSEMBLER) - {""}
        if not chosen:
            files = {each for data in self._lines for each in data.measured_files()}
            beside = [each for each in files if Path(each).parent == Path(mutant.file).parent]
            chosen = set().union(*map(self.contexts, beside)) - {""}
        tests = [test for test in self.seconds if chosen & beginnings(test)]
        # Those about as quick as each other file by file, so that what they share is made once.
        quickness = {test: round(math.log2(self.seconds[test] + 0.01)) for test in tests}
        return sorted(tests, key=lambda test: (quickness[test], test))


@cache
def beginnings(test: str) -> frozenset[str]:
    """Return the names under which the lines that a test runs may be noted: its own, its file's, its folders', none."""
    file = test.partition("::")[0]
    return frozenset({"", test, file, *map(str, Path(file).parents)})


def measured(root: Path, copies: Copies, part: Part = CORE) -> Runs:
    """Run every test once, unless no file has changed since that was done."""
    folders = [root / each for each in (*CORE.tests, *part.tests, *part.packages, "pyproject.toml", RUNNER)]
    inside = [each for folder in folders for each in (folder, *sorted(folder.rglob("*.*")))]
    files = [each for each in inside if each.is_file() and "__pycache__" not in each.parts]
    stamp = hashlib.sha256(b"".join(str(each).encode() + each.read_bytes() for each in files)).hexdigest()
    kept = root / KEPT / part.packages[0]
    folder = kept / stamp[:16]
    if not folder.exists():
        shutil.rmtree(kept, ignore_errors=True)
        begun = folder.with_suffix(".begun")
        begun.mkdir(parents=True)
        given = [each for each in part.tests if (root / each).exists()]
        tests = [each for name in given for each in sorted((root / name).glob("test_*.py"))]
        found = [str(each.relative_to(root)) for each in tests if each.name != OF_GIT]
        found += [each for each in given if not each.startswith("tests")]
        shares = [found[start :: len(copies.all)] for start in range(len(copies.all))]
        tasks = [
            {"tests": share, "measure": str(begun / str(place)), "packages": part.packages}
            for place, share in enumerate(shares)
            if share
        ]
        with ThreadPoolExecutor(len(copies.all)) as threads:
            for run in threads.map(copies.run, tasks):
                if run.returncode != PASSED:
                    sys.exit(f"The tests fail without any mutant:\n{run.stdout[-3000:]}{run.stderr[-1000:]}")
        begun.rename(folder)
    return Runs(folder, part)


def judge(copies: Copies, runs: Runs, mutant: Mutant) -> str:
    """Return what killed a mutant, or nothing where it lives."""
    tests = runs.of(mutant)
    if not tests:
        return ""
    limits = {test: SLACK + 5.0 * runs.slowest[test.partition("::")[0]] for test in tests}
    files = list(dict.fromkeys(each.partition("::")[0] for each in tests))
    task = {"tests": files, "limits": limits, "packages": runs.part.packages}
    run = copies.run(task, mutant.file, mutant.source)
    if run.returncode == PASSED:
        return ""
    if run.returncode > 0 and run.returncode not in FAILED:
        raise RuntimeError(f"the tests could not be run ({run.returncode}):\n{run.stdout[-3000:]}{run.stderr[-1000:]}")
    said = [each for each in run.stdout.splitlines() if each.startswith(("FAILED", "ERROR"))]
    return said[0].partition(" - ")[0] if said else "out of time" if "Timeout" in run.stderr else "cannot be imported"


def report(root: Path, seed: int, number: int, processes: int, part: Part) -> None:
    """Draw, judge and print: each mutant as it is judged, the survivors once more at the end."""
    with tempfile.TemporaryDirectory() as folder:
        copies = Copies(root, Path(folder), processes)
        runs = measured(root, copies, part)
        mutants = draw(root, seed, number, part)
        quickest = min(mutants, key=lambda each: sum(runs.seconds[test] for test in runs.of(each)))
        unchanged = replace(quickest, source=(root / quickest.file).read_bytes())
        if died := judge(copies, runs, unchanged):
            sys.exit(f"The tests fail without any mutant: {died}")
        survivors, start = [], time.monotonic()
        with ThreadPoolExecutor(processes) as threads:
            try:
                killers = threads.map(partial(judge, copies, runs), mutants)
                for done, (each, killer) in enumerate(zip(mutants, killers, strict=True), 1):
                    print(f"{done:4d} {killer or 'SURVIVES'}\n     {each}", flush=True)
                    if not killer:
                        survivors.append(each)
            except BaseException:
                threads.shutdown(cancel_futures=True)
                raise
    killed = len(mutants) - len(survivors)
    print(f"\nSeed {seed}: {killed} of {len(mutants)} mutants killed ({killed / len(mutants):.0%})", end=" ")
    print(f"in {(time.monotonic() - start) / 60:.0f} minutes. Survivors, for a look whether anybody could tell:")
    for each in survivors:
        lines = (root / each.file).read_text(encoding="utf-8").splitlines()
        print(f"\n{each}", *(f"    {lines[number - 1]}" for number in each.lines), sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the same seed draws the same sample from the same source")
    parser.add_argument("--number", type=int, default=100, help="of mutants; a hundred take about half an hour")
    parser.add_argument("--processes", type=int, default=2, help="at a time")
    parser.add_argument("--pages", action="store_true", help="of the pages instead of the core")
    given = parser.parse_args()
    root, part = Path(__file__).parents[1], OF_PAGES if given.pages else CORE
    report(root, given.seed, given.number, given.processes, part)
