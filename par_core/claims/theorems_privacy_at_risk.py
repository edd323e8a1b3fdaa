"""What rests on what in Privacy at Risk: its three versions, numbered as the last one numbers them."""

from __future__ import annotations

from functools import partial
from typing import Final

from par_core.claims.catalogue import Paper
from par_core.claims.theorem import Node, node

_node = partial(node, short="PaR", paper=Paper.FINAL)

_BACKGROUND = (
    _node("Definition 1", "differential privacy"),
    _node("Definition 2", "sensitivity"),
    _node("Definition 3", "Laplace distribution"),
    _node("Definition 4", "Laplace mechanism", rests_on=("Definition 2", "Definition 3")),
    _node("Theorem 1", "Laplace noise is ε₀-private", "theorem-1", rests_on=("Definition 1", "Definition 4")),
    _node("Footnote 2", "another ε for the same mechanism", "footnote-2", rests_on=("Definition 1",)),
    _node("Definition 5", "privacy at risk", "definition-5-no-risk", rests_on=("Definition 1",)),
    _node("Definition 6", "privacy loss", rests_on=("Definition 1",)),
    _node("Lemma 1", "the loss stays within ε₀", "lemma-1", rests_on=("Definition 6",)),
    _node("Theorem 2", "privacy at risk as δ", "theorem-2", "footnote-3", rests_on=("Definition 5",)),
)

_LAPLACE_LAWS = (
    _node("Definition 8", "overlap of two laws"),
    _node("Lemma 5", "overlap of two Laplace distributions", "lemma-5", rests_on=("Definition 8", "Definition 3")),
    _node(
        "After Lemma 5",
        "what the overlap says",
        "overlap-value",
        "overlap-conclusion",
        rests_on=("Lemma 5", "Definition 5"),
    ),
    _node("Lemma 6", "noise differs by the sensitivity", "lemma-6", rests_on=("Definition 4",)),
    _node("Lemma 7", "size of Laplace noise", "lemma-7", rests_on=("Definition 3",)),
    _node("Lemma 8", "sum of such sizes", "lemma-8"),
    _node(
        "Lemma 9",
        "density of T",
        "lemma-9",
        "lemma-9-proof",
        "lemma-9-difference",
        where_used=("lemma-11-distribution-function",),
    ),
    _node("Lemma 10", "T below a bound", "lemma-10", where_used=("lemma-10-where-used",), rests_on=("Lemma 9",)),
    _node("Equation 14", "ratio of two densities", "equation-14", rests_on=("Definition 4",)),
    _node("Equation 15", "noise seen from both neighbours", "equation-15", rests_on=("Definition 4",)),
    _node(
        "Equation 16", "sizes of noise add up", "equation-16", rests_on=("Definition 4",), proof=("Lemma 7", "Lemma 8")
    ),
    _node(
        "Equation 17",
        "privacy loss distribution",
        "equation-17",
        "preprint-equation-16",
        rests_on=("Definition 6",),
        proof=("Equation 15", "Equation 16", "Lemma 6", "Lemma 10"),
    ),
)

_EXPLICIT = (
    _node(
        "Lemma 11",
        "confidence of one release",
        "lemma-11",
        rests_on=("Definition 6",),
        proof=("Equation 14", "Equation 17", "Lemma 9", "Lemma 10"),
    ),
    _node(
        "Theorem 4",
        "confidence of Laplace noise",
        "theorem-4",
        "theorem-4-vector",
        "theorem-4-averaged",
        "theorem-4-range",
        "theorem-4-density",
        "definition-5-every-set",
        rests_on=("Definition 5", "Definition 4"),
        proof=("Lemma 11",),
    ),
    _node("Corollary 3", "probabilistic privacy", together=("corollary-3",), proof=("Lemma 11",)),
    _node("Figure 1a", "ε by risk, for several numbers", "figure-1a", "figure-1a-order", rests_on=("Theorem 4",)),
    _node("Figure 1b", "ε by risk, for several ε₀", "figure-1b", "figure-1b-order", rests_on=("Theorem 4",)),
    _node("Equation 4", "ε from the risk", "one-to-one", "equation-4", rests_on=("Theorem 4",)),
)

_CONVEXITY = (
    _node(
        "Proof of Theorem 3",
        "a release as a mixture of two",
        "theorem-3-simulated",
        "theorem-3-set",
        rests_on=("Definition 5", "Definition 6"),
    ),
    _node("Lemma 2", "convexity", "lemma-2", rests_on=("Definition 5",), proof=("Proof of Theorem 3",)),
    _node("Corollary 2", "no post-processing", "corollary-2", rests_on=("Definition 5",)),
    _node("Lemma 3", "post-processing as δ", "lemma-3", rests_on=("Definition 5",), proof=("Theorem 2",)),
    _node(
        "Lemma 11 of the first preprint",
        "post-processing, withdrawn",
        "first-preprint-lemma-11",
        rests_on=("Definition 5",),
        paper=Paper.FIRST_PREPRINT,
    ),
    _node(
        "Theorem 2 with Theorem 4",
        "δ of Laplace noise",
        together=("theorem-2-with-theorem-4",),
        rests_on=("Theorem 2", "Theorem 4"),
    ),
)

_COMPOSITION = (
    _node("Equation 2", "losses add up", "equation-2", rests_on=("Definition 6",)),
    _node("Basic composition", "levels add up", "basic-composition", rests_on=("Definition 1",)),
    _node("Advanced composition", "levels add up by their root", "advanced-composition", rests_on=("Definition 1",)),
    _node(
        "Theorem 3",
        "composition",
        "theorem-3",
        "theorem-3-mean",
        "theorem-3-hoeffding",
        rests_on=("Definition 5",),
        proof=("Lemma 1", "Equation 2", "Proof of Theorem 3"),
    ),
    _node(
        "Corollary 1", "composition at several levels", "corollary-1", rests_on=("Definition 5",), proof=("Theorem 3",)
    ),
    _node(
        "Theorem 9 of the preprint",
        "composition",
        "preprint-theorem-9",
        "preprint-theorem-9-mean",
        rests_on=("Definition 5",),
        proof=("Lemma 1", "Equation 2", "Proof of Theorem 3"),
        paper=Paper.PREPRINT,
    ),
    _node(
        "Theorem 9 with Theorem 10 of the preprint",
        "composition of Laplace noise",
        together=("preprint-theorem-9-with-theorem-4",),
        rests_on=("Theorem 9 of the preprint",),
        proof=("Theorem 4",),
        paper=Paper.PREPRINT,
    ),
    _node(
        "Theorem 3 with Theorem 4",
        "composition of Laplace noise",
        together=("theorem-3-with-theorem-4", "theorem-3-mean-with-theorem-4"),
        rests_on=("Theorem 3", "Theorem 4"),
    ),
    _node(
        "Corollary 1 with Theorem 4",
        "composition of Laplace noise at several levels",
        together=("corollary-1-with-theorem-4",),
        rests_on=("Corollary 1", "Theorem 4"),
    ),
)

_IMPLICIT = (
    _node("Definition 7", "sampled sensitivity", rests_on=("Definition 2",)),
    _node("After Definition 7", "the largest sensitivity", "definition-7-largest", rests_on=("Definition 7",)),
    _node("Equation 13", "empirical against true law", "equation-13"),
    _node("Equation 19", "the loss by the sensitivity", "equation-19", rests_on=("Definition 4",)),
    _node(
        "Equation 21",
        "coverage of a sampled value",
        "theorem-5-on-its-event",
        rests_on=("Definition 7",),
        proof=("Equation 13",),
    ),
    _node(
        "Theorem 5",
        "confidence of a sampled sensitivity",
        "theorem-5",
        where_used=("theorem-5-where-used",),
        rests_on=("Definition 5", "Definition 7"),
        proof=("Equation 13", "Equation 19", "Equation 21"),
    ),
    _node(
        "Figure 2",
        "samples by risk",
        "figure-2",
        "figure-2-error",
        "figure-2-risk",
        rests_on=("Equation 13", "Theorem 5"),
    ),
    _node("Equation 23", "empirical against true maximum", "equation-23", rests_on=("Definition 7",)),
    _node(
        "Lemma 12",
        "true over sampled sensitivity",
        "lemma-12",
        "lemma-12-unit",
        "lemma-12-lipschitz",
        "lemma-12-lower-bound",
        rests_on=("Definition 7",),
        proof=("After Definition 7", "Equation 23"),
    ),
    _node(
        "Corollary 4",
        "confidence given a covered pair",
        "corollary-4-at-epsilon0",
        together=("corollary-4",),
        proof=("Lemma 10", "Lemma 11"),
    ),
    _node("Lemma 13", "both sources together", together=("lemma-13",), proof=("Corollary 4", "Equation 21")),
    _node(
        "Theorem 6",
        "confidence from both sources",
        together=("theorem-6",),
        rests_on=("Theorem 4", "Theorem 5"),
        proof=("Lemma 13",),
    ),
    _node("Equation 7", "risk without the samples' own", rests_on=("Theorem 6",)),
    _node("Figure 3a", "risk by ρ", "figure-3a", "figure-3a-order", rests_on=("Theorem 6", "Lemma 12")),
    _node("Figure 3b", "risk by samples", "figure-3b", "figure-3b-order", rests_on=("Theorem 6", "Lemma 12")),
)

_COST = (
    _node(
        "Equation 8",
        "cost of a breach",
        "equation-8-at-most-e",
        "equation-8-rises",
        "equation-8-towards-zero",
        "equation-8-towards-infinity",
        where_used=("equation-8-where-used",),
    ),
    _node("Convexity of equation 8", "cost of a breach is convex", "equation-8-convex", rests_on=("Equation 8",)),
    _node("Equation 9", "cost at risk", rests_on=("Definition 5", "Equation 8")),
    _node(
        "Lemma 4",
        "the cost formula at risk is convex",
        "lemma-4",
        "lemma-4-other-costs",
        where_used=("lemma-4-where-used",),
        rests_on=("Equation 8", "Equation 9"),
    ),
    _node("After Lemma 4", "the cost formula has one minimum", "unique-minimum", rests_on=("Lemma 4",)),
    _node("Equation 10", "the cheapest ε", "equation-10", rests_on=("Equation 4", "Equation 9")),
    _node("Equation 12", "error of a count", "equation-12", rests_on=("Definition 4",)),
    _node(
        "Equation 11",
        "ε between error and budget",
        "equation-11-lower-end",
        "equation-11-upper-end",
        "equation-11-range",
        rests_on=("Equation 9", "Equation 12"),
    ),
    _node(
        "Section 5.3, budget without risk",
        "the health centre pays for ε₀",
        "error-of-two",
        "illustration-baseline",
        rests_on=("Equation 8", "Equation 12"),
    ),
    _node(
        "Section 5.3, lowest budget",
        "the health centre pays less",
        "illustration-level",
        "illustration-budget",
        together=("illustration-budget-is-enough",),
        rests_on=("After Lemma 4", "Equation 10", "Theorem 4"),
    ),
    _node(
        "Section 5.3, saving",
        "what the health centre saves",
        "illustration-saving",
        together=("illustration-saving-is-real",),
        rests_on=("Section 5.3, budget without risk", "Section 5.3, lowest budget"),
    ),
    _node("Figure 4", "budget by ε", "figure-4", rests_on=("Equation 9", "Theorem 4")),
    _node(
        "Figure 5, captions",
        "the cheapest levels",
        "figure-5a-caption",
        "figure-5b-caption",
        "figure-5c-caption",
        together=("figure-5-captions-hold",),
        rests_on=("Equation 10", "Theorem 4"),
    ),
    _node(
        "Figure 5",
        "composition of Laplace noise",
        "figure-5",
        "figure-5-basic",
        "figure-5-delta",
        together=("figure-5-holds",),
        rests_on=("Basic composition", "Advanced composition", "Theorem 3 with Theorem 4", "Figure 5, captions"),
    ),
    _node(
        "Section 5.4",
        "stronger than other composition",
        "stronger-than-advanced",
        "stronger-than-basic",
        together=("stronger-than-advanced-guarantee",),
        rests_on=("Theorem 3 with Theorem 4", "Figure 5"),
    ),
    _node("Moment bound", "data-dependent bound of PATE", "table-1-theorem-3"),
    _node(
        "Moment bound at risk",
        "data-dependent bound with privacy at risk",
        "table-1-mixture",
        where_used=("table-1-mixture-used",),
        rests_on=("Moment bound", "Definition 5"),
    ),
    _node(
        "Table 1",
        "moment accountant",
        "table-1-quoted",
        "table-1-at-risk",
        "table-1-experiments",
        "table-1-script",
        rests_on=("Moment bound at risk", "Figure 5, captions"),
    ),
)

_UTILITY = (
    _node("Section 6.1, records", "census", "census-sample", "census-people", "census-records", "census-records-used"),
    _node("Section 6, sensitivity", "sensitivity of ridge regression", "ridge-sensitivity", "ridge-scaling"),
    _node(
        "Section 6.2, case 1",
        "ε₀ from ε and the risk",
        "case-1",
        "case-1-five-coefficients",
        "ridge-release",
        together=("case-1-guarantee",),
        rests_on=("Theorem 4", "Section 6, sensitivity"),
    ),
    _node(
        "Figure 6",
        "ε and error by confidence",
        "figure-6-error",
        "figure-6-confidence",
        "utility-less-noise",
        rests_on=("Section 6.2, case 1",),
    ),
    _node(
        "Section 6.2, case 2",
        "tolerance of a sampled sensitivity",
        "case-2-tolerance",
        "case-2-rho",
        rests_on=("Equation 13", "Theorem 5"),
    ),
    _node("Figure 7", "sampled sensitivities", "figure-7", rests_on=("Definition 7",)),
    _node(
        "Section 6.2, case 3",
        "ε₀ from both sources",
        "case-3-equation",
        "case-3",
        "case-3-reachable",
        "case-3-less-noise",
        together=("case-3-guarantee",),
        rests_on=("Theorem 6", "Lemma 12"),
    ),
)

NODES: Final[tuple[Node, ...]] = (
    *_BACKGROUND,
    *_LAPLACE_LAWS,
    *_EXPLICIT,
    *_CONVEXITY,
    *_COMPOSITION,
    *_IMPLICIT,
    *_COST,
    *_UTILITY,
)
"""The nodes, each after all that it rests on."""
