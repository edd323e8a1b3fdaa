"""What rests on what in the papers, and what falls with a statement that fails."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from par_core.claims.ledger import Paper, Verdict

Outcome = Literal["stands", "stands where used", "fails by itself", "falls"]


@dataclass(frozen=True)
class Node:
    """A numbered statement, figure or case study of a paper."""

    name: str  # unique and short: "PaR Theorem 4"; what other nodes and addresses name
    paper: Paper
    place: str  # as the paper numbers it: "Theorem 4"
    subject: str  # a few words of ours
    claims: tuple[str, ...]  # ids in the ledger that together judge the statement itself
    rests_on: tuple[str, ...]  # names of the nodes that its truth needs
    where_used: tuple[str, ...] = ()  # ids that judge it only where the paper uses it


@dataclass(frozen=True)
class Fate:
    """What became of a node: by its own claims, or by what it rests on."""

    node: Node
    outcome: Outcome
    falls_with: tuple[str, ...] = ()  # names of the nodes that fail by themselves and that it rests on, directly or not


NODES: Final[tuple[Node, ...]] = ()
"""The nodes, each after all that it rests on."""


def fates(verdicts: Iterable[Verdict]) -> dict[str, Fate]:
    """Return what became of each node, by its name, from the verdicts of the whole ledger."""
    return {}
