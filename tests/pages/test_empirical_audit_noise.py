"""Noise for an audited query: its size and law, the published distance beside the valid one, and what goes into the certificate."""

import json

import numpy as np
import pytest

from pages.empirical_audit import current_audit
from par_core.audit.density import fit_density
from par_core.audit.distances import wasserstein_inf
from par_core.audit.gaussian_noise import band_limited_noise, measured_level
from par_core.audit.noise import (
    achieved_epsilon,
    classical_sensitivity,
    hausdorff_scale,
    mixture_noise,
    wasserstein_scale,
)
from par_core.audit.queries import PanelCount, PanelMean, PanelSum
from par_core.rounding import brief, error
from tests.pages.empirical_audit_view import audit, census, errors, headline, infos, murders, turn


@pytest.fixture(scope="module")
def found():
    return audit(census(), PanelMean())


@pytest.fixture
def page(open_page, monkeypatch):
    monkeypatch.setattr(current_audit, "audit", audit)
    return lambda **settings: open_page("empirical_audit", **{"tab": "noise", **settings})


@pytest.fixture
def certificate(open_page, files):
    """Open the first section and read the certificate that its button makes."""

    def read(**settings):
        open_page("empirical_audit", **settings)
        return json.loads(files["certificate"]())

    read.files = files
    return read


def distances(view):
    (table,) = (each.value for each in view.app.table if "Distance" in each.value)
    return {column: [str(each).replace("\u00a0", " ") for each in table[column]] for column in table}


def test_laplace_noise_in_words_and_as_a_picture(page, found):
    view = page()
    scale = wasserstein_scale(found.answers, found.without, epsilon=0.1)
    noise = mixture_noise(found.bandwidth, scale.scale)
    assert headline(view) == f"For ε = 0.1 an answer needs noise of {error(noise.mean_absolute)} on average"
    told = next(each for each in view.texts if "Laplace noise of scale" in each)
    size = float(told.split("noise of scale ")[1].split(" ")[0].rstrip(".,"))
    assert size == float(brief(scale.scale, toward="up"))
    told = next(each for each in view.texts if "of releases nothing is added: the exact answer goes out." in each)
    assert told.startswith("Computed from estimated densities; in ")
    assert told.endswith("(Estimate)"), "the law is proven, its scales are read off estimated densities"
    share = float(told.split("; in ")[1].split(" %")[0]) / 100
    assert noise.exact_share <= share <= noise.exact_share + 0.001, "rounded up: it is a danger"
    chart = view.chart
    places, heights = chart.curve("density")
    np.testing.assert_allclose(heights, noise.density(places), rtol=1e-9)
    bars = chart.trace("sample")
    assert bars["type"] == "bar"
    distances = wasserstein_inf(found.answers, found.without)
    order = np.argsort(-distances)
    reached = float(achieved_epsilon(found.answers, found.without[order[:500]], scale=noise.scale).max())
    assert distances[order[500]] / noise.scale < reached <= 0.1, "nobody nearer reaches more than that quotient"
    (said,) = (each for each in view.texts if "wanted were" in each)
    told = float(said.split("at most ε = ")[1].split(",")[0])
    assert told == float(brief(reached, toward="up")), "rounded up, and the largest of all individuals"
    assert "not differential privacy" in view.words or "is not stopped" in view.words


def test_the_wanted_level_says_what_it_means(page):
    view = page(enoise=3)
    assert "ε = 3: an attacker who is 50 % sure becomes at most 95.3 % sure." in view.words, "rounded up from 95.26"


def test_less_noise_for_a_larger_level_and_none_where_none_is_needed(page, found):
    view = page()
    before = view.chart.figure
    view.type("enoise", 0.5)
    assert view.chart.figure != before
    view.type("enoise", 100)
    assert headline(view) == "For ε = 100 no noise is needed: the answers are spread widely enough"
    assert not view.charts
    assert found.losses.max() <= 100


def test_the_published_distance_stands_beside_the_valid_one(page):
    result = audit(murders(), PanelMean())
    view = page(etable="county_murders", enoise=0.5)
    table = distances(view)
    assert [each.split(" ")[0] for each in table["Distance"]] == ["∞-Wasserstein", "Hausdorff"]
    assert "Proven" in table["Distance"][0]
    assert "Refuted" in table["Distance"][1]
    valid = wasserstein_scale(result.answers, result.without, epsilon=0.5)
    published = hausdorff_scale(result.answers, result.without, epsilon=0.5)
    scales = [float(each.replace(",", "")) for each in table["Scale of the noise"]]
    assert scales == [float(brief(valid.scale, toward="up")), float(brief(published.scale))]
    assert published.scale < valid.scale
    assert "which is false" in view.words
    assert "it leaves ε = 3.73" in view.words


@pytest.mark.parametrize(("settings", "query"), [({"eask": "mean"}, PanelMean()), ({"eask": "sum"}, PanelSum())])
def test_the_classical_mechanism_is_compared(page, settings, query):
    result = audit(murders("murder_rate"), query)
    view = page(etable="county_murders", emur="murder_rate", enoise=0.01, **settings)
    (words,) = (each for each in view.texts if "The audit asks for noise of mean size" in each)
    scale = wasserstein_scale(result.answers, result.without, epsilon=0.01)
    size = mixture_noise(result.bandwidth, scale.scale).mean_absolute
    assert f"of mean size {brief(size, toward='up')}." in words
    assert words.endswith("(Estimate)"), "one of the two sizes is an estimate"
    assert "infinite noise: nothing bounds what one individual can change" in words, "no value is clamped here"


def test_a_count_has_a_classical_counterpart(page):
    (words,) = (each for each in page(tab="noise", eask="count", enoise=0.1).texts if "Differential privacy" in each)
    assert f"needs {classical_sensitivity(PanelCount(), records=1) / 0.1:g}" in words


def test_where_nothing_bounds_a_value_the_classical_noise_is_infinite(page):
    assert "Differential privacy would need infinite noise" in page(etable="precipitation").words


def test_gaussian_kernels_have_no_such_noise_and_an_approximation_is_measured(page, found):
    view = page(ekern="gaussian")
    assert "No noise turns Gaussian kernels into the wanted density" in view.words
    assert "The paper says that Gaussian kernels work too. (Refuted)" in view.words
    scale = wasserstein_scale(found.answers, found.without, epsilon=0.1)
    width = float(fit_density(found.answers, kernel="gaussian", bandwidth="fixed").bandwidths[0])
    noise = band_limited_noise(width, scale.scale)
    measured = measured_level(noise, found.answers, without=found.without)
    told = headline(view).split("measured ε = ")[1]
    assert told == brief(measured.epsilon, toward="up")
    assert "nothing is guaranteed" in view.words
    assert view.charts


@pytest.mark.parametrize("enoise", [10, 100])
def test_where_the_approximation_does_not_reach_a_sentence_says_so(page, enoise):
    view = page(ekern="gaussian", enoise=enoise)
    assert not errors(view)
    (info,) = infos(view)
    assert "too close" in info
    assert not view.charts


# --- the certificate --------------------------------------------------------------------------------------------------


def test_a_certificate_without_noise(certificate, found):
    content = certificate(eint=0)
    assert content["result"]["delta"] == float(f"{found.at(0.1).delta:.3g}")
    assert content["query"] == "mean"
    assert "noise" not in content
    assert "intervals" not in content
    assert "keyed fingerprint" not in content
    assert "intervals" in certificate(), "they stand beside the estimate unless the reader takes them away"
    assert content["link"].startswith("?")
    assert content["made with"].startswith("Privacy at Risk explorer")


def test_noise_and_intervals_go_into_the_certificate(certificate):
    content = certificate(eadd=1, enoise=0.3, eint=1, edraws=20)
    assert content["noise"]["wanted epsilon"] == 0.3
    assert content["intervals"]["level"] == 0.95
    assert content["databases"]["number"] == 20
    assert "independent by construction" in content["databases"]["origin"]


def test_the_switch_of_the_noise_section_reaches_the_certificate(page, certificate):
    view = turn(page(), "eadd")
    view.visit("empirical_audit", tab="exposed")
    assert json.loads(certificate.files["certificate"]())["noise"]["wanted epsilon"] == 0.1


@pytest.mark.parametrize(("key", "made"), [("", False), ("qwerty7", False), ("a long secret", True)])
def test_a_fingerprint_needs_a_key_of_some_length(open_page, certificate, key, made):
    view = open_page("empirical_audit")
    view.app.session_state["fingerprint"] = True
    view.run()
    (field,) = (each for each in view.app.text_input if each.label == "Secret key")
    field.set_value(key)
    view.run()
    text = certificate.files["certificate"]()
    assert ("keyed fingerprint" in json.loads(text)) == made
    assert not key or key not in text
    assert not key or key not in json.dumps(view.links)
    assert [each for each in errors(view) if "at least 8 letters" in each] == (
        [] if key != "qwerty7" else ["The key must have at least 8 letters."]
    )
