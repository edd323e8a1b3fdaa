"""The badges: one word for each basis, and for a paper's claim the word of the catalogue's verdict."""

import re
from pathlib import Path

import pytest

from pages.shared import badges
from par_core.claims import CLAIMS, REFUTED, check
from par_core.composition import compare
from par_core.errors import ParameterError
from par_core.evidence import ESTIMATE, MODEL, PROVEN, PUBLISHED, Evidence, Quantity, quantity_of
from par_core.published import explicit
from par_core.published.explicit import calibrate
from par_core.questions.blocks import Formula
from par_core.questions.evidence import checked
from par_core.risk.explicit_curves import risk_at
from par_core.risk.relaxations import approximate_delta
from tests.pages.conftest import BADGE

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FILES = [
    path for folder in ("pages", "par_core") for path in (ROOT / folder).rglob("*.py") if path.parent.name != "claims"
]
CODE = "\n".join(path.read_text(encoding="utf-8") for path in FILES)
IDS = {claim.id for claim in CLAIMS}
NAMED = sorted(set(re.findall(r"[\"']((?:par|edp)-[a-z0-9-]+)[\"']", CODE)))


def word(badge):
    return re.fullmatch(BADGE, badge)[1]


def test_every_basis_has_its_word():
    told = [
        word(badges.of(Quantity(1.0, "share", Evidence(each, source="a test")))) for each in (PROVEN, MODEL, ESTIMATE)
    ]
    assert told == ["Proven", "By your model", "Estimate"]
    assert [line.split("**")[1] for line in badges.legend().splitlines()] == [
        "Proven",
        "Refuted",
        "Unproven",
        "Holds here",
        "By your model",
        "Estimate",
    ]


def test_a_published_number_has_no_badge_without_its_claim():
    with pytest.raises(ParameterError):
        badges.of(Quantity(1.0, "share", Evidence(PUBLISHED, source="a test")))


@pytest.mark.parametrize("claim", NAMED)
def test_a_claim_on_a_page_bears_the_word_of_its_verdict(claim):
    assert claim in IDS
    assert word(badges.of(claim)) == ("Refuted" if check(claim).verdict == REFUTED else "Unproven")


@pytest.mark.parametrize("claim", NAMED)
def test_the_badge_of_a_claim_leads_to_it(claim):
    assert f"](paper_check?tab=claims&claim={claim})" in badges.of(claim)


def test_a_badge_without_a_claim_leads_nowhere():
    assert "](" not in badges.of(Quantity(1.0, "share", Evidence(PROVEN, source="a test"))) + badges.in_words()


@pytest.mark.parametrize("epsilon0", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("share", [0.3, 0.999, 1.0, 1.5])
@pytest.mark.parametrize("k", [1, 4])
def test_a_number_is_called_refuted_only_where_it_is_wrong(epsilon0, share, k):
    """The claim fails in general; its number is judged by the exact one at the same setting, to which risk and delta are upper bounds."""
    epsilon = share * epsilon0
    at, delta = risk_at(epsilon, epsilon0, k=k), approximate_delta(epsilon, epsilon0, k=k)
    found = calibrate(epsilon=epsilon, epsilon0=epsilon0, k=k)
    pairs = [
        (at.quantity("risk"), at.risk >= at.exact_risk),
        (quantity_of(explicit.risk, epsilon, epsilon0, k=k), at.risk >= at.exact_risk),
        (found.quantity("confidence"), found.confidence <= found.exact_confidence),
        (delta.quantity("published"), delta.published >= delta.exact),
    ]
    assert pairs[0][1] == (share >= 1)
    for quantity, right in pairs:
        assert word(badges.of(quantity)) == ("Holds here" if right else "Refuted")
        assert f"claim={quantity.claim})" in badges.of(quantity)


def test_a_curve_is_called_refuted_only_where_it_runs_below_the_truth():
    compared = compare(0.5, [1, 10, 300], delta=1e-5)
    words = set()
    for curve in compared.curves:
        if not curve.claim:
            continue
        for at, below in enumerate(curve.below):
            words.add(told := word(badges.of(curve.quantity("epsilon", at))))
            assert (told == "Holds here") != below
        assert (word(badges.of(curve)) == "Holds here") != curve.below.any()
    assert words == {"Holds here", "Refuted"}


def test_the_readme_shows_every_badge_in_its_colour():
    table = README[README.index("| badge |") :]
    for line in badges.legend().splitlines():
        told = line.split("**")[1]
        colour = re.match(r":(\w+)-badge", badges.badge(told))[1]
        assert re.search(rf"^\| {told} \| {colour}, curve ", table, re.MULTILINE), told


def test_both_words_occur():
    assert word(badges.of("par-theorem-4")) == "Refuted"
    assert word(badges.of("par-preprint-theorem-9-with-theorem-4")) == "Unproven"


def test_the_hover_names_the_claim():
    hover = re.sub(r"\\(.)", r"\1", badges.legend("par-theorem-4"))
    here = "[**Refuted claim**](paper_check?tab=claims&claim=par-theorem-4)"
    assert hover.startswith(f"{here}: Differential Privacy at Risk (PoPETs 2021), Theorem 4")
    assert "exceeds a stronger level" in hover


def test_a_claim_is_recomputed_once(monkeypatch):
    import par_core.claims

    checked.cache_clear()
    asked = []
    monkeypatch.setattr(par_core.claims, "check", lambda claim: asked.append(claim) or check(claim))
    for _ in range(3):
        badges.of("par-theorem-4")
        badges.legend("par-theorem-4")
    assert asked == ["par-theorem-4"]


def formulas():
    from par_core.composition import ACCOUNTANTS
    from par_core.questions.budget_minimiser import formulas as budget_minimiser
    from par_core.questions.composition import formulas as composition
    from par_core.questions.empirical_audit import formulas as empirical_audit
    from par_core.questions.explicit_risk import formulas as explicit_risk
    from par_core.questions.sample_planner import formulas as sample_planner
    from par_core.questions.your_table import formulas as your_table

    modules = (budget_minimiser, composition, empirical_audit, explicit_risk, sample_planner, your_table)
    for module in modules:
        for value in vars(module).values():
            for each in value if isinstance(value, tuple) else (value,):
                if isinstance(each, Formula):
                    yield each
    yield from composition.of(list(ACCOUNTANTS))


def test_every_formula_has_a_badge():
    found = list(formulas())
    assert len(found) > 40
    words = {word(badges.of(each.of)) for each in found}
    assert words == {"Proven", "Refuted", "Unproven", "By your model", "Estimate"}


def test_the_sentence_on_all_badges_tells_each_of_the_legend():
    assert re.findall(r"badge\[(.*?)\]", badges.in_words()) == [
        line.split("**")[1] for line in badges.legend().splitlines()
    ]
