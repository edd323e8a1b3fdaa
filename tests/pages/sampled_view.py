"""What the tests of the Sample planner's sampled sensitivity do and look at."""

import json
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest

from par_core.randomness import seeded
from par_core.sampling import sample_sensitivity

SMALL = {"sp": 30, "spairs": 120}  # rows of each data set and pairs, as in a link


def select(view, key, value):
    view.app.selectbox(key=key).set_value(value)
    return view.run()


def errors(view):
    return [each.value.replace("\\", "") for each in view.app.error]


def infos(view):
    return [each.value.replace("\\", "") for each in view.app.info]


def last_link(view):
    """What was written to the address last in a run, after the sections were drawn."""
    contents = (json.loads(each.proto.json) for each in view.app.get("bidi_component") if each.proto.json)
    last = max((each for each in contents if "run" in each), key=lambda each: each["run"])
    return {name: dict(parse_qsl(last[name], keep_blank_values=True)) for name in ("address", "full")}


def marked(view):
    """The sensitivity that is marked, and the share of the sample that it covers."""
    ((x, y, _),) = view.chart.own
    return x, y


def drawn(query, frame, *, rows=SMALL["sp"], pairs=SMALL["spairs"], seed=1):
    return sample_sensitivity(query, frame, rows=rows, pairs=pairs, rng=seeded(seed))


def assert_shows(view, sample, share=0.9, sure=0.9):
    """The page shows this sample: its marked value, its curve, its worst case."""
    chosen = sample.for_share(share, sure)
    assert marked(view) == (pytest.approx(chosen.value, rel=1e-12), chosen.rank / sample.pairs)
    values, shares = view.chart.curve("sampled pairs")
    assert values[-1] == sample.values[-1]
    np.testing.assert_allclose(shares, sample.cdf(values), rtol=0, atol=1e-12)
    told = re.search(r"moves the .* by at most ([\d.,e-]+) ", view.headline)[1]
    assert chosen.value <= float(told.replace(",", "")) <= chosen.value * 1.034 + 1e-300, "rounded up, to two digits"
    certainty = re.search(r"With (.*?) % certainty", view.words)
    assert certainty, "the sentence under the headline says how sure it is"
    assert f"with a probability of {certainty[1]} %, counted exactly" in view.words
    if sample.worst_case is None:
        assert "No bound is known here" in view.words
    else:
        assert re.search(r"No pair exceeds [\d.,e-]+\. \(Proven\)", view.words)
