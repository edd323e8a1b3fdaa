"""A messy table of visits: several rows of one person, missing costs, letters beyond ASCII; what the page makes of it."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

from pages.shared import jobs
from par_core.queries import CountBy, Mean, PersonCountBy, cap_rows
from par_core.questions.your_table.table_question import KeptRows
from par_core.release import plan
from par_core.scenario import Neighbours

PATIENTS, ROWS = 1_200, 2_580
WARDS = ("Chirurgie", "Gynäkologie", "Pädiatrie", "Innere", "Röntgen")


def visits():
    """2,580 visits of 1,200 patients, the rows in no order."""
    rng = np.random.default_rng(12)
    who = np.concatenate(
        [np.arange(PATIENTS), rng.choice(PATIENTS, ROWS - PATIENTS, p=rng.dirichlet(np.full(PATIENTS, 0.7)))]
    )
    who = rng.permutation(who)
    cost = np.where(rng.random(ROWS) < 0.04, np.nan, rng.gamma(2.0, 150.0, ROWS).round(2))
    ward = rng.choice(WARDS, ROWS, p=(0.5, 0.2, 0.2, 0.09, 0.01))
    return pd.DataFrame({"Patient": [f"P{each:05d}" for each in who], "Ward": ward, "Cost": cost})


TABLE = visits()
FIRST = cap_rows(TABLE, "Patient", rows_per_person=1)
COUNTS = CountBy(("Ward",), (WARDS,))
PERSONS = PersonCountBy(("Ward",), (WARDS,), person="Patient")


def written(encoding="cp1252"):
    """As an office suite on a German desk saves it."""
    return TABLE.to_csv(index=False, sep=";", decimal=",", lineterminator="\r\n").encode(encoding)


@pytest.fixture
def page(open_page):
    """Open the page with the visits, counted by ward."""

    def open_it(data=None, **settings):
        view = open_page("your_table", table="own", **settings)
        view.app.session_state[jobs.AT_ONCE] = True
        view.app.file_uploader[0].set_value(("visits.csv", data or written(), "text/csv"))
        view.run()
        if settings.get("ask", "by") == "by":
            view.app.selectbox(key="_own_table_by").set_value("Ward")
            view.app.text_area(key="_own_table_cat").set_value("\n".join(WARDS))
        return select(view, "who", "Patient")

    return open_it


def select(view, key, value):
    view.app.selectbox(key=f"_own_table_{key}").set_value(value)
    return view.run()


def test_rows_of_nobody_are_told_before_a_plan_is_made(page):
    lines = written().decode("cp1252").splitlines()
    lines[1:4] = [";" + line.split(";", 1)[1] for line in lines[1:4]]
    view = page("\r\n".join(lines).encode("cp1252"))
    assert "3 rows of 2,580 do not say whose they are: fill in “Patient” in the file" in view.words
    assert not view.charts


def turn(view, key):
    (toggle,) = (each for each in view.app.toggle if (each.key or "").startswith(key))
    toggle.set_value(not toggle.value)
    return view.run()


def exact(view):
    turn(view, "exact_")
    (table,) = (each.value for each in view.app.table if "Exact (private)" in each.value)
    return [float(text.replace(",", "")) for text in table["Exact (private)"]]


def headline(view):
    """The headline and the sentence below it, which stand before the chart."""
    at = next(at for at, text in enumerate(view.texts) if text.startswith("## "))
    return view.texts[at : at + 2]


def cap_field(view):
    (field,) = (each for each in view.app.number_input if (each.key or "").startswith("rows_beside_"))
    return field


def kept_of(most):
    return len(cap_rows(TABLE, "Patient", rows_per_person=most))


# --- rows over the cap ------------------------------------------------------------------------------------------------


def test_what_the_cap_leaves_out_stands_beside_the_headline(page):
    view = page()
    answer, beside = headline(view)
    assert "within 12 of the truth" in answer
    left = f"{ROWS - PATIENTS:,} of {ROWS:,} rows are left out: only a person’s first row counts (private)"
    assert beside.startswith(f"Before any noise, {left}; the range covers the noise alone. (Proven)")
    cap_field(view).set_value(3)
    view.run()
    assert view.number("rows").value == 3, "the sidebar follows"
    assert f"{ROWS - kept_of(3):,} of {ROWS:,} rows are left out" in headline(view)[1]


def test_the_cap_can_be_raised_and_persons_counted_beside_what_is_left_out(page):
    view = page().press("Allow 2 rows per person")
    assert view.number("rows").value == cap_field(view).value == 2
    assert f"{ROWS - kept_of(2):,} of {ROWS:,} rows are left out" in headline(view)[1]
    view.press("Count each person once per cell")
    assert "cells of persons are left out: only a person’s first 2 cells count" in headline(view)[1]
    view.press("Allow 3 cells per person")
    assert view.number("rows").value == 3


@pytest.mark.parametrize("section", ["plan", "wanted"])
def test_nothing_waits_for_what_is_left_out(page, monkeypatch, section):
    """As long as the job runs, which here never ends."""
    run = jobs.run
    monkeypatch.setattr(
        jobs, "run", lambda key, *work, **how: None if key == "answer_KeptRows" else run(key, *work, **how)
    )
    monkeypatch.setattr(KeptRows, "answer", lambda *_, **__: pytest.fail("it is counted beside its job"))
    view = page(tab=section)
    assert "left out" not in headline(view)[1]
    assert not view.chart.dials, "at its stops the rows would have to be counted"


def test_the_cap_beside_the_column_follows_the_sidebar(page):
    view = page().type("rows", 4)
    assert cap_field(view).value == 4
    assert "first 4 rows" in headline(view)[1]
    view.type("rows", 1)
    assert cap_field(view).value == 1


def test_column_and_cap_come_before_the_question(page):
    controls = page().keys
    assert controls.index("_own_table_who") < controls.index("ask")
    assert next(at for at, key in enumerate(controls) if key.startswith("rows_beside_")) < controls.index("ask")


def test_without_a_column_or_with_a_stop_nothing_is_left_out(page):
    view = select(page(), "who", "")
    assert "That covers the noise alone, if no person has more than 1 row. (Proven)" in headline(view)[1]
    assert "Assumed: one row per person. If that is wrong, choose the person column." in view.words
    assert "Assumed: at most 3 rows per person" in view.type("rows", 3).words
    view = select(view, "who", "Patient").choose("over", "refuse")
    assert "left out" not in headline(view)[1]


@pytest.mark.parametrize("section", ["plan", "wanted"])
def test_what_is_left_out_stands_on_the_page_only(page, files, section):
    left, kept = ROWS - kept_of(2), kept_of(2)
    view = page(rows=2, tab=section)
    assert f"{left:,} of {ROWS:,}" in view.words
    shown = [files[key]() for key in files if key in ("plan_csv", "release_code")]
    assert len(shown) == (2 if section == "plan" else 0)
    for text in (*shown, str(view.links), str([chart.figure for chart in view.charts.values()])):
        for number in (left, kept):
            assert str(number) not in text
            assert f"{number:,}" not in text


def test_an_audience_sees_no_private_number(page):
    view = page(present=1)
    _, beside = headline(view)
    assert "only a person’s first row counts; how many rows that leaves out is private" in beside
    assert not [each for each in view.app.button if each.label.startswith(("Allow", "Count each"))]
    assert f"{ROWS - PATIENTS:,}" not in view.words
    assert "In your file:" not in view.words


# --- each person once in a cell ---------------------------------------------------------------------------------------


def test_each_person_is_counted_once_per_cell(page, files, tmp_path):
    view = turn(page(), "once")
    answer, beside = headline(view)
    assert "within 12 of the truth" in answer
    pairs = len(TABLE[["Patient", "Ward"]].drop_duplicates())
    left = f"{pairs - PATIENTS:,} of {pairs:,} cells of persons are left out"
    assert f"{left}: only a person’s first cell counts (private)" in beside
    cap_field(view).set_value(2)
    view.run()
    assert "only a person’s first 2 cells count" in headline(view)[1]
    noise = plan(PERSONS, 0.5, neighbours=Neighbours.REPLACE_ONE, rows_per_person=2)
    assert view.chart.own[0][1] == noise.error.range95
    assert noise.error.sensitivity == 4
    plan_text = files["plan_csv"]()
    assert "# query: counts of persons by Ward" in plan_text
    assert "# cells per person, at most: 2" in plan_text
    assert "Patient; further cells are left out" in plan_text
    (tmp_path / "visits.csv").write_bytes(written())
    names = {"__name__": "script"}
    exec(compile(files["release_code"](), "release.py", "exec"), names)
    (cells,) = names["prepare"](names["read"](str(tmp_path / "visits.csv")))
    found = exact(view)
    assert np.bincount(cells, minlength=len(WARDS)).tolist() == found
    assert (names["ONE_PERSON"], names["CELLS_PER_PERSON"]) == (4, 2)


def test_one_count_of_persons_needs_no_cap(page):
    view = turn(page(ask="count"), "once")
    select(view, "where", "Ward")
    view.app.text_input(key="_own_table_val").set_value("Innere")
    view.run()
    assert "each person is counted once, however many rows they have" in headline(view)[1]
    assert not [each for each in view.app.number_input if (each.key or "").startswith("rows_beside_")]
    assert exact(view) == [float(TABLE[TABLE["Ward"] == "Innere"]["Patient"].nunique())]


def test_sums_are_not_counts_of_persons(page):
    view = turn(page(), "once").choose("ask", "sum")
    assert not [each for each in view.app.toggle if each.key == "once"]
    view.type("own_lo", 0).type("own_hi", 1000)
    assert "only a person’s first row counts" in headline(view)[1]


# --- missing values ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("neighbours", list(Neighbours))
def test_a_mean_says_what_it_takes_missing_values_for_and_can_leave_them_out(page, files, tmp_path, neighbours):
    gaps = int(TABLE["Cost"].isna().sum())
    view = page(ask="mean", own_lo=10, own_hi=2000, own_n=900, nb=neighbours.value, rows=99)
    select(view, "of", "Cost")
    view.type("own_lo", 10).type("own_hi", 2000)
    assert f"{gaps} rows without a value count as 10, so that" in headline(view)[1]
    as_zero = exact(view)
    assert as_zero == pytest.approx([TABLE["Cost"].fillna(0).clip(10, 2000).mean()])
    turn(view, "skip")
    turn(view, "exact_")
    answer, beside = headline(view)
    assert "is within" in answer
    assert "if at least 900 rows are averaged" in beside
    assert "without a value" not in beside
    left_out = exact(view)
    assert left_out == pytest.approx([TABLE["Cost"].dropna().clip(10, 2000).mean()])
    pair = plan(Mean("Cost", 10, 2000, skip_missing=True), 0.5, neighbours=neighbours, rows_per_person=99)
    assert view.chart.own[0][1] == pair.quotient_error(size=900).range95
    assert "mean of Cost, only rows with a value" in files["plan_csv"]()
    (tmp_path / "visits.csv").write_bytes(written())
    names = {"__name__": "script"}
    exec(compile(files["release_code"](), "release.py", "exec"), names)
    costs, counted = names["prepare"](names["cap"](names["read"](str(tmp_path / "visits.csv"))))
    assert costs.sum() * names["STEP"] / counted.sum() == pytest.approx(left_out[0])
    assert counted.sum() == ROWS - gaps


# --- encodings --------------------------------------------------------------------------------------------------------


def test_values_of_the_chosen_columns_are_seen_and_get_nowhere(page, files, caplog, capfd):
    caplog.set_level(0)
    view = page()
    assert "In your file: “Gynäkologie”, “Pädiatrie”, “Röntgen”." in view.words
    assert not [text for text in view.texts if "P00" in text], "nobody’s name is shown"
    shown = capfd.readouterr()
    assert "kologie" not in caplog.text + shown.out + shown.err + str(view.links)
    assert "In your file" not in files["plan_csv"]()


def test_the_code_of_an_older_file_stops_at_the_file_that_was_saved_anew(page, files, tmp_path):
    page()
    names = {"__name__": "script"}
    exec(compile(files["release_code"](), "release.py", "exec"), names)
    path = tmp_path / "visits.csv"
    path.write_bytes(written())
    assert len(names["read"](str(path))) == ROWS
    path.write_bytes(written("utf-8"))
    with pytest.raises(SystemExit, match="the file is written in UTF-8 now") as caught:
        names["read"](str(path))
    assert "plan again" in str(caught.value)
    assert "kologie" not in str(caught.value)


def test_the_plan_can_be_read_as_a_table_still(page, files):
    page()
    rows = [row for row in csv.reader(io.StringIO(files["plan_csv"]())) if not row[0].startswith("#")]
    assert [row[0] for row in rows[1:-1]] == list(WARDS)
