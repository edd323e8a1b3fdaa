"""The sections and controls of the page Empirical audit."""
