"""What a chart draws while a dial is dragged is what the server draws when it is let go."""

import base64
import copy
import json
import random
import zlib

import numpy as np
import pytest

from tests.pages.conftest import values

CHARTS = {
    ("decide", "decide"): ("decision", "e0", "wev", "wbv", "wiv", "wav"),
    ("decide", "odds"): ("odds_in_100", "e0"),
    ("decide", "public"): ("public_guesses", "e0"),
    ("decide", "duties"): ("precedents", "e0"),
    ("explicit_risk", "dimension"): ("risk_by_dimension", "e", "e0"),
    ("explicit_risk", "level"): ("risk_by_epsilon0", "e", "e0"),
    ("explicit_risk", "calibrate"): ("calibration", "e"),
    ("explicit_risk", "truth"): ("claim_against_truth", "e", "e0"),
    ("explicit_risk", "attacker"): ("attack_belief", "e", "e0"),
    ("explicit_risk", "pieces"): ("noise_overlap", "e", "e0"),
    ("budget_minimiser", "budget"): ("budget_for_a_breach", "e0"),
    ("budget_minimiser", "truth"): ("claimed_and_real", "e0"),
    ("composition", "accountants"): ("privacy_spent", "ce0", "e0"),
    ("composition", "plan"): ("releases_allowed", "cte"),
    ("composition", "votes"): ("votes_spent", "ve", "ve0"),
    ("sample_planner", "samples"): ("samples_needed", "srho", "sa"),
    ("sample_planner", "both"): ("both_sources", "be", "be0"),
    ("your_table", "plan"): ("error_against_epsilon0", "e0"),
    ("your_table", "wanted"): ("epsilon0_for_error", "e0"),
    ("your_table", "counts"): ("synthetic_counts", "e0"),
    ("mechanism_lab", "coins"): ("coins_survey", "le", "lcyes"),
    ("mechanism_lab", "choose"): ("choose_one", "le"),
    ("mechanism_lab", "which"): ("which_mechanism", "le", "ld"),
    ("empirical_audit", "exposed"): ("exposure", "ee"),
    ("empirical_audit", "adversary"): ("audit_given", "ee"),
    ("mechanism_lab", "worlds"): ("two_worlds", "lwa", "le"),
    ("mechanism_lab", "run"): ("watch_it_run", "lrn", "le"),
    ("mechanism_lab", "refute"): ("refute_claim", "le", "lfs"),
    ("mechanism_lab", "sample"): ("only_a_sample", "lsq", "le"),
    ("mechanism_lab", "group"): ("a_group", "lgn", "le"),
    ("mechanism_lab", "losses"): ("loss_walk", "lln", "le"),
    ("mechanism_lab", "best"): ("best_of_runs", "lbn", "le"),
    ("mechanism_lab", "proof"): ("one_noise_two_tables", "ps", "pn", "le", "ph"),
}
TRAPS = {"whole_records": ("td",), "invented_people": ("le",), "clamped_noise": ("tk", "le")}
TRAPS |= {"float_noise": ("tb", "le"), "private_average": ("tm", "le")}
SECTIONS = [(*section, chart, key) for section, (chart, *keys) in CHARTS.items() for key in keys]
SECTIONS += [("mechanism_lab", "traps", chart, key) for chart, keys in TRAPS.items() for key in keys]
# What else the address holds: no intervals while the level moves, the step of a dial, the trap of a chart.
ALSO = {"wav": {"wa": 1, "m": "gaussian"}, "wiv": {"wi": 1, "rel": 1}}
ALSO |= {"ee": {"eint": 0}, "ph": {"ps": 4}, "invented_people": {"tr": "clamping"}, "clamped_noise": {"tr": "clamping"}}
ALSO |= {"ve0": {"vn": 30}, "float_noise": {"tr": "floats"}, "private_average": {"tr": "average"}}


def unpacked(view, chart, key):
    packed = view.come_near(chart, key).charts[chart].frames[key]
    assert len(packed) <= 300_000
    plain = zlib.decompress(base64.b64decode(packed))
    length = int.from_bytes(plain[:4], "little")
    head = json.loads(plain[4 : 4 + length])
    numbers = np.frombuffer(plain[4 + length :], dtype=np.uint8).reshape(4, -1).T.copy().view("<f4").ravel()
    arrays = np.split(numbers, np.cumsum(head["lengths"])[:-1])
    return {frame["at"]: (applied(head["first"], frame["changes"]), arrays, frame["words"]) for frame in head["frames"]}


def applied(first, changes):
    figure = copy.deepcopy(first)
    for (*path, last), value in changes:
        part = figure
        for step in path:
            part = part[step]
        if value is None:
            part.pop(last)
        else:
            part[last] = value
    return figure


def bare(text):
    return "".join(letter for letter in text if letter not in "() \u00a0")


@pytest.mark.parametrize(("module", "tab", "chart", "key"), SECTIONS)
def test_each_frame_is_the_figure_of_its_stop(open_page, module, tab, chart, key):
    view = open_page(module, tab=tab, **ALSO.get(key, {}), **ALSO.get(chart, {}))
    frames = unpacked(view, chart, key)
    assert set(view.dials[key].steps) == set(frames)
    stops = sorted(frames)
    for stop in (stops[0], random.Random(f"{chart} {key}").choice(stops[1:-1][12::13] or stops), stops[-1]):
        figure, arrays, words = frames[stop]
        drawn = view.turn(key, stop).charts[chart].figure
        assert figure["layout"]["title"] == drawn["layout"]["title"]
        assert [trace.get("name") for trace in figure["data"]] == [trace.get("name") for trace in drawn["data"]]
        for moving, still in zip(figure["data"], drawn["data"], strict=True):
            for axis in ("x", "y"):
                short = arrays[moving[axis]["array"]] if isinstance(moving[axis], dict) else values(moving[axis])
                np.testing.assert_allclose(short, values(still[axis]), rtol=3e-4, atol=1e-30)
            assert moving.get("text") == still.get("text")
        for pieces in words.get("headline", []):
            assert bare("".join(pieces)) in bare(view.words)
        if key == "e0":
            for pieces in words["strip"]:
                assert bare("".join(pieces)) in bare(view.words)


def test_frames_come_once_and_only_when_asked_for(open_page):
    view = open_page("explicit_risk", tab="truth")
    assert view.charts["claim_against_truth"].frames == {}
    assert set(view.come_near("claim_against_truth", "e").charts["claim_against_truth"].frames) == {"e"}
    assert view.run().charts["claim_against_truth"].frames == {}


def test_frames_belong_to_all_settings_but_that_of_their_dial(open_page):
    view = open_page("explicit_risk", tab="truth")
    of = lambda: view.charts["claim_against_truth"].dials["e"]["of"]  # noqa: E731
    before = of()
    view.turn("e", 0.3)
    assert of() == before
    view.turn("e0", 0.6)
    assert of() != before


def test_a_value_that_was_typed_has_a_frame_of_its_own(open_page):
    view = open_page("explicit_risk", tab="truth")
    unpacked(view, "claim_against_truth", "e")
    before = view.charts["claim_against_truth"].dials["e"]["of"]
    view.turn("e", 0.3333)
    assert view.charts["claim_against_truth"].dials["e"]["of"] != before
    assert 0.3333 in unpacked(view, "claim_against_truth", "e")


def test_frames_of_a_dial_that_the_chart_does_not_know_are_not_made(open_page):
    view = open_page("explicit_risk", tab="truth")
    for forged in ("k", None, ["e"], {"e": 1}):
        assert view.come_near("claim_against_truth", forged).charts["claim_against_truth"].frames == {}
