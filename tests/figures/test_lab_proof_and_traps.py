"""The pictures of the proof that fails and of the traps hold the numbers of their results."""

import numpy as np
import pytest

from par_core.figures import lab_proof, lab_traps
from par_core.lab.clamping import clamped_noise
from par_core.lab.float_noise import float_noise
from par_core.lab.private_average import private_scale
from par_core.lab.published_records import GRID, published_records
from par_core.lab.why_the_proof_fails import noise_pairs, one_draw
from par_core.risk import explicit_curves
from par_core.rounding import percent
from tests.figures.checked import Checked

proof, traps = Checked(lab_proof), Checked(lab_traps)


def marks(figure):
    return [(each.x[0], each.y[0], each.text[0]) for each in figure.data if each.mode == "markers+text"]


@pytest.mark.parametrize("noise", [-2.0, 0.25, 3.0])
def test_both_rulers_end_at_the_one_published_answer(noise):
    figure = proof.one_draw(one_draw(noise, 0.8), both=True)
    rulers = [each for each in figure.data if each.name == "the noise, seen from each table"]
    assert [tuple(each.x) for each in rulers] == [(0.0, noise), (1.0, noise)]
    assert [(x, text) for x, _, text in marks(figure)] == [
        (noise, f"from x: {noise:g}"),
        (noise, f"from y: {noise - 1:g}"),
    ]
    assert len(marks(proof.one_draw(one_draw(noise, 0.8), both=False))) == 1


def test_the_marked_draw_lies_on_the_line_and_the_level_lines_at_its_loss(trace, coordinates):
    """A draw whose loss has exactly the level hoped for lies on both lines."""
    draw = one_draw(0.25, 2.0)
    figure = proof.pairs(noise_pairs(2.0), draw=draw, epsilon=abs(draw.loss))
    ((x, y, _),) = marks(figure)
    assert (x, y) == (0.25, 0.75)
    first, second = (each for each in figure.data if each.name == "loss of size ε = 1")
    assert y in (np.interp(x, first.x, first.y), np.interp(x, second.x, second.y))
    line_x, line_y = coordinates(trace(figure, "every release"))
    assert x + y == line_x[1] + line_y[1]


def test_the_law_of_the_loss_ends_in_its_atom(trace, coordinates):
    own = explicit_curves.risk_at(0.5, 1.0)
    figure = proof.law(explicit_curves.truth(1.0), own=own)
    epsilon, exact = coordinates(trace(figure, "exact"))
    assert exact[epsilon < 1].min() == pytest.approx((1 + np.exp(-1)) / 2, rel=1e-9)
    assert not exact[epsilon >= 1].any()
    assert [text for _, _, text in marks(figure)] == ["claimed 37.8\u00a0%", "true 84.7\u00a0%"]


def test_the_own_setting_among_published_records_lies_on_its_curve(trace, coordinates):
    own = published_records(1.0, 1000)
    figure = traps.published_records(published_records(GRID, 1000), own=own)
    ((x, y, text),) = marks(figure)
    assert text == percent(own.each_alone, toward="up")
    expected, share = coordinates(trace(figure, "each record"))
    assert np.interp(x, expected, share) == pytest.approx(y, abs=1e-3)


@pytest.mark.parametrize("bound", [1, 6])
def test_only_what_one_table_can_publish_is_hatched(bound, trace, coordinates):
    found = clamped_noise(bound, 0.7)
    figure = traps.clamped_noise(found)
    places, shares = coordinates(trace(figure, "one table only"))
    assert np.rint(places).tolist() == [-bound, bound + 1]
    assert shares.tolist() == [found.impossible] * 2
    for name in ("exact answer 0", "exact answer 1"):
        assert np.rint(coordinates(trace(figure, name))[0]).tolist() == list(range(1 - bound, bound + 1))


def test_each_number_is_one_dot_in_each_row(trace, coordinates):
    found = float_noise(7, 0.9)
    figure = traps.float_noise(found)
    drawn = {(x, y) for each in figure.data for x, y in zip(each.x, each.y, strict=True)}
    assert drawn == {(x, y) for x in found.numbers for y in (0.0, 1.0)}
    only = {*zip(*coordinates(trace(figure, "one table only")), strict=True)}
    expected = {
        (x, float(row))
        for x, zero, one in zip(found.numbers, found.from_zero, found.from_one, strict=True)
        for row, (own, other) in enumerate(((zero, one), (one, zero)))
        if own and not other
    }
    assert only == expected
    assert only


def test_the_loss_passes_the_promise_where_it_is_marked(trace, coordinates):
    found = private_scale(5, 0.6)
    figure = traps.private_scale(found)
    ((x, y, text),) = marks(figure)
    assert np.interp(x, *coordinates(trace(figure, "loss;"))) == pytest.approx(y, rel=1e-12)
    assert (y, text) == (0.6, f"{percent(found.exceeds, toward='up')} of releases")
