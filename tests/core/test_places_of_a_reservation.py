"""Scripts that take places of a reservation: never more than were reserved, whatever happens to them or to the ledger."""

import errno
import io
import json
import os
import subprocess
import sys
from collections import Counter
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import pytest

from par_core.errors import DataError
from par_core.export.plan_code import plan_code
from par_core.ledger import Kind, Ledger, Policy, Record, append, check, read, released, reserve, spent, utc_today
from par_core.ledger.lines import sealed
from par_core.plan import NamedRelease, Plan, Release
from par_core.queries import Condition, Count, CountBy
from par_core.scenario import Neighbours
from tests.core.test_ledger_crashes import in_memory, outcome  # noqa: F401  # a fixture

ADD, DAY = Neighbours.ADD_OR_REMOVE, date(2026, 3, 1)
POLICY = Policy("visits", delta=1e-6, epsilon_per_release=1.0, epsilon_per_year=100.0, epsilon_for_ever=100.0)
QUERIES = CountBy(("town",), (("Rome", "Oslo"),)), Count(Condition("age", ">=", 18))


def planned(*times, epsilon0=0.5, neighbours=ADD, mechanism="discrete-laplace"):
    """Return a plan and the names of its releases."""
    each = [Release(query.shape, times=of, mechanism=mechanism) for query, of in zip(QUERIES, times, strict=False)]
    plan = Plan(tuple(each), epsilon0, neighbours, 1e-6)
    return plan, [NamedRelease(one, query) for one, query in zip(each, QUERIES, strict=False)]


PLAN, NAMED = planned(3, 1)
TEXT = plan_code(PLAN, NAMED).text


def functions_of(text):
    names = {"__name__": "script"}
    exec(compile(text, "script.py", "exec"), names)
    return names


@pytest.fixture
def ledger(tmp_path):
    """A ledger in which the plan is reserved."""
    path = tmp_path / "ledger.jsonl"
    path.touch()
    return path


@pytest.fixture
def reservation(ledger):
    return reserve(ledger, POLICY, PLAN, today=DAY).record


@pytest.fixture
def here(ledger, tmp_path, monkeypatch, capsys):
    """Run a script with a reservation in this process; returns what it prints."""
    (tmp_path / "people.csv").write_text("town,age\nRome,20\nOslo,30\nRome,10\n", encoding="utf-8")

    def run_it(reservation, *words, text=TEXT):
        script, table = str(tmp_path / "release.py"), str(tmp_path / "people.csv")
        monkeypatch.setattr(
            sys, "argv", [script, table, "--ledger", str(ledger), "--reservation", reservation.id, *words]
        )
        functions_of(text)["main"]()
        return capsys.readouterr().out

    return run_it


def take(path, reservation, releases, text=TEXT):
    return functions_of(text)["take_reserved"](str(path), str(path.parent / "r"), releases, reservation.id)


# --- as many places as reserved --------------------------------------------------------------------------------------


def test_runs_take_numbered_places_until_all_are_taken_and_spend_nothing_more(here, ledger, reservation, tmp_path):
    assert f"place 1 of release 1, place 1 of release 2, by the reservation {reservation.id}\n" in here(reservation)
    second = here(reservation)
    assert "release 2 has been published as often as planned, and is left out" in second
    assert "place 2 of release 1, by the reservation" in second
    assert "place 3 of release 1, by the reservation" in here(reservation, "--only", "1")
    before = ledger.read_bytes()
    with pytest.raises(SystemExit, match="all runs of the plan are made, the last on 20.*nothing was measured"):
        here(reservation)
    assert ledger.read_bytes() == before
    found = read(ledger)
    assert found.records == (reservation,)
    assert [(each.release, each.place) for each in found.taken] == [(1, 1), (2, 1), (1, 2), (1, 3)]
    assert {each.date for each in found.taken} == {utc_today()}
    assert found.taken_of(reservation) == (3, 1)
    assert not found.beyond
    assert found.of("visits") == (reservation,)
    written = {each.name for each in tmp_path.glob("people_place_*.csv")}
    first = f"people_place_{reservation.id[:8]}_1"
    assert written == {f"{first}_1.csv", f"{first}_2.csv", f"{first}_3.csv"}
    assert "Rome" in (tmp_path / f"{first}_1.csv").read_text(encoding="utf-8-sig")
    assert not {"town", "Rome", "age"} & {*before.decode().split('"')}


def test_each_reservation_of_the_same_plan_has_places_of_its_own(here, ledger, reservation):
    other = reserve(ledger, POLICY, PLAN, today=DAY).record
    here(reservation)
    here(other, "--only", "2")
    found = read(ledger)
    assert [found.taken_of(each) for each in (reservation, other)] == [(1, 1), (0, 1)]


@pytest.mark.usefixtures("here", "reservation")
def test_without_a_reservation_a_script_keeps_a_ledger_of_its_own(ledger, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "release.py"), str(tmp_path / "people.csv")])
    functions_of(TEXT)["main"]()
    assert (tmp_path / "people_run_1.csv").exists()
    assert not read(ledger).taken


@pytest.mark.parametrize(
    "other",
    [
        planned(3, 2),
        planned(3, 1, epsilon0=0.6),
        planned(3, 1, neighbours=Neighbours.REPLACE_ONE),
        planned(3, 1, mechanism="gaussian"),
        planned(3),
    ],
    ids=range(5),
)
def test_the_reservation_of_another_plan_is_refused(other, here, ledger, reservation):
    before = ledger.read_bytes()
    with pytest.raises(SystemExit, match="is of another plan: nothing was measured"):
        here(reservation, text=plan_code(*other).text)
    assert ledger.read_bytes() == before


def test_what_is_no_reservation_is_refused(here, ledger, reservation):
    record = released(PLAN, "visits", DAY)
    append(ledger, record)
    for each in (record, SimpleNamespace(id="0" * 32), SimpleNamespace(id="")):
        with pytest.raises(SystemExit, match=f"the ledger has no reservation {each.id}: nothing was measured"):
            here(each)
    ledger.unlink()
    with pytest.raises(SystemExit, match="cannot be kept: .*No such file"):
        here(reservation)
    assert not ledger.exists()


# --- damage, merges and breaks: the rules of the ledger ---------------------------------------------------------------


def test_a_script_reads_a_ledger_as_the_library_does(ledger, reservation):
    """A byte more, less or other than it was, anywhere: both refuse it, or both read the same."""
    take(ledger, reservation, [1, 2])
    append(ledger, released(PLAN, "visits", DAY))
    whole, records = ledger.read_bytes(), functions_of(TEXT)["records"]
    edited = [whole[:at] for at in range(0, len(whole), 7)] + [whole[:-1], whole, whole.replace(b"\n", b"\r\n")]
    edited += [whole[:at] + b"7" + whole[at + 1 :] for at in range(0, len(whole), 11)]
    edited += [whole[:at] + b"#torn\n" for at in range(0, len(whole), 13)]
    edited += [whole[:at] + end for at in range(0, len(whole), 17) for end in (b"\n", b"#torn")]
    edited += [whole[:-1] + end for end in (b"#", b"\x0b", b"#torn", b"7#torn\n", b"{}")]
    edited += [whole + line + b"\n" for line in whole.splitlines()] + [b"\n" + whole + b"\n\n", b"{}\n" + whole]
    newer = json.loads(whole.splitlines()[0]) | {"format": 2}
    edited += [whole + sealed({key: newer[key] for key in newer if key != "seal"}) + b"\n"]
    other = json.loads(whole.splitlines()[0]) | {"times": 2}
    edited += [whole + sealed({key: other[key] for key in other if key != "seal"}) + b"\n"]
    refused = 0
    for each in edited:
        try:
            held = Ledger.from_bytes(each)
        except DataError as error:
            if "which the ledger does not have" in str(error):
                continue  # the script asks for its own reservation alone
            refused += 1
            with pytest.raises(SystemExit, match="is damaged, was edited, or is of a newer version"):
                records(each)
            continue
        found, ends = records(each)
        assert set(found) == {one.id for one in (*held.records, *held.taken)}
        Ledger.from_bytes(each + ends)  # what follows goes to a line of its own
    assert refused > 100
    assert refused < len(edited) - 50


def test_an_edited_record_stops_a_script(here, ledger, reservation):
    here(reservation)
    whole = ledger.read_bytes()
    ledger.write_bytes(whole.replace(b'"release":1', b'"release":2', 1))
    with pytest.raises(SystemExit, match="line 2 of the ledger is damaged, was edited"):
        here(reservation)


def test_a_place_after_a_torn_tail_stands_on_a_line_of_its_own(ledger, reservation):
    line = released(PLAN, "visits", DAY).line
    ledger.write_bytes(ledger.read_bytes() + line[:80])
    take(ledger, reservation, [1])
    take(ledger, reservation, [2])
    assert read(ledger).torn == (2,)
    assert read(ledger).taken_of(reservation) == (1, 1)


def test_a_run_that_breaks_off_after_its_place_is_taken_has_lost_it(here, ledger, reservation):
    lose = "    found = [(number, name, each())"
    assert lose in TEXT
    with pytest.raises(ZeroDivisionError):
        here(reservation, text=TEXT.replace(lose, f"    0 / 0\n{lose}"))
    assert read(ledger).taken_of(reservation) == (1, 1)
    assert "place 2 of release 1" in here(reservation)
    with pytest.raises((SystemExit, ZeroDivisionError)):  # before anything is measured it takes none
        here(
            reservation,
            text=TEXT.replace("\n# The plan for the year.", "\nEPSILONS_R1 = [0.1]\n# The plan for the year."),
        )
    assert read(ledger).taken_of(reservation) == (2, 1)


def test_an_empty_file_of_results_is_used_and_another_one_kept(ledger, reservation, tmp_path):
    (tmp_path / f"r_{reservation.id[:8]}_1_1.csv").touch()
    take(ledger, reservation, [1])
    (tmp_path / f"r_{reservation.id[:8]}_1_2.csv").write_text("kept")
    with pytest.raises(SystemExit, match=r"_1_2.csv is there already: nothing was measured"):
        take(ledger, reservation, [1])
    assert read(ledger).taken_of(reservation) == (1, 0)
    assert (tmp_path / f"r_{reservation.id[:8]}_1_2.csv").read_text() == "kept"


def test_places_that_two_branches_took_count_once_each_and_beyond_those_reserved_as_releases(ledger, reservation):
    before = ledger.read_bytes()
    take(ledger, reservation, [1, 2])
    ours = ledger.read_bytes()
    ledger.write_bytes(before)
    (ledger.parent / f"r_{reservation.id[:8]}_1_1.csv").unlink()
    take(ledger, reservation, [1, 2])
    theirs = ledger.read_bytes()
    ledger.write_bytes(ours + theirs.removeprefix(before) + ours.removeprefix(before))  # one of them twice
    found = read(ledger)
    assert found.taken_of(reservation) == (2, 2)
    (beyond,) = found.beyond
    wanted = released(PLAN, "visits", utc_today(), release=2)
    assert (beyond.mechanisms, beyond.date, beyond.data_set) == (wanted.mechanisms, wanted.date, "visits")
    assert beyond.id == max(each.id for each in found.taken if each.release == 2), (
        "of one day, whatever the order of the lines"
    )
    assert spent(found.of("visits"), delta=1e-6) == spent([reservation, wanted], delta=1e-6)
    assert check(POLICY, found, PLAN, DAY).ever_before > spent([reservation], delta=1e-6).epsilon
    take(ledger, reservation, [1])
    assert [(each.release, each.place) for each in read(ledger).taken][-1] == (1, 3)
    with pytest.raises(SystemExit, match="another run has taken the last place"):
        take(ledger, reservation, [1])


def test_a_place_whose_reservation_is_not_there_stops(ledger, reservation):
    take(ledger, reservation, [1])
    first, second = ledger.read_bytes().splitlines(keepends=True)
    assert Ledger.from_bytes(second + first).taken_of(reservation) == (1, 0)  # in any order
    with pytest.raises(DataError, match=f"release 1 of reservation {reservation.id}, which the ledger does not have"):
        Ledger.from_bytes(second)
    held = {key: value for key, value in json.loads(second).items() if key != "seal"}
    for change, said in (
        ({"release": 3}, "which the ledger does not have"),
        ({"release": 0}, "line 2 of the ledger cannot be read: it is no record: release must be"),
        ({"place": 1.5}, "place must be"),
        ({"reservation": "x"}, "reservation must be 32 hexadecimal digits"),
        ({"times": 2}, "it holds 'times', which is unknown"),
        ({"date": "yesterday"}, "it is no record"),
    ):
        with pytest.raises(DataError, match=said):
            Ledger.from_bytes(first + sealed(held | change) + b"\n")


def test_a_reservation_that_another_record_only_looks_like_has_no_places(ledger, reservation):
    """A release of the whole plan spends the same, and is no reservation."""
    take(ledger, reservation, [1])
    _, place = ledger.read_bytes().splitlines()
    lookalike = Record(**{**vars(reservation), "kind": Kind.RELEASE})
    with pytest.raises(DataError, match="which the ledger does not have"):
        Ledger.from_bytes(lookalike.line + b"\n" + place + b"\n")


# --- several at once, kills, a full disk and Windows ------------------------------------------------------------------


def test_processes_that_are_killed_never_take_more_places_than_reserved(in_memory):  # noqa: F811
    """Four processes take places until they are refused, and are killed on the way: all are taken, none twice, none too many."""
    script = in_memory / "script.py"
    script.write_text(TEXT.replace("import opendp.prelude as dp\n", "").replace('dp.enable_features("contrib")', ""))
    found = outcome("places", in_memory)
    for number, (confirmed, kills) in enumerate(found["rounds"]):
        held = read(in_memory / f"{number}.jsonl")
        (record,) = held.records
        taken = Counter((each.release, each.place) for each in held.taken)
        assert taken == {(1, place): 1 for place in range(1, record.places[0] + 1)}
        assert {place for _, place in taken} >= set(confirmed)
        assert len(confirmed) == len(set(confirmed))
        assert record.places[0] - kills <= len(confirmed) <= record.places[0]
        assert not held.beyond
    assert sum(kills for _, kills in found["rounds"]) >= 50


class Full(io.FileIO):
    """A file on a disk that has room for 100 bytes."""

    def __init__(self, path, mode):
        super().__init__(path, mode.replace("b", ""))

    def write(self, text):
        return super().write(text[:100])


def test_a_full_disk_stops_a_script_and_what_was_written_of_its_place_is_torn(ledger, reservation):
    names = functions_of(TEXT)
    names["open"] = lambda path, mode, **_: Full(path, mode)
    with pytest.raises(SystemExit, match="there is no room for it: nothing was measured"):
        names["take_reserved"](str(ledger), str(ledger.parent / "r"), [1], reservation.id)
    assert read(ledger).torn == (2,)
    take(ledger, reservation, [1])
    assert read(ledger).taken_of(reservation) == (1, 0)


def test_on_windows_the_byte_is_locked_that_the_library_locks(ledger, reservation, monkeypatch):
    asked = []

    def locking(descriptor, mode, number):
        asked.append((mode, os.lseek(descriptor, 0, os.SEEK_CUR), number))

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(LK_LOCK=1, locking=locking))
    take(ledger, reservation, [1])
    assert asked == [(1, 2**40, 1)]

    def busy(*_):
        raise OSError(errno.EDEADLK, "busy")

    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(LK_LOCK=1, locking=busy))
    with pytest.raises(SystemExit, match="cannot be kept: .*busy"):
        take(ledger, reservation, [1])


def test_a_place_goes_to_the_file_that_has_the_name_when_its_turn_comes(ledger, reservation, monkeypatch):
    """As git replaces a file by another one: whoever has waited for the old one begins again."""
    import fcntl

    wait, beside = fcntl.flock, ledger.parent / "merged"

    def replaced(file, how):
        monkeypatch.setattr(fcntl, "flock", wait)
        beside.write_bytes(ledger.read_bytes())
        beside.replace(ledger)
        return wait(file, how)

    monkeypatch.setattr(fcntl, "flock", replaced)
    take(ledger, reservation, [1])
    assert read(ledger).taken_of(reservation) == (1, 0)


def test_a_place_in_a_file_that_is_replaced_while_it_is_written_measures_nothing(ledger, reservation, monkeypatch):
    """As by a git pull: the place is in a file that nobody reads any more, so that the next run may take the same one."""
    write, beside = os.fsync, ledger.parent / "merged"
    beside.write_bytes(ledger.read_bytes())

    def replaced(number):
        write(number)
        if beside.exists():
            beside.replace(ledger)

    monkeypatch.setattr(os, "fsync", replaced)
    with pytest.raises(SystemExit, match="another file took the place of the ledger meanwhile: nothing was measured"):
        take(ledger, reservation, [1])
    assert read(ledger).taken_of(reservation) == (0, 0)
    (ledger.parent / f"r_{reservation.id[:8]}_1_1.csv").unlink(missing_ok=True)
    take(ledger, reservation, [1])
    assert read(ledger).taken_of(reservation) == (1, 0)


def test_a_script_waits_while_the_ledger_is_held(ledger, reservation):
    """The same lock as that of `par ledger`: held elsewhere, no place is taken before it is free."""
    from par_core.ledger import opened

    (ledger.parent / "script.py").write_text(
        f"{TEXT.partition('if __name__')[0]}\ntake_reserved({str(ledger)!r}, {str(ledger.parent / 'r')!r}, [1], {reservation.id!r})\n"
    )
    with opened(ledger) as file:
        started = subprocess.Popen([sys.executable, ledger.parent / "script.py"], stdout=subprocess.PIPE, text=True)
        with pytest.raises(subprocess.TimeoutExpired):
            started.wait(6.0)  # it needs two or three seconds to begin
        assert not file.read().taken
    assert "place 1 of release 1" in started.communicate()[0]
    assert Path(ledger.parent / f"r_{reservation.id[:8]}_1_1.csv").exists()
