"""What a breach costs in full, and where a model leaves next to nothing of it."""

import numpy as np
import pytest

from par_core.cost import CostModel, FixedPlusPerHead, PiecewiseLinear, says_little

TABLE = PiecewiseLinear([(0.1, 10.0), (0.5, 400.0), (1.0, 20_000.0)])
MODELS = [
    (CostModel(5500, 100), 550_000.0),
    (CostModel(5500, 100, minimum=1000), 650_000.0),
    (CostModel(5500, 100, minimum=1000, capped=True), 550_000.0),
    (FixedPlusPerHead(20_000, 5500, 100), 570_000.0),
    (FixedPlusPerHead(20_000, 5500, 100, fixed_rate=2.0), 570_000.0),
    (TABLE, 20_000.0),
    (CostModel(0, 100), 0.0),
]


@pytest.mark.parametrize(("model", "full"), MODELS)
def test_the_full_amount_is_what_the_model_rises_to(model, full):
    assert model.full == full
    assert model.dp(1e12) == pytest.approx(full, rel=1e-9)
    assert (model.dp(np.geomspace(1e-3, 1e3, 50)) <= full).all()


def test_a_model_says_little_below_a_thousandth_of_the_full_amount():
    centre = CostModel(5500, 100)
    edge = 1 / np.log(1000)
    assert says_little(centre, 0.9999 * edge)
    assert not says_little(centre, 1.0001 * edge)
    assert says_little(TABLE, 0.05)
    assert not says_little(FixedPlusPerHead(20_000, 5500, 100), 1e-3)
    assert not says_little(CostModel(0, 100), 0.5)
