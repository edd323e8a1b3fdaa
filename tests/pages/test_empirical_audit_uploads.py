"""Panels of the reader's own in the Empirical audit: every form of file, names and answers hidden, and nothing travels."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from par_core.audit import Panel
from par_core.audit.queries import PanelCount, PanelMean, PanelSum
from par_core.randomness import seeded
from tests.audits import MARKER, audit
from tests.pages.empirical_audit_view import errors, headline, infos, link, put, ranking, select, turn


def long_table(people=6, databases=15, seed=3):
    """Records: people are missing from databases and have several records in others; the first is far above all."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"{MARKER}d{10 + database}", f"{MARKER}p{person}", round(float(rng.normal() + (9 if person == 0 else 0)), 3))
        for database in range(databases)
        for person in range(people)
        for _ in range(rng.choice([0, 1, 1, 2]) if person else int(database % 3 > 0))
    ]
    return pd.DataFrame(rows, columns=[f"{MARKER}day", f"{MARKER}who", f"{MARKER}pay"])


LONG = long_table()
WIDE = pd.DataFrame(
    np.random.default_rng(4).normal(size=(5, 12)).round(3), columns=[f"{MARKER}{year}" for year in range(2001, 2013)]
)
WIDE.iloc[0] += 4.0
WIDE.iloc[1, 3] = np.nan
WIDE.insert(0, f"{MARKER}site", [f"{MARKER}s{at}" for at in range(5)])


def csv(frame):
    return frame.to_csv(index=False).encode()


def parquet(frame):
    file = io.BytesIO()
    frame.to_parquet(file, index=False)
    return file.getvalue()


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


@pytest.fixture
def page(open_page):
    return lambda **settings: open_page("empirical_audit", **{"etable": "own", **settings})


def select_records(view):
    """Say what the columns of the long table are, all three at once."""
    for key, column in (("of", "pay"), ("db", "day"), ("who", "who")):
        view.app.selectbox(key=f"_own_table_eown_{key}").set_value(f"{MARKER}{column}")
    return view.run()


def assert_shows(view, panel, query=None, epsilon=0.1):
    """The verdict and the curve are those of this panel."""
    result = audit(panel, query or PanelMean())
    at = result.at(epsilon)
    assert f"{at.exposed:,} of {len(at.deltas):,} individuals" in headline(view) or "people" in headline(view)
    assert (epsilon, pytest.approx(at.delta, rel=1e-9)) in [(x, y) for x, y, _ in view.charts["exposure"].own]
    assert len(ranking(view)) == min(10, len(at.deltas))
    return result


# --- every form of file -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ask", "query", "write"), [("sum", PanelSum(), csv), ("count", PanelCount(), parquet)])
def test_records_with_missing_individuals_and_several_of_one(page, write, ask, query):
    view = put(page(eask=ask), write(LONG))
    assert "Choose the column that says in which database a record is" in " ".join(infos(view))
    assert not view.charts
    select_records(view)
    panel = Panel.from_long(LONG, database=f"{MARKER}day", individual=f"{MARKER}who", value=f"{MARKER}pay")
    assert panel.most_records() == 2
    assert panel.presence().min() < 15
    assert_shows(view, panel, query)


def test_a_person_in_each_row_and_a_database_in_each_column(page):
    view = put(page(), parquet(WIDE)).choose("eform", "person")
    assert "no number" in " ".join(errors(view)) or errors(view), "the names are no database until they are named"
    select(view, "_own_table_eown_who", f"{MARKER}site")
    assert_shows(view, Panel.from_wide(WIDE, individual=f"{MARKER}site"))


def test_decimal_commas_and_thousands_are_said_and_audited_as_they_are_meant(page):
    rows = WIDE.set_index(f"{MARKER}site").mul(1000).round(1)
    text = rows.map(
        lambda value: f"{value:,.1f}".replace(",", "t").replace(".", ",").replace("t", ".").replace("nan", "")
    )
    view = put(page(), text.to_csv(sep=";").encode()).choose("eform", "person")
    assert "read as numbers: 1.234,5 as 1 234.5." in view.words.replace("\\", "")
    select(view, "_own_table_eown_who", f"{MARKER}site")
    assert_shows(view, Panel.from_wide(rows.reset_index(), individual=f"{MARKER}site"))


def test_a_matrix_in_an_npz_file(page):
    values = WIDE.iloc[:, 1:].to_numpy()
    view = put(page(), npz(values=values), "panel.npz").choose("eform", "person")
    assert_shows(view, Panel.from_arrays(values))
    named = npz(values=values, individuals=list(WIDE.iloc[:, 0]), databases=list(WIDE.columns[1:]))
    put(view, named, "named.npz")
    select(view, "_own_table_eown_who", "individual")
    assert_shows(view, Panel.from_arrays(values))
    assert MARKER not in headline(view)
    turn(view, "eshow")
    assert f"{MARKER}s0" in headline(view)


def test_subsamples_of_one_table(page):
    frame = pd.DataFrame({f"{MARKER}pay": (np.arange(300) * 37) % 90.0, "who": [f"q{at % 100}" for at in range(300)]})
    view = put(page(edraws=20, epart=0.2), csv(frame)).choose("eform", "subsample")
    select(view, "_own_table_eown_who", "who")
    panel = Panel.from_table(
        frame,
        value=f"{MARKER}pay",
        databases=20,
        share=0.2,
        rng=seeded(1),
        individual="who",
    )
    assert_shows(view, panel)
    assert not view.warnings


# --- hidden until asked for -------------------------------------------------------------------------------------------


def test_names_are_masked_until_the_reader_asks(page, files):
    view = select_records(put(page(eask="sum"), csv(LONG)))
    assert "the most exposed is no. 1" in headline(view)
    assert not [each for each in ranking(view) if MARKER in each]
    assert MARKER not in files["ranking_csv"]()
    assert not [each for each in view.app.get("bidi_component") if MARKER in each.proto.json]
    turn(view, "eshow")
    assert headline(view).split("the most exposed is")[1].strip() == f"{MARKER}p0"
    assert f"{MARKER}p0" in files["ranking_csv"]()
    assert MARKER not in json.dumps(view.links)


def test_names_that_were_asked_for_are_hidden_before_an_audience_and_of_another_file(page, files):
    view = turn(select_records(put(page(eask="sum"), csv(LONG))), "eshow")
    assert MARKER in headline(view)
    turn(view, "present")
    assert headline(view).endswith("the most exposed is no. 1")
    assert MARKER not in files["ranking_csv"]()
    view.press("Leave presenter view")
    put(view, csv(LONG.iloc[:-1]), f"{MARKER}2.csv")
    assert headline(view).endswith("the most exposed is no. 1")


def test_exact_answers_are_hidden_until_the_reader_asks(page):
    view = select_records(put(page(eask="sum", tab="databases"), csv(LONG)))
    assert "answers" not in view.charts
    assert "The exact answers are private" in view.words
    assert headline(view) == "15 databases, 6 individuals"
    view = turn(view, "eanswers")
    panel = Panel.from_long(LONG, database=f"{MARKER}day", individual=f"{MARKER}who", value=f"{MARKER}pay")
    np.testing.assert_allclose(view.charts["answers"].curve("answer")[1], audit(panel, PanelSum()).answers)
    assert not {"eanswers", "eshow"} & set(link(view)), "asked anew in each session"
    assert "answers" not in turn(view, "present").charts, "an audience sees none"
    view.press("Leave presenter view")
    assert "answers" in view.charts
    put(view, csv(LONG.iloc[:-1]), f"{MARKER}2.csv")
    assert headline(view) == "15 databases, 6 individuals", "of another file they are hidden again"


def test_a_threshold_typed_about_a_file_stays_in_the_session(page, files):
    view = select_records(put(page(eask="share", eabove=500, tab="databases"), csv(LONG)))
    (field,) = (each.key for each in view.app.number_input if each.label == "Above")
    view = turn(view.type(field, 2.5).choose("eask", "mean").choose("eask", "share"), "eanswers")
    assert headline(view).startswith("The share above 2.5 of 15 databases")
    assert link(view)["eabove"] == "500"
    assert "above=2.5" not in files["notebook_databases"]()


def test_a_threshold_about_a_file_that_is_refused_or_emptied_leaves_the_one_before(page):
    view = select_records(put(page(eask="share", tab="databases"), csv(LONG)))
    for typed in (1e99, None):
        view.type("_own_table_eabove", 2.5).type("_own_table_eabove", typed)
        assert view.number("_own_table_eabove").value == 2.5


def test_no_chart_of_a_masked_file_holds_an_exact_answer(page):
    view = select_records(put(page(), csv(LONG)))
    result = audit(
        Panel.from_long(LONG, database=f"{MARKER}day", individual=f"{MARKER}who", value=f"{MARKER}pay"), PanelMean()
    )
    exact = {*result.answers.tolist(), *result.without[result.at(0.1).ranking[0]].tolist()}
    places, _ = view.charts["with_and_without"].curve("with everyone")
    assert len(places) > 100
    assert not exact & set(places.tolist())


def test_an_error_names_nobody_while_names_are_masked(page):
    lonely = pd.DataFrame(
        {f"{MARKER}day": ["a", "a", "b"], f"{MARKER}who": ["x", "y", f"{MARKER}Alice"], f"{MARKER}pay": [1.0, 2.0, 3.0]}
    )
    view = select_records(put(page(), csv(lonely)))
    (error,) = errors(view)
    assert "without individual number" in error
    assert f"{MARKER}Alice" not in error


def test_a_link_cannot_ask_for_names_or_answers(page):
    view = select_records(put(page(eask="sum", eshow=1, eanswers=1), csv(LONG)))
    assert "no. 1" in headline(view)
    view = select_records(put(page(eask="sum", eshow=1, eanswers=1, tab="databases"), csv(LONG)))
    assert "answers" not in view.charts


@pytest.mark.parametrize("tab", ["exposed", "databases", "other", "adversary", "joint", "attack", "noise"])
def test_nothing_of_a_file_travels(page, files, tab, caplog, capfd):
    caplog.set_level(0)
    view = select_records(put(page(eask="sum", tab=tab, eadd=1), csv(LONG)))
    assert [each for each in view.texts if each.startswith("## ")]
    assert MARKER in repr(view.app._tree), "where it belongs"
    assert MARKER not in json.dumps(view.links)
    assert MARKER not in json.dumps(view.app.query_params)
    assert not [each for each in view.app.get("bidi_component") if MARKER in each.proto.json]
    for make in files.values():
        assert MARKER not in make()
    shown = capfd.readouterr()
    assert MARKER not in caplog.text + shown.out + shown.err
    if tab == "exposed":
        content = json.loads(files["certificate"]())
        assert content["databases"]["number"] == 15
        assert "noise" in content


def test_the_certificate_of_shown_names_names_nobody(page, files):
    view = turn(select_records(put(page(eask="sum"), csv(LONG))), "eshow")
    assert MARKER in headline(view)
    assert MARKER not in files["certificate"]()


def test_two_sessions_share_no_panel(page):
    mine = select_records(put(page(), csv(LONG)))
    assert MARKER in repr(mine.app._tree)
    other = page()
    assert MARKER not in repr(other.app._tree)


def test_a_link_of_an_upload_asks_for_the_file_again(page, open_page):
    mine = select_records(put(page(eask="sum", ee=0.3), csv(LONG)))
    again = open_page("empirical_audit", **link(mine))
    assert "Choose a file" in again.words
    assert again.number("ee").value == 0.3
    assert "of 29,501 people" in headline(again)
    select_records(put(again, csv(LONG)))
    assert headline(again) == headline(mine)


def test_another_file_forgets_what_was_chosen_of_the_one_before(page):
    view = turn(select_records(put(page(), csv(LONG))), "eshow")
    put(view, b"a,b,c\n1,2,3\n2,3,4\n4,1,7\n", "other.csv")
    assert "Choose the column" in " ".join(infos(view))
    assert not view.charts


# --- what cannot be used ----------------------------------------------------------------------------------------------


def test_text_in_the_value_column(page):
    data = csv(LONG).replace(b"\n", b"\n", 1) + f"{MARKER}d10,{MARKER}p0,{MARKER}none\n".encode()
    view = put(page(), data)
    assert any("no column of numbers" in each for each in infos(view) + errors(view))
    assert not view.charts


def test_a_database_without_records_is_named_by_its_place(page):
    table = LONG.copy()
    table.loc[table[f"{MARKER}day"] == f"{MARKER}d12", f"{MARKER}pay"] = np.nan
    view = select_records(put(page(), csv(table)))
    assert any("o record in 1 of 15 databases" in each for each in errors(view))
    assert not view.charts


def test_one_database_only(page):
    view = select_records(put(page(), csv(LONG[LONG[f"{MARKER}day"] == f"{MARKER}d11"])))
    assert any("at least two databases" in each for each in errors(view))


def test_three_columns_have_to_be_different(page):
    frame = LONG.assign(day=LONG[f"{MARKER}day"].str[-2:].astype(int))
    view = put(page(), csv(frame))
    select(view, "_own_table_eown_of", "day")
    select(view, "_own_table_eown_db", "day")
    select(view, "_own_table_eown_who", "day")
    assert infos(view)[-1] == "Choose three different columns for the database, the individual and the value."
    select(view, "_own_table_eown_who", f"{MARKER}who")
    assert not view.charts


@pytest.mark.parametrize(
    ("form", "data"),
    [
        ("record", b"a\n1\n"),
        ("record", b"a,b,c\n1,2,inf\n2,3,4\n"),
        ("record", b"a,b,c\n5,5,5\n5,5,5\n5,5,5\n"),
        ("person", b"a,b\nx,y\n"),
        ("person", b"a,b,c\n,,\n,,\n1,1,1\n"),
        ("subsample", b"a,b,c\n1,,1\n,2,2\n3,3,3\n"),
    ],
)
def test_whatever_a_file_holds_the_page_goes_on(page, form, data):
    view = put(page(eform=form), data)
    for field in view.app.selectbox:
        place = {"_own_table_eown_db": -2, "_own_table_eown_who": -1}.get(field.key)
        if place and len(field.options) > 2:
            field.set_value(field.options[place])
    view.run()
    assert view.charts or infos(view) or errors(view)
    assert not [each for each in errors(view) if "id " in each.lower()], "no unexpected error"


def test_an_infinite_value_is_named_by_its_row(page):
    view = put(page(), b"d,w,v\n1,a,1\n1,b,2\n2,a,inf\n2,b,3\n")
    select(view, "_own_table_eown_of", "v")
    select(view, "_own_table_eown_db", "d")
    select(view, "_own_table_eown_who", "w")
    assert any("ow 3 below the heading" in each for each in errors(view))


def test_the_page_says_that_an_npz_file_can_be_opened(open_page):
    view = open_page("empirical_audit", etable="own")
    (field,) = view.app.file_uploader
    for word in ("NPZ", "values", "individuals", "databases"):
        assert word in field.help
