"""The form of a node in the map of a paper's statements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from par_core.claims.catalogue import Paper, Verdict
from par_core.evidence import PROVEN


@dataclass(frozen=True, kw_only=True)
class Node:
    """A numbered statement, figure, table or case study of a paper, with what judges it and what it rests on.

    A lemma that serves one proof only is a node of its own, and fails by itself as the theorem does: both are judged by their own
    numbers. A step of a proof is a node if it has a number in the paper, or if the theorem holds without it; any other is a claim about
    the theorem.
    """

    name: str  # unique: what other nodes and addresses call it, "PaR Theorem 4"
    paper: Paper
    place: str  # as the paper numbers it: "Theorem 4"
    subject: str  # a few words of ours
    claims: tuple[str, ...] = ()  # ids of claims in the catalogue about what this node says of its own
    together: tuple[str, ...] = ()  # ids of claims about what comes out once all that it rests on is put in
    where_used: tuple[str, ...] = ()  # ids of claims about the statement only where the paper uses it
    rests_on: tuple[str, ...] = ()  # names of nodes without which it means nothing, or nothing true
    proof: tuple[str, ...] = ()  # names of nodes that only its proof needs

    def needed(self, verdict_of: Callable[[str], Verdict]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names of what it rests on, and of what its proof needs: nothing where exact numbers show it true all the same."""
        judged = [verdict_of(name) for name in (*self.claims, *self.together)]
        shown_true = any(each.evidence.basis is PROVEN for each in judged) and not any(each.refuted for each in judged)
        return self.rests_on, () if shown_true else self.proof


def node(
    place: str,
    subject: str,
    *claims: str,
    short: str,
    paper: Paper,
    rests_on: tuple[str, ...] = (),
    proof: tuple[str, ...] = (),
    together: tuple[str, ...] = (),
    where_used: tuple[str, ...] = (),
) -> Node:
    """Return a node of the text that is called `short`, with which its names and, in small letters, the ids of its claims begin."""

    def ids(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(f"{short.lower()}-{name}" for name in names)

    def nodes(places: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(f"{short} {each}" for each in places)

    return Node(
        name=f"{short} {place}",
        paper=paper,
        place=place,
        subject=subject,
        claims=ids(claims),
        together=ids(together),
        where_used=ids(where_used),
        rests_on=nodes(rests_on),
        proof=nodes(proof),
    )
