"""The catalogue as CSV and HTML: every claim with its numbers, no formula, nothing from a network, text letter by letter."""

import csv
import io
import json
import re
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

import pytest

import par_core
from par_core.claims import CLAIMS
from par_core.claims.error_severity import GRAVITIES
from par_core.claims.root_errors import root_errors
from par_core.errors import ParameterError
from par_core.export.catalogue_files import as_csv, as_html, as_json, citation, headline
from tests.core.catalogue_found import catalogue_found
from tests.core.test_report import Read

VERSION = "1.0 (abc)"
TODAY = date(2026, 1, 31)
CITE = "Privacy at Risk explorer, version 1.0 (abc), Paper check, 31 January 2026."


@cache
def html():
    return as_html([*catalogue_found().values()], version=VERSION, date=TODAY)


def rows(verdicts):
    head, title, cite, *lines = as_csv(verdicts, version=VERSION, date=TODAY).splitlines(keepends=True)
    assert (head, title) == ("# Privacy at Risk explorer 1.0 (abc)\n", "# title: Paper check\n")
    assert cite == f"# cite: {CITE}\n"
    return [*csv.DictReader(io.StringIO("".join(lines)))]


def test_the_table_holds_every_claim_with_every_digit():
    found = rows([*catalogue_found().values()])
    assert [row["id"] for row in found] == [claim.id for claim in CLAIMS]
    for row, verdict in zip(found, catalogue_found().values(), strict=True):
        for name in ("recomputed", "exact"):
            number = getattr(verdict, name)
            assert row[name] == ("" if number is None else str(number))
        assert (row["verdict"], row["comparison"]) == (verdict.verdict, verdict.reason.removeprefix("="))
        assert bool(row["gravity"]) == verdict.refuted
        assert row["gravity"] in ("", *GRAVITIES)


def test_no_text_of_the_catalogue_is_changed_for_the_spreadsheet():
    for row, verdict in zip(rows([*catalogue_found().values()]), catalogue_found().values(), strict=True):
        claim = verdict.claim
        texts = {
            name: getattr(claim, name) for name in ("id", "section", "where", "statement", "quantity", "explanation")
        }
        texts |= {"paper": claim.paper.value, "published": str(claim.published), "convention": verdict.convention}
        texts |= {"case": verdict.case, "comparison": verdict.reason, "verdict": verdict.verdict}
        assert {name: row[name] for name in texts} == texts


def test_the_literal_reading_is_told_where_a_convention_decides():
    for row, verdict in zip(rows([*catalogue_found().values()]), catalogue_found().values(), strict=True):
        literal = verdict.as_printed if verdict.convention else None
        numbers = [] if literal is None else [literal.recomputed, literal.exact]
        assert [str(each) in row["as printed"] for each in numbers if each is not None] == [
            True for each in numbers if each is not None
        ]
        assert bool(row["as printed"]) == bool(verdict.convention)
        article = html().partition(f'<article id="{verdict.claim.id}">')[2].partition("</article>")[0]
        assert ("<dt>As printed</dt>" in article) == bool(verdict.convention)


def test_the_page_says_how_many_claims_are_not_recomputed():
    number = sum(verdict.recomputed is verdict.exact is None for verdict in catalogue_found().values())
    assert f"recomputed where what is published allows it ({number} are not), and its verdict" in Read(html()).text
    one = catalogue_found()["par-table-1-quoted"]
    assert "allows it (1 is not), and" in Read(as_html([one], version=VERSION, date=TODAY)).text
    one = catalogue_found()["par-theorem-4"]
    assert "allows it, and" in Read(as_html([one], version=VERSION, date=TODAY)).text


def test_no_cell_is_a_formula():
    """A number below 0 begins with a minus and is none."""
    verdict = catalogue_found()["par-theorem-4"]
    formulas = ("=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "a; =1")
    claims = [replace(verdict.claim, statement=each, published=each, section=each) for each in formulas]
    made = [replace(verdict, claim=claim, exact=-0.5, case=claim.section) for claim in claims]
    text = as_csv([*catalogue_found().values(), *made], version=VERSION)
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    beginning = [cell for cell in cells if re.match(r"\s*[=+\-@]", cell)]
    assert "-0.5" in beginning
    assert all(re.fullmatch(r"-\d+(\.\d+)?(e-?\d+)?", cell) for cell in beginning)
    assert not re.search(r";\s*[=+@-]", text)


def test_the_page_holds_every_claim_under_its_id():
    page = Read(html())
    ids = [attributes["id"] for tag, attributes in page.elements if tag == "article"]
    assert sorted(ids) == sorted(claim.id for claim in CLAIMS)
    every = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(set(every)) == len(every)
    to = {attributes["href"] for tag, attributes in page.elements if tag == "a"}
    assert to == {f"#{name}" for name in every}, "the contents lead to every part, each claim to itself"


def test_a_claim_says_all_that_decided():
    article = html().partition('<article id="par-case-1">')[2].partition("</article>")[0]
    verdict = catalogue_found()["par-case-1"]
    words = Read(article).text
    for text in (
        verdict.claim.statement,
        verdict.claim.source,
        verdict.claim.section,
        verdict.claim.quantity,
        verdict.claim.explanation,
        verdict.reason,
        verdict.case,
        verdict.convention,
        "Published 0.8",
        "Recomputed 0.797323",
    ):
        assert text in words
    refuted = html().partition('<article id="par-illustration-saving">')[2].partition("</article>")[0]
    assert "How grave last digits" in Read(refuted).text


def test_refuted_claims_come_first():
    page = Read(html()).text
    fail = sum(each.refuted for each in catalogue_found().values())
    top = f"{headline([*catalogue_found().values()])} {fail} of {len(CLAIMS)} claims fail. Cite as: {CITE} Name the id of the claim."
    assert page.startswith(f"Paper check Paper check, 31 January 2026 {top}")
    assert page.index("Refuted") < page.index("Not reproducible") < page.index("Reproduced")


def test_it_asks_nothing_of_anybody():
    page = Read(html())
    assert not {tag for tag, _ in page.elements} & {"script", "link", "img", "iframe", "object", "base"}
    assert not re.search(r"(?:src|href|url)\s*[=(]\s*[\"']?(?:https?:|//)", html())
    assert "default-src 'none'" in html()
    assert "size: A4" in html()
    assert "prefers-color-scheme: dark" in html()


def test_text_is_shown_letter_by_letter():
    verdict = catalogue_found()["par-theorem-4"]
    hostile = '<script>alert(1)</script> & "x" {{ 7 * 7 }} </dd></style>'
    claim = replace(verdict.claim, statement=hostile, published=hostile, explanation=hostile, where=hostile)
    page = Read(as_html([replace(verdict, claim=claim, case=hostile, reason=hostile)], version=hostile, date=TODAY))
    assert page.text.count(hostile) == 8
    assert not [tag for tag, _ in page.elements if tag == "script"]


def test_a_program_reads_every_claim_and_what_falls_with_each_error():
    whole = json.loads(as_json([*catalogue_found().values()], version=VERSION, date=TODAY))
    assert (whole["version"], whole["date"], whole["cite"]) == (VERSION, "2026-01-31", CITE)
    for row, verdict in zip(whole["claims"], catalogue_found().values(), strict=True):
        exact = [*verdict.exact] if isinstance(verdict.exact, tuple) else verdict.exact
        assert (row["id"], row["exact"], row["verdict"]) == (verdict.claim.id, exact, verdict.verdict)
    roots = root_errors(catalogue_found().values())
    assert [each["claims"] for each in whole["root_errors"]] == [[*each.claims] for each in roots]
    assert [each["falling"] for each in whole["root_errors"]] == [[*each.falling] for each in roots]
    page = Read(html()).text
    for each in roots:
        assert f"{each.place} {each.subject} {each.paper.value}" in page
    one = json.loads(as_json([catalogue_found()["par-theorem-4"]], version=VERSION, date=TODAY))
    assert one["root_errors"] == [], "of one claim nobody knows what it falls with"


def test_a_claim_is_cited_by_its_id_and_the_version():
    cited = citation(version="1.0", claim="par-theorem-4")
    assert cited == "Privacy at Risk explorer, version 1.0, Paper check, claim par-theorem-4."


def test_the_citation_file_names_this_version_and_its_day():
    root = Path(__file__).parents[2]
    told = dict(re.findall(r'^([a-z-]+): "?([^"\n]+)"?$', (root / "CITATION.cff").read_text(encoding="utf-8"), re.M))
    assert told["version"] == par_core.__version__
    assert f"## {told['version']} · {told['date-released']}\n" in (root / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("wrong", [3, "text", ["par-theorem-4"], None])
def test_only_verdicts_are_taken(wrong):
    with pytest.raises(ParameterError, match="^verdicts must be "):
        as_csv(wrong, version=VERSION)
    with pytest.raises(ParameterError, match="^verdicts must be "):
        as_html(wrong, version=VERSION, date=TODAY)
    with pytest.raises(ParameterError, match="^verdicts must be "):
        as_json(wrong, version=VERSION, date=TODAY)
