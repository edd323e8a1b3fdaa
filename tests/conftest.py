"""Hypothesis draws the same examples in every run, and hurries none: a machine may be slow.

What is collected stays to the end, so the collector of garbage need not look through it, neither while it grows nor later.
"""

import gc

from hypothesis import settings

settings.register_profile("same everywhere", deadline=None, derandomize=True)
settings.load_profile("same everywhere")
gc.disable()


def pytest_collection_finish():
    gc.collect()
    gc.freeze()
    gc.enable()
