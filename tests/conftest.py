"""Hypothesis draws the same examples in every run, and hurries none: a machine may be slow.

What is collected stays to the end, so the collector of garbage need not look through it, neither while it grows nor later.
"""

import gc
from pathlib import Path

import pytest
from hypothesis import settings

SLOW = frozenset((Path(__file__).parent / "slow.txt").read_text("utf-8").split())

settings.register_profile("same everywhere", deadline=None, derandomize=True)
settings.load_profile("same everywhere")
gc.disable()


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by marks
def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid.partition("[")[0] in SLOW:
            item.add_marker("slow")


def pytest_collection_finish():
    gc.collect()
    gc.freeze()
    gc.enable()
