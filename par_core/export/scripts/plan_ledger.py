"""How a script of several releases keeps account of its runs: one ledger for all, as `ledger.py` keeps it for one.

A line for every run names the releases that it publishes. Each has as many runs as the plan says, alone or with others.
"""

import contextlib
import datetime
import os
import re

from par_core.export.scripts.files import stop
from par_core.export.scripts.ledger import sealed
from par_core.export.scripts.plan_of_releases import PLAN


def kept(path):
    """Return the ledger, how much of it is on the disk, and of every run the releases and the time.

    The ledger must be what its plan and its runs make it. That its last lines were cut off is not noticed.
    """
    found, text = "", sealed({"plan": PLAN})
    if os.path.exists(path):
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            found = file.read()
        if not found.startswith(text):
            own = "another plan gets its own ledger with --ledger FILE, and what both plans spend adds up"
            stop(f"{path} is no ledger of this plan: nothing was measured; {own}")
    runs = re.findall(r'"releases": \[((?:\d{1,2}, )*\d{1,2})\], "time": "([^"]*)"', found)
    runs = [([int(each) for each in releases.split(", ")], time) for releases, time in runs]
    for run, (releases, time) in enumerate(runs, start=1):
        text += sealed({"run": run, "releases": releases, "time": time}, text)
    if found and found != text:
        stop(f"{path} is torn, or was edited: nothing was measured, because what was spent is not known any more")
    return text, len(found), runs


def left(runs):
    """Return how many runs each release has left."""
    made = [number for releases, _ in runs for number in releases]
    return {number: each["times"] - made.count(number) for number, each in enumerate(PLAN["releases"], start=1)}


def runs_made(path):
    """Return the releases and the time of every run that is made."""
    try:
        return kept(path)[2]
    except OSError as error:
        stop(f"the ledger cannot be kept: {error}")


def due(runs, only):
    """Return which releases a run publishes: of those that --only names, or of all, the ones that have runs left."""
    still = left(runs)
    wanted = sorted(set(only or still))
    for number in wanted:
        if still[number] < 1:
            print(f"release {number} has been published as often as planned, and is left out")
    found = [number for number in wanted if still[number] > 0]
    if not found:
        what = (
            "all runs of the plan are made" if not only else "what --only names has been published as often as planned"
        )
        stop(f"{what}, the last on {runs[-1][1]}: nothing was measured")
    return found


@contextlib.contextmanager
def locked(path):
    """Let only one run at a time at the ledger."""
    try:
        os.close(os.open(path + ".lock", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        stop(f"another run is at the ledger; if none is, one broke off there: delete {path}.lock, and run again")
    except OSError as error:
        stop(f"the ledger cannot be kept: {error}")
    try:
        yield
    finally:
        with contextlib.suppress(FileNotFoundError):  # somebody took it away; the place is taken all the same
            os.remove(path + ".lock")


def take_place(path, results, releases):
    """Take the next place in the ledger for some releases, for good, and make the file of results; return its name."""
    with locked(path):
        try:
            text, size, runs = kept(path)
            if min(left(runs)[number] for number in releases) < 1:
                stop("another run has published one of these releases meanwhile: nothing was measured; run again")
            run = len(runs) + 1
            results = f"{results}_{run}.csv"
            with open(results, "x"):
                pass  # nothing is spent for what cannot be kept
            time = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
            with open(path, "a", encoding="utf-8", newline="") as file:
                file.write(text[size:] + sealed({"run": run, "releases": releases, "time": time}, text))
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
    print(f"run {run} by the ledger {path}, with release {', '.join(map(str, releases))}")
    return results
