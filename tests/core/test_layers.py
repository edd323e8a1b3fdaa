"""The house has layers, pages and the command line over questions over export over figures over core; imports go down only."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from par_core.mechanisms import MECHANISMS

ROOT = Path(__file__).parents[2]
FILES = sorted(
    [ROOT / "app.py", *ROOT.glob("pages/*/**/*.py"), *ROOT.glob("par_core/**/*.py"), *ROOT.glob("par_distributed/*.py")]
)
LAYERS = ("core", "figures", "export", "questions", "distributed", "cli", "pages")  # from the ground up


def module_of(file):
    parts = list(file.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(file): file for file in FILES}


@cache
def imports_of(module):
    """Return every module that a file imports by name, at its top or inside a function, and of the project the very file."""
    file, found = MODULES[module], set()
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                found.add(inner if inner in MODULES else base)
    return frozenset(found - {module})


def own_imports_of(module):
    return {each for each in imports_of(module) if each in MODULES}


def third_party_of(module):
    return {each.partition(".")[0] for each in imports_of(module) if each not in MODULES}


def layer_of(module):
    if module == "par_core.__main__":
        return "cli"
    if module.startswith(("par_core.figures", "par_core.export", "par_core.questions", "par_core.cli")):
        return module.split(".")[1]
    if inside(module, "par_distributed"):
        return "distributed"
    return "core" if module.startswith("par_core") else "pages"


def of_layer(*layers):
    return [module for module in MODULES if layer_of(module) in layers]


def inside(module, package):
    return module == package or module.startswith(f"{package}.")


def found_in(modules, names_of):
    """What a question finds, by the modules in which it finds anything."""
    return {module: found for module in modules if (found := set(names_of(module)))}


def test_the_project_is_found():
    assert {"app", "par_core.published.explicit", "par_core.figures.style", "pages.explicit_risk"} <= set(MODULES)
    assert "par_core.risk.explicit_curves" in imports_of("par_core.figures.explicit_risk")


def test_the_core_knows_neither_streamlit_nor_plotly():
    assert not found_in(of_layer("core"), lambda module: third_party_of(module) & {"streamlit", "plotly"})


def test_figures_exports_and_the_command_line_do_not_know_streamlit():
    assert not found_in(
        of_layer("figures", "export", "questions", "cli"), lambda module: third_party_of(module) & {"streamlit"}
    )


def test_nothing_imports_the_command_line_but_what_starts_it():
    others = [each for each in MODULES if layer_of(each) != "cli"]
    assert not found_in(others, lambda module: own_imports_of(module) & set(of_layer("cli")))


def test_the_distributed_audit_knows_the_core_alone_and_only_its_command_knows_it():
    apart = set(of_layer("distributed"))
    seen = found_in([each for each in MODULES if each not in apart], lambda module: own_imports_of(module) & apart)
    assert set(seen) == {"par_core.cli.audit", "par_core.cli.audit_dataset"}
    assert not found_in(apart, lambda module: own_imports_of(module) - apart - set(of_layer("core")))


def test_the_core_knows_no_cluster():
    others = [each for each in MODULES if layer_of(each) != "distributed"]
    assert not found_in(others, lambda module: third_party_of(module) & {"dask", "distributed", "duckdb"})


def test_imports_go_down_only():
    def above(module):
        height = LAYERS.index(layer_of(module))
        return [each for each in own_imports_of(module) if LAYERS.index(layer_of(each)) > height]

    assert not found_in(MODULES, above)


def test_nothing_below_imports_the_claims():
    below = [each for each in of_layer("core") if not inside(each, "par_core.claims")]
    assert not found_in(below, lambda module: own_imports_of(module) & set(of_folder("claims")))


def test_nothing_else_in_the_core_imports_the_decision():
    others = [each for each in of_layer("core") if not inside(each, "par_core.decision")]
    assert not found_in(others, lambda module: own_imports_of(module) & set(of_folder("decision")))


def of_folder(folder):
    return [each for each in MODULES if inside(each, f"par_core.{folder}")]


GROUND = {
    "errors",
    "limits",
    "old_names",
    "public_names",
    "parameters",
    "evidence",
    "deployment",
    "randomness",
    "progress",
    "roots",
    "rounding",
}
COMPARING = {  # results, and the sections that show them, in which a printed formula stands beside the truth
    "par_core.audit.noise",
    "par_core.composition.comparison",
    "par_core.composition.running",
    "par_core.composition.pate_votes",
    "par_core.questions.composition.pate_votes",
    "par_core.questions.explicit_risk.calibration",
    "par_core.questions.explicit_risk.formulas",
    "par_core.questions.explicit_risk.known_change",
    "par_core.questions.sample_planner.accuracy",
    "par_core.questions.sample_planner.both_sources",
    "par_core.questions.sample_planner.sampled",
    "par_core.cost.confidence",
    "par_core.regression.accuracy",
    "par_core.risk.explicit_curves",
    "par_core.risk.relaxations",
    "par_core.sampling.coupled_calibration",
    "par_core.sampling.coupled_curves",
}


def test_what_is_printed_rests_on_the_ground_and_the_mechanisms():
    under = {*GROUND, "mechanisms", "published"}
    assert not found_in(
        of_folder("published"), lambda module: {each.split(".")[1] for each in own_imports_of(module)} - under
    )


def test_what_is_printed_is_seen_by_claims_figures_and_what_compares_it_with_the_truth():
    free = [*of_folder("published"), *of_folder("claims"), *of_folder("figures")]
    seen_by = {each for each in MODULES if each not in free and set(of_folder("published")) & own_imports_of(each)}
    assert seen_by == COMPARING


def names_in(module):
    """Every name that a file says in its code: variables, attributes, and what it imports."""
    nodes = list(ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))))
    imported = {
        alias.name.rpartition(".")[2]
        for node in nodes
        for alias in getattr(node, "names", ())
        if hasattr(alias, "name")
    }
    return imported | {getattr(node, "id", getattr(node, "attr", None)) for node in nodes}


FREE_TO_NAME_NOISE = [
    each for folder in ("mechanisms", "published", "export", "claims", "lab") for each in of_folder(folder)
]
FREE_TO_NAME_NOISE += ["par_core.composition.lower_end"]  # in whose proof Gaussian noise stands beside what is released


def test_noise_is_named_only_where_it_is_made():
    """The defaults, `drawn` and `default_noise`, are chosen in `par_core.mechanisms` itself: everything else asks `Mechanism`."""
    names = {kind.__name__ for kind in MECHANISMS.values()}
    files = {kind.__module__ for kind in MECHANISMS.values()}
    others = [each for each in MODULES if each not in FREE_TO_NAME_NOISE]
    assert not found_in(others, lambda module: (names_in(module) & names) | (own_imports_of(module) & files))


@pytest.mark.parametrize("module", ["par_core.errors", "par_core.evidence"])
def test_errors_and_evidence_stand_under_everything(module):
    assert own_imports_of(module) <= {"par_core.old_names"}


def test_planning_drawing_and_pages_name_no_mechanism():
    """They ask what every mechanism answers, so that a new one is a file and a line in the table of mechanisms."""

    def mechanisms_named_in(module):
        tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
        named = {getattr(node, "id", getattr(node, "attr", getattr(node, "name", ""))) for node in ast.walk(tree)}
        return named & {"Laplace", "DiscreteLaplace", "Gaussian"}

    above = [each for each in MODULES if inside(each, "par_core.release") or layer_of(each) != "core"]
    assert not found_in(above, mechanisms_named_in)


def test_no_file_imports_in_a_circle():
    done, path = set(), []

    def visit(module):
        assert module not in path, " imports ".join([*path[path.index(module) :], module])
        if module in done:
            return
        path.append(module)
        for each in sorted(own_imports_of(module)):
            visit(each)
        path.pop()
        done.add(module)

    for module in MODULES:
        visit(module)
    assert done == set(MODULES)


def page_of(module):
    """The page that a module belongs to; what several pages share belongs to none."""
    parts = module.split(".")
    return parts[1] if parts[0] == "pages" and len(parts) > 1 and parts[1] != "shared" else None


PAGES = [each for each in MODULES if page_of(each)]


def test_a_page_holds_no_mathematics():
    mathematics = {"numpy", "scipy", "math", "pandas", "plotly"}
    of_pages = [each for each in PAGES if each.count(".") == 1]
    assert not found_in(of_pages, lambda module: third_party_of(module) & mathematics)


def test_the_sections_of_a_page_only_read_tables_and_round():
    assert not found_in(PAGES, lambda module: third_party_of(module) & {"scipy", "plotly"})


def test_each_query_class_exists_once():
    """Whoever looks for `class Sum` finds the statistic: what tables, panels and pairs do with it has names of its own."""
    found = []
    for module in of_layer("core"):
        for node in ast.parse(MODULES[module].read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found.append(node.name)
            elif isinstance(node, ast.Assign):
                found += [each.id for each in node.targets if isinstance(each, ast.Name)]
    names = ("Count", "Histogram", "Mean", "Quantile", "Query", "Sum", "Variance")
    assert {name: found.count(name) for name in names} == dict.fromkeys(names, 1)


def test_nothing_imports_plotly_express():
    assert not found_in(MODULES, lambda module: [each for each in imports_of(module) if inside(each, "plotly.express")])


def test_what_a_page_holds_serves_that_page_alone():
    """What a second page needs moves to `pages.shared`, which in turn knows no page."""

    def of_others(module):
        return [each for each in own_imports_of(module) if page_of(each) not in (None, page_of(module))]

    assert not found_in([each for each in MODULES if inside(each, "pages")], of_others)


def test_every_page_has_an_entry_for_the_very_first_visitor_and_the_folder_nothing_else():
    """Without it Streamlit, which has not met `st.navigation` yet, says that there is no such page."""
    entries = {each.name.removeprefix("1_").removesuffix(".py"): each.read_text() for each in ROOT.glob("pages/*.py")}
    assert set(entries) == {page_of(each) for each in PAGES} - {"overview"}
    assert len(set(entries.values())) == 1


def test_the_core_works_alone():
    modules = [each for each in of_layer("core") if not each.endswith("__main__")]
    script = f"""
import importlib, sys
sys.modules.update(streamlit=None, plotly=None, par_distributed=None)  # importing one of them now fails
for module in {modules!r}:
    importlib.import_module(module)
"""
    result = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


BASES = {"PROVEN", "PUBLISHED", "MODEL", "ESTIMATE", "Basis", "Toward"}


def bases_named_in(source):
    """What a file names of bases and rounding sides: names and imports of `par_core.evidence`, and `toward=`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("par_core"):
            yield from (alias.name for alias in node.names if alias.name in BASES | {"evidence"})
        elif isinstance(node, ast.Name) and node.id in BASES - {"MODEL"}:  # a page has a setting of that name
            yield node.id
        elif isinstance(node, ast.Attribute) and node.attr in BASES - {"MODEL"}:
            yield node.attr
        elif isinstance(node, ast.keyword) and node.arg == "toward":
            yield "toward="


def test_a_page_names_no_basis_and_no_side_of_rounding():
    """Results hand out both: see `Words` and `badges`."""
    others = [each for each in MODULES if inside(each, "pages")]
    assert not found_in(others, lambda module: bases_named_in(MODULES[module].read_text(encoding="utf-8")))


def test_a_basis_is_found_under_each_of_its_names():
    for source in (
        "from par_core.evidence import PROVEN",
        "from par_core.evidence import MODEL as assumed",
        "from par_core import evidence",
        "found.evidence.basis is core.PUBLISHED",
        "amount(1.0, toward='up')",
    ):
        assert list(bases_named_in(source)), source
