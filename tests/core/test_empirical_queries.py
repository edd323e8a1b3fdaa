"""Answers with and without each individual: closed forms against asking again, in exact arithmetic where floats would not do."""

import sys
from fractions import Fraction
from math import fsum
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from par_core.audit import sums
from par_core.audit.leave_one_out import answers, leave_one_out
from par_core.audit.panel import Panel
from par_core.audit.queries import Custom, Noisy, PanelCount, PanelMean, PanelSum, Randomised, ShareAbove
from par_core.audit.variance_and_quantile import PanelQuantile, PanelVariance
from par_core.errors import DataError, ParameterError
from par_core.evidence import ESTIMATE, PROVEN

NAN = np.nan


def exact_mean(values):
    return float(sum(map(Fraction, values.tolist())) / len(values))


def exact_variance(values, ddof=1):
    exact = [Fraction(value) for value in values.tolist()]
    mean = sum(exact) / len(exact)
    return float(sum((value - mean) ** 2 for value in exact) / (len(exact) - ddof))


QUERIES = [
    (PanelSum(), lambda values: fsum(values.tolist())),
    (PanelCount(), len),
    (PanelMean(), exact_mean),
    (ShareAbove(0.3), lambda values: float(np.mean(values > 0.3))),
    (PanelVariance(), exact_variance),
    (PanelVariance(0), lambda values: exact_variance(values, 0)),
    *(
        (PanelQuantile(share), lambda values, share=share: float(np.quantile(values, share)))
        for share in (0, 0.1, 0.25, 0.5, 0.9, 1)
    ),
]


def draw(rng, kind, size):
    heavy = 1e9 * rng.standard_cauchy(size) ** 5  # one value larger than all others together, by many powers of ten
    return [rng.standard_normal(size), rng.integers(0, 3, size) * 1.0, rng.standard_cauchy(size) + 1e6, heavy][kind]


def small_panels(repeated):
    """Panels with missing individuals and, if wanted, several records of one individual in one database."""
    rng = np.random.default_rng(20)
    for trial in range(40):
        individuals, databases, size = rng.integers(4, 9), rng.integers(1, 5), rng.integers(30, 60)
        table = pd.DataFrame(
            {
                "database": rng.integers(0, databases, size),
                "individual": rng.integers(0, individuals, size),
                "value": draw(rng, trial % 4, size),
            }
        )
        if not repeated:
            table = table.drop_duplicates(["database", "individual"])
        if table.groupby("database")["individual"].nunique().min() > 2 and table["database"].nunique() == databases:
            panel = Panel.from_long(table, database="database", individual="individual", value="value")
            assert (panel.records is not None) == repeated
            yield panel


def asked_again(panel, function):
    found = np.empty((len(panel.individuals), len(panel.databases)))
    for place, (codes, values) in enumerate(panel):
        for individual in range(len(panel.individuals)):
            found[individual, place] = function(values[codes != individual])
    return found


@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize(("query", "function"), QUERIES)
def test_closed_forms_are_what_asking_again_gives(query, function, repeated):
    looked_at = 0
    for panel in small_panels(repeated):
        whole = np.array([function(values) for _, values in panel])
        assert answers(panel, query) == pytest.approx(whole, rel=1e-12, abs=1e-300)
        found, expected = leave_one_out(panel, query), asked_again(panel, function)
        rounding = (
            1e-15 if isinstance(query, PanelQuantile) else 1e-300
        )  # halfway between −0.1 and 0.3 may be 0 or a rounding
        assert found == pytest.approx(expected, rel=1e-12, abs=rounding)
        looked_at += 1
    assert looked_at > 25


@pytest.mark.parametrize("repeated", [False, True])
def test_somebody_without_data_changes_nothing_bit_for_bit(repeated):
    queries = [query for query, _ in QUERIES] + [
        np.median,
        Noisy(PanelMean(), scale=2.0, draws=3),
        Noisy(Custom(np.ptp), scale=1.0),
    ]
    absent = 0
    for panel in small_panels(repeated):
        for query in queries:
            whole, without = answers(panel, query), leave_one_out(panel, query)
            draws = without.shape[1] // len(panel.databases)
            for place, (codes, _) in enumerate(panel):
                missing = np.setdiff1d(np.arange(len(panel.individuals)), codes)
                columns = slice(place * draws, (place + 1) * draws)
                assert (without[missing, columns].view(np.int64) == whole[columns].view(np.int64)).all()
                absent += len(missing)
    assert absent > 100


def test_any_function_gives_what_asking_again_gives():
    for panel in small_panels(repeated=True):
        assert (leave_one_out(panel, np.median) == asked_again(panel, np.median)).all()
        assert (answers(panel, Custom(np.median)) == [np.median(values) for _, values in panel]).all()
        break


def test_a_large_value_takes_its_rounding_away_with_it():
    """1e17 swallows the digits of 0.1; without it they must be there again."""
    small = np.array([0.1, 0.2, 0.3, 0.7])
    panel = Panel.from_arrays(np.concatenate([[1e17], small])[:, None])
    assert leave_one_out(panel, PanelSum())[0, 0] == pytest.approx(1.3, rel=1e-15)
    assert leave_one_out(panel, PanelMean())[0, 0] == pytest.approx(0.325, rel=1e-15)
    assert leave_one_out(panel, PanelVariance())[0, 0] == pytest.approx(np.var(small, ddof=1), rel=1e-13)


def test_a_variance_is_computed_afresh_where_digits_would_be_lost():
    """Without the one who holds most records the others lie far from the median; and what is left of a pair has none."""
    table = pd.DataFrame({"d": 1, "i": [1] * 10 + [2, 3, 4], "x": [0.0] * 10 + [1e8, 1e8 + 1, 1e8 + 2]})
    panel = Panel.from_long(table, database="d", individual="i", value="x")
    assert leave_one_out(panel, PanelVariance())[0, 0] == 1.0
    assert leave_one_out(Panel.from_arrays([[0.1], [0.7]]), PanelVariance(0)).tolist() == [[0.0], [0.0]]


def test_equal_values_have_no_variance_whoever_leaves():
    panel = Panel.from_arrays(np.full((5, 2), 0.1))
    assert (leave_one_out(panel, PanelVariance()) == 0).all()


def test_totals_are_exact_to_the_last_digit():
    rng = np.random.default_rng(4)
    for size in (0, 1, 2, 3, 7, 1000):
        values = rng.standard_cauchy(size) ** 5
        high, low = sums.total(values)
        exact = sum(map(Fraction, values.tolist()), Fraction(0))
        assert high == float(exact)
        assert abs(Fraction(high) + Fraction(low) - exact) <= Fraction(1e-28) * sum(
            map(abs, map(Fraction, values.tolist())), Fraction(0)
        )
    codes = np.sort(rng.integers(0, 9, 200))
    values = rng.standard_cauchy(200) ** 5
    high, low = sums.totals(codes, values, size=10)
    for code in range(10):
        assert high[code] + low[code] == fsum(values[codes == code].tolist())


# --- databases that become too small -----------------------------------------------------------------------------

LONELY = Panel.from_arrays(
    [[1.0, 2.0], [NAN, 3.0], [NAN, 5.0]], individuals=["Ada", "Bo", "Cy"], databases=[2001, 2002]
)


def test_sum_and_count_of_nothing_are_0():
    assert leave_one_out(LONELY, PanelSum()).tolist() == [[0.0, 8.0], [1.0, 7.0], [1.0, 5.0]]
    assert leave_one_out(LONELY, PanelCount()).tolist() == [[0.0, 2.0], [1.0, 2.0], [1.0, 2.0]]


@pytest.mark.parametrize("query", [PanelMean(), ShareAbove(1.0), PanelQuantile(0.5), np.max, PanelVariance(0)])
def test_other_answers_of_an_empty_database_are_errors_that_name_it(query):
    with pytest.raises(DataError, match="database 2001 without individual number 1 of the panel has too few records"):
        leave_one_out(LONELY, query)


@pytest.mark.parametrize(
    "query",
    [PanelMean(-1.0), ShareAbove(1.0, -1.0), PanelQuantile(0.5, -1.0), Custom(np.max, -1.0), PanelVariance(0, -1.0)],
)
def test_or_what_the_steward_then_publishes(query):
    found = leave_one_out(LONELY, query)
    assert found[0, 0] == -1.0
    assert (found[1:, 0] == answers(LONELY, query)[0]).all()
    assert Noisy(query, scale=1.0).query.when_empty == -1.0
    assert leave_one_out(LONELY, Noisy(query, scale=1e-9))[0, 0] == pytest.approx(-1.0, abs=1e-6)


def test_a_sample_variance_needs_two_records():
    with pytest.raises(DataError, match="database 2001 has too few records"):
        answers(LONELY, PanelVariance())
    pair = Panel.from_arrays([[1.0], [2.0]])
    with pytest.raises(DataError, match="database 1 without individual number 1"):
        leave_one_out(pair, PanelVariance())
    assert leave_one_out(pair, PanelVariance(when_empty=0.0)).tolist() == [[0.0], [0.0]]


# --- queries with randomness of their own ------------------------------------------------------------------------


def test_noise_is_drawn_several_times_and_shared_with_and_without():
    panel = Panel.from_arrays(np.arange(12.0).reshape(4, 3))
    query = Noisy(PanelSum(), scale=5.0, draws=2000, seed=3)
    whole, without = answers(panel, query), leave_one_out(panel, query)
    assert (whole.shape, without.shape) == ((6000,), (4, 6000))
    noise = whole - np.repeat(answers(panel, PanelSum()), 2000)
    # The sum of the sizes is gamma, the correlation normal: each fails for one seed in a million.
    low, high = stats.gamma(6000, scale=5.0 / 6000).ppf([5e-7, 1 - 5e-7])
    assert low < np.abs(noise).mean() < high
    assert abs(np.corrcoef(noise[:2000], noise[2000:4000])[0, 1]) < stats.norm.isf(5e-7) / np.sqrt(2000)
    assert without - np.repeat(leave_one_out(panel, PanelSum()), 2000, axis=1) == pytest.approx(
        np.tile(noise, (4, 1)), abs=1e-11
    )
    assert (answers(panel, query) == whole).all()
    assert (answers(panel, Noisy(PanelSum(), scale=5.0, draws=2000, seed=4)) != whole).any()


def test_a_random_function_gets_the_same_seed_with_and_without():
    panel = Panel.from_arrays([[1.0, 2.0], [NAN, 3.0], [4.0, 5.0]])
    query = Randomised(lambda values, rng: values.sum() + rng.standard_normal(), draws=4, seed=1)
    whole, without = answers(panel, query), leave_one_out(panel, query)
    assert (whole.shape, without.shape) == ((8,), (3, 8))
    assert (without[1, :4] == whole[:4]).all()
    assert whole - without[2] == pytest.approx([4.0] * 4 + [5.0] * 4)
    assert len(np.unique(whole)) == 8


def test_evidence_from_the_answers():
    assert {query.evidence.basis for query, _ in QUERIES} == {PROVEN}
    assert Noisy(PanelSum(), scale=1.0).evidence.basis is Randomised(draw).evidence.basis is ESTIMATE


# --- batches, blocks, memory -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query", [PanelMean(), PanelQuantile(0.3), PanelVariance(), np.median, Noisy(PanelMean(), scale=1.0, draws=2)]
)
def test_blocks_put_together_are_the_whole(query, monkeypatch):
    rng = np.random.default_rng(9)
    matrix = rng.standard_normal((50, 3))
    matrix[rng.random((50, 3)) < 0.2] = NAN
    panel = Panel.from_arrays(matrix)
    whole = leave_one_out(panel, query)
    for constant in ("_ROWS", "_SLOW_ROWS"):
        monkeypatch.setattr(sys.modules["par_core.audit.leave_one_out"], constant, 7)
    assert (leave_one_out(panel, query) == whole).all()


def test_a_slow_function_tells_how_far_it_is_ten_times_a_second(monkeypatch):
    """Each call takes 0.03 s: more than 0.1 s are over after four."""
    asked, told = [], []

    def slow(values):
        asked.append(len(values))
        return float(values.sum())

    clock = SimpleNamespace(monotonic=lambda: 0.03 * len(asked))
    monkeypatch.setattr(sys.modules["par_core.audit.leave_one_out"], "time", clock)
    leave_one_out(Panel.from_arrays(np.ones((600, 1))), slow, progress=lambda share: told.append((len(asked), share)))
    calls, shares = (list(each) for each in zip(*told, strict=True))
    assert max(np.diff(calls)) == 4
    assert shares == sorted(shares)
    assert 0.9 < shares[-2] < shares[-1] == 1.0


def test_what_a_function_may_do():
    panel = Panel.from_arrays([[1.0], [2.0]])
    with pytest.raises(DataError, match="the query failed with ZeroDivisionError"):
        answers(panel, lambda values: 1 / 0)  # noqa: ARG005  # every query gets the values
    for bad in (NAN, np.inf, "text", [1.0, 2.0], None):
        with pytest.raises(DataError, match="one finite number"):
            answers(panel, lambda values, bad=bad: bad)  # noqa: ARG005  # every query gets the values

    def changes(values):
        values[0] = 9.0
        return 1.0

    with pytest.raises(DataError, match="failed with ValueError"):
        leave_one_out(panel, changes)


def test_functions_see_all_columns_and_closed_forms_want_one():
    table = pd.DataFrame({"d": [1, 1, 1], "i": [1, 2, 3], "x": [1.0, 2.0, 3.0], "y": [2.0, 2.0, 2.0]})
    panel = Panel.from_long(table, database="d", individual="i", value=["x", "y"])
    assert answers(panel, lambda values: values[:, 0].sum() / values[:, 1].sum()).tolist() == [1.0]
    assert leave_one_out(panel, lambda values: values[:, 0].sum()).tolist() == [[5.0], [4.0], [3.0]]
    with pytest.raises(ParameterError, match="2 columns of values"):
        answers(panel, PanelSum())
    only = Panel.from_long(table, database="d", individual="i", value="x")
    assert answers(only, PanelSum()).tolist() == [6.0]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PanelQuantile(1.5), "share"),
        (lambda: ShareAbove(NAN), "threshold"),
        (lambda: PanelVariance(2), "ddof"),
        (lambda: PanelMean(np.inf), "when_empty"),
        (lambda: Custom(3), "function must be callable"),
        (lambda: Noisy(PanelSum(), scale=0.0), "scale"),
        (lambda: Noisy(PanelSum(), scale=1.0, draws=0), "draws"),
        (lambda: Noisy(Noisy(PanelSum(), scale=1.0), scale=1.0), "without randomness of its own"),
        (lambda: Randomised(draw, seed=-1), "seed"),
        (lambda: answers(LONELY, "mean"), "query must be"),
    ],
)
def test_wrong_queries(make, message):
    with pytest.raises(ParameterError, match=message):
        make()
