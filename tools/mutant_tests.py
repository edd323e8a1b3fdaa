"""Run chosen tests in the current folder, in a process of its own: to measure who runs which line, or to meet a mutant."""

from __future__ import annotations

import faulthandler
import functools
import gc
import importlib
import json
import os
import resource
import sys
from collections.abc import Generator
from pathlib import Path

import coverage
import hypothesis
import pytest

MEMORY = 8 << 30  # bytes; what a mutant asks for beyond that is a failure, not a machine at a standstill
IMPORT_SECONDS = 120.0


class Measure:
    """Note the lines of the packages that each test runs, and its seconds.

    A line belongs to the name of a test, or to the name's beginning: to a file or folder where it is run for all of its
    tests, while they are collected or in a fixture that they share, and to the empty name where it is run at import.
    """

    def __init__(self, path: str, packages: list[str]) -> None:
        self.path, self.packages, self.seconds = path, packages, {}
        self.coverage = coverage.Coverage(data_file=f"{path}.lines", config_file=False, source=packages)
        self.coverage.set_option("run:relative_files", True)
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, object, object]:
        """What a file runs while it is read belongs to the file."""
        if isinstance(collector, pytest.File):
            self.coverage.switch_context(collector.nodeid)
        return (yield)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Find what remembers results."""
        files = {item.path.stem for item in session.items}
        found = (each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper))
        self.caches = [each for each in found if {*str(each.__module__).split(".")} & {*files, *self.packages}]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """What a test runs belongs to it."""
        for each in self.caches:  # or only the first test that needs a value would be seen to run its lines
            each.cache_clear()
        self.item = item.nodeid
        self.coverage.switch_context(item.nodeid)
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
        """What a shared fixture runs belongs to all who share it."""
        if fixturedef.scope != "function":
            self.coverage.switch_context(fixturedef.baseid)
        try:
            return (yield)
        finally:
            self.coverage.switch_context(self.item)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up the seconds of a test with those of its fixtures."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration

    def pytest_sessionfinish(self) -> None:
        """Write both down."""
        self.coverage.stop()
        self.coverage.save()
        Path(f"{self.path}.seconds").write_text(json.dumps(self.seconds), encoding="utf-8")


class Meet:
    """Keep the chosen tests alone, in their order, and end the process when one of them takes too long."""

    def __init__(self, limits: dict[str, float], complaints: object) -> None:
        self.limits, self.complaints = limits, complaints

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Choose and sort."""
        order = {name: place for place, name in enumerate(self.limits)}
        items[:] = sorted((each for each in items if each.nodeid in order), key=lambda each: order[each.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Set the clock anew for each test."""
        faulthandler.dump_traceback_later(self.limits[nodeid], exit=True, file=self.complaints)


def main(task: dict) -> int:
    """Run the tests of a task; the result is pytest's."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    complaints = os.fdopen(os.dup(2), "w")  # pytest keeps the second stream to itself
    sys.path.insert(0, os.getcwd())
    # A failure is enough: a smaller example of it is not looked for, and none is kept.
    hypothesis.settings.register_profile(
        "mutants", phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate], database=None
    )
    hypothesis.settings.load_profile("mutants")
    plugin = Measure(task["measure"], task["packages"]) if "measure" in task else Meet(task["limits"], complaints)
    if "limits" in task:
        faulthandler.dump_traceback_later(IMPORT_SECONDS, exit=True, file=complaints)
    for file in sorted(
        each for package in task["packages"] for each in Path(package).rglob("*.py")
    ):  # as the collection of all doctests does
        if file.stem not in ("__init__", "__main__"):
            importlib.import_module(".".join(file.with_suffix("").parts))
    options = ["-x", "-q", "--tb=no", "--no-header", "-p", "no:cacheprovider", "-p", "no:faulthandler"]
    return pytest.main([*options, *task["tests"]], plugins=[plugin])


if __name__ == "__main__":
    sys.exit(main(json.load(sys.stdin)))
