"""The catalogue's entries on Empirical Differential Privacy, each number found in a second way, and those on precipitation from a file."""

import calendar
import datetime
import itertools
import math
import re

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.io import netcdf_file

from par_core.claims import CLAIMS, NEEDS_DATA, REFUTED, REPRODUCED, check, edp_precipitation
from par_core.claims.catalogue import Paper
from par_core.deployment import settings
from tests.core.test_claims_rest_on import _Broken

LEVEL = 0.5


@pytest.fixture(autouse=True)
def no_file(monkeypatch):
    monkeypatch.delenv("PAR_GPCP", raising=False)
    settings.cache_clear()
    yield
    settings.cache_clear()


def kernel_density(x, sample, scale=1.0):
    return np.exp(-np.abs(np.asarray(x)[:, None] - sample) / scale).mean(axis=1) / (2 * scale)


def plain_excess(one, other, level, points=80_001):
    """∫(p − e^level·p_i)₊ by the trapezoidal rule."""
    x = np.linspace(-40, 40, points)
    return integrate.trapezoid(np.maximum(kernel_density(x, one) - math.exp(level) * kernel_density(x, other), 0), x)


def test_the_ids_of_a_paper_begin_alike():
    for claim in CLAIMS:
        assert claim.id.startswith("edp-") == (claim.paper is Paper.EMPIRICAL)
        assert claim.id.startswith("lecture-") == (claim.paper is Paper.LECTURE)


# Sections 2 and 3


def test_how_often_the_condition_fails():
    """200,000 answers, seed fixed; false alarm below 1e-5 (4.5 standard deviations)."""
    answer = np.random.default_rng(71).laplace(size=200_000)
    loss = np.abs(np.abs(answer - 1) - np.abs(answer))
    found, within = (loss > LEVEL).mean(), 4.5 * 0.5 / math.sqrt(answer.size)
    assert found == pytest.approx(check("edp-failure-probability").exact, abs=within)
    two = (loss.reshape(2, -1) > LEVEL).any(axis=0)
    assert two.mean() == pytest.approx(check("edp-total-risk-independent").exact, abs=2 * within)


def test_how_many_alike_make_the_total_risk_too_large():
    verdict = check("edp-total-risk-dependent")
    total = 1 - (1 - check("edp-failure-probability").recomputed) ** np.arange(1, 21)
    assert verdict.recomputed == pytest.approx(total[-1])
    assert np.argmax(total > verdict.exact) + 1 == 8
    assert "from eight of them on" in verdict.claim.explanation
    assert "20 individuals" in verdict.case


def test_theorem_1_against_a_fine_grid():
    """The case that the entry shows, for each of the four individuals: all cases are equal but for rounding."""
    verdict, rng, panels = check("edp-theorem-1"), np.random.default_rng(32), {}
    for size in (1, 8):
        answers = 3 * rng.normal(size=size)
        panels[size] = answers, answers - rng.exponential(size=(4, size)) * (rng.random((4, size)) < 0.7)
    size, level = re.match(r"answers: (\d), ε = (0\.\d),", verdict.case).groups()
    answers, without = panels[int(size)]
    found = [
        max(plain_excess(*pair, float(level)) for pair in itertools.permutations((answers, row))) for row in without
    ]
    assert np.abs(np.array(found) - verdict.exact).min() < 1e-6


def test_post_processing_against_a_fine_grid():
    """Mirrored samples stand for sizes: the density of |x| is that of x and of −x together, on one half of the line."""
    rng = np.random.default_rng(33)
    answers = 3 * rng.normal(size=10)
    without = answers - rng.exponential(size=(10, 10))
    x = np.linspace(0, 60, 60_001)

    def folded(sample):
        return kernel_density(x, sample) + kernel_density(-x, sample)

    for row in without[:3]:
        plain = integrate.trapezoid(np.maximum(folded(answers) - math.exp(0.1) * folded(row), 0), x)
        mirrored = plain_excess(np.append(answers, -answers), np.append(row, -row), 0.1)
        assert plain == pytest.approx(mirrored, abs=1e-6)


def test_post_processing_estimated_anew():
    verdict = check("edp-lemma-2-estimated")
    answers = stats.norm.ppf((np.arange(50) + 0.5) / 50)
    for literal, g, reading in ((True, lambda x: 10 * x, verdict.as_printed), (False, np.exp, verdict)):
        for found, each in ((reading.recomputed, lambda x: x), (reading.exact, g)):
            with_all, without = each(answers), each(answers - 0.3)
            width = 1 if literal else with_all.std() / 50**0.2
            pairs = itertools.permutations((with_all / width, without / width))
            assert found[0] == pytest.approx(max(plain_excess(*pair, 0.2, 8001) for pair in pairs), abs=1e-5)


def test_kernels_that_are_products_do_not_see_the_difference():
    """The pair of the sum and the sum without i, on a grid of the plane."""
    sums = 100 * stats.norm.ppf((np.arange(41) + 0.5) / 41)
    assert "Laplace kernels of scale 52.7" in check("edp-composition-joint").case
    axis = np.linspace(-400, 400, 161)

    def height(first, second):
        along = [np.exp(-np.abs(axis[:, None] - each) / 52.7) for each in (first, second)]
        return along[0] @ along[1].T

    ratio = np.log(height(sums, sums - 1)) - np.log(height(sums - 1, sums - 1))
    assert 0.01 < np.abs(ratio).max() <= 1 / 52.7 + 1e-12 < 0.1  # so δ(0.1) = 0
    assert check("edp-composition-joint").recomputed == 0.0
    assert check("edp-composition-joint").exact == 1.0


# Sections 4 and 5


def test_own_contribution_gives_nothing_away():
    """Answers given the contribution, and without it, differ by a factor of at most e^0.001."""
    x = np.linspace(-5000, 5000, 10_001)
    ratio = stats.laplace.logpdf(x, loc=1, scale=1000) - stats.laplace.logpdf(x, scale=1000)
    assert np.abs(ratio).max() <= 0.001 + 1e-12


def test_the_t_test_accepts_what_depends():
    turns = np.tile([0.0, 1.0], 20)
    assert stats.ttest_ind(turns[:20], turns[20:]).pvalue == 1.0
    assert np.corrcoef(turns[1:], turns[:-1])[0, 1] == pytest.approx(-1.0)
    assert "p = 1; refused by Runs and Neighbours" in check("edp-null-hypothesis").case


def test_larger_buckets_show_less():
    verdict = check("edp-adversary-cells")
    assert "random buckets 0 show more than their parts" in verdict.case
    assert verdict.exact > 0.1


def test_best_number_of_points():
    """Leading terms: bias f''·w²/24 and variance f²/m, w = m/(n·f): m⁵ = f²·n⁴/(4c²), c = |f''|/(24·f²)."""
    verdict = check("edp-square-root")
    height = 1 / math.sqrt(2 * math.pi)
    best = [(height**2 * n**4 / (4 * (height / 24 / height**2) ** 2)) ** 0.2 for n in (1e4, 1e6)]
    shown = [float(word.replace(",", "")) for word in verdict.case.split() if word.replace(",", "").isdigit()]
    assert [shown[0], shown[2]] == pytest.approx(best, rel=0.05)
    assert verdict.exact == pytest.approx(0.8, abs=0.002)


# Section 6 and the appendix


def test_counterexample_on_a_grid():
    near = np.linspace(-0.001, 0.001, 40)
    x = np.union1d(np.linspace(-0.01, 0.01, 4001), np.linspace(0.99, 1.01, 4001))
    ratio = np.log(kernel_density(x, np.append(near, 1), 0.002) / kernel_density(x, np.append(0, 1 + near), 0.002))
    assert np.abs(ratio).max() == pytest.approx(check("edp-proposition-1").exact, abs=1e-3)
    assert "λ = d_H/ε = 0.002" in check("edp-proposition-1").case


def test_left_out_individuals_break_it_too():
    case = check("edp-proposition-1-left-out").case
    assert "of 52 individuals" in case
    assert "13 are beyond it" in case
    assert "each 1 are beyond it" in check("edp-theorem-2").case
    assert "each 0 are beyond it" in check("edp-theorem-2-repaired").case


def test_no_law_blurred_by_a_gaussian_is_a_laplace_law():
    """A transform is at most 1; the quotient's logarithm passes 0 somewhere for every width."""
    for width in (0.3, 0.1, 0.01, 0.002 / 0.89):
        frequency = np.linspace(0, 12 / width, 10_001)
        log_quotient = (width * frequency) ** 2 / 2 - np.log1p(frequency**2)
        assert log_quotient.max() > math.log(1e6)
    assert math.log(check("edp-figure-1").exact) == pytest.approx(18 - math.log1p((0.89 * 3000) ** 2), abs=1e-6)
    assert math.log(check("edp-image-gaussian").exact) == pytest.approx(18 - math.log1p(6000**2), abs=1e-6)


def test_printed_convolution_has_the_mean_turned_round():
    """The answer 0 with exponential noise of mean 1, which is released with the mean 1."""
    x, h = np.linspace(-30, 30, 600_001), lambda z: np.where(z > 0, np.exp(-np.maximum(z, 0)), 0)
    assert integrate.trapezoid(x * h(0 - x), x) == pytest.approx(-1, abs=1e-3)
    assert check("edp-convolution").recomputed == pytest.approx(-1, abs=1e-3)


def test_no_blurred_density_is_higher_than_the_kernel():
    """Random mixtures of Laplace kernels; a Laplace density half as wide is twice as high."""
    rng = np.random.default_rng(75)
    x = np.linspace(-30, 30, 6001)
    for _ in range(20):
        assert kernel_density(x, 5 * rng.normal(size=rng.integers(1, 9))).max() <= 0.5 < 1 / (2 * 0.5)
    assert check("edp-not-surjective").recomputed == pytest.approx(0.5)
    assert check("edp-not-surjective").exact == pytest.approx(1.0)


def test_every_bandwidth_of_its_own_leaves_some_delta():
    assert check("edp-zero-delta").as_printed.exact == pytest.approx(0.00566, abs=1e-5)
    assert check("edp-zero-delta").exact == 0.0


# Section 7, from a file

CELLS = (4, 6)
FROM_THE_FILE = [claim.id for claim in edp_precipitation.CLAIMS if claim.id != "edp-zero-delta"]


@pytest.fixture
def rates():
    """Rates in mm a day of 24 cells over the 492 months; years differ, and three cells are unlike the others."""
    rng = np.random.default_rng(74)
    found = rng.gamma(2.0, size=(41 * 12, *CELLS))
    found[:, 0, 0] *= 3
    found[:, 3, 1] *= 2
    found[-30:, 1, 2] += 4
    found *= np.repeat(rng.gamma(9.0, 1 / 9, size=41), 12)[:, None, None]
    return found.astype(np.float32)


def write(path, rates):
    months = [datetime.date(1979 + month // 12, month % 12 + 1, 1) for month in range(len(rates))]
    with netcdf_file(path, "w") as file:
        for name, size in (("time", None), ("lat", CELLS[0]), ("lon", CELLS[1])):
            file.createDimension(name, size)
        for name, values in (
            ("time", np.array([(each - datetime.date(1800, 1, 1)).days for each in months], dtype=float)),
            ("lat", np.arange(CELLS[0]) * 2.5),
            ("lon", np.arange(CELLS[1]) * 2.5),
        ):
            file.createVariable(name, "d", (name,))[:] = values
        file.variables["time"].units = "days since 1800-01-01 00:00:0.0"
        file.createVariable("precip", "f", ("time", "lat", "lon"))[:] = rates
    return path


@pytest.fixture
def named(tmp_path, rates, monkeypatch):
    monkeypatch.setenv("PAR_GPCP", str(write(tmp_path / "rain.nc", rates)))
    settings.cache_clear()


def yearly(rates):
    """Totals in mm, shape (cells, years)."""
    days = [calendar.monthrange(1979 + month // 12, month % 12 + 1)[1] for month in range(len(rates))]
    return (rates.reshape(len(rates), -1) * np.array(days)[:, None]).reshape(41, 12, -1).sum(axis=1).T


@pytest.mark.usefixtures("named")
def test_a_file_decides_what_needed_data(rates):
    totals = yearly(rates.astype(np.float64))
    assert {check(each).verdict for each in FROM_THE_FILE} <= {REPRODUCED, REFUTED}
    assert check("edp-spread").recomputed == pytest.approx(totals.std(axis=0).mean(), rel=1e-6)
    assert check("edp-spread").verdict == REFUTED  # these cells are not the earth
    answers = totals.mean(axis=0)
    without = (totals.sum(axis=0) - totals) / (len(totals) - 1)
    width = float(check("edp-protected-from").case.split(", ")[-1].removesuffix(" mm"))  # three digits of it
    loss = max(
        np.abs(np.log(kernel_density(at, answers, width) / kernel_density(at, row, width))).max()
        for row in without
        for at in [np.concatenate([answers, row])]
    )
    assert check("edp-protected-from").recomputed == pytest.approx(loss, rel=0.02)
    x = np.linspace(answers.min() - 40 * width, answers.max() + 40 * width, 40_001)
    known = kernel_density(x, answers, width)
    deltas = []
    for row in without:
        other = kernel_density(x, row, width)
        sides = (np.maximum(one - math.exp(0.085) * two, 0) for one, two in ((known, other), (other, known)))
        deltas.append(max(integrate.trapezoid(side, x) for side in sides))
    deltas = np.array(deltas)
    assert check("edp-total-risk-example").recomputed == pytest.approx(1 - np.prod(1 - deltas), rel=0.02)
    assert check("edp-exposed-example").recomputed == ((deltas > 1e-9).sum(), (deltas > 0.001).sum()) == (11, 3)
    assert f"{CELLS[0] * CELLS[1]} cells" in check("edp-exposed-example").case
    assert check("edp-years-independent").recomputed in (0.0, 1.0, 2.0, 3.0)
    assert check("edp-databases").recomputed == (41.0, 24.0)
    assert check("edp-figure-2").recomputed == 41.0
    years = 1979 + np.array([answers.argmin(), answers.argmax()])
    ends = f"from {answers.min():.4g} mm ({years[0]}) to {answers.max():.4g} mm ({years[1]})"
    assert ends in check("edp-figure-2").case
    riskiest = np.log(known / kernel_density(x, without[deltas.argmax()], width))
    assert check("edp-figure-5").recomputed == pytest.approx(np.abs(riskiest).max(), rel=0.02)


def test_a_year_without_a_cell_is_not_counted_with_the_rest(tmp_path, rates, monkeypatch):
    rates[5, 2, 3] = np.nan
    monkeypatch.setenv("PAR_GPCP", str(write(tmp_path / "gap.nc", rates)))
    settings.cache_clear()
    assert check("edp-databases").recomputed == (41.0, 23.0)


@pytest.mark.usefixtures("named")
@pytest.mark.filterwarnings("ignore")  # a broken function warns where the whole one does not
def test_what_a_file_decides_moves_with_the_functions_it_rests_on():
    entries = [claim for claim in edp_precipitation.CLAIMS if claim.id in FROM_THE_FILE]
    before = {claim.id: _found(claim) for claim in entries}
    for function in sorted({name for claim in entries for name in claim.rests_on}):
        with np.errstate(all="ignore"), _Broken(function):
            for claim in entries:
                assert function not in claim.rests_on or _found(claim) != before[claim.id], claim.id


def _found(claim):
    """Return what an entry finds, or the error with which its recomputation stops."""
    try:
        return check(claim).recomputed
    except Exception as error:  # a broken function may also be refused
        return type(error)


def test_years_that_follow_each_other_are_found(tmp_path, rates, monkeypatch):
    rising = rates + np.linspace(0, 5, len(rates))[:, None, None].astype(np.float32)
    monkeypatch.setenv("PAR_GPCP", str(write(tmp_path / "rising.nc", rising)))
    settings.cache_clear()
    assert check("edp-years-independent").verdict == REFUTED
    assert "not independent draws" in check("edp-years-independent").case


def test_a_file_that_cannot_be_used_is_named_as_the_reason(tmp_path, monkeypatch):
    (tmp_path / "secret name.nc").write_bytes(b"rain")
    monkeypatch.setenv("PAR_GPCP", str(tmp_path / "secret name.nc"))
    settings.cache_clear()
    for each in FROM_THE_FILE:
        verdict = check(each)
        assert verdict.verdict == NEEDS_DATA
        assert "not a NetCDF file" in verdict.reason
        assert "secret" not in verdict.reason


def test_without_a_file_it_says_how_to_name_one():
    for each in FROM_THE_FILE:
        assert "PAR_GPCP" in check(each).reason
