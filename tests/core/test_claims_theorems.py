"""The map of the papers' theorems: whole, without circles, and what falls follows from the verdicts."""

import re
from collections import Counter
from dataclasses import replace

import pytest

from par_core.claims import CLAIMS, NEEDS_DATA, REFUTED, REPRODUCED, check
from par_core.claims.catalogue import Paper
from par_core.claims.inventory import rows
from par_core.claims.theorems import NODES, OUTCOMES, falls_with, fates
from par_core.errors import ParameterError
from tests.core.catalogue_found import catalogue_found

KINDS = ("definition", "theorem", "lemma", "corollary", "proposition")


def statements():
    """Every numbered statement by paper: as the last version numbers it, or the last that has it."""
    found = {paper: set() for paper in Paper if paper is not Paper.LECTURE}
    for row in rows():
        paper = next(paper for paper in Paper if paper in row.places)
        if row.kind in KINDS and paper in found:
            version = {Paper.PREPRINT: " of the preprint", Paper.FIRST_PREPRINT: " of the first preprint"}
            found[paper].add(f"{row.kind.capitalize()} {row.places[paper]}{version.get(paper, '')}")
    return found


def found(**changed):
    """The fates, once the verdicts of some claims are others than they are."""
    verdicts = {name.replace("-", "_"): each for name, each in catalogue_found().items()}
    for name, outcome in changed.items():
        verdicts[name] = replace(verdicts[name], verdict=outcome)
    return fates(verdicts.values())


def outcome(name, **changed):
    fate = found(**changed)[name]
    return fate.outcome, *(each.removeprefix("PaR ").removeprefix("EDP ") for each in fate.falls_with)


def test_every_statement_is_a_node():
    assert [len(each) for each in statements().values()] == [8 + 6 + 13 + 4, 1, 1, 4 + 2 + 4 + 1]
    for paper, places in statements().items():
        assert places <= {node.place for node in NODES if node.paper is paper}, paper


def test_nodes_have_their_own_names_and_claims_exist():
    assert len({node.name for node in NODES}) == len(NODES)
    ids = {claim.id: claim.paper for claim in CLAIMS}
    of_risk = {Paper.FINAL, Paper.PREPRINT, Paper.FIRST_PREPRINT}
    for node in NODES:
        for name in (*node.claims, *node.together, *node.where_used):
            assert ids[name] is node.paper or {ids[name], node.paper} <= of_risk, name
    judged = Counter(name for node in NODES for name in (*node.claims, *node.together))
    assert max(judged.values()) == 1, "a claim is about one node"


def test_nothing_rests_on_itself():
    """Each node stands after all that it rests on, so that there is no circle."""
    above = set()
    for node in NODES:
        assert {*node.rests_on, *node.proof} <= above, node.name
        above.add(node.name)


def test_what_became_of_the_theorems():
    assert outcome("PaR Theorem 1") == ("stands",)
    assert outcome("PaR Theorem 3") == ("stands",)  # though a step of its proof fails
    assert outcome("PaR Equation 17")[0] == "fails by itself"
    assert outcome("PaR Theorem 4") == ("fails by itself", "Lemma 11")
    assert outcome("PaR Theorem 5") == outcome("PaR Lemma 10") == outcome("PaR Lemma 4") == ("stands where used",)
    assert outcome("PaR Theorem 6") == ("falls", "Theorem 4", "Lemma 13")
    assert outcome("PaR Equation 10") == ("falls", "Theorem 4")  # by equation 4, which no claim refutes
    assert outcome("PaR Section 6.2, case 2") == ("stands",)
    assert outcome("PaR Section 6.2, case 3") == ("fails by itself", "Theorem 6", "Lemma 12")
    assert outcome("EDP Theorem 1") == ("stands",)
    assert outcome("EDP Theorem 2") == ("falls", "Proposition 1")
    assert outcome("EDP Figure 2") == ("undecided",)
    assert {fate.outcome for fate in found().values()} == OUTCOMES.keys()


def test_what_falls_with_theorem_4():
    fallen = {name for name, fate in found().items() if "PaR Theorem 4" in fate.falls_with}
    assert {"PaR Figure 1a", "PaR Figure 4", "PaR Section 5.3, lowest budget", "PaR Theorem 3 with Theorem 4"} <= fallen
    assert not fallen & {"PaR Theorem 2", "PaR Theorem 3", "PaR Theorem 5", "PaR Equation 8", "PaR Lemma 11"}


def test_a_claim_falls_just_where_the_map_says_so():
    """Of every claim: asked alone, with no more of the catalogue than it rests on."""
    verdicts = catalogue_found()
    of = {name: node for node in NODES for name in (*node.claims, *node.together, *node.where_used)}
    for name, verdict in verdicts.items():
        fate = found()[of[name].name] if name in of else None
        falls = fate is not None and fate.outcome == "falls" and not verdict.refuted
        assert falls_with(name, verdicts.__getitem__) == (fate.falls_with if falls else ()), name
    assert falls_with("par-figure-1a", check) == ("PaR Theorem 4",)


def test_whose_fault_an_entry_names_is_below_it_in_the_map():
    """Lemma 13 repeats the proof of Theorem 4, not its result; what follows equation 25 is no node."""
    below = {}
    for node in NODES:
        below[node.name] = {node.name}.union(*(below[each] for each in (*node.rests_on, *node.proof)))
    of = {name: node.name for node in NODES for name in (*node.claims, *node.together, *node.where_used)}
    named = [
        (claim.id, f"PaR {theorem}" in below[of[claim.id]] if claim.id in of else None)
        for claim in CLAIMS
        for theorem in re.findall(r"(Theorem \d)'s (?:fault|confidence)", claim.explanation)
    ]
    assert len(named) > 12
    assert [(name, found) for name, found in named if not found] == [
        ("par-lemma-13", False),
        ("par-equation-25-known-law", None),
    ]


def test_one_verdict_changes_what_rests_on_it():
    assert outcome("PaR Figure 2", par_equation_13=REFUTED) == ("falls", "Equation 13")
    assert outcome("PaR Theorem 5", par_theorem_5_where_used=REFUTED)[0] == "fails by itself"
    assert outcome("PaR Figure 2", par_theorem_5_where_used=REFUTED) == ("falls", "Theorem 5")
    assert outcome("PaR Lemma 3", par_lemma_3=REFUTED) == ("fails by itself",)
    assert outcome("EDP Figure 3", edp_zero_delta=REFUTED)[0] == "fails by itself"
    whole = dict.fromkeys(
        (
            "edp_proposition_1",
            "edp_proposition_1_left_out",
            "edp_proposition_1_denominator",
            "edp_proposition_1_absolute",
        ),
        REPRODUCED,
    )
    assert outcome("EDP Proposition 1", **whole) == ("stands",)
    assert outcome("EDP Theorem 2", **whole) == ("fails by itself",), "nothing else is to blame"
    assert outcome("EDP Theorem 2", **whole, edp_theorem_2=REPRODUCED) == ("stands",)
    assert outcome("EDP Theorem 2", **whole, edp_theorem_2=NEEDS_DATA) == ("undecided",)


def test_a_proof_counts_only_where_no_exact_number_speaks_for_the_statement():
    fixed = replace(catalogue_found()["par-theorem-3"], rule=None)
    others = ("par-theorem-3-mean", "par-theorem-3-hoeffding")
    verdicts = catalogue_found() | {"par-theorem-3": fixed}
    verdicts |= {name: replace(verdicts[name], rule=None) for name in others}
    assert fates(verdicts.values())["PaR Theorem 3"].falls_with == ("PaR Proof of Theorem 3",)


def test_the_whole_catalogue_is_asked_for():
    with pytest.raises(ParameterError, match="^verdicts must be those of the whole catalogue, got none of edp-"):
        fates([])
    with pytest.raises(ParameterError, match="^verdicts must be a Verdict, got 3$"):
        fates([3])
