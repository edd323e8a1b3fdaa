"""Processes that write to one ledger and are killed: run with what is to happen, a folder and a seed; prints what came of it as JSON.

It forks, so that a process that is killed has a successor within milliseconds, and forks from a process without threads.
"""

import fcntl
import json
import os
import random
import signal
import sys
import time
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

from par_core.ledger import Policy, append, of_other_tool, read, reserve, reserved, spent
from par_core.ledger.reserving import digest_of
from par_core.plan import Plan, Release
from par_core.queries.shapes import CountsShape, SumShape
from par_core.scenario import Neighbours

DAY = date(2026, 3, 1)
PLAN = Plan((Release(SumShape(upper=50.0), mechanism="gaussian"),), 0.5, Neighbours.REPLACE_ONE, 1e-6)
POLICY = Policy("visits", delta=1e-6, epsilon_per_release=1.0, epsilon_per_year=1.3, epsilon_for_ever=1.3)
PLACED = Release(CountsShape(2), mechanism="discrete-laplace")
RECORDS, ROUNDS, PROCESSES = 1_000, 12, 4
BUT_ONE = 0.999  # of a line of less than 1,000 bytes: all but its newline, with which it counts


def some_record():
    return of_other_tool("OpenDP", "visits", DAY, epsilon=0.01, delta=0.0, neighbours=Neighbours.REPLACE_ONE)


def forked(work):
    """Start a process that does some work, and return its id."""
    if child := os.fork():
        return child
    try:
        work()
    finally:
        os._exit(0)


def records(folder, seed):
    """Four processes append until a thousand records are confirmed; one of them is killed after each few, at a random moment."""
    rng, path, confirmed = random.Random(seed), folder / "ledger.jsonl", []
    told, tell = os.pipe()

    def work():
        while True:
            record = some_record()
            append(path, record)
            os.write(tell, record.id.encode())

    children, kills, due = [forked(work) for _ in range(PROCESSES)], 0, 0
    while len(confirmed) < RECORDS:
        confirmed.append(os.read(told, 32).decode())
        if len(confirmed) >= due:
            due = len(confirmed) + rng.randint(1, 12)
            time.sleep(rng.uniform(0.0, 0.003))
            at = rng.randrange(PROCESSES)
            os.kill(children[at], signal.SIGKILL)
            children[at], kills = forked(work), kills + 1
    for child in children:
        os.kill(child, signal.SIGKILL)
    for _ in range(kills + PROCESSES):
        os.wait()
    os.close(tell)
    while more := os.read(told, 32):  # what was confirmed meanwhile
        confirmed.append(more.decode())
    return {"confirmed": confirmed, "kills": kills + PROCESSES}


def reservations(folder, seed):
    """In each round four processes reserve until they are refused, and one is killed on the way; what was spent in each round."""
    rng, found = random.Random(seed), []
    for number in range(ROUNDS):
        path = folder / f"{number}.jsonl"
        path.touch()

        def work(path=path):
            while reserve(path, POLICY, PLAN, today=DAY).record is not None:
                pass

        children = [forked(work) for _ in range(PROCESSES)]
        time.sleep(rng.uniform(0.0, 0.01))
        os.kill(children[0], signal.SIGKILL)
        for _ in (*children, forked(work)):
            os.wait()
        held = read(path).records
        found.append([len(held), spent(held, delta=POLICY.delta).epsilon])
    return {"rounds": found, "budget": POLICY.epsilon_per_year}


PLACES, PLACE_ROUNDS = 40, 8


def places(folder, seed):
    """In each round four processes take places of a reservation until they are refused, and one is killed after each few."""
    rng, found = random.Random(seed), []
    names = {"__name__": "script"}
    exec(compile((folder / "script.py").read_text(), "script.py", "exec"), names)
    plan = Plan((replace(PLACED, times=PLACES),), 0.5, Neighbours.ADD_OR_REMOVE, 1e-6)
    names |= {"RESERVED": digest_of(plan), "PLAN": {"releases": [{"times": PLACES}]}, "print": lambda _: None}
    for number in range(PLACE_ROUNDS):
        path = folder / f"{number}.jsonl"
        reservation = reserved(plan, "visits", DAY)
        append(path, reservation)
        told, tell = os.pipe()

        def work(path=path, reservation=reservation, tell=tell):
            while True:  # until it is refused, which ends it
                results = names["take_reserved"](str(path), str(path), [1], reservation.id)
                os.write(tell, f"{results.rpartition('_')[2]:>8}".encode())

        children, kills = [forked(work) for _ in range(PROCESSES)], 0
        for _ in range(PLACES // 3):
            time.sleep(rng.uniform(0.0, 0.003))
            at = rng.randrange(PROCESSES)
            os.kill(children[at], signal.SIGKILL)
            os.waitpid(children[at], 0)
            children[at], kills = forked(work), kills + 1
        for child in children:
            os.waitpid(child, 0)
        os.close(tell)
        confirmed = []
        while each := os.read(told, 8):
            confirmed.append(int(each.decode().removesuffix(".csv")))
        found.append([confirmed, kills])
    return {"rounds": found}


CALLS = ("open", "stat", "fstat", "lseek", "read", "write", "fsync", "close")


def watched(act):
    """Put `act(name, call, arguments)` in the place of every call of the system that an append makes."""
    for module, names in ((os, CALLS), (fcntl, ("flock",))):
        for name in names:
            call = getattr(module, name)
            setattr(
                module, name, lambda *given, _name=name, _call=call, **named: act(_name, partial(_call, **named), given)
            )


def calls_of(path):
    """Return the calls of the system that an append to a file makes, in their order."""
    told, tell = os.pipe()

    def work():
        made, write = [], os.write

        def act(name, call, given):
            made.append(name)
            return call(*given)

        watched(act)
        append(path, some_record())
        write(tell, " ".join(made).encode())

    os.waitpid(forked(work), 0)
    os.close(tell)
    return os.read(told, 10_000).decode().split()


def killed_at(path, record, at, moment):
    """Append in a process that kills itself before, in the middle of or after its call number `at`."""
    kill, pid = os.kill, os.getpid

    def work():
        made = []

        def act(_, call, given):
            made.append(None)
            if len(made) == at + 1:
                if moment == "after":
                    call(*given)
                elif moment != "before":
                    descriptor, text = given
                    call(descriptor, text[: int(moment * len(text))])
                kill(pid(), signal.SIGKILL)
            return call(*given)

        watched(act)
        append(path, record)

    _, status = os.waitpid(forked(work), 0)
    assert os.WIFSIGNALED(status), (at, moment)


def faults(folder, seed):
    """Kill at every call of an append to a new, an old and a torn ledger; what the ledger then holds, and after one record more."""
    del seed
    signal.alarm(60)  # a stuck lock ends here
    old = some_record()
    found, path = [], folder / "ledger.jsonl"
    for start in (None, old.line + b"\n", old.line + b"\n" + some_record().line[:90], old.line):

        def begin(start=start):
            path.unlink(missing_ok=True)
            if start is not None:
                path.write_bytes(start)

        begin()
        calls = calls_of(path)
        for at, name in enumerate(calls):
            for moment in ("before", "after", *((0.01, 0.3, 0.9, BUT_ONE) if name == "write" else ())):
                begin()
                record, following = some_record(), some_record()
                killed_at(path, record, at, moment)
                if path.exists():
                    there = read(path)
                append(path, following)
                after = read(path)
                written = at > calls.index("write") or (name == "write" and moment in ("after", BUT_ONE))
                wanted = [old.id] * (start is not None) + [record.id] * written
                assert not path.exists() or at == 0 or [each.id for each in there.records] == wanted, (
                    start,
                    at,
                    moment,
                )
                assert [each.id for each in after.records] == [*wanted, following.id], (start, at, moment)
                found.append([name, str(moment)])
    return {"faults": found}


if __name__ == "__main__":
    what, where, number = sys.argv[1:]
    made = {"records": records, "reservations": reservations, "places": places, "faults": faults}[what]
    print(json.dumps(made(Path(where), int(number))))
