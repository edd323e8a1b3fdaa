"""Copy the chart library that the installed plotly package ships into static/, the one folder that Streamlit serves."""

from __future__ import annotations

import shutil
from importlib.resources import files
from pathlib import Path

SOURCE = files("plotly") / "package_data" / "plotly.min.js"
TARGET = Path(__file__).parents[1] / "static" / "plotly.min.js"

TARGET.parent.mkdir(exist_ok=True)
with SOURCE.open("rb") as source, TARGET.open("wb") as target:
    shutil.copyfileobj(source, target)
