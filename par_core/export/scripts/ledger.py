"""How a script keeps account of its runs.

The ledger is a file of JSON lines: the plan, then a line for every run with its number and time, each sealed with a hash of all that
stands before it. A script takes its place there before it measures. Wherever it breaks off, the place counts.
"""

import datetime
import hashlib
import json
import os
import re

from par_core.export.scripts.files import stop
from par_core.export.scripts.plan_of_release import PLAN


def sealed(entry, before=""):
    """Return a line of the ledger, sealed with a hash of it and of all that stands before it."""
    seal = hashlib.sha256((before + json.dumps(entry)).encode()).hexdigest()
    return json.dumps({**entry, "seal": seal}) + "\n"


def take_place(path, results):
    """Take the next place in the ledger, for good, and make the file of results; return its name.

    The ledger must be what its plan and its times make it. That its last lines were cut off is not noticed.
    """
    try:
        os.close(os.open(path + ".lock", os.O_CREAT | os.O_EXCL))  # only one run at a time gets past this line
    except FileExistsError:
        stop(f"another run is at the ledger; if none is, one broke off there: delete {path}.lock, and run again")
    except OSError as error:
        stop(f"the ledger cannot be kept: {error}")
    try:
        found, text = "", sealed({"plan": PLAN})
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="replace", newline="") as file:
                found = file.read()
            if not found.startswith(text):
                own = "another plan gets its own ledger with --ledger FILE, and what both plans spend adds up"
                stop(f"{path} is no ledger of this plan: nothing was measured; {own}")
        times = re.findall('"time": "([^"]*)"', found)
        for run, time in enumerate(times, start=1):
            text += sealed({"run": run, "time": time}, text)
        if found and found != text:
            stop(f"{path} is torn, or was edited: nothing was measured, because what was spent is not known any more")
        run = len(times) + 1
        if run > PLAN["runs"]:
            stop(f"all {PLAN['runs']} runs of the plan are made, the last on {times[-1]}: nothing was measured")
        results = f"{results}_{run}.csv"
        with open(results, "x"):
            pass  # nothing is spent for what cannot be kept
        time = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        with open(path, "a", encoding="utf-8", newline="") as file:
            file.write(text[len(found) :] + sealed({"run": run, "time": time}, text))
            file.flush()
            os.fsync(file.fileno())
        if os.name == "posix":  # the name of a new file is safe when its folder is
            folder = os.open(os.path.dirname(path), os.O_RDONLY)
            os.fsync(folder)
            os.close(folder)
    except FileExistsError:
        stop(f"{results} is there already, and the ledger knows nothing of it: nothing was measured")
    except OSError as error:
        stop(f"the ledger or the results cannot be kept: {error}")
    finally:
        try:
            os.remove(path + ".lock")
        except FileNotFoundError:
            pass  # somebody took it away; the place is taken all the same
    print(f"run {run} of {PLAN['runs']} by the ledger {path}")
    return results
