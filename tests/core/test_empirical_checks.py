"""Checks of a panel: how often they cry wolf, what they see, what they say."""

import itertools
import math

import numpy as np
import pytest

from par_core.audit.checks import independence, representativeness
from par_core.audit.leave_one_out import answers
from par_core.audit.panel import Panel
from par_core.audit.queries import PanelMean
from par_core.datasets import county_murders, precipitation_synthetic
from par_core.errors import ParameterError
from par_core.evidence import ESTIMATE

NAN = np.nan


def by_name(checks):
    return {check.name: check for check in checks.checks}


def murders():
    return Panel.from_long(county_murders().table, database="year", individual="county", value="murders")


# --- independence ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", ["normal", "standard_cauchy"])
def test_false_alarms_are_as_rare_as_stated(law):
    """400 panels of 17 independent answers at 0.05: 20 alarms expected at most; over 37 happens once in 10,000 seeds."""
    rng = np.random.default_rng(41)
    checks = [independence(getattr(rng, law)(size=17), rng=rng, permutations=199) for _ in range(400)]
    assert sum(check.failed for check in checks) <= 37
    for name in ("Runs", "Neighbours", "Trend"):
        assert 4 <= sum(by_name(check)[name].p_value <= 0.05 for check in checks) <= 40


def test_years_of_murders_are_not_independent_and_it_says_so():
    found = independence(answers(murders(), PanelMean()), rng=np.random.default_rng(1))
    lag = by_name(found)["Neighbours"]
    assert lag.statistic == pytest.approx(0.73, abs=0.005)
    assert lag.p_value < 0.001
    assert found.failed
    assert "not independent" in found.words
    assert "correlation 0.73" in lag.words
    assert lag.size == 17
    assert not by_name(found)["Trend"].failed


def test_independent_years_pass_and_that_is_no_proof():
    panel = precipitation_synthetic()
    found = independence(answers(panel, PanelMean()), rng=np.random.default_rng(1))
    assert not found.failed
    assert "41 databases show a correlation of neighbours of 0.62 in about four cases of five" in found.words
    assert all(check.evidence.basis is ESTIMATE and "cannot show" in check.limits for check in (*found.checks, found))
    assert all("no proof" in check.words for check in found.checks)


def test_what_it_says_it_sees_it_sees():
    """200 autoregressions of 41 answers with the correlation that the words name: about 170 are found, below 140 once in 10,000."""
    rng = np.random.default_rng(43)
    seen = 0
    for _ in range(200):
        noise, path = rng.standard_normal(91), np.zeros(91)
        for at in range(1, 91):
            path[at] = 0.62 * path[at - 1] + noise[at]
        seen += independence(path[50:], rng=rng, permutations=199).failed
    assert seen >= 140


def test_p_values_by_shuffling_are_those_of_all_orders():
    values = np.array([0.3, 1.0, 2.5, 2.0, 4.0, 3.5])
    centred = values - values.mean()
    orders = np.array([centred[list(order)] for order in itertools.permutations(range(6))])
    lags = (orders[:, 1:] * orders[:, :-1]).sum(axis=1) / (centred @ centred)
    sides = np.sign(orders - np.median(centred))
    turns = (sides[:, 1:] != sides[:, :-1]).sum(axis=1)
    found = by_name(independence(values, rng=np.random.default_rng(3), permutations=200_000))
    for name, law, observed in (("Neighbours", lags, lags[0]), ("Runs", turns, turns[0])):
        exact = min(1.0, 2 * min(np.mean(law >= observed - 1e-12), np.mean(law <= observed + 1e-12)))
        assert found[name].statistic == pytest.approx(observed)
        assert found[name].p_value == pytest.approx(exact, abs=0.008)  # more than five standard errors


def test_a_trend_is_seen():
    found = independence(
        np.arange(12) + 0.1 * np.random.default_rng(5).standard_normal(12), rng=np.random.default_rng(5)
    )
    assert by_name(found)["Trend"].failed
    assert by_name(found)["Trend"].statistic == pytest.approx(1)


def test_answers_at_the_median_are_passed_over():
    found = by_name(independence([1.0, 2.0, 3.0, 2.0, 1.0, 2.0, 3.0], rng=np.random.default_rng(1)))
    assert found["Runs"].statistic == 3  # below, above, below, above


def test_alternating_answers_are_seen_too():
    found = by_name(independence([0.0, 1.0] * 10, rng=np.random.default_rng(1)))
    assert found["Neighbours"].statistic < -0.9
    assert found["Neighbours"].failed
    assert found["Runs"].failed


def test_the_same_seed_gives_the_same_answer():
    values = np.random.default_rng(7).standard_normal(20)
    first, again = (independence(values, rng=np.random.default_rng(9)) for _ in range(2))
    assert first == again


def test_subsamples_are_independent_whatever_the_checks_say():
    values = np.arange(12.0)
    found = independence(values, rng=np.random.default_rng(1), by_construction=True)
    assert found.failed
    assert "drawn independently" in found.words


@pytest.mark.parametrize(
    ("values", "reason"), [([1.0, 1.0, 1.0, 1.0], "all answers are equal"), ([1.0, 2.0, 3.0], "at least 4")]
)
def test_nothing_to_test(values, reason):
    found = independence(values, rng=np.random.default_rng(1))
    assert not found.failed
    assert reason in found.words
    assert all(math.isnan(check.statistic) and check.p_value is None for check in found.checks)


def test_the_bars_are_holms():
    """The p-value that is smallest is held against a third of the level, the next against half; after one passes, all pass."""
    from par_core.audit.checks import _holm

    level = 0.06
    for p_values in itertools.product([0.001, 0.019, 0.021, 0.029, 0.031, 0.059, 0.07], repeat=3):
        order, rejected = np.argsort(p_values, kind="stable"), [False] * 3
        for rank, place in enumerate(order):
            if p_values[place] > level / (3 - rank):
                break
            rejected[place] = True
        assert [p <= bar for p, bar in zip(p_values, _holm(list(p_values), level), strict=True)] == rejected


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answers": [1.0, NAN, 2.0, 3.0]}, "answers"),
        ({"answers": np.ones((3, 3))}, "shape"),
        ({"level": 0.0}, "level"),
        ({"level": 1.0}, "level"),
        ({"permutations": 10}, "permutations"),
        ({"rng": 7}, "rng must be a Generator"),
    ],
)
def test_wrong_parameters(change, message):
    wanted = {"answers": np.arange(8.0), "rng": np.random.default_rng(1)} | change
    with pytest.raises(ParameterError, match=message):
        independence(wanted.pop("answers"), **wanted)


# --- individuals -------------------------------------------------------------------------------------------------


def sparse(rng, *, chances):
    """60 individuals with values of their own, in 12 databases of unequal size; `chances` (60,) multiplies presence."""
    values = rng.standard_normal((60, 12)) + rng.standard_normal((60, 1))
    values[rng.random((60, 12)) > np.linspace(0.3, 0.9, 12) * np.asarray(chances)[:, None]] = NAN
    values[0, np.isnan(values).all(axis=0)] = 0.0
    return Panel.from_arrays(values)


def test_individuals_who_are_alike_raise_few_alarms():
    """150 panels at 0.05: 8 alarms expected; over 19 happens once in 10,000 seeds."""
    rng = np.random.default_rng(47)
    assert sum(representativeness(sparse(rng, chances=np.ones(60)), rng=rng).failed for _ in range(150)) <= 19


def test_sparse_panels_raise_no_more_alarms_than_stated():
    """300 panels of five databases with two of 60 individuals each, at 0.05: at most 15 alarms expected; over 27 once in 800 seeds.

    By the normal distribution of the sum of squares 34 were expected.
    """
    rng = np.random.default_rng(8)
    alarms = 0
    for _ in range(300):
        values = np.full((60, 5), NAN)
        for place in range(5):
            values[rng.choice(60, 2, replace=False), place] = 1.0
        alarms += representativeness(Panel.from_arrays(values), rng=rng).failed
    assert alarms <= 27


def test_chance_in_presence_is_the_law_of_random_subsets():
    """Every one of 4³ ways for three databases of one of four individuals each, against the drawn law."""
    from par_core.audit.checks import _presence

    shared = [sum(np.bincount(each) ** 2) for each in itertools.product(range(4), repeat=3)]
    for each in (3, 5, 9):
        places = {3: (0, 1, 2), 5: (0, 0, 1), 9: (0, 0, 0)}[each]
        values = np.full((4, 3), NAN)
        values[places, range(3)] = 1.0
        panel = Panel.from_arrays(values)
        drawn = [_presence(panel, panel.presence(), np.random.default_rng(seed))[1] for seed in range(20)]
        exact = np.mean(np.array(shared) >= each)
        # 20 means of 199 drawings: the standard error is at most 0.008, and each p-value is drawn upward by at most 1/200.
        assert abs(np.mean(drawn) - exact) <= 0.005 + 4 * 0.008
        assert min(drawn) >= 1 / 200


def test_the_smallest_p_value_of_shuffling_is_two_over_their_number_plus_one():
    """No arrangement of 40 different numbers is more extreme than their order, and none of 99 shuffles hits it."""
    found = by_name(independence(np.arange(40.0), rng=np.random.default_rng(1), permutations=99))
    assert found["Runs"].p_value == found["Neighbours"].p_value == 2 / 100


def test_unequal_presence_is_seen():
    found = representativeness(
        sparse(np.random.default_rng(3), chances=np.repeat([0.3, 1.0], 30)), rng=np.random.default_rng(1)
    )
    presence = by_name(found)["Presence"]
    assert presence.failed
    assert presence.statistic > 2  # times as much variation as by chance
    assert "not alike (presence" in found.words


def test_those_who_are_seldom_there_and_different_are_seen():
    values = np.tile(np.arange(40.0)[:, None], (1, 10))
    values[np.arange(10)[None, :] >= 1 + np.arange(40)[:, None] // 4] = NAN  # the lower the value, the rarer
    found = by_name(representativeness(Panel.from_arrays(values), rng=np.random.default_rng(1)))
    assert found["Presence and value"].statistic > 0.95
    assert found["Presence and value"].failed


def test_everybody_always_there_leaves_nothing_to_test():
    found = representativeness(murders(), rng=np.random.default_rng(1))
    named = by_name(found)
    assert not found.failed
    assert "2,197 of 2,197 individuals are in every database" in named["Presence"].words
    assert "presence does not vary" in named["Presence"].words
    assert (named["Presence"].p_value, named["Presence and value"].p_value, named["Coverage"].p_value) == (
        None,
        None,
        None,
    )


def test_coverage_cannot_be_tested_and_says_so():
    coverage = by_name(representativeness(murders(), rng=np.random.default_rng(1)))["Coverage"]
    assert "cannot be tested" in coverage.words
    assert "1 in 2,198" in coverage.words
    assert coverage.statistic > 50  # Los Angeles
    assert math.isnan(
        by_name(representativeness(Panel.from_arrays(np.ones((5, 2))), rng=np.random.default_rng(1)))[
            "Coverage"
        ].statistic
    )


def test_several_columns_are_refused():
    import pandas as pd

    table = pd.DataFrame({"d": [1, 1], "i": [1, 2], "x": [1.0, 2.0], "y": [1.0, 2.0]})
    with pytest.raises(ParameterError, match="2 columns"):
        representativeness(
            Panel.from_long(table, database="d", individual="i", value=["x", "y"]), rng=np.random.default_rng(1)
        )
