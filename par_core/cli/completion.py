"""The completion of a shell: commands, options and their values at the press of a key."""

from __future__ import annotations

import click

from par_core.cli.shell import Exemplified

_EXAMPLES = (
    'eval "$(par completion bash)"',
    "par completion zsh",
    "par completion fish",
)


@click.command(
    "completion",
    cls=Exemplified,
    examples=_EXAMPLES,
    short_help="Print what makes a shell complete commands and options.",
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print what makes a shell complete commands and options.

    For bash the line with eval belongs into ~/.bashrc.
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(ctx.find_root().command, {}, "par", "_PAR_COMPLETE").source())
