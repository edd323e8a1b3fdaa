"""The badges: one word for each standing, and for a paper's claim the word of the ledger's verdict."""

import re
from pathlib import Path

import pytest

from pages.shared import badges
from par_core.claims import CLAIMS, REFUTED, check
from par_core.errors import ParameterError
from par_core.questions.blocks import Formula
from par_core.standing import ESTIMATE, MODEL, PROVEN, PUBLISHED, Quantity
from tests.pages.conftest import BADGE

ROOT = Path(__file__).parents[2]
FILES = [
    path for folder in ("pages", "par_core") for path in (ROOT / folder).rglob("*.py") if path.parent.name != "claims"
]
CODE = "\n".join(path.read_text(encoding="utf-8") for path in FILES)
IDS = {claim.id for claim in CLAIMS}
NAMED = sorted(set(re.findall(r"[\"']((?:par|edp)-[a-z0-9-]+)[\"']", CODE)))


def word(badge):
    return re.fullmatch(BADGE, badge)[1]


def test_every_standing_has_its_word():
    told = [word(badges.of(Quantity(1.0, "share", each))) for each in (PROVEN, MODEL, ESTIMATE)]
    assert told == ["Proven", "By your model", "Estimate"]
    assert [line.split("**")[1] for line in badges.legend().splitlines()] == [
        "Proven",
        "Refuted",
        "Unproven",
        "By your model",
        "Estimate",
    ]


def test_a_published_number_has_no_badge_without_its_claim():
    with pytest.raises(ParameterError):
        badges.of(Quantity(1.0, "share", PUBLISHED))


@pytest.mark.parametrize("claim", NAMED)
def test_a_claim_on_a_page_bears_the_word_of_its_verdict(claim):
    assert claim in IDS
    assert word(badges.of(claim)) == ("Refuted" if check(claim).verdict == REFUTED else "Unproven")


@pytest.mark.parametrize("claim", NAMED)
def test_the_badge_of_a_claim_leads_to_it(claim):
    assert f"](paper_check?tab=claims&claim={claim})" in badges.of(claim)


def test_a_badge_without_a_claim_leads_nowhere():
    assert "](" not in badges.of(Quantity(1.0, "share", PROVEN)) + badges.in_words()


def test_both_words_occur():
    assert word(badges.of("par-theorem-4")) == "Refuted"
    assert word(badges.of("par-preprint-theorem-9-with-theorem-4")) == "Unproven"


def test_the_hover_names_the_claim():
    hover = re.sub(r"\\(.)", r"\1", badges.legend("par-theorem-4"))
    here = "[**Refuted here**](paper_check?tab=claims&claim=par-theorem-4)"
    assert hover.startswith(f"{here}: Differential Privacy at Risk (PoPETs 2021), Theorem 4")
    assert "exceeds a stronger level" in hover


def test_a_claim_is_recomputed_once(monkeypatch):
    import par_core.claims

    badges.checked.cache_clear()
    asked = []
    monkeypatch.setattr(par_core.claims, "check", lambda claim: asked.append(claim) or check(claim))
    for _ in range(3):
        badges.of("par-theorem-4")
        badges.legend("par-theorem-4")
    assert asked == ["par-theorem-4"]


def formulas():
    from pages.budget_minimiser import formulas as budget_minimiser
    from pages.composition import formulas as composition
    from pages.empirical_audit import formulas as empirical_audit
    from pages.sample_planner import formulas as sample_planner
    from pages.your_table import formulas as your_table
    from par_core.composition import ACCOUNTANTS
    from par_core.questions.explicit_risk import formulas as explicit_risk

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
