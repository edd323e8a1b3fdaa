"""What rests on what in Empirical Differential Privacy."""

from __future__ import annotations

from functools import partial
from typing import Final

from par_core.claims.catalogue import Paper
from par_core.claims.theorem import Node, node

_node = partial(node, short="EDP", paper=Paper.EMPIRICAL)

_AUDIT = (
    _node("Definition 1", "inherent privacy"),
    _node("Lemma 1", "classical privacy is inherent", "lemma-1", "lemma-1-converse", rests_on=("Definition 1",)),
    _node("Definition 2", "empirical privacy", rests_on=("Definition 1",)),
    _node("Theorem 1", "δ from two densities", "theorem-1", rests_on=("Definition 2",)),
    _node("Section 3, failure", "δ as a chance to fail", "failure-probability", rests_on=("Theorem 1",)),
    _node("Lemma 2", "post-processing", "lemma-2", rests_on=("Definition 1",)),
    _node("After Lemma 2", "post-processing, estimated", "lemma-2-estimated", rests_on=("Definition 2", "Lemma 2")),
    _node("Section 3, two queries", "composition", "composition-sum", "composition-joint", rests_on=("Theorem 1",)),
    _node("Definition 3", "total risk", "total-risk", rests_on=("Theorem 1", "Section 3, failure")),
    _node(
        "After Definition 3",
        "how total risk errs",
        "total-risk-above-delta",
        "total-risk-independent",
        "total-risk-dependent",
        "total-risk-minimum",
        rests_on=("Definition 3",),
    ),
    _node("Definition 4", "privacy given what an adversary knows", rests_on=("Definition 1",)),
    _node(
        "After Definition 4", "what an adversary knows", "adversary-cells", "adversary-own", rests_on=("Definition 4",)
    ),
)

_NOISE = (
    _node("Lemma 3", "log of a sum of exponentials", "lemma-3"),
    _node("Lemma 4", "distances to two sets", "lemma-4"),
    _node(
        "Proposition 1",
        "the scale of Laplace kernels",
        "proposition-1",
        "proposition-1-left-out",
        "proposition-1-denominator",
        "proposition-1-absolute",
        proof=("Lemma 3", "Lemma 4"),
    ),
    _node("Convolution", "density of answer plus noise", "convolution", where_used=("convolution-where-used",)),
    _node("Equation 1", "noise by deconvolution", "equation-1", rests_on=("Convolution",)),
    _node("Equation 2", "noise from two kernels", "image-laplace", rests_on=("Equation 1",)),
    _node("Density of the noise", "a density, point masses counted", "noise-density", rests_on=("Equation 2",)),
    _node("Equation 2, Gaussian kernel", "noise from a Gaussian kernel", "image-gaussian", rests_on=("Equation 1",)),
    _node(
        "Theorem 2",
        "noise that makes a query private",
        together=("theorem-2",),
        rests_on=("Definition 2", "Equation 2"),
        proof=("Proposition 1",),
    ),
    _node(
        "Figure 1",
        "noise from a Gaussian kernel",
        "figure-1-width",
        "figure-1-scale",
        together=("figure-1",),
        rests_on=("Equation 2, Gaussian kernel", "Proposition 1"),
    ),
)

_PRECIPITATION = (
    _node("Section 7, data", "rain of 41 years", "databases", "years-independent", "spread"),
    _node("Figure 2", "rain by year", "figure-2", rests_on=("Section 7, data",)),
    _node("Figure 3", "δ by ε", "protected-from", "zero-delta", rests_on=("Theorem 1", "Section 7, data")),
    _node(
        "Figure 4",
        "total risk by ε",
        "total-risk-example",
        "exposed-example",
        rests_on=("Definition 3", "Section 7, data"),
    ),
    _node("Figure 5", "two densities", "figure-5", rests_on=("Section 7, data",)),
)

NODES: Final[tuple[Node, ...]] = (*_AUDIT, *_NOISE, *_PRECIPITATION)
"""The nodes, each after all that it rests on."""
