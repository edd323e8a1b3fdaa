"""Write anew what the calls and the charts give now: `python -m tests.golden.record calls` or `… charts`, on purpose only."""

import gzip
import json
import sys
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"
CALLS_FILE, CHARTS_FILE = DATA / "calls.json.gz", DATA / "charts.json.gz"


def read(path):
    return json.loads(gzip.decompress(path.read_bytes()))


def write(path, recorded):
    DATA.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(json.dumps(recorded, indent=0, sort_keys=True).encode(), mtime=0))


def main(what):
    if what == "calls":
        from tests.golden.calls import CALLS
        from tests.golden.flat import flat

        write(CALLS_FILE, {name: flat(call()) for name, call in CALLS.items()})
    elif what == "charts":
        from tests.golden.charts import recorded_now

        write(CHARTS_FILE, recorded_now())
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:] or [""])
