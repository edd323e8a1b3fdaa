"""Sections, controls and words of the page explicit risk."""
