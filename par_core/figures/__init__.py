"""Pure functions from a result to a Plotly figure, one module per page."""
