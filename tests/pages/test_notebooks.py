"""Notebooks: each runs, one of each page in a kernel, and what it prints stands on the page; nothing that a reader typed is in it."""

import contextlib
import io
import json
import re
from pathlib import Path
from urllib.parse import parse_qsl, quote

import nbformat
import pytest
import streamlit as st
from nbclient import NotebookClient

from pages.shared import app_shell
from pages.shared.navigation import PAGES
from par_core.questions.empirical_audit import audited
from tests.audits import audit
from tests.golden.charts import SECTIONS, settings_of
from tests.pages.conftest import TIMEOUT, plain

ROOT = Path(__file__).parents[2]
MARKER = "zebra4711"
SHOWN = re.compile(r"^.+: (\S.*?) (?:\[[^\]]+\]|\(exact\))$", re.M)
# There is no headline, or its number is one that is asked about or that counts questions, or it has none.
NO_NUMBER = {
    ("decide", "duties"),
    ("overview", None),
    ("mechanism_lab", "sensitivity"),
    ("mechanism_lab", "quiz"),
    ("budget_minimiser", "moves"),
    ("budget_minimiser", "compare"),
}
OF_MECHANISM = ("decide", "your_table", "explicit_risk", "composition")
HOSTILE = """'); __import__("os").system("echo zebra4711") #\n```"""


@pytest.fixture(scope="module", autouse=True)
def audited_once():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audited, "audit", audit)
        yield


@pytest.fixture(scope="module")
def taken(open_page):
    """Open a section and return it with the notebook that its button makes, as it is made: later, and without a session."""

    def take(module, section, **address):
        files, button = {}, st.download_button
        with pytest.MonkeyPatch.context() as patch:

            def note(label, data, **options):
                files[options["key"]] = data
                return button(label, data, **options)

            patch.setattr(st, "download_button", note)
            view = open_page(module, **address, **({"tab": section} if section else {}))
            if section == "quiz":  # the page shows an answer only to who asks for it
                view.press("Show the answer")
        return view, of(files)

    return take


def of(files):
    made = [data for key, data in files.items() if key.startswith("notebook_")]
    return made[0]() if made else ""


def told(view):
    """Everything that a page tells: words, what is read out of charts and written in them, tables, and numbers beside each other."""
    tables = [str(cell) for table in view.app.table for cell in table.value.to_numpy().ravel()]
    charts = view.charts.values()
    written = [text for chart in charts for trace in chart.figure["data"] for text in trace.get("text", ())]
    told = [view.words, *(chart.alt for chart in charts), *written, *tables, *view.metrics.values()]
    return plain("\n".join(told))


def stands_in(number, text):
    return re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d]|[.,]\d)", text) is not None


def assert_on_page(printed, page):
    """Every number that was printed stands on the page; returns them."""
    numbers = SHOWN.findall(printed)
    assert numbers, printed
    assert [number for number in numbers if not stands_in(number, page)] == [], (printed, page)
    return numbers


def code_of(text):
    return [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]


def run(text):
    """Run the code of a notebook without a kernel; return what it prints."""
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        for cell in code_of(text):
            exec("".join(cell["source"]), names)
    return printed.getvalue()


@pytest.fixture(scope="module")
def executed(taken):
    """Every notebook at the defaults: the pages and what was printed; the first of each page in one kernel that forgets each."""
    pages, printed, cells, belongs = {}, {}, [], []
    in_kernel = set(dict(reversed(SECTIONS)).items())
    for at in SECTIONS:
        view, text = taken(*at)
        pages[at] = told(view), view.words
        nbformat.validate(nbformat.reads(text, as_version=4))
        if at not in in_kernel:
            printed[at] = run(text)
            continue
        printed[at] = ""
        own = ["%reset -f", *("".join(cell["source"]) for cell in code_of(text))]
        cells += map(nbformat.v4.new_code_cell, own)
        belongs += [at] * len(own)
    every = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(every, timeout=TIMEOUT, kernel_name="python3", resources={"metadata": {"path": ROOT}}).execute()
    for at, cell in zip(belongs, every.cells, strict=True):
        printed[at] += "".join(each.get("text", "") for each in cell.outputs)
    return {at: (*pages[at], printed[at]) for at in SECTIONS}


@pytest.mark.slow
@pytest.mark.parametrize("at", SECTIONS, ids=lambda at: f"{at[0]} {at[1]}")
def test_a_notebook_recomputes_what_its_page_shows(executed, at):
    page, words, printed = executed[at]
    numbers = assert_on_page(printed, page)
    if at not in NO_NUMBER:
        (headline,) = (line for line in words.splitlines() if line.startswith("## "))
        assert any(stands_in(number, headline) for number in numbers), headline


@pytest.mark.slow
@pytest.mark.parametrize("at", SECTIONS, ids=lambda at: f"{at[0]} {at[1]}")
def test_a_notebook_of_another_setting_recomputes_that_one(taken, at):
    view, text = taken(*at, **settings_of(at[0], "another"))
    nbformat.validate(nbformat.reads(text, as_version=4))
    if at == ("mechanism_lab", "which"):  # there Laplace noise is smaller for every number of counts
        assert SHOWN.findall(run(text)) == []
        assert "Up to a million counts" in view.words
    else:
        assert_on_page(run(text), told(view))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mechanism", "module"),
    [
        *(("gaussian", each) for each in OF_MECHANISM),
        ("randomised-response", "explicit_risk"),
        ("exponential", "decide"),
    ],
)
def test_a_notebook_follows_the_mechanism(taken, mechanism, module):
    for section in [section for of, section in SECTIONS if of == module]:
        view, text = taken(module, section, m=mechanism, e0=0.7, rel=3)
        assert f"mechanism='{mechanism}'" in text or section in ("level", "dimension", "truth", "votes")
        assert_on_page(run(text), told(view))


def made_of(take, module, slug, **values):
    """The notebook of a section at settings as an address has them; what cannot be asked is answered with a sentence alone."""
    view, text = take(module, slug, **values)
    assert text or view.warnings
    return text


@pytest.mark.parametrize("at", SECTIONS, ids=lambda at: f"{at[0]} {at[1]}")
def test_every_section_has_a_notebook_that_runs_at_the_extremes(taken, at):
    text = made_of(taken, *at, **settings_of(at[0], "extreme"))
    assert text == made_of(taken, *at, **settings_of(at[0], "extreme"))
    if text:
        run(text)


@pytest.mark.parametrize("at", [("explicit_risk", "truth"), ("your_table", "plan")])
def test_the_first_cell_says_what_it_is_and_holds_the_link_that_reopens_the_view(taken, open_page, at):
    view, text = taken(*at, e0=0.7, sh=12)
    first = "".join(json.loads(text)["cells"][0]["source"])
    assert first.startswith(f"# {view.title}: {view.open_section}\n")
    assert "pip install" in first
    (module, query) = re.search(r"`(\w+)\?(v=\S+)`", first).groups()
    again = open_page(module, **dict(parse_qsl(query, keep_blank_values=True)))
    assert (module, again.links["full"]) == (at[0], view.links["full"])


TYPED = [
    ("your_table", "plan", {"ask": "count", "where": "state", "cmp": "==", "val": HOSTILE}),
    ("your_table", "wanted", {"ask": "sum", "only": 1, "where": "state", "cmp": "in", "val": f"Alaska,{HOSTILE}"}),
    ("your_table", "plan", {"ask": "by", "by": "state", "list": "own", "cat": HOSTILE}),
    (
        "your_table",
        "plan",
        {"ask": "by", "by": "education", "by2": "state", "list": "own", "cat": "9", "cat2": HOSTILE},
    ),
    ("sample_planner", "sampled", {"sask": "count", "swhere": "state", "scmp": "==", "sval": HOSTILE}),
    ("sample_planner", "sampled", {"sask": "histogram", "sby": "state", "slist": HOSTILE}),
    ("mechanism_lab", "choose", {"lutab": f"1 {quote(HOSTILE, safe='')}_2_1 B_1_1"}),
]


@pytest.mark.parametrize(("module", "slug", "values"), TYPED)
def test_no_text_that_a_reader_typed_is_code(taken, module, slug, values):
    _, text = taken(module, slug, **values)
    assert MARKER not in text
    run(text)


def test_a_text_that_is_on_a_public_list_is_code_and_is_quoted(taken):
    _, text = taken("your_table", "plan", ask="count", where="state", cmp="==", val="Alaska")
    assert "value='Alaska'" in text


@pytest.mark.parametrize("module", sorted({module for module, _ in SECTIONS}))
def test_whatever_an_address_asks_for_no_code_holds_it(taken, module):
    keys = [setting.key for setting in app_shell.settings_of(next(i for i in PAGES if i.module == module).load())]
    for slug in [slug for of, slug in SECTIONS if of == module]:
        assert MARKER not in made_of(taken, module, slug, **dict.fromkeys(set(keys) - {"tab"}, HOSTILE))


OWN_FILE = f"{MARKER}who,{MARKER}day,{MARKER}pay\n" + "".join(
    f"{MARKER}{person},{day},{10 * person + day}\n" for person in range(6) for day in range(9)
)


@pytest.mark.parametrize(
    ("module", "slug", "key"),
    [
        (*at, key)
        for at in SECTIONS
        for module, key in {"your_table": "table", "sample_planner": "stable", "empirical_audit": "etable"}.items()
        if at[0] == module and at[1] not in ("samples", "both", "counts", "all")
    ],
)
def test_nothing_of_an_uploaded_table_is_in_a_notebook(open_page, files, module, slug, key):
    read_as = {"eform": "subsample", "epart": 0.5} if module == "empirical_audit" else {}
    view = open_page(module, tab=slug, **{key: "own"}, **read_as)
    view.app.file_uploader[0].set_value((f"{MARKER}.csv", OWN_FILE.encode(), "text/csv"))
    view.run()
    assert "54 rows, 3 columns" in view.words
    text = of(files)
    assert MARKER not in text
    assert "built-in table" in text
    run(text)
