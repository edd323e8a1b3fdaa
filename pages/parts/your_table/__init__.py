"""Sections, controls and words of the page your table."""
