"""The options that settle a scenario: a file of the explorer's, and single fields in place of what it holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from par_core.errors import ParameterError

if TYPE_CHECKING:
    from par_core.scenario import Scenario

GAPS = "par.gaps"
"""Where a command holds what its scenario file does not say, for its answer to tell."""
_Function = TypeVar("_Function", bound=Callable[..., Any])

# Written out, so that help and completion need no computation; a test compares them with the core.
NOISES = ("laplace", "discrete-laplace", "gaussian")
MECHANISMS = (*NOISES, "randomised-response", "exponential")
NEIGHBOURS = ("replace-one", "add-or-remove")

_TEXTS = {
    "epsilon0": "Privacy level ε₀ of one release.",
    "sensitivity": "How far one row can move one statistic.",
    "neighbours": "Which two tables must look alike.",
    "rows_per_person": "Rows that one person has at most.",
    "statistics": "Statistics in one release.",
    "releases": "Releases that are planned.",
    "stakeholders": "Persons who would be compensated.",
    "compensation": "For each of them, after a breach without any protection.",
    "currency": "Of the compensation, as in ISO 4217.",
    "delta": "δ of a release that needs one, and of all together.",
    "mechanism": "What each release is made private with.",
}
DEFAULTS = {
    "epsilon0": "0.5",
    "sensitivity": "1",
    "neighbours": "replace-one",
    "rows_per_person": "1",
    "statistics": "1",
    "releases": "2",
    "stakeholders": "100",
    "compensation": "5500",
    "currency": "USD",
    "delta": "1e-5",
    "mechanism": "laplace",
}
_CHOICES = {"neighbours": NEIGHBOURS, "mechanism": MECHANISMS}


def scenario_options(*names: str, **choices: tuple[str, ...]) -> Callable[[_Function], _Function]:
    """Add options for some fields of a scenario, and `--scenario`; `choices` are fewer values than a field takes."""

    def add(function: _Function) -> _Function:
        for name in reversed(names):
            known = choices.get(name, _CHOICES.get(name))
            spelled = ["--epsilon", "--epsilon0"] if name == "epsilon0" else [f"--{name.replace('_', '-')}"]
            function = click.option(
                *spelled,
                name,
                help=_TEXTS[name],
                show_default=DEFAULTS[name],  # shown only: a scenario file has its own
                metavar=None if known else "CODE" if name == "currency" else "NUMBER",
                type=click.Choice(known) if known else None,
            )(function)
        return click.option(
            "--scenario",
            metavar="FILE",
            type=click.Path(dir_okay=False),
            help="A scenario that the explorer has saved; options go before it.",
        )(function)

    return add


def scenario_of(file: str | None, given: dict[str, str | None], *, has_plan: bool = False) -> Scenario:
    """Return the scenario of a file, by default that of the explorer, with the fields that are given as text.

    `given` names every field that the command uses, with None for one that is not given. ParameterError for a file with a plan, unless
    the command has a plan of its own in place of it: without its plan the scenario would be about other releases.
    """
    from dataclasses import replace

    from par_core.scenario import FIELDS, Scenario, from_file, plan_in

    held = Scenario()
    if file is not None:
        try:
            text = Path(file).read_bytes()
        except OSError as error:
            raise ParameterError(f"the scenario cannot be read: {error.strerror}") from error
        held, missing = from_file(text)
        if plan_in(text) and not has_plan:
            raise ParameterError(
                "the scenario holds a plan, which this command does not take: save it without the plan, or use par plan with its releases"
            )
        used = [each.label for each in FIELDS if each.label in missing and given.get(each.name, "") is None]
        if used and (command := click.get_current_context(silent=True)) is not None:
            command.meta[GAPS] = (f"Not in the file, so as in the example: {', '.join(used)}.",)
    return replace(held, **values_of(given))


def values_of(given: dict[str, str | None]) -> dict[str, Any]:
    """Return the values of the fields that are given as text."""
    from par_core.scenario import FIELDS, parsed

    fields = {field.name: field for field in FIELDS}
    return {name: parsed(fields[name], text) for name, text in given.items() if text is not None}
