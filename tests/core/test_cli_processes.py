"""The command line as a shell meets it: started anew, cut off, stopped, and on a disk that is full."""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAR = [sys.executable, "-m", "par_core"]


def start(arguments, **more):
    return subprocess.Popen([*PAR, *arguments], cwd=ROOT, stderr=subprocess.PIPE, text=True, **more)


def test_help_and_wrong_arguments_load_nothing_that_computes_and_an_answer_in_words_no_tables():
    script = """
import sys
from par_core.cli import par
def asked(*arguments):
    try:
        par(arguments)
    except SystemExit:
        pass
    print(sorted({"numpy", "scipy", "pandas", "numba", "pyarrow", "jinja2", "plotly"} & set(sys.modules)))
asked("--help"), asked("audit", "--help"), asked("release", "--nothing")
asked("compose", "0.5"), asked("check", "par-theorem-4"), asked("epsilon", "--error", "6"), asked("show", "AttackerGains")
asked("plan", "1~counts_12_mD_t12"), asked("ledger", "show", "--ledger", "examples/gate/ledger.jsonl")
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    found = [line for line in done.stdout.splitlines() if line.startswith("[")]
    assert found == ["[]"] * 3 + ["['numpy', 'scipy']"] * 6


def test_a_reader_who_leaves_is_no_error_worth_a_word():
    """As of a program that ends by itself, the shell is told 141: 128 and the number of the signal."""
    read, written = os.pipe()
    os.close(read)
    process = start(["compose", "0.5"], stdout=written)
    os.close(written)
    assert process.communicate()[1] == ""
    assert process.returncode == 128 + signal.SIGPIPE


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_a_full_device_is_told_in_one_line():
    with Path("/dev/full").open("w") as full:
        process = start(["compose", "0.5"], stdout=full)
        assert process.communicate()[1] == "par: the answer cannot be written: No space left on device\n"
    assert process.returncode == 1


def test_a_disk_that_fills_up_leaves_no_half_file(tmp_path):
    found, limit = tmp_path / "found.json", 500  # bytes that a file may have: the answer has more
    found.write_text("before")
    process = start(
        ["compose", "0.5", "--format", "json", "--output", str(found)],
        stdout=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert process.communicate()[1] == "par: the answer cannot be written: File too large\n"
    assert process.returncode == 1
    assert {each.name: each.read_text() for each in tmp_path.iterdir()} == {"found.json": "before"}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere addresses are not limited like this")
def test_too_few_addresses_are_told_in_one_line():
    """Before, OpenBLAS ended the program in its own words, or hung while it was loaded."""
    limit = 190 << 20
    process = start(["compose", "0.5"], preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    assert process.communicate(timeout=60)[1] == "par: this takes more memory than is free or allowed\n"
    assert process.returncode == 2


def test_ctrl_c_ends_at_once_and_leaves_nothing(tmp_path):
    process = start(
        ["check", "--progress", "--output", str(tmp_path / "found")],
        stdout=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored where tests run in the background
    )
    process.stderr.readline()  # at work
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    assert not list(tmp_path.iterdir())
