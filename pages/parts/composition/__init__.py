"""Sections, controls and words of the page composition."""
