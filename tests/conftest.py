"""Hypothesis draws the same examples in every run, and hurries none: a machine may be slow."""

from hypothesis import settings

settings.register_profile("same everywhere", deadline=None, derandomize=True)
settings.load_profile("same everywhere")
