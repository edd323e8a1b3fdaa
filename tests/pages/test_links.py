"""Links: the right value, or a sentence that says what was asked for and what is shown instead."""

import pkgutil
import re
from importlib import import_module
from itertools import product
from urllib.parse import parse_qsl

import pytest

import pages
from pages.shared.navigation import PAGES
from pages.shared.settings import Setting
from tests.pages.conftest import View

MODULES = [info.module for info in PAGES]


@pytest.mark.parametrize("asked", ["0.0371", "2", "1.7", "0.5", "1e-08", "7e2", "1.70"])
def test_a_link_shows_the_value_it_asks_for(open_page, asked):
    page, shown = open_page("explicit_risk", e0=asked), float(asked)
    assert page.number("e0").value == shown
    assert page.number("e0").value == shown
    assert not [each for each in page.warnings if "link" in each]  # a cost model may warn of its own
    for chart in page.charts.values():
        assert re.search(r"\d", chart.alt)
    full = dict(part.split("=") for part in page.links["full"].split("&"))
    assert float(full["e0"]) == shown


REFUSED = ["9999", "0", "-1", "inf", "", "two", "0,5", "1e999", "1e-300", "<script>alert(1)</script>"]


@pytest.mark.parametrize(("module", "asked"), [*product(["explicit_risk"], REFUSED), *product(MODULES, ["nan"])])
def test_a_link_that_cannot_be_met_is_named_with_what_is_shown_instead(open_page, module, asked):
    page = open_page(module, e0=asked)
    (sentence,) = page.warnings
    assert f"“{asked}”" in sentence, "the sentence must say what was asked for"
    assert "ε₀" in sentence, "the sentence must name the setting"
    assert "0.5" in sentence, "the sentence must say what is shown"
    assert page.number("e0").value == page.number("e0").value == 0.5
    assert "e0" not in page.links["address"]


def sentences(page):
    """The sentences on what a link asked for: all in one warning, a line each."""
    (together,) = page.warnings
    return together.split("  \n")


NOT_PLAIN = {
    "e0": "**bold**",
    "e": "[x](http://a.b)",
    "ks": "![x](http://a.b/c.png)",
    "e0s": "<b>x</b>",
    "fk": "$x^2$",
    "axis": ":red[x]",
    "find": "`x`",
    "prior": "# x",
    "size": "a:smile:",
    "seed": "_x_",
    "tab": "1\n\n# x",
}


def test_what_a_link_holds_is_shown_letter_by_letter(open_page, unguarded):
    page = open_page("explicit_risk", **NOT_PLAIN)
    assert len(sentences(page)) == len(NOT_PLAIN)
    for asked in NOT_PLAIN.values():
        (_,) = (each for each in sentences(page) if f"“{' '.join(asked.split())}”" in each)
    (together,) = page.app.warning
    for markdown in together.value.split("  \n"):
        assert not re.search(r"[*_\[\]<>$`#~&]|\n", unguarded(markdown)), "Markdown would not show this as it is"


def test_a_long_value_is_cut_short(open_page):
    (sentence,) = open_page("overview", e0="9" * 5000).app.warning
    assert len(sentence.value) < 400


def test_a_link_of_an_unknown_version_is_not_guessed_at(open_page):
    page = open_page("explicit_risk", v=99, e0=3)
    (sentence,) = page.warnings
    assert "99" in sentence
    assert page.number("e0").value == 0.5


def test_a_link_of_the_present_version_is_read(open_page):
    page = open_page("explicit_risk", v=1, e0=3)
    assert not page.warnings
    assert page.number("e0").value == 3.0


FOLLOWING = [(info.module, each) for info in PAGES for each in info.load().settings if each.follows]


@pytest.mark.parametrize(("module", "setting"), FOLLOWING, ids=[each.held for _, each in FOLLOWING])
def test_a_refused_value_is_named_where_a_setting_follows_the_scenario(module, setting):
    page = View().visit(module).visit(module, e0=2, rel=7, k=3, d=1e-7, **{setting.key: "abc"})
    (sentence,) = sentences(page)
    assert f"{setting.label} = “abc”" in sentence
    assert sentence.endswith(f"Shown instead: {dict(parse_qsl(page.links['full']))[setting.key]}.")


def test_what_is_refused_is_named_where_the_tour_goes():
    page = View().visit("explicit_risk", tour=3, fe0="abc", ks="-inf", e0="x")
    assert page.title == "Decide"
    assert {re.search("“(.*?)”", each)[1] for each in sentences(page)} == {"x", "abc", "-inf"}


@pytest.mark.parametrize("asked", [["1", "2"], ["9999", "2"], ["x", "1", "2"], ["2", "abc"]])
def test_a_value_that_is_given_again_is_named(asked):
    page = View().visit("explicit_risk", e0=asked)
    shown = "2" if asked[-1] == "2" else "0.5"
    refused = asked[: -1 if asked[-1] == "2" else None]
    assert len(sentences(page)) == len(refused)
    for value, sentence in zip(refused, sentences(page), strict=True):
        assert f"“{value}”" in sentence
        assert sentence.endswith(f"Shown instead: {shown}.")
    assert page.number("e0").value == float(shown)


def test_a_value_that_is_given_again_as_it_was_needs_no_word():
    page = View().visit("explicit_risk", e0=["2", "2"])
    assert not page.warnings
    assert page.number("e0").value == 2.0


@pytest.mark.parametrize(
    ("first", "second", "named"),
    [({"zz": 1}, {"yy": 1}, "yy"), ({"v": 9}, {"v": 8}, "8"), ({"v": 9}, {"yy": 1}, "yy")],
)
def test_a_second_address_of_a_session_is_warned_of_like_the_first(first, second, named):
    page = View().visit("explicit_risk", **first)
    assert page.warnings
    page.type("e0", 3.0)
    assert not page.warnings
    (told,) = page.visit("explicit_risk", e0=2, **second).warnings
    assert f"“{named}”" in told


@pytest.mark.parametrize("module", MODULES)
def test_an_unknown_setting_is_named_and_the_rest_is_used(open_page, module):
    page = open_page(module, zz="1", e0=3)
    (sentence,) = page.warnings
    assert "“zz”" in sentence
    assert page.number("e0").value == 3.0


def test_what_belongs_to_streamlit_is_passed_over_in_silence(open_page):
    assert not open_page("explicit_risk", embed="true", e0=3).warnings


@pytest.mark.parametrize(
    "refused",
    [
        {"ks": ("1,x", "1,2,3"), "e0s": ("1,-1", "1.5,3,6"), "axis": ("sideways", "risk"), "fk": ("0", "1")},
        {"ks": ("1.5", "1,2,3"), "tab": ("nonsense", "dimension"), "e": ("0", "0.4"), "find": ("", "epsilon0")},
        {"ks": ("0", "1,2,3"), "present": ("yes", "0"), "size": ("5", "100000"), "seed": ("-1", "1")},
        {"ks": ("1,2,3,4,5,6", "1,2,3"), "prior": ("1.5", "0.5")},
    ],
)
def test_settings_of_the_page_that_cannot_be_used_are_named(open_page, refused):
    page = open_page("explicit_risk", **{key: asked for key, (asked, _) in refused.items()}, e0=3)
    assert len(sentences(page)) == len(refused)
    for asked, shown in refused.values():
        (sentence,) = (each for each in sentences(page) if f"“{asked}”" in each)
        assert shown in sentence.split("”", 1)[1]
    assert page.number("e0").value == 3.0, "the rest of the link is used"


def test_each_refused_value_is_named(open_page):
    page = open_page("explicit_risk", e0="nan", e="x", ks="1,x", k=3)
    for asked in ("“nan”", "“x”", "“1,x”"):
        assert any(asked in sentence for sentence in page.warnings)
    assert page.number("k").value == 3


def test_the_sentence_goes_when_the_reader_sets_a_value(open_page):
    page = open_page("explicit_risk", e0="9999").type("e0", 3.0)
    assert not page.warnings


def test_the_sentence_stays_while_other_things_are_set(open_page):
    page = open_page("explicit_risk", e0="9999").type("e", 0.2)
    (sentence,) = page.warnings
    assert "9999" in sentence


@pytest.mark.parametrize(
    ("slug", "label"),
    [("dimension", "By dimension · fig. 1a"), ("calibrate", "Calibrate"), ("pieces", "Overlap and processing")],
)
def test_a_link_opens_its_section(open_page, slug, label):
    assert open_page("explicit_risk", tab=slug).open_section == label


def test_the_address_holds_what_differs_and_the_copied_link_holds_everything(open_page):
    page = open_page("explicit_risk")
    assert page.links["address"] == ""
    keys = {part.partition("=")[0] for part in page.links["full"].split("&")}
    from pages import explicit_risk
    from pages.shared import app_shell

    settings = app_shell.settings_of(explicit_risk.PAGE)
    assert keys == {"v", *(setting.key for setting in settings if not setting.only_where_set)}
    page.type("e0", 0.0371).pick("ks", "2", "4")
    assert page.links["address"] == "v=1&e0=0.0371&ks=2%2C4"


def test_the_copied_link_restores_everything(open_page):
    page = open_page("explicit_risk", tab="truth", e0=1.7, k=3, nb="add-or-remove", e=0.123456789012345, ks="2,9")
    page.choose("spread", "even").type("seed", 8)
    again = open_page("explicit_risk", **dict(parse_qsl(page.links["full"], keep_blank_values=True)))
    assert not again.warnings
    assert again.links["full"] == page.links["full"]
    assert again.open_section == page.open_section
    assert again.chart.figure == page.chart.figure


def test_a_field_that_is_taken_away_while_it_is_read_leaves_its_last_value_in_the_link(open_page):
    page = open_page("explicit_risk", k=4)
    page.app.session_state["k"] = None
    assert "k=4" in page.run().links["full"]


def test_what_is_neither_drawn_nor_set_has_no_key_in_the_session(open_page):
    from pages import mechanism_lab
    from pages.shared import app_shell

    def with_a_key(page):
        return {each.key for each in settings if each.held in page.app.session_state}

    settings = app_shell.settings_of(mechanism_lab.PAGE)
    first, second = (section.slug for section in mechanism_lab.PAGE.sections[:2])
    page = open_page("mechanism_lab", tab=first)
    of_first = with_a_key(page)
    assert len(of_first) < len(settings) / 2
    page.visit("mechanism_lab", tab=second, e0=2)
    assert len(with_a_key(page)) < len(settings) / 2
    assert of_first < with_a_key(page), "what is drawn no more may still be heard of"


def test_no_two_settings_share_a_place_in_the_session_unless_they_are_one():
    held = {}
    for info in pkgutil.walk_packages(pages.__path__, "pages."):
        if "1_" not in info.name:
            for each in vars(import_module(info.name)).values():
                for setting in each if isinstance(each, tuple) else (each,):
                    if isinstance(setting, Setting):
                        takes = (setting.default, setting.options, setting.at_least, setting.at_most)
                        held.setdefault(setting.held, []).append((takes, info.name))
    assert len(held) > 200
    assert [name for name, there in held.items() if any(takes != there[0][0] for takes, _ in there)] == []
