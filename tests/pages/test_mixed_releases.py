"""Releases at different levels: the verdict says what it leaves out, and proven numbers stand on the side that holds."""

import dataclasses
import math
import re

import pandas as pd
import pytest

from pages.composition import levels_table, mixed_releases
from pages.shared import jobs
from par_core import composition


@pytest.fixture
def page(open_page, monkeypatch):
    """Open the section with settings; jobs run to their end at once."""
    monkeypatch.setattr(mixed_releases, "_POINTS", 2)  # on the way; what is told is the end
    monkeypatch.setattr(mixed_releases, "_MOST_ENDS", 0)
    return lambda **settings: open_page("composition", tab="mixed", **settings)


@pytest.fixture
def edited(page, monkeypatch):
    """Open the section as though these rows stood in its editor."""

    def open_it(*rows, **settings):
        monkeypatch.setattr(levels_table, "_editor", lambda _: frame(*rows))
        return page(**settings)

    return open_it


def frame(*rows):
    return pd.DataFrame(rows, columns=["ε₀", "Count"])


def headline(shown):
    return next(text.removeprefix("## ") for text in shown.texts if text.startswith("## "))


# --- what is left out -------------------------------------------------------------------------------------------------


def test_the_verdict_names_the_rows_that_it_leaves_out(edited):
    shown = edited((0.1, 3), (0.2, 0), cte=0.3)
    assert headline(shown) == "3 releases fit: 0.3 of 0.3 spent (without row 2)"
    shown = edited((-1, 1), (0.1, 3), (None, 4), (0.2, 0.5), cte=0.2)
    assert headline(shown).endswith("(without rows 1, 3 and 4)")
    assert "(without" not in headline(edited((0.1, 3), (None, None), (0.2, None)))


def test_a_table_that_is_too_large_is_not_what_the_verdict_is_about(edited):
    shown = edited((0.1, 1_000_000), (0.2, 1), cte=3)
    assert "at most 1,000,000 releases" in shown.words.replace("\\", "")
    assert headline(shown).startswith("2 releases")
    assert headline(shown).endswith("(by the last table that could be used)")


def test_rows_beyond_the_last_that_a_link_can_hold_are_left_out_too():
    many = frame(*[(0.1, 1)] * (levels_table.MOST_ROWS + 2), (0, 1))
    assert levels_table.sort_out(many)[2] == [61, 62, 63]
    assert levels_table.sort_out(frame((None, None), (0.1, None), (None, None)))[2] == []
    assert levels_table.sort_out(frame((0, 1)))[2] == [1]


@pytest.mark.parametrize("epsilon0", [60, 1e-7])
def test_no_example_stands_in_for_planned_releases_that_no_list_can_hold(page, files, epsilon0):
    shown = page(e0=epsilon0)
    (warning,) = shown.warnings
    assert warning.startswith("Releases are composed for ε₀ from 10⁻⁶ to 50. Your scenario has ε₀ =")
    assert not shown.charts
    assert "fit" not in shown.words
    assert "there is nothing to recompute" in files["notebook_mixed"]()
    assert headline(page(e0=epsilon0, mix="1 0.5_3")) == "3 releases fit: 1.5 of 3 spent"


# --- the exact count with its ends ------------------------------------------------------------------------------------

IRREGULAR = [round(0.1 + 0.0137 * each, 4) for each in range(60)]
FEW = [0.1, 0.31713, 0.93771]


def mix(levels, count):
    return "1 " + " ".join(f"{level}_{count}" for level in levels)


@pytest.fixture(scope="module")
def wide():
    """Levels without a common divisor: the ends of the exact count are more than 1 % apart."""
    found = composition.exact_mixed(IRREGULAR, 50, delta=1e-5)
    assert found.upper > 1.01 * found.lower, "the example must be one"
    return found


def test_both_ends_are_named_where_they_are_apart(page, wide):
    shown = page(mix=mix(IRREGULAR, 50), cte=1000)
    lower, upper = (
        float(each)
        for each in re.search(
            r"gives ε from ([\d.]+) to ([\d.]+) at δ = 10⁻⁵, basic .*\. \(Proven\)", shown.words
        ).groups()
    )
    assert (lower, upper) == (math.floor(wide.lower), math.ceil(wide.upper))
    assert f"in truth {lower:g} to {upper:g}" in shown.chart.alt
    (bar,) = (each.proto.text for each in shown.app.get("progress") if each.proto.text.startswith("At most"))
    assert bar.startswith(f"At most: {upper:g} of 1,000 ")


def test_one_number_is_named_where_the_ends_are_close(page):
    words = page(mix=mix([0.1, 0.2], 20)).words
    assert re.search(
        r"The exact privacy loss distribution gives ε = [\d.]+ at δ = 10⁻⁵, basic composition 6\. \(Proven\)", words
    )
    assert "ε from" not in words


def test_until_the_exact_count_is_there_basic_composition_answers(page, monkeypatch):
    monkeypatch.setattr(jobs, "run", lambda *_, **__: None)
    shown = page(mix="1 0.1_20 0.2_6", cte=3)
    assert headline(shown) == "26 releases spend more than ε = 3 by basic composition"
    assert "Basic composition gives ε = 3.2. (Proven)" in shown.texts
    (meter,) = (each.proto.text for each in shown.app.get("progress"))
    assert meter.startswith("Basic composition: 3.2 of 3")


def test_between_the_ends_nothing_is_said_not_to_fit(page, wide):
    target = (wide.lower + wide.upper) / 2
    assert headline(page(mix=mix(IRREGULAR, 50), cte=target)).startswith("3,000 releases cannot be shown to fit: ")
    assert headline(page(mix=mix(IRREGULAR, 50), cte=wide.lower - 1)).startswith("3,000 releases do not fit: ")


# --- rounding ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [7, 11, 23])
def test_what_is_spent_is_told_as_no_less_than_it_is(page, count):
    found = composition.exact_mixed(FEW, count, delta=1e-5)
    added = count * sum(FEW)
    shown = page(mix=mix(FEW, count))
    told = re.search(
        r"basic composition ([\d.]+), exact (?:[\d.]+ to )?([\d.]+), Corollary 1 ([\d.]+)\.$", shown.chart.alt
    )
    basic, exact = float(told[1]), float(told[2])
    assert added * (1 - 1e-12) <= basic <= 1.034 * added  # two digits
    assert min(found.upper, added) <= exact <= 1.034 * found.upper
    assert f"{exact:g} of" in " ".join(each.proto.text for each in shown.app.get("progress")), "the meter says the same"


def test_the_meter_never_says_that_less_is_used(page):
    texts = [each.proto.text for each in page(mix="1 0.1_1 0.2002_5", cte=1.1).app.get("progress")]
    assert texts[0].startswith("Basic composition: 1.101 of 1.1 (101\u00a0%), 0.001 too much")
    texts = [each.proto.text for each in page(mix="1 0.1_5 0.0042_1", cte=1).app.get("progress")]
    assert "(50.5\u00a0%)" in texts[0], "0.5042 of 1, up"


# --- the picture ------------------------------------------------------------------------------------------------------


def test_a_claim_that_runs_off_the_top_is_said_to(page):
    assert "Corollary 1 runs off the top of the picture" in page(mix="1 0.1_1 0.2_1", cte=0.3).words
    assert "off the top" not in page(mix="1 0.5_400", cte=100).words


# --- a list without counts --------------------------------------------------------------------------------------------


def test_a_plain_list_of_levels_can_be_pasted(page):
    shown = page()
    shown.app.session_state["group_mix_text"] = True
    shown.run()
    shown.app.text_area(key="_mix_typed").set_value("0.1\n0.2\n0.3")
    shown.run()
    assert headline(shown) == "3 releases fit: 0.6 of 3 spent"
    assert "stays in force" not in shown.words


def test_a_claim_between_the_ends_of_the_exact_count_is_not_called_too_low(page, monkeypatch):
    """What is truly spent may be the lower end: only a claim below that is known to be none."""
    rows = "1 0.5_30"
    claimed = float(composition.running([(0.5, 30.0)], [30], delta=1e-5, k=1).published[0])
    for lower, refuted in ((0.999 * claimed, False), (1.001 * claimed, True)):
        ends = dataclasses.replace(composition.exact_mixed([0.5], [30], delta=1e-5), lower=lower, upper=1.1 * claimed)
        monkeypatch.setattr(mixed_releases, "exact_mixed", lambda *_, ends=ends, **__: ends)
        assert ("less than is truly spent" in page(mix=rows, cte=3).words) is refuted


def test_the_exact_count_is_never_told_as_more_than_the_sum(page):
    shown = page(e0=0.345, rel=1)
    assert headline(shown) == "1 release fits: 0.345 of 3 spent"
    assert "ε = 0.345 at δ = 10⁻⁵, basic composition 0.345." in shown.words
    assert headline(page(e0=0.4125, rel=2)) == "2 releases fit: 0.825 of 3 spent"


@pytest.mark.parametrize("epsilon0", [1e-7, 60])
def test_a_level_that_cannot_be_composed_is_named_unless_the_list_is_another(page, epsilon0):
    shown = page(e0=epsilon0)
    assert "Releases are composed for ε₀ from 10⁻⁶ to 50." in shown.words
    assert "fit" not in shown.words
    assert headline(page(e0=epsilon0, mix="1 0.4_2")).startswith("2 releases fit")
