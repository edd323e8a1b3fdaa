"""Every number that the package gives out says what it is worth; modules written later are looked at too."""

import ast
import collections.abc
import dataclasses
import importlib
import inspect
import pkgutil
import types
import typing
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

import par_core
import par_distributed
from par_core.cost import CostModel, optimum
from par_core.evidence import MODEL, PROVEN, PUBLISHED, Basis, Evidence, Quantity, Result, evidence_of
from par_core.published.explicit import calibrate

# Modules that give out no results.
INFRASTRUCTURE = {
    "par_core.errors": "kinds of failure",
    "par_core.limits": "checks of arguments that several share",
    "par_core.parameters": "checks of arguments",
    "par_core.evidence": "what this test is about",
    "par_core.queries.statistics": "what is asked for; whoever answers it has an evidence",
    "par_core.scenario": "the steward's own settings",
    "par_core.deployment": "the settings of whoever runs the dashboard",
    "par_core.mechanisms.mechanism": "questions, and checks of their arguments; each mechanism has an evidence",
    "par_core.composition.loss_distribution": "steps on the way to `exact`, whose result has an evidence",
    "par_core.composition.delta_from_loss": "steps on the way to `exact`, whose result has an evidence",
    "par_core.mechanisms.gaussian_dp": "steps on the way to `gaussian`, whose result has an evidence",
    "par_core.composition.dominating_pairs": "steps on the way to `compose`, whose result has an evidence",
    "par_core.composition.tilted_masses": "steps on the way to `compose`, whose result has an evidence",
    "par_core.composition.lower_end": "steps on the way to `compose`, whose result has an evidence",
    "par_core.composition.gaussian_bound": "steps on the way to `compose`, whose result has an evidence",
    "par_core.audit.limit_bets": "steps on the way to `intervals`, whose result has an evidence",
    "par_distributed.true_limits": "steps on the way to `audit_dataset`, whose result has an evidence",
    "par_core.audit.outputs.answer_sets": "steps on the way to `refute` and `epsilon_at_least`, whose results have an evidence",
    "par_core.audit.outputs.betting": "steps on the way to `refute`, whose result has an evidence",
    "par_core.audit.outputs.measured": "steps on the way to `epsilon_at_least`, whose result has an evidence",
    "par_core.memory": "what the machine has",
    "par_core.toml_text": "files",
    "par_distributed.columns": "checks of the columns of a data set",
    "par_distributed.results_folder": "files",
    "par_distributed.dataset": "where the rows of a data set lie",
    "par_distributed.contributions": "steps on the way to `audit_dataset`, whose result has an evidence",
    "par_distributed.blocks": "steps on the way to `audit_dataset`, whose result has an evidence",
    "par_distributed.running": "who computes",
    "par_distributed.kernels": "steps on the way to `audit_dataset`, whose result has an evidence",
    "par_distributed.sorting": "steps on the way to `audit_dataset`, whose result has an evidence",
    "par_core.composition.arguments": "what may be asked about",
    "par_core.json_text": "what a file holds",
    "par_core.composition.lattice": "steps on the way to `exact`, whose result has an evidence",
    "par_core.composition.mixed": "steps on the way to `exact`, whose result has an evidence",
    "par_core.composition.step_by_step": "steps on the way to `exact`, whose result has an evidence",
}
# Packages that read files, show results that were made elsewhere, or keep books on them.
OTHER_LAYERS = (
    "par_core.tables",
    "par_core.figures",
    "par_core.export",
    "par_core.claims",
    "par_core.questions",
    "par_core.cli",
)

# Public dataclasses that are questions or parts of an answer, with the reason. Everything else is a result.
NOT_RESULTS: dict[str, str] = {
    "par_core.cost.models.CostModel": "the steward's own assumptions about costs",
    "par_core.cost.models.FixedPlusPerHead": "the steward's own assumptions about costs",
    "par_core.cost.table.PiecewiseLinear": "the steward's own assumptions about costs",
    "par_core.decision.wishes.ErrorWish": "a wish",
    "par_core.decision.wishes.GroupWish": "a wish",
    "par_core.decision.wishes.BeliefWish": "a wish",
    "par_core.decision.wishes.RiseWish": "a wish",
    "par_core.decision.wishes.AttackWish": "a wish",
    "par_core.decision.wishes.BaselineWish": "a wish",
    "par_core.decision.wishes.AdvantageWish": "a wish",
    "par_core.decision.wishes.MoneyWish": "a wish",
    "par_core.decision.wishes.ReleasesWish": "a wish",
    "par_core.plan.plan_scenario.PlanScenario": "what is asked for",
    "par_core.decision.kinds.Number": "part of a wish, before it is made",
    "par_core.decision.kinds.Kind": "a wish, before it is made",
    "par_core.lab.classroom.Progress": "counts of a class, told as they are",
    "par_core.lab.classroom.Seat": "a place in a class",
    "par_core.lab.questions.Kind": "a question, before it is asked",
    "par_core.sampling.pair_queries.CountOf": "a question",
    "par_core.sampling.pair_queries.SumOf": "a question",
    "par_core.sampling.pair_queries.MeanOf": "a question",
    "par_core.sampling.pair_queries.VarianceOf": "a question",
    "par_core.sampling.pair_queries.QuantileOf": "a question",
    "par_core.sampling.pair_queries.HistogramOf": "a question",
    "par_core.sampling.pair_regression.RidgeOf": "a question",
    "par_core.queries.conditions.Condition": "part of a question",
    "par_core.queries.groups.Groups": "part of a question",
    "par_core.queries.counts.TableCount": "a question",
    "par_core.queries.counts.CountBy": "a question",
    "par_core.queries.histogram.TableHistogram": "a question",
    "par_core.queries.person_counts.PersonCount": "a question",
    "par_core.queries.person_counts.PersonCountBy": "a question",
    "par_core.queries.amounts.TableSum": "a question",
    "par_core.queries.amounts.TableMean": "a question",
    "par_core.queries.amounts.TableAmount": "a question",
    "par_core.queries.shares.TableShare": "a question",
    "par_core.queries.statistics.Share": "part of a question",
    "par_core.queries.quantiles.TableQuantile": "a question",
    "par_core.plan.plan.Release": "what is asked for",
    "par_core.plan.plan.Plan": "what is asked for",
    "par_core.plan.named.NamedRelease": "what is asked for",
    "par_core.ledger.checking.Line": "a sentence of a check, which has the numbers",
    "par_core.ledger.ledger.Ledger": "what was recorded",
    "par_core.ledger.lines.Lines": "the lines of a file",
    "par_core.ledger.policy.Policy": "the limits that people have agreed on",
    "par_core.ledger.record.Place": "what was recorded",
    "par_core.ledger.record.Record": "what was recorded",
    "par_core.ledger.reserving.Reservation": "a check, which has the numbers, with what was recorded",
    "par_core.queries.statistics.Bounds": "part of a question",
    "par_core.queries.shapes.Shape": "part of a question",
    "par_core.queries.shapes.NumbersShape": "part of a question",
    "par_core.queries.shapes.CountsShape": "part of a question",
    "par_core.queries.shapes.SumShape": "part of a question",
    "par_core.queries.shapes.MeanShape": "part of a question",
    "par_core.queries.shapes.ShareShape": "part of a question",
    "par_core.queries.quantile_shape.QuantileShape": "part of a question",
    "par_core.queries.statistics.Statistic": "part of a question",
    "par_core.queries.statistics.Count": "part of a question",
    "par_core.queries.statistics.Histogram": "part of a question",
    "par_core.queries.statistics.OfNumbers": "part of a question",
    "par_core.queries.statistics.Sum": "part of a question",
    "par_core.queries.statistics.Mean": "part of a question",
    "par_core.queries.statistics.Variance": "part of a question",
    "par_core.queries.statistics.Quantile": "part of a question",
    "par_core.datasets.dataset.Dataset": "data to ask about",
    "par_core.datasets.deployments.Deployment": "what others report of themselves",
    "par_core.regression.problem.RidgeProblem": "a question with its data",
    "par_core.regression.presets.RidgePreset": "a question with its data",
}


def modules():
    ours = [pkgutil.walk_packages(each.__path__, f"{each.__name__}.") for each in (par_core, par_distributed)]
    for found in chain(*ours):
        if found.name not in INFRASTRUCTURE and not found.name.startswith(OTHER_LAYERS):
            yield importlib.import_module(found.name)


def public_members(module, kind):
    for name, member in vars(module).items():
        if not name.startswith("_") and kind(member) and member.__module__ == module.__name__:
            yield f"{module.__name__}.{name}", member


def is_function(member):
    return inspect.isroutine(member) and hasattr(member, "__module__")


def gives_numbers(annotation):
    """Whether a result of this type is a bare number or holds some (arrays, tuples, mappings, unions of them)."""
    origin = typing.get_origin(annotation)
    if annotation is typing.Any or annotation is inspect.Parameter.empty:
        return True
    if origin in (collections.abc.Iterator, collections.abc.Generator, collections.abc.Iterable, typing.TypeGuard):
        return False
    if origin is typing.Annotated:
        return gives_numbers(typing.get_args(annotation)[0])
    if origin is not None and not (inspect.isclass(origin) and issubclass(origin, np.ndarray)):
        inside = origin in (typing.Union, types.UnionType) or issubclass(origin, tuple | collections.abc.Collection)
        return inside and any(gives_numbers(part) for part in typing.get_args(annotation) if part is not Ellipsis)
    kind = origin or annotation
    numbers = (int, float, complex, np.ndarray, np.number)
    return inspect.isclass(kind) and issubclass(kind, numbers) and not issubclass(kind, bool | Basis)


def complaints(module, *, not_results=NOT_RESULTS):
    """List what in a module gives out numbers without saying what they are worth."""
    found = []
    for name, function in public_members(module, is_function):
        wrapped = inspect.unwrap(function)
        if gives_numbers(typing.get_type_hints(wrapped).get("return", inspect.Parameter.empty)):
            try:
                evidence = evidence_of(function)
            except AttributeError:
                found.append(f"{name} returns bare numbers and has no evidence")
                continue
            if not evidence.source.strip():
                found.append(f"{name} has no source")
    for name, kind in public_members(module, inspect.isclass):
        if dataclasses.is_dataclass(kind) and name not in not_results:
            has = {name for name in dir(kind) if getattr(kind, name) is not getattr(Result, name, None)}
            has |= {"source"} if issubclass(kind, Result) else set()
            found.extend(f"{name} is a result without `{part}`" for part in ("evidence", "source") if part not in has)
    return found


def test_every_number_has_its_evidence():
    looked_at = list(modules())
    assert {"par_core.published.explicit", "par_core.mechanisms.laplace"} <= {m.__name__ for m in looked_at}
    assert [complaint for module in looked_at for complaint in complaints(module)] == []


def test_exclusions_say_why():
    assert all(
        reason.strip()
        for reason in (*INFRASTRUCTURE.values(), *NOT_RESULTS.values(), *TOLD.values(), *BY_HAND.values())
    )


# --- nobody sets by hand what a number rests on ------------------------------------------------------------------

# Dataclasses whose constructor takes one of these, with the reason.
TOLD: dict[str, str] = {
    "par_core.evidence.Evidence": "the record itself",
    "par_core.evidence.Quantity": "one number with the record of its result",
    "par_core.evidence.Stated": "a row of the table of a result, some of whose numbers have another basis",
    "par_core.audit.panel.Panel": "how the reader's databases came about",
    "par_core.datasets.dataset.Dataset": "who published the data",
    "par_core.datasets.deployments.Deployment": "where others report of themselves",
    "par_core.export.notebook.Cell": "the text of a cell, which a notebook calls so",
    "par_core.lab.questions.Kind": "the table of the questions, from which their evidence is made",
    "par_core.questions.blocks.Chart": "what stands below a picture",
    "par_core.questions.blocks.Formula": "what stands below a formula",
    "par_core.questions.empirical_audit.audited.AuditedAnswer": "which data were audited",
}
OF_EVIDENCE = {"standing", "basis", "evidence", "source", "limits"}


def constructors():
    ours = [pkgutil.walk_packages(each.__path__, f"{each.__name__}.") for each in (par_core, par_distributed)]
    for found in chain(*ours):
        if not found.name.endswith("__main__") and ".scripts." not in found.name:
            module = importlib.import_module(found.name)
            kinds = (kind for kind in vars(module).values() if inspect.isclass(kind))
            yield from (kind for kind in kinds if dataclasses.is_dataclass(kind) and kind.__module__ == module.__name__)


def test_no_constructor_takes_what_a_number_rests_on():
    kinds = {f"{kind.__module__}.{kind.__qualname__}": kind for kind in constructors()}
    taking = {name for name, kind in kinds.items() if OF_EVIDENCE & set(inspect.signature(kind.__init__).parameters)}
    assert len(kinds) > 300
    assert taking == set(TOLD)


# Files that make a record elsewhere than of a class, in its property or above a function, with the reason.
BY_HAND: dict[str, str] = {
    "composition/comparison.py": "one call that two accountants rest on, each in its own way",
    "cost/confidence.py": "the confidence is chosen when it is made",
    "evidence.py": "the record itself",
    "lab/questions.py": "a count that is only told to explain an answer",
    "lab/quiz.py": "the answers of the table of questions",
    "questions/empirical_audit/each_database.py": "one for two functions",
    "questions/paper_check/opened_claim.py": "a verdict's own numbers, each with its basis",
}


def made_by_hand(tree):
    """Calls of `Evidence` in a file that stand neither above a function nor in a class or what it says it rests on."""
    allowed = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            said = [node] if node.name.strip("_") in ("evidence", "as_of_the_weaker") else node.decorator_list
            allowed |= {id(each) for part in said for each in ast.walk(part)}
        if isinstance(node, ast.ClassDef):
            plain = (part for part in node.body if isinstance(part, ast.Assign | ast.AnnAssign))
            allowed |= {id(each) for part in plain for each in ast.walk(part)}
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and id(node) not in allowed)
    return [node for node in calls if getattr(node.func, "id", "") == "Evidence"]


def test_nobody_makes_up_what_a_number_rests_on():
    root = Path(par_core.__file__).parent
    trees = {
        path.relative_to(root).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in root.rglob("*.py")
    }
    assert {name for name, tree in trees.items() if made_by_hand(tree)} == set(BY_HAND)


def test_a_result_changed_in_part_rests_on_what_it_then_holds():
    found = calibrate(epsilon=0.4, wanted=0.6)
    assert dataclasses.replace(found, sensitivity=2.0).evidence is found.evidence
    best = optimum(CostModel(5500, 100), 0.5)
    assert best.evidence.basis is MODEL
    assert dataclasses.replace(best, truth="published").evidence.basis is PUBLISHED


def test_a_quantity_rests_on_what_its_result_rests_on():
    found = calibrate(epsilon=0.4, wanted=0.6)
    assert found.quantity("confidence").evidence == found.evidence == Evidence(PUBLISHED, found.source, found.limits)
    assert found.quantity("exact_confidence").evidence == dataclasses.replace(found.evidence, basis=PROVEN)
    assert Quantity(1, "count").evidence is None


# --- the test itself: it complains where it should ---------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class WithoutEvidence:
    value: float


@dataclasses.dataclass(frozen=True)
class WithEvidence(Result):
    value: float
    evidence = Evidence(PROVEN, source="arithmetic")


def bare() -> float:
    return 1.0


@Evidence(PROVEN, source=" ")
def sourceless() -> tuple[np.ndarray, str]:
    return np.ones(1), ""


@Evidence(PROVEN, source="arithmetic")
def declared() -> float:
    return 1.0


def unannotated():
    return 1.0


def harmless() -> tuple[str, bool]:
    return "", True


def result() -> WithEvidence:
    return WithEvidence(1.0)


@pytest.mark.parametrize(
    ("member", "complaint"),
    [
        (bare, "returns bare numbers"),
        (unannotated, "returns bare numbers"),
        (sourceless, "has no source"),
        (WithoutEvidence, "without `evidence`"),
        (declared, None),
        (harmless, None),
        (result, None),
        (WithEvidence, None),
    ],
)
def test_it_complains_where_it_should(member, complaint):
    module = types.ModuleType(__name__)
    setattr(module, member.__name__, member)
    found = complaints(module)
    assert bool(found) is (complaint is not None)
    if complaint:
        assert complaint in found[0]


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (float, True),
        (int | None, True),
        (dict[str, float], True),
        (list[np.ndarray], True),
        (np.typing.NDArray[np.float64], True),
        (typing.Any, True),
        (typing.Optional[float], True),  # noqa: UP045  # both spellings of a union have to be seen
        (bool, False),
        (str | None, False),
        (None, False),
        (type(None), False),
        (collections.abc.Iterator[np.ndarray], False),
        (collections.abc.Callable[[float], float], False),
        (tuple[WithEvidence, ...], False),
    ],
)
def test_which_results_are_numbers(annotation, expected):
    assert gives_numbers(annotation) is expected


# --- functions -----------------------------------------------------------------------------------------------------


def test_evidence_is_attached_and_leaves_the_function_alone():
    assert evidence_of(declared) == Evidence(PROVEN, "arithmetic", "")
    assert declared() == 1.0


def test_a_published_number_must_say_where_it_fails():
    with pytest.raises(ValueError, match="must say where it fails"):
        Evidence(PUBLISHED, source="a paper")(bare)
    assert Evidence(PUBLISHED, source="a paper", limits="always")(bare) is bare
    del bare.evidence


def test_a_number_by_a_model_must_say_what_it_assumes():
    with pytest.raises(ValueError, match="must say what it assumes"):
        Evidence(MODEL, source="a model of cost")(bare)


def test_nothing_attached_is_an_error():
    with pytest.raises(AttributeError):
        evidence_of(unannotated)


def test_each_basis_has_a_word_for_a_badge():
    assert [basis.value for basis in Basis] == ["proven", "as published", "by your model", "estimate"]
