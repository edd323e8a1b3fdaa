"""Which errors the papers make independently of one another, and which claims fall with each: one error is counted once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain

from par_core.claims.catalogue import Paper, Verdict
from par_core.claims.theorems import DOWN, NODES, fates


@dataclass(frozen=True)
class RootError:
    """A statement that fails although nothing fails that its failure would follow from.

    `claims` are the refuted claims that are this error, `falling` those that fall with it: refuted because it goes into them, or
    right in their own arithmetic and worth nothing without it. A claim may fall with several errors.
    """

    name: str  # of its node in the map, "PaR Equation 15"; of a claim outside of the map its id
    paper: Paper
    place: str  # as the paper numbers it: "Equation 15"
    subject: str  # a few words; outside of the map what is claimed
    claims: tuple[str, ...]
    falling: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[str, ...]:
        """Which statements these claims are about, as the paper numbers them: those of the map, in its order."""
        falling = {*self.falling}
        return tuple(
            node.place for node in NODES if falling.intersection((*node.claims, *node.together, *node.where_used))
        )


def root_errors(verdicts: Iterable[Verdict]) -> tuple[RootError, ...]:
    """Return the independent errors, from the verdicts of the whole catalogue: with which most falls first.

    The map of the papers' statements decides (`theorems.NODES`). What a statement says of its own is an error of its own, unless
    its proof needs a statement that fails; what comes out once all is put in falls with what fails of this. A claim outside of the
    map is an error of its own, unless it `follows` another one. ParameterError if the verdict of a claim is missing.

    >>> from par_core.claims import check_all
    >>> first = root_errors(check_all())[0]
    >>> first.name, first.claims
    ('PaR Equation 15', ('par-equation-15',))
    """
    every = tuple(verdicts)
    found, by_id = fates(every), {each.claim.id: each for each in every}
    roots: dict[str, RootError] = {}
    under: dict[str, tuple[str, ...]] = {}  # of each claim or node the names of the errors that it carries on
    fallen: dict[str, tuple[str, ...]] = {}  # of each claim the names of the errors that it falls with
    for node in NODES:
        fate = found[node.name]
        needs, proof = node.needed(by_id.__getitem__)
        below, by_proof = (
            tuple(dict.fromkeys(chain.from_iterable(under[name] for name in names if found[name].outcome in DOWN)))
            for names in ((*needs, *proof), proof)
        )
        own = []
        for names, carried in (((*node.claims, *node.where_used), by_proof), (node.together, below)):
            refuted = [name for name in names if by_id[name].refuted]
            fallen |= dict.fromkeys(refuted if carried else [], carried)
            own += [] if carried else refuted
        if fate.outcome == "falls":
            right = [name for name in (*node.claims, *node.together, *node.where_used) if not by_id[name].refuted]
            fallen |= dict.fromkeys(right, below)
        if own:
            roots[node.name] = RootError(node.name, node.paper, node.place, node.subject, tuple(own))
        under[node.name] = (*[node.name] * bool(own), *below)
    on_map = {name for node in NODES for name in (*node.claims, *node.together, *node.where_used)}
    for name, verdict in by_id.items():
        claim = verdict.claim
        if verdict.refuted and name not in on_map:
            if carried := tuple(each for each in claim.follows if by_id[each].refuted):
                fallen[name] = carried
            else:
                where, _, _ = claim.where.partition(" (")  # other versions' numbers
                roots[name] = RootError(name, claim.paper, where, claim.statement, (name,))
    made = [
        replace(root, falling=tuple(name for name in by_id if root.name in fallen.get(name, ())))
        for root in roots.values()
    ]
    return tuple(sorted(made, key=lambda each: len(each.falling), reverse=True))
