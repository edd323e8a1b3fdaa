"""`par check`: what became of every published claim in the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from par_core.cli.shell import Command

if TYPE_CHECKING:
    from par_core.cli.answer import Answer
    from par_core.progress import Progress


def _ids(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001  # click gives all three
    from par_core.claims import CLAIMS

    return [CompletionItem(claim.id, help=claim.where) for claim in CLAIMS if claim.id.startswith(incomplete)]


_EXAMPLES = (
    "par check par-theorem-4",
    "par check --refuted --format csv --output refuted.csv",
    'par check par-theorem-1 par-theorem-4 --gate --format json || echo "Do not rely on these"',
)


@click.command("check", cls=Command, examples=_EXAMPLES, short_help="What became of every published claim.")
@click.argument("claims", nargs=-1, metavar="[CLAIM]...", shell_complete=_ids)
@click.option("--refuted", is_flag=True, help="Only claims that are refuted.")
@click.option("--gate", is_flag=True, help="Exit with 3 unless every claim that was checked is reproduced.")
def command(claims: tuple[str, ...], refuted: bool, gate: bool, progress: Progress) -> Answer:
    """Recompute the published claims of the catalogue, all of them or those with the given ids, and say what became of each.

    Without ids that takes seconds.
    """
    from par_core.claims import REPRODUCED, REPRODUCED_BY_CONVENTION, check, check_all
    from par_core.cli.answer import Gate
    from par_core.cli.verdicts import Verdicts
    from par_core.export.catalogue_files import headline
    from par_core.progress import portion

    found = []
    tell = portion(progress)
    if claims:
        for done, name in enumerate(claims, start=1):
            found.append(check(name))
            tell(done / len(claims))
    else:
        found = list(check_all(progress=progress))
    number = len(found)
    good = sum(each.verdict in (REPRODUCED, REPRODUCED_BY_CONVENTION) for each in found)
    stop = Gate(good == number, f"{good:,} of {number:,} claims are reproduced") if gate else None
    false = tuple(each for each in found if each.refuted)
    settings: dict[str, Any] = {"claims": " ".join(claims) or "all", "checked": number, "refuted": len(false)}
    notes = ("Only claims that are refuted are listed.",) * refuted
    return Verdicts(
        f"{headline(found)}.", settings, notes=notes, gate=stop, verdicts=false if refuted else tuple(found)
    )
