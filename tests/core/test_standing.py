"""Every number that the package gives out says what it is worth; modules written later are looked at too."""

import collections.abc
import dataclasses
import importlib
import inspect
import pkgutil
import types
import typing
from itertools import chain

import numpy as np
import pytest

import par_core
import par_distributed
from par_core.standing import MODEL, PROVEN, PUBLISHED, Declaration, Standing, declaration_of, declare

# Modules that give out no results.
INFRASTRUCTURE = {
    "par_core.errors": "kinds of failure",
    "par_core.limits": "checks of arguments that several share",
    "par_core.parameters": "checks of arguments",
    "par_core.standing": "what this test is about",
    "par_core.queries.statistics": "what is asked for; whoever answers it has a standing",
    "par_core.scenario": "the steward's own settings",
    "par_core.deployment": "the settings of whoever runs the dashboard",
    "par_core.mechanisms.mechanism": "questions, and checks of their arguments; each mechanism has a standing",
    "par_core.composition.loss_distribution": "steps on the way to `exact`, whose result has a standing",
    "par_core.composition.delta_from_loss": "steps on the way to `exact`, whose result has a standing",
    "par_core.mechanisms.gaussian_dp": "steps on the way to `gaussian`, whose result has a standing",
    "par_core.composition.profiles": "steps on the way to `compose`, whose result has a standing",
    "par_core.composition.gaussian_bound": "steps on the way to `compose`, whose result has a standing",
    "par_core.audit.limit_bets": "steps on the way to `intervals`, whose result has a standing",
    "par_distributed.true_limits": "steps on the way to `audit_dataset`, whose result has a standing",
    "par_core.audit.outputs.answer_sets": "steps on the way to `refute` and `epsilon_at_least`, whose results have a standing",
    "par_core.audit.outputs.betting": "steps on the way to `refute`, whose result has a standing",
    "par_core.audit.outputs.measured": "steps on the way to `epsilon_at_least`, whose result has a standing",
    "par_core.memory": "what the machine has",
    "par_distributed.columns": "checks of the columns of a data set",
    "par_distributed.results_folder": "files",
    "par_distributed.dataset": "where the rows of a data set lie",
    "par_distributed.contributions": "steps on the way to `audit_dataset`, whose result has a standing",
    "par_distributed.blocks": "steps on the way to `audit_dataset`, whose result has a standing",
    "par_distributed.running": "who computes",
    "par_distributed.kernels": "steps on the way to `audit_dataset`, whose result has a standing",
    "par_distributed.sorting": "steps on the way to `audit_dataset`, whose result has a standing",
    "par_core.composition.arguments": "what may be asked about",
    "par_core.composition.lattice": "steps on the way to `exact`, whose result has a standing",
    "par_core.composition.mixed": "steps on the way to `exact`, whose result has a standing",
    "par_core.composition.step_by_step": "steps on the way to `exact`, whose result has a standing",
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
    "par_core.decision.kinds.Number": "part of a wish, before it is made",
    "par_core.decision.kinds.Kind": "a wish, before it is made",
    "par_core.lab.questions.Kind": "a question, before it is asked",
    "par_core.sampling.pair_queries.CountOf": "a question",
    "par_core.sampling.pair_queries.SumOf": "a question",
    "par_core.sampling.pair_queries.MeanOf": "a question",
    "par_core.sampling.pair_queries.VarianceOf": "a question",
    "par_core.sampling.pair_queries.QuantileOf": "a question",
    "par_core.sampling.pair_queries.HistogramOf": "a question",
    "par_core.sampling.pair_regression.RidgeOf": "a question",
    "par_core.queries.conditions.Condition": "part of a question",
    "par_core.queries.counts.TableCount": "a question",
    "par_core.queries.counts.CountBy": "a question",
    "par_core.queries.person_counts.PersonCount": "a question",
    "par_core.queries.person_counts.PersonCountBy": "a question",
    "par_core.queries.amounts.TableSum": "a question",
    "par_core.queries.amounts.TableMean": "a question",
    "par_core.queries.amounts.TableAmount": "a question",
    "par_core.queries.statistics.Bounds": "part of a question",
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
    return inspect.isclass(kind) and issubclass(kind, numbers) and not issubclass(kind, bool | Standing)


def complaints(module, *, not_results=NOT_RESULTS):
    """List what in a module gives out numbers without saying what they are worth."""
    found = []
    for name, function in public_members(module, is_function):
        wrapped = inspect.unwrap(function)
        if gives_numbers(typing.get_type_hints(wrapped).get("return", inspect.Parameter.empty)):
            try:
                declaration = declaration_of(function)
            except AttributeError:
                found.append(f"{name} returns bare numbers and declares no standing")
                continue
            if not declaration.source.strip():
                found.append(f"{name} declares no source")
    for name, kind in public_members(module, inspect.isclass):
        if dataclasses.is_dataclass(kind) and name not in not_results:
            has = {field.name for field in dataclasses.fields(kind)} | set(dir(kind))
            found.extend(f"{name} is a result without `{part}`" for part in ("standing", "source") if part not in has)
    return found


def test_every_number_has_its_standing():
    looked_at = list(modules())
    assert {"par_core.published.explicit", "par_core.mechanisms.laplace"} <= {m.__name__ for m in looked_at}
    assert [complaint for module in looked_at for complaint in complaints(module)] == []


def test_exclusions_say_why():
    assert all(reason.strip() for reason in (*INFRASTRUCTURE.values(), *NOT_RESULTS.values()))


# --- the test itself: it complains where it should ---------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class WithoutStanding:
    value: float


@dataclasses.dataclass(frozen=True)
class WithStanding:
    value: float
    standing: Standing = PROVEN
    source: str = "arithmetic"


def bare() -> float:
    return 1.0


@declare(PROVEN, source=" ")
def sourceless() -> tuple[np.ndarray, str]:
    return np.ones(1), ""


@declare(PROVEN, source="arithmetic")
def declared() -> float:
    return 1.0


def unannotated():
    return 1.0


def harmless() -> tuple[str, bool]:
    return "", True


def result() -> WithStanding:
    return WithStanding(1.0)


@pytest.mark.parametrize(
    ("member", "complaint"),
    [
        (bare, "returns bare numbers"),
        (unannotated, "returns bare numbers"),
        (sourceless, "declares no source"),
        (WithoutStanding, "without `standing`"),
        (declared, None),
        (harmless, None),
        (result, None),
        (WithStanding, None),
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
        (tuple[WithStanding, ...], False),
    ],
)
def test_which_results_are_numbers(annotation, expected):
    assert gives_numbers(annotation) is expected


# --- declarations ------------------------------------------------------------------------------------------------


def test_declare_attaches_and_leaves_the_function_alone():
    assert declaration_of(declared) == Declaration(PROVEN, "arithmetic", "")
    assert declared() == 1.0


def test_a_published_number_must_say_where_it_fails():
    with pytest.raises(ValueError, match="must say where it fails"):
        declare(PUBLISHED, source="a paper")
    assert declare(PUBLISHED, source="a paper", limits="always")(bare) is bare
    del bare.declaration


def test_a_number_by_a_model_must_say_what_it_assumes():
    with pytest.raises(ValueError, match="must say what it assumes"):
        declare(MODEL, source="a model of cost")


def test_nothing_attached_is_an_error():
    with pytest.raises(AttributeError):
        declaration_of(unannotated)


def test_standings_have_words_for_a_badge():
    assert [standing.value for standing in Standing] == ["proven", "as published", "by your model", "estimate"]
