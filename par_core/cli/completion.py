"""The completion of a shell: commands, options and their values at the press of a key."""

from __future__ import annotations

import click


@click.command("completion", short_help="Print what makes a shell complete commands and options.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print what makes a shell complete commands and options.

    For bash this line belongs into ~/.bashrc:

    \b
        eval "$(par completion bash)"

    \b
    Examples:
        par completion bash
        par completion zsh
        par completion fish
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(ctx.find_root().command, {}, "par", "_PAR_COMPLETE").source())
