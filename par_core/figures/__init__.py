"""Pure functions from a result to a picture (`drawing.Drawing`), one module per page."""
