"""The search of the paper check: sentences as a PDF gives them, and numbers as people write them, lead to their claim."""

import pytest

from par_core.claims import CLAIMS
from par_core.questions.paper_check import listed_claims, numbering
from par_core.questions.paper_check.search import Found, Search, Text

FIRST, AMONG_THREE = 1, 3


@pytest.mark.parametrize(("claim", "typed", "most"), [
    ("par-overlap-conclusion", "we can loosely say that at least 80% of the times a Laplace Mechanism", FIRST),
    ("par-subsampling-immune", "Since the second way involves subsampling, it is immune to this problem.", FIRST),
    ("par-illustration-saving-is-real", "save $36628.532 without sacri- ﬁcing the quality of the published results", FIRST),
    ("par-illustration-breach", "with high probability, the in- truder deduces that John Doe suﬀers from obesity.", FIRST),
    ("par-unique-minimum", "ensures existence of unique privacy at risk that minimises compensation budget", FIRST),
    ("par-corollary-2", "does not satisfy the post-processing property for every pos- sible mapping of the output", FIRST),
    ("par-case-2-tolerance", "for the accuracy of 0.01 the probabilistic toler- ance is 0.9.", FIRST),
    ("par-overlap-value", r"between two distributions with $\varepsilon_0 = 1$ and $\varepsilon = 0.6$ is 0.81", FIRST),
    ("edp-tails", "A slight overestimation of tail densities can lead to a large overestimation of privacy.", FIRST),
    ("edp-tails", "“a large overestimation of privacy”", FIRST),
    ("edp-exposed-example", "only 6 individuals for which δi is nonzero, and only 2 for which it is greater than 0.0010", FIRST),
    ("edp-lemma-2-estimated", "(ε, δ) by any fixed margin with probability approaching zero as the number of samples g(f(X)) grows", FIRST),
    ("lecture-posterior", "the change in analyst believe is only from 40 % to 43 %.", FIRST),
    ("lecture-response-interval", "2.16r − 0.5591 ≤ f(x) ≤ 2.16r − 0.5619", FIRST),
    ("lecture-two-coins", r"Algorithm AlmostRandom() is $\ln 3$-differentially private", FIRST),
    ("par-stronger-than-advanced-guarantee", "provides stronger privacy guarantee than the classical advanced composition", AMONG_THREE),
    ("par-figure-3a-order", "the privacy at risk decreases with the value of error param- eter", FIRST),
    ("lecture-gaussian", "the Gaussian mechanism with parameter σ ≥ c∆2/ϵ preserves (ϵ, δ)-differential privacy", AMONG_THREE),
])  # fmt: skip
def test_a_sentence_of_a_paper_finds_what_checks_it(claim, typed, most):
    assert claim in listed_claims.holding(typed).keys[:most]


@pytest.mark.parametrize(("claim", "spellings"), [
    ("par-theorem-3", "Theorem 3, Thm 3, Thm. 3, theorem (3), Th. 3, THEOREM 3"),
    ("par-equation-15", "Equation 15, eq. (15), Eqn 15, equations (15), (15)"),
    ("par-figure-4", "Figure 4, Fig 4, fig. 4, figs. 4"),
    ("lecture-answer", "page 6, p. 6, slide 6, Page 6"),
    ("par-overlap-value", "80%, 80 %"),
    ("par-illustration-saving", "36628.532, $36,628.532, 36,628.53"),
    ("par-lemma-1", "ε₀-differentially private mechanism, ε0 Differentially private mechanism, ε_0-differentially  private mechanism"),
])  # fmt: skip
def test_a_number_is_found_however_it_is_written(claim, spellings):
    (found,) = {listed_claims.holding(each) for each in spellings.split(", ")}
    assert (found.keys[0], found.nearest) == (claim, False)


def test_what_stands_at_a_theorem_comes_before_what_only_names_it():
    found = listed_claims.holding("Theorem 3").keys
    assert found[:2] == ("par-theorem-3", "par-theorem-3-with-theorem-4")
    assert {"par-theorem-3-mean", "par-theorem-3-set"} < {*found}
    both = listed_claims.holding("Equations 15, 16")
    assert both.nearest
    assert {"par-equation-15", "par-equation-16"} == {*both.keys[:2]}


def test_a_number_is_not_the_beginning_of_another():
    assert "par-equation-14" not in listed_claims.holding("equation 1").keys
    assert "par-theorem-1" in listed_claims.holding("theorem 1").keys
    assert "lecture-response-interval" not in listed_claims.holding("page 2").keys
    assert "par-illustration-level" not in listed_claims.holding("0.27").keys


def test_words_that_are_nowhere_find_nothing_and_no_words_all():
    for nowhere in ("zebra", "74%", "Theorem 99"):
        assert listed_claims.holding(nowhere) == Found(())
    for nothing in ("", " ", "–()"):
        assert listed_claims.holding(nothing) == Found(None)


def test_words_are_looked_for_in_all_that_a_claim_says_and_may_be_cut_off():
    said = {each.id for each in CLAIMS if "hausdorff" in f"{each.statement} {each.explanation}".lower()}
    assert {*listed_claims.holding(" HAUSDORF ").keys} >= said != set()
    assert "edp-total-risk" in listed_claims.holding("total risk").keys


def test_a_paper_is_searched_alone():
    sentence = "the risk increases with the number of samples that are drawn from the population of the lecture"
    every, alone = (listed_claims.holding(sentence, *paper).keys for paper in ((), ("lecture",)))
    assert {each.partition("-")[0] for each in every} != {"lecture"} == {each.partition("-")[0] for each in alone}


def test_of_texts_that_only_share_words_the_ten_nearest_are_found_and_that_is_said():
    found = listed_claims.holding("the noise of a mechanism is as private as the sensitivity of the query")
    assert (len(found.keys), found.nearest) == (10, True)


def test_signs_of_latex_are_those_of_unicode():
    letters = [
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "eta",
        "theta",
        "lambda",
        "mu",
        "pi",
        "rho",
        "sigma",
        "phi",
    ]
    search = Search({"it": Text("here", "α β γ δ ε η θ λ μ π ρ σ φ")})
    for tex in (letters, [f"var{each}" for each in letters]):
        assert search.find(" ".join(rf"$\{each}$" for each in tex)) == Found(("it",))


def test_what_only_looks_like_a_share_is_no_share():
    assert Search({"a": Text("Section 1.2.3", "5%")}).find("1.2.3%").keys == ()


def test_the_numbering_is_searched_alike():
    assert numbering.holding("Lem. 9", "risk") == numbering.holding("lemma 9", "risk") != Found(())
    (best, *_) = numbering.holding("eq. (15)", "risk").keys
    assert numbering.rows()[best].claims == ("par-equation-15",)


def test_rare_words_count_most_and_of_equals_the_first_is_first():
    texts = {name: Text("here", words) for name, words in {
        "rare": "a noisy zebra of the query", "common": "a noisy answer of the query", "same": "a noisy answer of the query",
    }.items()}  # fmt: skip
    search = Search(texts)
    assert search.find("the zebra is in the query").keys[0] == "rare"
    assert search.find("noisy answer") == Found(("common", "same"))
    assert search.find("noisy answer", ["same"]) == Found(("same",))
