"""What rests on what in the papers, and what falls with a statement that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Final, Literal

from par_core.claims import theorems_empirical, theorems_privacy_at_risk
from par_core.claims.catalogue import NEEDS_DATA, NOT_REPRODUCIBLE, Verdict
from par_core.claims.theorem import Node
from par_core.errors import ParameterError
from par_core.parameters import check_list, check_type, shown

Outcome = Literal["stands", "stands where used", "undecided", "falls", "fails by itself"]

OUTCOMES: Final[dict[Outcome, str]] = {
    "stands": "As printed, or as read by a stated convention, nothing that was checked speaks against it, nor against what it rests on.",
    "stands where used": "It is false as printed, and true where the paper uses it.",
    "undecided": "It cannot be recomputed from what is published, or only with data that are not here.",
    "falls": "It rests on a statement that fails.",
    "fails by itself": "Its own numbers refute it.",
}
"""Every outcome in one sentence."""

DOWN: Final = ("falls", "fails by itself")
"""The outcomes with which all falls that needs the statement."""

NODES: Final[tuple[Node, ...]] = (*theorems_privacy_at_risk.NODES, *theorems_empirical.NODES)
"""The nodes of both papers, each after all that it rests on."""


@dataclass(frozen=True)
class Fate:
    """What became of a node: by its own claims, or by what it rests on."""

    node: Node
    outcome: Outcome
    refuted: tuple[str, ...]  # ids of its claims that are refuted
    falls_with: tuple[
        str, ...
    ]  # the nearest nodes below it that fail and have a claim that is refuted; also if it fails by itself


def falls_with(claim: str, verdict_of: Callable[[str], Verdict]) -> tuple[str, ...]:
    """Return the statements with which a claim falls that is not refuted itself; empty where there are none.

    `verdict_of` returns the verdict of a claim by its id, and is asked only for what the claim rests on.
    """
    if not callable(verdict_of):
        raise ParameterError(
            f"verdict_of must be a function from the id of a claim to its verdict, got {shown(verdict_of)}"
        )
    verdict = verdict_of(claim)  # refuses what is no id
    own = next((node for node in NODES if claim in (*node.claims, *node.together, *node.where_used)), None)
    if verdict.refuted or own is None:
        return ()
    names = {own.name}
    for node in reversed(NODES):
        names.update((*node.rests_on, *node.proof) if node.name in names else ())
    fate = _fates([node for node in NODES if node.name in names], verdict_of)[own.name]
    return fate.falls_with if fate.outcome == "falls" else ()


def fates(verdicts: Iterable[Verdict]) -> dict[str, Fate]:
    """Return what became of each node, by its name, from the verdicts of the whole catalogue.

    A node fails by itself if a claim about it alone is refuted; with claims about where it is used, these decide instead. It falls
    if something that it rests on fails. Its proof counts only where no exact number shows that the statement holds all the same.
    ParameterError if the verdict of a claim is missing.
    """
    by_id = {
        each.claim.id: each
        for each in (check_type("verdicts", one, Verdict) for one in check_list("verdicts", verdicts))
    }
    judging = {name for node in NODES for name in (*node.claims, *node.together, *node.where_used)}
    if missing := judging - by_id.keys():
        raise ParameterError(f"verdicts must be those of the whole catalogue, got none of {min(missing)}")
    return _fates(NODES, by_id.__getitem__)


def _fates(nodes: Iterable[Node], verdict_of: Callable[[str], Verdict]) -> dict[str, Fate]:
    """Return what became of nodes, each given after all that it rests on."""
    found: dict[str, Fate] = {}
    for node in nodes:
        own, together, used = (
            [verdict_of(name) for name in names] for names in (node.claims, node.together, node.where_used)
        )
        judged = [*own, *together]
        under = [found[name] for name in chain(*node.needed(verdict_of))]
        falling = [each for each in under if each.outcome in DOWN]
        refuted = tuple(each.claim.id for each in judged if each.refuted)
        outcome: Outcome
        if refuted and used and not any(each.refuted for each in used):
            outcome = "stands where used"
        elif any(each.refuted for each in (*own, *used)) or (refuted and not falling):
            outcome = "fails by itself"
        elif falling:
            outcome = "falls"
        elif any(each.verdict in (NEEDS_DATA, NOT_REPRODUCIBLE) for each in judged):
            outcome = "undecided"
        else:
            outcome = "stands"
        down = falling if outcome in DOWN else []
        nearest = chain.from_iterable([each.node.name] if each.refuted else each.falls_with for each in down)
        found[node.name] = Fate(node, outcome, refuted, tuple(dict.fromkeys(nearest)))
    return found
