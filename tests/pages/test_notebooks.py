"""Notebooks at settings of their own: each runs, and what it prints stands on the page; nothing that a reader typed is in it.

Those at the settings on record are run in test_every_page.py, where their pages are open.
"""

import json
import re
from urllib.parse import parse_qsl, quote

import pytest

from pages.shared import app_shell
from pages.shared.navigation import PAGES
from tests.golden.charts import SECTIONS
from tests.pages.notebook import answered, assert_on_page, notebook_of, opened, run, told

MARKER = "zebra4711"
OF_MECHANISM = ("decide", "your_table", "explicit_risk", "composition")
HOSTILE = """'); __import__("os").system("echo zebra4711") #\n```"""


pytestmark = pytest.mark.usefixtures("audited_once")


def taken(module, section, **address):
    """Open a section and return it with the notebook that its button makes."""
    view = opened(module, section, **address)
    view = answered(view, (module, section), **address)
    return view, notebook_of(view.files)


@pytest.mark.parametrize(
    ("mechanism", "module"),
    [
        *(("gaussian", each) for each in OF_MECHANISM),
        ("randomised-response", "explicit_risk"),
        ("exponential", "decide"),
    ],
)
def test_a_notebook_follows_the_mechanism(mechanism, module):
    for section in [section for of, section in SECTIONS if of == module]:
        view, text = taken(module, section, m=mechanism, e0=0.7, rel=3)
        assert f"mechanism='{mechanism}'" in text or section in ("level", "dimension", "truth", "votes")
        assert_on_page(run(text), told(view))


def made_of(module, slug, **values):
    """The notebook of a section at settings as an address has them; what cannot be asked is answered with a sentence alone."""
    view, text = taken(module, slug, **values)
    assert text or view.warnings
    return text


@pytest.mark.parametrize("at", [("explicit_risk", "truth"), ("your_table", "plan")])
def test_the_first_cell_says_what_it_is_and_holds_the_link_that_reopens_the_view(open_page, at):
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
def test_no_text_that_a_reader_typed_is_code(module, slug, values):
    _, text = taken(module, slug, **values)
    assert MARKER not in text
    run(text)


def test_a_text_that_is_on_a_public_list_is_code_and_is_quoted():
    _, text = taken("your_table", "plan", ask="count", where="state", cmp="==", val="Alaska")
    assert "value='Alaska'" in text


@pytest.mark.parametrize("module", sorted({module for module, _ in SECTIONS}))
def test_whatever_an_address_asks_for_no_code_holds_it(module):
    keys = [setting.key for setting in app_shell.settings_of(next(i for i in PAGES if i.module == module).load())]
    for slug in [slug for of, slug in SECTIONS if of == module]:
        assert MARKER not in made_of(module, slug, **dict.fromkeys(set(keys) - {"tab"}, HOSTILE))


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
    text = notebook_of(files)
    assert MARKER not in text
    assert "built-in table" in text
    run(text)
