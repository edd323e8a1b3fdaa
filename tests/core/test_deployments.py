"""What deployments report, and the epsilon that zero-concentrated privacy comes to."""

import math

import numpy as np
import pytest

from par_core.composition import of_zcdp, zcdp
from par_core.datasets.deployments import deployments, nearest, reporting_less
from par_core.errors import ParameterError
from par_core.mechanisms import NOISES


def test_every_deployment_reports_one_level_with_its_year_and_its_source():
    found = deployments()
    assert len({(each.name, each.curator, each.year) for each in found}) == 35
    for each in found:
        assert each.epsilon or each.rho
        assert each.source.startswith("https://")
        assert 2008 <= each.year <= 2025
        assert each.level(1e-5) > 0


def test_a_level_that_is_reported_stands_whatever_the_delta():
    own = [each for each in deployments() if each.epsilon is not None]
    assert [each.level(1e-12) for each in own] == [each.epsilon for each in own]


@pytest.mark.parametrize("rho", [0.015, 0.81, 2.63, 19.776])
def test_rho_is_never_told_below_gaussian_noise_that_has_it(rho):
    """Gaussian noise of scale 1/sqrt(2 rho) is rho-zCDP: its exact epsilon cannot exceed what rho promises, nor be far off."""
    level = of_zcdp(rho, delta=1e-6)
    exact = NOISES["gaussian"](1 / math.sqrt(2 * rho), sensitivity=1.0).epsilon(1e-6)
    assert exact <= level <= 1.15 * exact + 0.1


def test_rho_of_many_pure_releases_is_what_they_compose_to():
    assert of_zcdp(300 * 0.1**2 / 2, delta=1e-5) == pytest.approx(zcdp(0.1, 300, delta=1e-5))


def test_more_delta_and_less_rho_come_to_less():
    levels = of_zcdp(np.array([[0.1], [1.0], [10.0]]), delta=np.array([1e-9, 1e-6, 1e-3]))
    assert (np.diff(levels, axis=0) > 0).all()
    assert (np.diff(levels, axis=1) < 0).all()


@pytest.mark.parametrize("epsilon", [0.0, 0.01, 1.0, 8.0, 1e9])
@pytest.mark.parametrize("delta", [1e-10, 0.5])
def test_those_that_report_less_are_counted_and_the_nearest_come_first(epsilon, delta):
    levels = [each.level(delta) for each in deployments()]
    assert len(reporting_less(epsilon, delta=delta)) == sum(each < epsilon for each in levels)
    found = [each.level(delta) for each in nearest(epsilon, delta=delta, number=35)]
    assert sorted(found) == sorted(levels)
    far = [abs(math.log(each / epsilon)) if each and epsilon else math.inf for each in found]
    assert far == pytest.approx(sorted(far))
    assert found[:3] == [each.level(delta) for each in nearest(epsilon, delta=delta)]


@pytest.mark.parametrize("wrong", [-1, math.nan, math.inf, "1", None])
def test_a_level_that_is_none_is_refused(wrong):
    for ask in (reporting_less, nearest):
        with pytest.raises(ParameterError, match="epsilon"):
            ask(wrong, delta=1e-5)
    with pytest.raises(ParameterError, match="number"):
        nearest(1.0, delta=1e-5, number=wrong)
