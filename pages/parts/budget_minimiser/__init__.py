"""Sections, controls and words of the page budget minimiser."""
