"""What only the page of the lab has: its controls, its links, a file of the reader's, and a table that is edited."""

from dataclasses import replace
from urllib.parse import parse_qs

import numpy as np
import pandas as pd
import pytest

from pages.mechanism_lab import candidates_table
from pages.mechanism_lab.candidates_table import TABLE
from par_core.errors import ParameterError
from par_core.lab.refute_claim import releases
from par_core.questions import ChooseOne, Coins, HowFarItMoves, InventedPeople, PrivateAverage, RefuteOutputs, TwoWorlds
from par_core.randomness import seeded
from par_core.scenario import Scenario
from par_core.tables.table import of_frame

LAB = "mechanism_lab"
MARKER = "zebra4711"
OUTPUTS = releases("laplace", 1.0, 600, share=0.5, rng=seeded(8))
FILE = pd.DataFrame(OUTPUTS, columns=[f"{MARKER}x", f"{MARKER}y"]).assign(who=[f"{MARKER}{at}" for at in range(600)])


def choose(view, key, column):
    (box,) = (each for each in view.app.selectbox if each.key.endswith(key))
    box.set_value(column)
    return view.run()


def upload(view, frame=FILE):
    view.app.file_uploader[0].set_value((f"{MARKER}.csv", frame.to_csv(index=False).encode(), "text/csv"))
    return view.run()


def choose_both(view):
    return choose(choose(view, "lf_first", f"{MARKER}x"), "lf_second", f"{MARKER}y")


def test_the_dial_of_the_answer_stands_where_the_noise_can(open_page):
    view = open_page(LAB, tab="worlds", lm="discrete-laplace", lwa=41.2)
    assert all(each == round(each) for each in view.dials["lwa"].steps if each != 41.2)
    assert "lm=discrete-laplace" in view.links["address"]
    view.app.session_state["ten_students"] = True
    view.run().type("lwf", 0.1)
    assert "The lecture has" not in view.words
    assert view.app.table
    assert view.turn("lwa", 43).headline.startswith("An answer of 43 is")


def test_the_lecture_s_survey_is_one_click_away_and_more_yes_than_people_is_a_sentence(open_page):
    view = open_page(LAB, tab="coins").press("The lecture")
    view.assert_told(Coins(Scenario(), np.log(3.0), said=430))
    assert "lcyes" not in view.dials
    view.type("lcsaid", 2_000)
    assert "2,000 cannot have said yes of 1,000 who were asked" in view.words
    assert not view.charts


NAMES = "Zug & Ort_1, ☺"


def test_a_link_restores_the_table_with_any_names(open_page, files):
    table = ((NAMES, 3.0, 1.0), ("<b>B</b>", -1e9, 2.5))
    view = open_page(LAB, tab="choose", lutab=TABLE.write(table))
    assert TABLE.read(parse_qs(view.links["full"])["lutab"][0]) == table
    view.assert_told(ChooseOne(Scenario(), None, *zip(*table, strict=True)))
    for name in ("report", "notebook_choose"):
        assert "Ort_1" not in files[name]()
    assert "Add at least one candidate" in open_page(LAB, tab="choose", lutab="none").words


@pytest.mark.parametrize(
    "text", ["2 A_1_1", "1 A_1", "1 A_x_1", "1 _1_1", "1 A_1_0", "1 A_1e10_1", "1" + " A_1_1" * 31]
)
def test_a_link_with_a_table_that_cannot_be_used_is_refused(text):
    with pytest.raises(ParameterError):
        TABLE.read(text)


def test_rows_that_cannot_be_used_are_named():
    frame = pd.DataFrame(
        {"Name": ["A", None, None, "D", "E"], "Utility": [1, 2, None, None, 1e12], "Weight": [None, 1, 1, 1, 1]}
    )
    usable, wrong = candidates_table.sort_out(frame)
    assert usable == (("A", 1.0, 1.0),)
    assert [each[:5] for each in wrong] == ["Row 2", "Row 4", "Row 5"]
    many = pd.DataFrame({"Name": ["A"] * 31, "Utility": 1.0, "Weight": 1.0})
    usable, (sentence,) = candidates_table.sort_out(many)
    assert len(usable) == 30
    assert "first 30" in sentence
    assert candidates_table.sort_out(many[:30]) == (usable, [])


def test_each_step_of_the_proof_has_its_dial_and_the_example_is_one_click_away(open_page):
    view = open_page(LAB, tab="proof", le=3.0, ph=0.2)
    assert set(view.dials) - {"e0"} == {"ps", "le", "pn"}
    assert set(view.turn("ps", 4).dials) - {"e0"} == {"ps", "le", "ph"}
    assert "84.7" not in view.headline
    assert "84.7 %" in view.press("The example").headline


def test_a_trap_is_chosen_and_its_dial_moves_its_number(open_page):
    view = open_page(LAB, tab="traps", le=1.0).choose("tr", "average")
    view.assert_told(PrivateAverage(Scenario(), 1.0))
    view.turn("tm", 1).assert_told(PrivateAverage(Scenario(), 1.0, 1))
    view.choose("tr", "clamping").turn("tk", 3).assert_told(InventedPeople(Scenario(), 1.0, bound=3))


def test_a_link_holds_every_setting_and_what_cannot_be_is_named(open_page):
    asked = {"tr": "floats", "tb": 8, "tk": 7, "tm": 12, "td": 0.5, "tn": 200, "tc": 50, "ps": 3, "pn": -1, "ph": 0.25}
    asked |= {"lfa": "curve", "lfs": 0.8, "lfp": 77, "lfd": 4, "lfx": 0.1, "lft": "own", "lrs": 3}
    view = open_page(LAB, tab="traps", **asked)
    assert not view.warnings
    assert {f"{key}={value}" for key, value in asked.items()} <= set(view.links["full"].split("&"))
    wrong = {"tb": 8.5, "ps": 5, "pn": 6, "tm": 0, "ph": 1, "tr": "x", "lff": "x", "lfs": 0, "lfp": 3, "lfx": 0.9}
    labels = ("Bits", "Step", "Noise drawn", "average", "Level hoped", "Trap", "Outputs", "Share", "Pairs", "Claimed δ")
    (warning,) = open_page(LAB, tab="traps", **wrong, lfa="risk").warnings
    assert [each for each in (*labels, "The claim") if each not in warning] == []


def test_columns_of_a_file_are_tried_and_stand_in_no_link(open_page):
    view = open_page(LAB, tab="refute", lff="table", lft="own", le=1)
    view.assert_told(RefuteOutputs(Scenario(), 1.0))
    upload(view)
    assert "Choose two columns of numbers" in view.words
    choose(view, "lf_first", f"{MARKER}x")
    assert "Choose two columns of numbers" in choose(view, "lf_second", f"{MARKER}x").words
    choose(view, "lf_second", f"{MARKER}y")
    table = of_frame("x.csv", FILE, digest="x")
    view.assert_told(RefuteOutputs(Scenario(), 1.0, columns=tuple(FILE)[:2], own=table))
    assert MARKER not in view.links["full"]
    other = upload(view, FILE.rename(columns={f"{MARKER}y": "z"}))
    assert "Choose two columns of numbers" in other.words, "a column that is gone is asked for again"


def test_an_output_that_is_missing_is_named(open_page):
    gap = FILE.copy()
    gap.loc[6, f"{MARKER}x"] = np.nan
    view = choose_both(upload(open_page(LAB, tab="refute", lff="table", lft="own", le=1), gap))
    assert any("ow 7 below the heading" in each.value for each in view.app.error)


def test_a_toy_follows_the_scenario_until_it_has_a_level_of_its_own(open_page):
    view = open_page(LAB, tab="worlds", e0=1.5, m="gaussian")
    view.assert_told(TwoWorlds(Scenario(epsilon0=1.5, mechanism="gaussian")))
    assert "Your scenario gives" not in view.words
    assert "Your scenario gives ε = 1.5 here." in view.turn("le", 3).words
    assert "Your scenario gives" not in view.press("Follow it").words


# --- sensitivity ------------------------------------------------------------------------------------------------------


def say(view, text):
    view.app.main.text_input[0].set_value(text)
    return view.press("Check")


def test_a_learner_says_how_far_an_answer_moves_and_each_exercise_keeps_what_was_said(open_page):
    view = open_page(LAB, tab="sensitivity", lx=2)
    asked = HowFarItMoves(Scenario(), 2, answered=False)
    view.assert_told(asked)
    assert "At most" not in view.words
    say(view, "22").assert_told(replace(asked, said=22.0))
    assert "as the next two tables show" in view.words
    assert "Write a number above 0" in say(view, "far").words
    say(view, "80,0").assert_told(replace(asked, said=80.0))
    say(view, "40").assert_told(replace(asked, said=40.0, answered=True))
    assert "Show the answer" not in [each.label for each in view.app.button]
    assert view.press("Next exercise").headline == "How far can one person move the mean, if n = 7 is public?"
    assert "At most" not in view.words
    assert "At most 5.72." in view.press("Show the answer").words
    assert "40 is right." in view.turn("lx", 2).words
    assert "lx=2" in view.links["address"]
    assert "40" not in parse_qs(view.links["address"]).values(), "what was said is in no link"


def test_the_neighbours_of_an_exercise_follow_the_scenario(open_page):
    view = open_page(LAB, tab="sensitivity", lx=2, nb="add-or-remove")
    view.assert_told(HowFarItMoves(Scenario(neighbours="add-or-remove"), 2, answered=False))
