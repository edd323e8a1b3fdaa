"""Text of the reader's: it is never a formula in a file, markup on a page or in a chart, or code in a script."""

import ast
import csv
import html
import io
import json
import math
import re
import unicodedata
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pages.mechanism_lab import candidates_table
from pages.shared import downloads
from pages.shared.downloads import as_csv
from par_core.audit.drawn_densities import density_curves
from par_core.figures import empirical_audit as figures
from par_core.figures import points
from tests.audits import audit, murders
from tests.pages.empirical_audit_view import rank, turn

FORMULAS = ["=1+1", "+1", "-1+1", "@x", "=cmd|'/c calc'!A1", '=HYPERLINK("http://x.y")', "-x", "＝1"]
MARKUP = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "<a href='javascript:alert(1)'>z</a>",
    "[z](javascript:alert(1))",
    "![z](http://x.y/z.png)",
    "<b>bold</b>",
    "**bold** :red[red]",
    "``tick` tick```",
    "$x^2$",
    "{{x}} {0} %{x} %s",
    "back\\slash\\",
]
QUOTES = ['"""quo"te\'s', "'''"]
HOSTILE = [*FORMULAS, *MARKUP, *QUOTES]
FILE = "=1+1<img src=x onerror=alert(1)>.csv"


def put(view, data, name=FILE):
    view.app.file_uploader[0].set_value((name, data, "text/csv"))
    return view.run()


def write(rows):
    file = io.StringIO()
    csv.writer(file).writerows(rows)
    return file.getvalue().encode()


# --- what is looked at ---------------------------------------------------------------------------------------------


def markdown_of(block):
    """Yield every text of a page that the browser reads as Markdown."""
    for each in block.children.values():
        if getattr(each, "children", None):
            yield from markdown_of(each)
        proto = getattr(each, "proto", None)
        for name in ("label", "help", "body", "markdown"):
            text = getattr(proto, name, "")
            yield from [text] if isinstance(text, str) else []
        yield from getattr(proto, "captions", ())
        if each.type == "table":
            yield from each.value.astype(str).to_numpy().ravel().tolist()
        if each.type == "radio":
            yield from each.options


def assert_page_is_safe(view, names, unguarded):
    """No name stands on the page as markup, neither in Markdown nor in a chart, nor in the address."""
    texts = [*markdown_of(view.app.main), *markdown_of(view.app.sidebar)]
    assert len(texts) > 20
    for text in texts:
        bare = unguarded(text)
        assert not [name for name in names if name in MARKUP and name in bare], text
    for chart in view.charts.values():
        assert not [name for name in names if "<" in name and name in json.dumps(chart.figure)]
    for name in (*names, FILE):
        assert name not in json.dumps(view.links)


def cells_of(text):
    """The cells that a spreadsheet makes of a file, its head as well, whatever it takes for the separator."""
    head = [line for line in text.splitlines() if line.startswith("#")]
    body = "\n".join(text.split("\n")[len(head) :])
    for separator in ",;\t|":
        yield from (cell for row in csv.reader(io.StringIO(body, newline=""), delimiter=separator) for cell in row)
        yield from (cell.strip() for row in csv.reader(head, delimiter=separator) for cell in row)
        yield from (cell.strip().removeprefix('"') for line in head for cell in line.split(separator))


def assert_no_formula(text):
    for cell in cells_of(text):
        assert not unicodedata.normalize("NFKC", cell[:1]).startswith(("=", "+", "-", "@", "\t", "\r")) or is_number(
            cell.partition(",")[0]
        ), cell


def is_number(text):
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def assert_script_is_safe(text, names):
    """What the reader typed is in strings of the constants at the top, and nowhere else."""
    tree = ast.parse(text)
    assert not [name for name in names if name in ast.get_docstring(tree)]
    for node in tree.body:
        if not isinstance(node, ast.Assign):
            held = [
                each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)
            ]
            assert not [name for name in MARKUP for each in held if name in each and name in names]
    harmless = "\n".join(line for line in text.splitlines() if not re.match(r"[A-Z_0-9, ]+ = ", line))
    assert not [name for name in names if name in MARKUP and name in harmless]


def assert_report_and_notebook_hold_none(files, names):
    """Neither of them holds anything of a file, escaped or not."""
    made = [each() for key, each in files.items() if key == "report" or key.startswith("notebook_")]
    assert made
    for text in made:
        shown = html.unescape(text)
        assert not [
            name for name in (*names, FILE) if len(name) > 3 and (name in shown or json.dumps(name)[1:-1] in text)
        ]


# --- the pages that take a file ------------------------------------------------------------------------------------


@pytest.mark.parametrize("tab", ["", "wanted"])
@pytest.mark.parametrize("column", HOSTILE)
def test_your_table(open_page, files, unguarded, column, tab):
    rows = [[column, "v"], *([name, at] for at, name in enumerate(HOSTILE * 4))]
    view = put(open_page("your_table", table="own", **({"tab": tab} if tab else {})), write(rows))
    view.app.text_area(key="_own_table_cat").set_value("\n".join(HOSTILE))
    view.run()
    assert view.charts
    assert_page_is_safe(view, HOSTILE, unguarded)
    if tab:
        return
    assert_report_and_notebook_hold_none(files, HOSTILE)
    text = files["plan_csv"]()
    assert_no_formula(text)
    found = [*csv.reader(line for line in io.StringIO(text) if not line.startswith("#"))]
    shown = [row[0] for row in found[1:]]
    assert shown[: len(HOSTILE)] == [f"'{name}" if name[0] in "=+-@＝" else name for name in HOSTILE]
    code = files["release_code"]()
    assert_script_is_safe(code, HOSTILE)
    held = {"__name__": "script"}
    exec(compile(code, "release.py", "exec"), held)
    assert (held["COLUMN_1"], held["CATEGORIES_1"]) == (column, HOSTILE)
    (toggle,) = (each for each in view.app.toggle if (each.key or "").startswith("exact_"))
    toggle.set_value(True)
    assert_page_is_safe(view.run(), HOSTILE, unguarded)


@pytest.mark.parametrize("ask", ["mean", "histogram"])
@pytest.mark.parametrize("column", HOSTILE)
def test_sample_planner(open_page, files, unguarded, column, ask):
    rows = [[column, "age"], *([at * 37 % 60, 20 + at % 50] for at in range(80))]
    if ask == "histogram":
        rows = [[column, "age"], *([HOSTILE[at % len(HOSTILE)], at] for at in range(80))]
    view = put(open_page("sample_planner", tab="sampled", sp=30, spairs=120, stable="own", sask=ask), write(rows))
    if ask == "histogram":
        for area in view.app.text_area:
            area.set_value("\n".join(HOSTILE))
        view.run()
    assert view.charts
    assert_page_is_safe(view, HOSTILE, unguarded)
    assert_report_and_notebook_hold_none(files, HOSTILE)
    made = [each for key, each in files.items() if key.startswith("csv_")]
    assert made
    for each in made:
        assert_no_formula(each())


@pytest.mark.parametrize("tab", ["exposed", "databases", "other", "noise"])
def test_empirical_audit(open_page, files, unguarded, tab):
    rng = np.random.default_rng(3)
    rows = [["day<b>", "=who", "@pay"]]
    rows += [
        [day, name, round(rng.normal() + 9 * (at == day % 3), 3)]
        for day in range(12)
        for at, name in enumerate(HOSTILE)
    ]
    view = put(open_page("empirical_audit", etable="own", tab=tab), write(rows))
    for key, column in (("of", "@pay"), ("db", "day<b>"), ("who", "=who")):
        view.app.selectbox(key=f"_own_table_eown_{key}").set_value(column)
    view = turn(view.run(), "eanswers" if tab == "databases" else "eshow")
    assert view.charts
    assert_page_is_safe(view, HOSTILE, unguarded)
    assert_report_and_notebook_hold_none(files, HOSTILE)
    for key, each in files.items():
        if key.endswith("csv") or key.startswith("csv_"):
            assert_no_formula(each())
    if tab != "exposed":
        return
    ranking = [*csv.reader(line for line in io.StringIO(files["ranking_csv"]()) if not line.startswith("#"))]
    named = {row[1] for row in ranking[1:]}
    assert {f"'{name}" if name[0] in "=+-@＝" else name for name in HOSTILE} == named
    found = json.loads(files["certificate"]())
    assert not [name for name in (*HOSTILE, "day<b>", "=who", "@pay") if name in json.dumps(found, ensure_ascii=False)]
    seen = set()
    for number in range(1, 11):
        view = rank(view, number)
        assert_page_is_safe(view, HOSTILE, unguarded)
        seen.add(html.unescape(view.charts["with_and_without"].title).removeprefix("Answers with and without "))
        assert_no_formula(files["csv_with_and_without"]())
    assert seen <= set(HOSTILE)
    assert seen & set(MARKUP)


def test_candidates_that_a_reader_types(open_page, files, unguarded):
    for names in (FORMULAS, MARKUP):
        table = candidates_table.TABLE.write(tuple((name[:24], 1.0, 1.0) for name in names))
        view = open_page("mechanism_lab", tab="choose", lutab=table)
        assert view.charts
        assert not view.warnings
        texts = [*markdown_of(view.app.main)]
        assert not [name for name in names if name in MARKUP for text in texts if name[:24] in unguarded(text)]
        figures_ = json.dumps([each.figure for each in view.charts.values()], ensure_ascii=False)
        assert not [name for name in names if "<" in name and name[:24] in figures_]
        made = [each() for key, each in files.items() if key.startswith("csv_")]
        assert made
        for text in made:
            assert_no_formula(text)
        report = files["report"]()
        assert not [name for name in names if "<" in name and name[:24] in report]
        notebook = "".join("".join(each["source"]) for each in json.loads(files["notebook_choose"]())["cells"])
        assert not [name for name in names if len(name) > 3 and name[:24] in notebook]


# --- charts and files by themselves --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_in_a_chart_is_shown_letter_by_letter_and_its_data_hold_it_as_it_is(name):
    from par_core.audit.queries import PanelMean

    drawing = figures.densities(density_curves(audit(murders(), PanelMean()), 0), name=name)
    for text in (drawing.layout["title"]["text"], drawing.data[1]["name"]):
        assert "<" not in text
        assert name in html.unescape(text)
    assert f"without {name}" in set(points.table(drawing)["curve"])


def test_numbers_stay_numbers_and_texts_are_no_formulas():
    table = pd.DataFrame(
        {
            "=whole": np.array([-3, 4]),
            "x": [-0.1, math.nan],
            "-mixed": pd.Series([-2, "-2"], dtype=object),
            "text": ["\t=1", "\r=1"],
            "wide": ["＝1 # not a comment", "x;＠y"],
            "class": pd.Categorical(["+a", "b"]),
            "yes": [True, False],
        }
    )
    text = as_csv(
        table,
        {"wide": "a;＝1", "query": 'a,=1+1; -1+1|@x,"=2", -5, -1.5e-3', "scenario": json.dumps({"a": -1, "b": -2.5})},
    )
    assert_no_formula(text)
    (head, numbers) = (line for line in text.splitlines() if line.startswith(("# query", "# scenario")))
    assert head == "# query: a,'=1+1; '-1+1|'@x,\"'=2\", -5, -1.5e-3"
    assert numbers == '# scenario: {"a": -1, "b": -2.5}'
    found = pd.read_csv(io.StringIO(text), comment="#")
    assert [*found.columns] == ["'=whole", "x", "'-mixed", "text", "wide", "class", "yes"]
    assert found["wide"].tolist() == ["'＝1 # not a comment", "x;'＠y"]
    assert found["'=whole"].tolist() == [-3, 4]
    assert found["x"][0] == -0.1
    assert found["'-mixed"].tolist() == ["-2", "'-2"]
    assert found["class"].tolist() == ["'+a", "b"]
    assert found["yes"].tolist() == [True, False]
    assert "'\t'=1" in text


@pytest.mark.parametrize(
    "sign", [chr(at) for at in range(0xFE50, 0xFFEF) if unicodedata.normalize("NFKC", chr(at)) in tuple("=+-@")]
)
def test_no_writing_of_a_sign_makes_a_formula(sign):
    text = as_csv(pd.DataFrame({f"{sign}a": [f"{sign}1", f" {sign}2", f"x\n{sign}3"]}), {"name": f"x,{sign}1"})
    assert not re.search(rf"(^|[,\"\n])\s*{re.escape(sign)}", text)


@pytest.mark.parametrize("place", ["name", "cell", "category"])
def test_a_number_sign_is_no_comment(place):
    of = {each: "# 1" if each == place else "x" for each in ("name", "cell", "category")}
    table = pd.DataFrame({of["name"]: [of["cell"], None], "c": pd.Categorical([of["category"], "b"]), "n": [1, 2]})
    found = pd.read_csv(io.StringIO(as_csv(table, {"title": "t"})), comment="#")
    pd.testing.assert_frame_equal(found, table.astype({"c": "str"}), check_dtype=False)


def test_two_columns_may_have_one_name():
    found = as_csv(pd.DataFrame([["=a", 1.5], ["b", -2.0]], columns=["v", "v"]), {})
    assert found.splitlines()[1:] == ["v,v", "'=a,1.5", "b,-2.0"]


def test_no_page_takes_text_for_html():
    pages = Path(downloads.__file__).parents[1]
    sources = {path: path.read_text(encoding="utf-8") for path in pages.rglob("*.py")}
    assert not [path for path, text in sources.items() if "unsafe_allow_html" in text or "components.v1" in text]
    scripts = "".join(path.read_text(encoding="utf-8") for path in pages.rglob("*.js"))
    written = re.findall(r"(?:inner|outer)HTML = ([`'\"])(.*?)\1;", scripts, re.DOTALL)
    assert len(written) == len(re.findall("(?:inner|outer|Adjacent)HTML", scripts)) == 2
    assert {name for _, text in written for name in re.findall(r"\$\{(.*?)\}", text)} == {"id"}, "a number of ours"
