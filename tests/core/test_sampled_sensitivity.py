"""Sampled sensitivities: what the sample answers, the work in batches, and what cannot be sampled."""

import math
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.evidence import ESTIMATE, PUBLISHED
from par_core.progress import Cancelled
from par_core.queries import Condition
from par_core.sampling import (
    CountOf,
    HistogramOf,
    MeanOf,
    QuantileOf,
    RidgeOf,
    SensitivitySample,
    SumOf,
    VarianceOf,
    coverage,
    fit_population,
    rank_for,
    rho_for,
    sample_sensitivity,
    sampled,
    tolerance,
)
from par_core.sampling.population import TableSource

QUERIES = [
    CountOf(Condition("group", "==", "a")),
    SumOf("pay", (0, 100)),
    MeanOf("pay"),
    VarianceOf("pay"),
    QuantileOf("pay"),
    QuantileOf("pay", at=0.9),
    HistogramOf("group", categories=("a", "b")),
    RidgeOf("pay", ("age", "children"), (0, 100)),
    RidgeOf("pay", ("group", "age"), (0, 100), intercept=True, categories=(("group", ("a", "b", "c")),)),
]


def generator(seed=1):
    return np.random.default_rng(seed)


def table_of(size):
    rng = generator(7)
    return pd.DataFrame(
        {
            "pay": rng.gamma(2.0, 20.0, size),
            "age": rng.uniform(20, 60, size),
            "children": rng.integers(0, 5, size),
            "group": rng.choice(list("abc"), size),
        }
    )


def sample_of(values):
    return SensitivitySample(np.array(values, dtype=float), rows=10)


def by_label(query):
    return f"{query.label} by {', '.join(query.used_columns)}"


# --- what the sample answers ------------------------------------------------------------------------------------


def test_values_are_sorted_and_locked():
    given = np.array([3.0, 1.0, 2.0])
    sample = SensitivitySample(given, rows=10)
    assert sample.values.tolist() == [1.0, 2.0, 3.0]
    assert given.tolist() == [3.0, 1.0, 2.0]
    assert (sample.pairs, sample.evidence.basis) == (3, ESTIMATE)
    assert "never a bound" in sample.limits
    assert "holds for all that can be drawn from this table" in sample.limits
    assert "of other people it says less" in sample.limits
    with pytest.raises(ValueError, match="read-only"):
        sample.values[0] = 5.0


def test_a_quantile_is_the_smallest_value_that_the_share_does_not_exceed():
    sample = sample_of([1, 2, 2, 2, 7])
    shares = [0, 0.1, 0.2, 0.2000001, 0.8, 0.8000001, 1]
    assert sample.quantile(shares).tolist() == [1, 1, 1, 2, 2, 7, 7]
    assert isinstance(sample.quantile(0.5), float)
    hundred = sample_of(range(1, 101))
    assert hundred.quantile(np.arange(1, 101) / 100).tolist() == list(range(1, 101))  # 0.07·100 is above 7 as floats go


@pytest.mark.parametrize("size", [1, 2, 7, 10, 997])
def test_quantile_and_cdf_belong_together(size):
    sample = sample_of(generator().integers(0, 40, size))
    shares = generator(2).random(200)
    found = sample.quantile(shares)
    assert (sample.cdf(found) >= shares).all()
    assert (np.isin(found, sample.values)).all()
    below = np.array([np.mean(sample.values < each) for each in found])
    assert (below < shares).all()


def test_the_cdf_is_the_share_up_to_and_with_a_value():
    sample = sample_of([1, 2, 2, 7])
    assert sample.cdf([0.9, 1, 1.9, 2, 6.9, 7, 1e9]).tolist() == [0, 0.25, 0.25, 0.75, 0.75, 1, 1]
    assert sample.cdf(2) == 0.75


def test_the_band_lies_rho_beside_the_cdf():
    values = generator().random(400)
    sample = sample_of(values)
    lower, upper = sample.band(0.9)
    rho, share = rho_for(400, 0.9), np.arange(1, 401) / 400
    assert lower == pytest.approx(np.maximum(share - rho, 0))
    assert upper == pytest.approx(np.minimum(share + rho, 1))
    assert (sample.band(0.99)[0] <= lower).all()
    assert sample_of([1, 1, 1, 1]).band(0.5)[0].tolist() == pytest.approx([1 - rho_for(4, 0.5)] * 4)


def test_all_zeros_work():
    sample = sample_of([0] * 50)
    assert (sample.quantile(0.9), sample.cdf(0), sample.cdf(-1e-9)) == (0.0, 1.0, 0.0)
    assert sample.for_confidence(0.5, 0.2).value == 0.0
    assert sample.for_share(0.9, 0.5).value == 0.0
    assert sample.band(0.9)[1].tolist() == [1.0] * 50


def test_the_published_choice():
    sample = sample_of(range(1, 15_001))
    found = sample.for_confidence(0.85, 0.01)
    alpha = 1 - 2 * math.exp(-2 * 0.01**2 * 15_000)
    assert found.alpha == pytest.approx(alpha, abs=1e-15)
    assert found.confidence2 == pytest.approx(0.85 / alpha, abs=1e-15)
    assert found.rank == found.value == math.ceil(15_000 * 0.85 / alpha)
    assert found.mean_coverage == pytest.approx(found.rank / 15_001)
    assert found.certainty == coverage(15_000, found.rank, share=0.85)
    assert (found.evidence.basis, sample.evidence.basis) == (PUBLISHED, ESTIMATE)
    assert "loses a -rho" in found.limits


def test_an_empirical_confidence_above_alpha_cannot_be_had():
    sample = sample_of(range(100))
    alpha = tolerance(100, 0.1)
    assert sample.for_confidence(alpha, 0.1).value == 99
    with pytest.raises(InfeasibleError, match="no empirical confidence above 0.729329 can be had") as caught:
        sample.for_confidence(alpha + 1e-12, 0.1)
    assert caught.value.best == alpha
    with pytest.raises(InfeasibleError) as caught:
        sample.for_confidence(1e-9, 0.01)  # alpha is 0: the inequality says nothing
    assert caught.value.best == 0.0


def test_the_choice_by_exact_coverage():
    sample = sample_of(range(1, 1001))
    found = sample.for_share(0.9, 0.95)
    assert found.rank == found.value == rank_for(1000, share=0.9, wanted=0.95) == 916
    assert found.certainty == coverage(1000, 916, share=0.9) >= 0.95
    assert found.mean_coverage == pytest.approx(916 / 1001)
    with pytest.raises(InfeasibleError, match="even the largest of 10 sampled values") as caught:
        sample_of(range(10)).for_share(0.9, 0.95)
    assert caught.value.best == pytest.approx(1 - 0.9**10)


@pytest.mark.parametrize(
    ("ask", "name"),
    [
        (lambda sample: sample.quantile(1.1), "share"),
        (lambda sample: sample.quantile(math.nan), "share"),
        (lambda sample: sample.cdf("a"), "x"),
        (lambda sample: sample.band(1.0), "confidence"),
        (lambda sample: sample.band([0.5]), "confidence"),
        (lambda sample: sample.for_confidence(0, 0.1), "wanted"),
        (lambda sample: sample.for_confidence(0.5, 0), "rho"),
        (lambda sample: sample.for_confidence(0.5, [0.1, 0.2]), "rho"),
        (lambda sample: sample.for_share(1.1, 0.5), "share"),
        (lambda sample: sample.for_share(0.9, 1.0), "wanted"),
        (lambda _: sample_of([]), "values"),
        (lambda _: sample_of([1, -1]), "values"),
        (lambda _: sample_of([1, math.inf]), "values"),
        (lambda _: sample_of([[1, 2]]), "values"),
    ],
)
def test_arguments_out_of_range_are_named(ask, name):
    with pytest.raises(ParameterError, match=f"^{name} must"):
        ask(sample_of([1, 2, 3]))


# --- sampling ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fitted", [False, True])
@pytest.mark.parametrize("query", QUERIES, ids=by_label)
def test_the_fast_way_samples_what_a_loop_over_the_query_samples(query, fitted):
    population = fit_population(table_of(300)) if fitted else table_of(300)
    fast, slow = (
        sample_sensitivity(each, population, rows=9, pairs=50, rng=generator())
        for each in (query, lambda rows: query(rows))
    )
    assert fast.values.max() > 0
    assert fast.values == pytest.approx(slow.values, abs=1e-11)  # sums of amounts up to a thousand
    assert (fast.rows, slow.rows) == (9, 9)
    assert (fast.worst_case, slow.worst_case) == (query.worst_case(9), None)


@pytest.mark.parametrize("fitted", [False, True])
@pytest.mark.parametrize("query", QUERIES, ids=by_label)
def test_the_same_seed_gives_the_same_sample_whatever_the_size_of_a_batch(query, fitted, monkeypatch):
    population = fit_population(table_of(300)) if fitted else table_of(300)
    at_once = sample_sensitivity(query, population, rows=9, pairs=200, rng=generator())
    monkeypatch.setattr(sampled, "_CELLS", 100)
    monkeypatch.setattr(sampled, "_PAIRS_WITHOUT", 7)
    shares = []
    in_batches = sample_sensitivity(query, population, rows=9, pairs=200, rng=generator(), progress=shares.append)
    assert len(shares) >= 18
    assert in_batches.values == pytest.approx(at_once.values, rel=1e-12, abs=1e-15)
    other = sample_sensitivity(query, population, rows=9, pairs=200, rng=generator(2))
    assert other.values.tolist() != at_once.values.tolist() or query.worst_case(9) in (1.0, 2.0)


def test_arrays_and_functions_of_several_numbers():
    numbers = generator(3).normal(size=(50, 2))
    sample = sample_sensitivity(lambda rows: rows.sum(axis=0), numbers, rows=5, pairs=300, rng=generator())
    apart = np.abs(numbers[:, None] - numbers[None]).sum(axis=2).ravel()
    assert np.abs(sample.values[:, None] - apart[None]).min(axis=1).max() < 1e-12
    flat = sample_sensitivity(np.median, numbers[:, 0], rows=5, pairs=300, rng=generator())
    assert 0 < flat.values.max() <= np.ptp(numbers[:, 0])


def test_a_table_of_equal_rows_has_no_sensitivity():
    table = pd.DataFrame({"pay": [3.0] * 20, "group": ["a"] * 20})
    for query in (SumOf("pay"), VarianceOf("pay"), QuantileOf("pay"), HistogramOf("group", categories=("a", "b"))):
        sample = sample_sensitivity(query, table, rows=19, pairs=50, rng=generator())
        assert sample.values.tolist() == [0.0] * 50


def test_the_smallest_table_and_data_set():
    table = pd.DataFrame({"pay": [1.0, 4.0]})
    for query, expected in ((SumOf("pay"), 3.0), (QuantileOf("pay"), 3.0), (VarianceOf("pay"), 0.0)):
        assert sample_sensitivity(query, table, rows=1, pairs=3, rng=generator()).values.tolist() == [expected] * 3


def test_only_the_columns_that_are_used_have_to_be_complete():
    table = table_of(30)
    table.loc[3, "age"] = np.nan
    assert sample_sensitivity(MeanOf("pay"), table, rows=5, pairs=10, rng=generator()).pairs == 10
    for query in (RidgeOf("pay", ("age",), (0, 100)), lambda rows: rows["pay"].sum()):
        with pytest.raises(DataError, match="missing values: 1 in column 'age'"):
            sample_sensitivity(query, table, rows=5, pairs=10, rng=generator())


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda _: "a", "number or an array of one axis"),
        (lambda _: math.nan, "finite numbers in at most one axis"),
        (lambda _: np.zeros((2, 2)), "finite numbers in at most one axis"),
        (lambda rows: np.zeros(int(rows["pay"].iloc[-1] * 1e6) % 7), "answer in one shape"),
    ],
)
def test_functions_that_do_not_answer_are_refused(answer, message):
    with pytest.raises(ParameterError, match=f"^query must answer .*|{message}"):
        sample_sensitivity(answer, table_of(30), rows=5, pairs=50, rng=generator())


def test_an_error_of_the_users_own_function_comes_through():
    def fails(_):
        raise ValueError("the user's own")

    with pytest.raises(ValueError, match="^the user's own$"):
        sample_sensitivity(fails, table_of(30), rows=5, pairs=50, rng=generator())


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"rows": 0}, ParameterError, "^rows must be a whole number at least 1"),
        ({"rows": 2.5}, ParameterError, "^rows must be a whole number"),
        ({"rows": 30}, DataError, "^the table has 30 rows"),
        ({"pairs": 0}, ParameterError, "^pairs must be a whole number at least 1"),
        ({"pairs": 10**7}, ParameterError, "^pairs must be a whole number at least 1 and at most 1e\\+06"),
        ({"rng": 5}, ParameterError, "^rng must be a numpy random Generator"),
        ({"query": "mean"}, ParameterError, "^query must be callable, got str"),
        ({"population": np.zeros(50)}, ParameterError, "^population must have named columns for MeanOf"),
        ({"population": "census"}, ParameterError, "^population must be a DataFrame"),
        ({"query": MeanOf("nothing")}, DataError, "no column named 'nothing'"),
        ({"query": MeanOf("group")}, DataError, "row 1 below the heading, column 'group'"),
    ],
)
def test_what_cannot_be_sampled_is_named(changed, error, message):
    asked = {"query": MeanOf("pay"), "population": table_of(30), "rows": 5, "pairs": 10, "rng": generator(), **changed}
    query, population = asked.pop("query"), asked.pop("population")
    with pytest.raises(error, match=message):
        sample_sensitivity(query, population, **asked)


def test_the_rank_of_a_share_is_exact_next_to_every_step():
    """A share a float above k/n takes the next value, although share·n is rounded to k; one at k/n or a float below does not."""
    rounded = 0
    for size in (3, 10, 49, 1000, 2999):
        sample = SensitivitySample(np.arange(1.0, size + 1), rows=5)
        steps = np.arange(1, size) / size
        above = np.nextafter(steps, 1)
        rounded += int(np.count_nonzero(np.ceil(above * size) / size < above))
        for shares in (above, steps, np.nextafter(steps, 0)):
            fitting = np.searchsorted(np.arange(1, size + 1) / size, shares, side="left") + 1
            assert sample.quantile(shares).tolist() == fitting.tolist()
    assert rounded > 100


def test_a_sample_of_its_own_is_checked():
    for changed, message in (
        ({"values": 0.5}, "values must have one axis, got shape \\(\\)"),
        ({"values": [[0.5]]}, "values must have one axis"),
        ({"rows": 0}, "rows must be a whole number at least 1, got 0"),
        ({"rows": "3"}, "rows must be a whole number"),
        ({"worst_case": -1.0}, "worst_case must be at least 0"),
    ):
        with pytest.raises(ParameterError, match=message):
            SensitivitySample(**{"values": [0.5], "rows": 3, **changed})


# --- long work --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", QUERIES, ids=by_label)
def test_a_step_looks_up_few_numbers(monkeypatch, query):
    """400,000 of the common rows, some hundredths of a second; or 100,000 pairs of which only two rows each are looked up."""
    taken, take = [], TableSource.take

    def counted(source, count, *, common):
        taken.append(count * (999 * query.work if common else 1))
        return take(source, count, common=common)

    monkeypatch.setattr(TableSource, "take", counted)
    told = []
    sample_sensitivity(query, table_of(2000), rows=1000, pairs=1500, rng=generator(), progress=told.append)
    assert len(told) == len(taken)
    assert max(taken) <= (400_000 if query.uses_common else 100_000)


def test_a_slow_question_tells_how_far_it_is_and_is_not_asked_again_once_stopped(monkeypatch):
    """A question of the user's own that takes 0.01 s: 0.05 s are over with the third pair."""
    asked = []

    def query(rows):
        asked.append(len(rows))
        return 0.0

    monkeypatch.setattr("par_core.sampling.sampled.time", SimpleNamespace(monotonic=lambda: 0.01 * len(asked)))
    told = []

    def stop(share):
        told.append(share)
        raise Cancelled

    with pytest.raises(Cancelled):
        sample_sensitivity(query, table_of(30), rows=5, pairs=1000, rng=generator(), progress=stop)
    assert told == [3 / 1000]
    assert asked == [5] * 6


@pytest.mark.parametrize(
    "query", [QuantileOf("pay"), VarianceOf("pay"), RidgeOf("pay", ("age",), (0, 100))], ids=by_label
)
def test_memory_is_bounded_by_the_batch(query):
    """The row numbers alone of all pairs take 48 MB."""
    table = table_of(4000)
    tracemalloc.start()
    try:
        sample_sensitivity(query, table, rows=3000, pairs=2000, rng=generator())
        assert tracemalloc.get_traced_memory()[1] < 16e6
    finally:
        tracemalloc.stop()


def test_the_certainty_is_of_the_pairs_of_this_table_and_not_of_other_people():
    """150 tables of 60 people: the marked value covers 90 % of the table's pairs as often as claimed, of everybody's far less often.

    Two statements, each 4.42 standard errors of a share of 150: a false alarm for about one seed in 100,000.
    """
    rng, tables, wanted = np.random.default_rng(5), 150, 0.9
    other = rng.lognormal(size=(2, 200_000))
    everybody = np.sort(np.abs(other[0] - other[1]))
    of_table = of_everybody = 0
    for _ in range(tables):
        x = rng.lognormal(size=60)
        sample = sample_sensitivity(SumOf("x"), pd.DataFrame({"x": x}), rows=10, pairs=2000, rng=rng)
        value = sample.for_share(0.9, wanted).value
        apart = np.abs(x[:, None] - x)[~np.eye(60, dtype=bool)]
        of_table += float(np.mean(apart <= value)) >= 0.9
        of_everybody += np.searchsorted(everybody, value, side="right") >= 0.9 * everybody.size
    spread = 4.42 * math.sqrt(wanted * (1 - wanted) / tables)
    assert of_table / tables > wanted - spread
    assert of_everybody / tables < wanted - spread
