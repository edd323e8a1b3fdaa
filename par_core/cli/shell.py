"""What all commands have in common: where their answer goes, one line for what is wrong, and the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NoReturn

import click

from par_core.cli.files import COLUMNS, NOTES, UnreadError, write
from par_core.cli.scenario_options import GAPS
from par_core.cli.waiting import Waiting
from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.memory import is_out_of_memory, is_starved

UNWRITTEN, WRONG, STOP, INTERRUPTED = 1, 2, 3, 130
_OF_A_QUERY = ("--count", "--sum", "--mean")  # of `par release`, which was `par plan`
_CLOSED = 141  # what a shell reports of a program that nobody reads any more

_OUTPUT: tuple[click.Parameter, ...] = (
    click.Option(
        ["--format", "form"],
        type=click.Choice(["human", "json", "csv"]),
        default="human",
        show_default=True,
        help="How the answer is written.",
    ),
    click.Option(
        ["-o", "--output"],
        metavar="FILE",
        help="Write the answer there: all of it, or nothing.",
        type=click.Path(dir_okay=False),
    ),
    click.Option(["--progress"], is_flag=True, help="Tell the progress on stderr, also where that is no terminal."),
)


class _Plain(click.ParamType[Any]):
    """A number in the digits that everybody reads: Python itself would take 1_000 for a thousand, and digits of any script."""

    def __init__(self, kind: click.ParamType[Any]) -> None:
        self.kind, self.name = kind, kind.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number; fails for any other text."""
        if isinstance(value, str) and ("_" in value or not value.isascii()):
            self.fail(f"{value!r} is not a valid {self.name}.", param, ctx)
        return self.kind.convert(value, param, ctx)


NUMBER, WHOLE = _Plain(click.FLOAT), _Plain(click.INT)


class Exemplified(click.Command):
    """A command with examples below its help, each a line of a shell."""

    def __init__(self, *arguments: Any, examples: Sequence[str], **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # of click
        """Write the examples as they are."""
        with formatter.section("Examples"):
            formatter.write("".join(f"{'':{formatter.current_indent}}{each}\n" for each in self.examples))


class Group(Exemplified, click.Group):
    """Several commands under one word; its examples are all of theirs."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, examples=(), **{"no_args_is_help": False, **named})

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command and its examples."""
        super().add_command(cmd, name)
        assert isinstance(cmd, Exemplified)
        self.examples = (*self.examples, *cmd.examples)


class Command(Exemplified):
    """A command whose function takes a `progress` and returns an `Answer`, which goes where the options say."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.params.extend(_OUTPUT)

    def invoke(self, ctx: click.Context) -> int:
        """Compute the answer and write it; returns the exit code."""
        form, target, always = (ctx.params.pop(name) for name in ("form", "output", "progress"))
        try:
            with Waiting(ctx.command_path, always=always) as progress:
                answer = self.callback(progress=progress, **ctx.params) if self.callback else None
        except InfeasibleError as error:
            _say(ctx, str(error))
            return STOP
        except (ParameterError, DataError) as error:
            from par_core.parameters import shown

            about = any(f"column {shown(name)}" in str(error) for name in ctx.meta.get(COLUMNS, ()))
            notes = ctx.meta[NOTES] if about else ()  # how it was read may be why
            raise click.UsageError(". ".join([str(error), *(note.removesuffix(".") for note in notes)]), ctx) from error
        assert answer is not None
        answer = replace(answer, notes=(*answer.notes, *ctx.meta.get(NOTES, ()), *ctx.meta.get(GAPS, ())))
        for path, text in answer.files:
            write(text, path)
        write(answer.in_form(form), target)
        if answer.gate is not None and not answer.gate.passes:
            _say(ctx, f"the gate fails: {answer.gate.why}")
            return STOP
        return 0


class Par(click.Group):
    """The group of all commands: what goes wrong is told in one line, and decides the exit code."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; what `par plan` was called with before goes to `par release` in this version, which is told."""
        if args[0] == "plan" and any(each.startswith(_OF_A_QUERY) for each in args[1:]):
            args = ["release", *args[1:]]
            if not ctx.resilient_parsing:  # not while a shell completes
                click.echo(f"{self.name} plan is now {self.name} release", err=True)
        return super().resolve_command(ctx, args)

    def main(self, *arguments: Any, **named: Any) -> NoReturn:
        """Run a command and leave with its exit code; the parameters are those of click."""
        name = named["prog_name"] = named.get("prog_name") or self.name
        named["standalone_mode"] = False
        with suppress(AttributeError):  # there may be no stdout, and one of a test cannot be set up
            sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
        try:
            if is_starved():
                raise MemoryError
            code = super().main(*arguments, **named)
            if sys.stdout is not None:
                sys.stdout.flush()
        except click.UsageError as error:
            path = error.ctx.command_path if error.ctx else name
            click.echo(f"{path}: {_line(error.format_message())} (see {path} --help)", err=True)
            code = WRONG
        except click.Abort:
            code = INTERRUPTED
        except UnreadError:
            _leave_output()
            code = _CLOSED
        except (MemoryError, OSError, RuntimeError, ImportError) as error:
            short = is_out_of_memory(error)
            if not short and not isinstance(error, OSError):
                raise
            _leave_output()
            why = "the answer cannot be written: " + (getattr(error, "strerror", None) or str(error))
            click.echo(f"{name}: {'this takes more memory than is free or allowed' if short else why}", err=True)
            code = WRONG if short else UNWRITTEN
        sys.exit(code)


def _say(ctx: click.Context, text: str) -> None:
    click.echo(f"{ctx.command_path}: {_line(text)}", err=True)


def _line(text: str) -> str:
    return " ".join(text.split())


def _leave_output() -> None:
    """Send what is still to be written nowhere: Python would try again when it ends, and complain."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
