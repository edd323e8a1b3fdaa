"""How a script of several releases takes places of a reservation, from a ledger that `par ledger reserve` has written to.

Every line of that ledger is a record under a seal of its own. The reservation has spent what all its places may. A place is written
down before anything is measured, and is taken wherever the run breaks off.
"""

import contextlib
import datetime
import hashlib
import json
import os
import secrets

from par_core.export.scripts.files import stop
from par_core.export.scripts.plan_ledger import left
from par_core.export.scripts.plan_of_releases import PLAN, RESERVED


@contextlib.contextmanager
def alone(path):
    """Open a ledger once nobody else has it; the system frees it again, however this process ends."""
    try:
        while True:
            with open(path, "r+b", buffering=0) as file:
                try:
                    import fcntl
                except ImportError:
                    import msvcrt

                    file.seek(2**40)  # a byte that no ledger has: Windows lets nobody read one that is locked
                    msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                    file.seek(0)
                else:
                    fcntl.flock(file, fcntl.LOCK_EX)
                if os.path.samestat(os.stat(path), os.fstat(file.fileno())):  # git may have put another file there
                    yield file
                    return
    except OSError as error:
        stop(f"the ledger or the results cannot be kept: {error}")


def records(data):
    """Return the records of a ledger by their ids, and what ends its last line; stop unless each line is under its seal.

    A line that a run broke off while writing it measured nothing: it is marked as torn. It does not begin with a whole record.
    """
    lines, found, ends = [each.removesuffix(b"\r") for each in data.split(b"\n")], {}, b""
    if lines[-1]:
        ends = b"\n"
        try:
            json.loads(lines[-1])
        except (ValueError, RecursionError):
            ends = b"#torn\n"
            lines[-1] += b"#torn"
    for number, line in enumerate(lines, start=1):
        torn = line.endswith(b"#torn")
        body, _, seal = line.partition(b',"seal":"')
        end = hashlib.sha256(body + b"}").hexdigest().encode() + b'"}'
        whole = seal.startswith(end)
        record = json.loads(line) if seal == end else {}
        known = record.get("format") == 1 and found.setdefault(record["id"], record) == record
        if line and (whole == torn or (whole and not known)):
            stop(f"line {number} of the ledger is damaged, was edited, or is of a newer version: nothing was measured")
    return found, ends


def reserved(data, reservation):
    """Return the release and the date of every place that is taken, as of runs with one release, and what ends the ledger."""
    found, ends = records(data)
    record = found.get(reservation, {})
    if record.get("kind") != "reservation":
        stop(f"the ledger has no reservation {reservation}: nothing was measured")
    spends = [record.get(each) for each in ("neighbours", "mechanisms", "delta", "plan", "epsilon0", "places")]
    if hashlib.sha256(json.dumps(spends).encode()).hexdigest() != RESERVED:
        stop(f"the reservation {reservation} is of another plan: nothing was measured")
    runs = [([each["release"]], each["date"]) for each in found.values() if each.get("reservation") == reservation]
    return runs, ends


def places_taken(path, reservation):
    """Return the places of a reservation that are taken, as `reserved` does."""
    with alone(path) as file:
        return reserved(file.read(), reservation)[0]


def take_reserved(path, results, releases, reservation):
    """Take a place for each of some releases, for good, and make the file of results; return its name."""
    with alone(path) as file:
        runs, text = reserved(file.read(), reservation)
        still = left(runs)
        if min(still[number] for number in releases) < 1:
            stop("another run has taken the last place of one of these releases: nothing was measured; run again")
        places = {number: PLAN["releases"][number - 1]["times"] - still[number] + 1 for number in releases}
        for number, place in places.items():
            entry = {
                "format": 1,
                "id": secrets.token_hex(16),
                "date": f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}",
            }
            entry |= {"kind": "place", "reservation": reservation, "release": number, "place": place}
            body = json.dumps(entry, separators=(",", ":")).encode()
            text += body[:-1] + b',"seal":"' + hashlib.sha256(body).hexdigest().encode() + b'"}\n'
        results = f"{results}_{reservation[:8]}_{releases[0]}_{places[releases[0]]}.csv"
        with open(results, "a") as beside:
            if beside.tell():  # an empty one is of a run that broke off here
                stop(f"{results} is there already: nothing was measured")
        file.seek(0, os.SEEK_END)
        if file.write(text) != len(text):
            stop("the ledger cannot be kept, there is no room for it: nothing was measured")
        os.fsync(file.fileno())
        if not (os.path.exists(path) and os.path.samestat(os.fstat(file.fileno()), os.stat(path))):
            stop("another file took the place of the ledger meanwhile: nothing was measured; run again")
    taken = ", ".join(f"place {place} of release {number}" for number, place in places.items())
    print(f"{taken}, by the reservation {reservation}")
    return results
