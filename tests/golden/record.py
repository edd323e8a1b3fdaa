"""Write anew what calls, charts and controls are: `python -m tests.golden.record calls`, `… charts`, `… controls`, on purpose only."""

import gzip
import json
import sys
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"
CALLS_FILE, CHARTS_FILE, CONTROLS_FILE = (DATA / f"{each}.json.gz" for each in ("calls", "charts", "controls"))


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
    elif what == "controls":
        from tests.golden.controls import recorded_now

        write(CONTROLS_FILE, recorded_now())
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:] or [""])
