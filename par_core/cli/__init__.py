"""The command line: every command answers, may stop a pipeline, and leaves no half file.

Here and at the top of each command stands only what parsing needs: what computes is imported when a command runs, so that help
and completion come at once.
"""

from __future__ import annotations

import click

import par_core
from par_core.cli import audit, check, completion, compose, epsilon, gate, ledger, plan, refute, release, show
from par_core.cli.shell import Par


@click.group(
    cls=Par,
    name="par",
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(par_core.__version__, prog_name="par_core")
def par() -> None:
    """Privacy at Risk explorer: how much noise a release needs, what it spends, and whom it gives away.

    Exit codes: 0 done, 1 the answer could not be written, 2 wrong arguments or data, 3 a gate fails or no level meets what is
    asked, 130 stopped.
    """


for _each in (audit, refute, release, plan, ledger, gate, compose, epsilon, check, show, completion):
    par.add_command(_each.command)
