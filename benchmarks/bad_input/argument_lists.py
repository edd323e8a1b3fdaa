"""Argument lists of `par`: its own examples with faults."""

from __future__ import annotations

import contextlib
import json
import random
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner

from benchmarks.bad_input.damage import DECIMAL, NO_NUMBERS, ODD
from benchmarks.bad_input.ledgers import LEDGER, POLICY
from benchmarks.bad_input.readings import Readings
from benchmarks.bad_input.scenarios_and_plans import PLAN
from benchmarks.cases import SEED
from par_core.cli import par
from par_core.errors import ParameterError


def commands(group: click.Group, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, (*words, name))
        else:
            yield (*words, name), command


def wrong_arguments(draw: random.Random, words: tuple[str, ...], command: Any) -> tuple[list[str], bool]:
    """An example of a command with faults; and whether one of its numbers is none, so that it has to be refused."""
    examples = [each.split("||")[0].split("|")[-1] for each in command.examples]
    own = [each for each in examples if each.strip().startswith(f"par {' '.join(words)}")]
    given = shlex.split(draw.choice(own or [f"par {' '.join(words)}"]))[1:]
    # Values of options.
    numbers = [at for at in range(1, len(given)) if DECIMAL.fullmatch(given[at]) and given[at - 1].startswith("--")]
    if numbers and draw.random() < 0.4:
        given[draw.choice(numbers)] = draw.choice(NO_NUMBERS)
        return given, True
    options = [each for each in command.params if isinstance(each, click.Option)]
    for _ in range(draw.choice((1, 1, 2, 3))):
        at = draw.randrange(len(words), len(given) + 1)
        match draw.randrange(6):
            case 0 if at < len(given):
                given[at] = draw.choice(ODD)
            case 1 if at < len(given):
                del given[at]
            case 2:
                given.insert(at, draw.choice(ODD))
            case 3 if at < len(given):
                given.insert(at, given[at])
            case 4 if at < len(given):
                given[at] = given[at][:2] + draw.choice(ODD) + given[at][2:]
            case _:
                option = draw.choice(options)
                given += [option.opts[0], draw.choice((*ODD, "1", "0.5", "x.csv"))]
    return given, False


def put_files() -> None:
    """Put the files there that the examples name."""
    panel = "person,d1,d2,d3,d4\n" + "".join(f"p{at},{at},{at + 1},{at}.5,{3 * at}\n" for at in range(6))
    outputs = "with,without\n" + "1,0\n0,1\n" * 20
    data = {"panel.csv": panel, "visits.csv": "patient,ward,cost\na,A,3\nb,B,7\na,A,9\nc,C,\n", "outputs.csv": outputs}
    for name, text in data.items():
        Path(name).write_text(text)
    Path("plan.toml").write_bytes(PLAN[0])
    Path("policy.toml").write_bytes(POLICY[0])


def argument_lists(cases: Readings, number: int) -> None:
    draw = random.Random(SEED)
    known = [each for each in commands(par) if each[0] != ("completion",)]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        put_files()
        for _ in range(number):
            Path("ledger.jsonl").write_bytes(LEDGER)
            words, command = draw.choice(known)
            given, refuse = wrong_arguments(draw, words, command)
            if words == ("check",):
                given.insert(1, "par-theorem-4")  # all claims take seconds, as its help says
            # No system hands over a zero byte, and no cluster is started.
            given = [each.replace("\0", "").replace("local", "tcp://nowhere") for each in given]
            cases.add(given, _call, given, refuse)


def _call(given: list[str], refuse: bool) -> str | None:
    found = CliRunner().invoke(par, given, catch_exceptions=False)
    if found.exit_code not in (0, 1, 2, 3):
        return f"exit code {found.exit_code}"
    if found.exit_code in (1, 2):
        raise ParameterError(found.stderr.strip().rpartition("\n")[2])  # above it progress may be told
    if refuse and "-h" not in given:
        return "takes what is no number"
    if found.exit_code == 0 and "--format" in given and "json" in given and "-o" not in given:
        json.loads(found.stdout or "{}", parse_constant=_no_constant)
    return None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} in JSON")
