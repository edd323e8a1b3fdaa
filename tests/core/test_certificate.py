"""The certificate of an audit: what stands in it, and that nobody's name, no answer and no column does."""

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from par_core.audit import Panel
from par_core.audit.auditing import audit
from par_core.audit.intervals import intervals
from par_core.audit.noise import mixture_noise, wasserstein_scale
from par_core.audit.queries import PanelSum
from par_core.errors import ParameterError
from par_core.export.certificate import certificate, fingerprint

MARKER = "zebra4711"
KEY = "a long secret"


def long_table(seed=1):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            f"{MARKER}year": np.repeat(range(1990, 2010), 6),
            f"{MARKER}who": [f"{MARKER}{at % 6}" for at in range(120)],
            f"{MARKER}pay": 1000 * rng.normal(size=120) + 5000 * (np.arange(120) % 6 == 0),
        }
    )


def panel_of(table):
    return Panel.from_long(table, database=f"{MARKER}year", individual=f"{MARKER}who", value=f"{MARKER}pay")


@pytest.fixture(scope="module")
def panel():
    return panel_of(long_table())


@pytest.fixture(scope="module")
def audited(panel):
    return audit(panel, PanelSum())


def read(text):
    """Read strict JSON: no NaN and no infinities."""

    def refuse(name):
        raise AssertionError(name)

    return json.loads(text, parse_constant=refuse)


def numbers_of(content):
    if isinstance(content, dict):
        content = list(content.values())
    if isinstance(content, list):
        return [each for part in content for each in numbers_of(part)]
    return [content] if isinstance(content, float) else []


def test_it_holds_what_was_found(audited, panel):
    at = audited.at(0.1)
    text = certificate(audited, at, query="sum", databases=panel.source)
    found = read(text)
    assert text.endswith("}\n")
    assert found["result"] == {
        "epsilon": 0.1,
        "delta": float(f"{at.delta:.3g}"),
        "total risk (heuristic of the paper, no probability of a breach)": float(f"{at.total:.3g}"),
        "individuals above 0": at.exposed,
        "nothing can be said below a delta of about": 0.05,
        "epsilon from which nobody is exposed": pytest.approx(audited.losses.max(), rel=1e-3),
    }
    assert found["result"]["epsilon from which nobody is exposed"] >= audited.losses.max()
    assert (found["format"], found["query"], found["individuals"]) == (1, "sum", 6)
    assert found["databases"] == {"number": 20, "origin": panel.source}
    assert found["density"]["kernel"] == "laplace"
    assert found["density"]["bandwidth"] == float(f"{audited.bandwidth:.3g}")
    assert found["density"]["held-out log likelihood"] == float(f"{audited.density.held_out:.4g}")
    assert set(found["versions"]) == {"par_core", "python", "numpy", "scipy", "pandas"}
    assert (found["standing"], found["limits"]) == ("estimate", audited.limits)
    first, second = found["checks"]
    assert (first["question"], first["failed"]) == (audited.independent.question, audited.independent.failed)
    assert len(first["found"]) == len(audited.independent.checks)
    assert second["question"] == audited.comparable.question
    assert "intervals" not in found
    assert "noise" not in found


def test_intervals_noise_and_more_stand_in_it_when_they_are_given(audited):
    ends = intervals(audited, 0.1)
    scale = wasserstein_scale(audited.answers, audited.without, epsilon=0.2)
    noise = mixture_noise(audited.bandwidth, scale.scale)
    found = read(
        certificate(
            audited,
            audited.at(0.1),
            query="sum",
            databases="as given",
            intervals=ends,
            noise=(scale, noise),
            protected=(0.02, 1.23456),
            more={"link": "?tab=exposed"},
        )
    )
    told = found["intervals"]
    for (low, high), given in ((told["true delta"], ends.delta), (told["true total risk"], ends.total)):
        assert 0 <= given[0] - low <= 0.01 * given[0]
        assert 0 <= high - given[1] <= 0.01 * given[1]
    assert told["delta estimated from half of the databases"] == float(f"{ends.half_delta:.3g}")
    assert told["total risk estimated from half of the databases"] == float(f"{ends.half_total:.3g}")
    assert told["level"] == 0.95
    assert "every such distribution if databases are independent" in told["limits"]
    assert found["result"]["no delta is above it from epsilon"] == 1.235
    assert found["noise"]["wanted epsilon"] == 0.2
    assert scale.scale <= found["noise"]["scale"] <= 1.001 * scale.scale
    assert 0 <= found["noise"]["probability that the exact answer is released"] - noise.exact_share <= 0.001
    assert found["noise"]["mean size"] == float(f"{noise.mean_absolute:.3g}")
    assert "exact answer is released" in found["noise"]["limits"]
    assert found["link"] == "?tab=exposed"


def test_nobody_is_named_and_no_answer_told(audited, panel):
    text = certificate(
        audited,
        audited.at(0.1),
        query="sum",
        databases=panel.source,
        intervals=intervals(audited, 0.1),
        more={"keyed fingerprint": fingerprint(panel, KEY)},
    )
    assert MARKER not in text
    assert MARKER in repr(list(audited.individuals))  # so it could have been there
    told = numbers_of(read(text))
    secret = np.concatenate([audited.answers, audited.without.ravel(), panel.matrix.ravel()])
    for each in told:
        assert not np.isclose(each, secret, rtol=1e-6, atol=0).any()
    assert not re.search(r"\b(199\d|200\d)\b", text), "no database is named"


def test_a_likelihood_of_zero_is_no_number_in_it(audited):
    density = replace(audited.density, held_out=-np.inf)
    found = read(certificate(replace(audited, density=density), audited.at(0.1), query="sum", databases="as given"))
    assert found["density"]["held-out log likelihood"] is None


@pytest.mark.parametrize("which", ["independent", "comparable"])
def test_a_failed_check_is_a_warning_unless_the_databases_were_drawn_at_random(audited, which):
    checks = getattr(audited, which)
    failed = replace(checks, checks=(replace(checks.checks[0], failed=True),), words="They differ.")
    result = replace(audited, **{which: failed}, by_construction=False)
    told = read(certificate(result, result.at(0.1), query="sum", databases="as given"))
    assert told["warning"].startswith("Do not rely on this audit: ")
    assert "They differ." in told["warning"]
    drawn = replace(result, by_construction=True)
    assert "warning" not in read(certificate(drawn, drawn.at(0.1), query="sum", databases="as given"))


def test_a_number_that_stands_in_it_has_at_most_four_digits(audited):
    """But for the versions and what was typed in: the last digits of an estimate say nothing but whose data it is."""
    scale = wasserstein_scale(audited.answers, audited.without, epsilon=0.2)
    found = read(
        certificate(
            audited,
            audited.at(0.1),
            query="sum",
            databases="as given",
            intervals=intervals(audited, 0.1),
            noise=(scale, mixture_noise(audited.bandwidth, scale.scale)),
            protected=(0.02, 1.23456789),
        )
    )
    numbers = numbers_of(found)
    assert len(numbers) > 15
    assert [each for each in numbers if each != float(f"{each:.4g}")] == []


# --- the keyed fingerprint --------------------------------------------------------------------------------------------


def test_the_same_data_and_key_give_the_same_fingerprint(panel):
    again = panel_of(long_table())
    assert fingerprint(panel, KEY) == fingerprint(again, KEY)
    assert re.fullmatch(r"[0-9a-f]{32}", fingerprint(panel, KEY))


def test_another_key_or_other_data_give_another(panel):
    first = fingerprint(panel, KEY)
    seen = {first, fingerprint(panel, KEY + "!")}
    for row in (0, 60, 119):
        changed = long_table()
        changed.loc[row, f"{MARKER}pay"] += 1e-9
        seen.add(fingerprint(panel_of(changed), KEY))
    seen.add(fingerprint(panel_of(long_table().iloc[:-1]), KEY))
    assert len(seen) == 6


def test_which_value_is_whose_counts():
    """The same values in another order or in other databases are other data."""
    one = fingerprint(Panel.from_arrays([[1.0, 2.0], [3.0, 4.0]]), KEY)
    assert one != fingerprint(Panel.from_arrays([[3.0, 4.0], [1.0, 2.0]]), KEY)
    assert one != fingerprint(Panel.from_arrays([[1.0], [2.0], [3.0], [4.0]]), KEY)
    # Without the lengths both would be the same bytes: 0, 1, 0.0, 7.0 and 0, 5e-324, 0, 7.0.
    assert fingerprint(Panel.from_arrays([[0.0], [7.0]]), KEY) != fingerprint(Panel.from_arrays([[5e-324, 7.0]]), KEY)
    missing = fingerprint(Panel.from_arrays([[1.0, np.nan], [3.0, 4.0]]), KEY)
    assert missing != fingerprint(Panel.from_arrays([[1.0, 4.0], [3.0, np.nan]]), KEY)


@pytest.mark.parametrize("key", ["", "1234567", "ä" * 7])
def test_a_key_that_is_too_short_is_refused(panel, key):
    with pytest.raises(ParameterError, match="at least 8 characters") as caught:
        fingerprint(panel, key)
    assert not key or key not in str(caught.value)
