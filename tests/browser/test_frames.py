"""What a chart shows under the thumb of a dial is what it shows once the dial is let go, whichever way the browser draws it."""

import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from tests.browser.conftest import until
from tests.pages.test_scrubbing import ALSO, CHARTS, TRAPS


def in_turns(charts):
    """Order charts such that the next one is on another page: to come to a page anew, a reader has to draw another one first."""
    by_page, found = defaultdict(list), []
    for each in charts:
        by_page[each[0]].append(each)
    while left := [page for page in by_page.values() if page]:
        others = [page for page in left if not found or page[0][0] != found[-1][0]]
        found.append(max(others or left, key=len).pop(0))
    return found


DRAWN = Path(__file__).with_name("chart_drawn.js").read_text(encoding="utf-8")
ALL = [(*section, chart, keys) for section, (chart, *keys) in CHARTS.items()]
ALL += [("mechanism_lab", "traps", chart, keys) for chart, keys in TRAPS.items()]
# Frames that change curves, words and axes alone: none of them is laid out anew.
LIGHT = {"precedents": "e0", "odds_in_100": "e0", "samples_needed": "sa", "coins_survey": "le"}
LIGHT |= {"epsilon0_for_error": "e0", "watch_it_run": "le"}
# Every chart that has frames, each with one of its dials: one browser looks at it for some seconds.
EVERY = in_turns((*chart, LIGHT.get(chart[-1], keys[at % len(keys)])) for at, (*chart, keys) in enumerate(ALL))
TOLERANCE = 0.5  # pixels
# Plotly leaves out points that lie within three quarters of a pixel from a line, and ends bars between pixels at the next one:
# the numbers of a frame, which are shorter, can make it choose another point or pixel.
LEFT_OUT = 1.01
SHARES = (0.4, 0.62)  # of the way from the first stop of a dial to its last one: charts are let go at one or the other
# Moves the dial as the line of a chart does that is drawn aside; returns the stop where it stands then, drawn in the next frame,
# and whether the whole chart was laid out for it, whatever becomes of others of the section; no stop where the dial has been before.
MOVE = """
([dial, value, chart]) => new Promise((done) => {
  const { react } = Plotly;
  let at = null, layout = null;
  const hear = ({ detail }) => { if (detail.dial === dial) at = detail.value; };
  window.addEventListener("par-dial", hear);
  window.dispatchEvent(new CustomEvent("par-drag", { detail: { what: "move", dial, value } }));
  window.removeEventListener("par-dial", hear);
  Plotly.react = (plot, ...asked) => {
    const drawn = react(plot, ...asked);
    if (plot.closest(`.st-key-${chart}`)) layout = drawn;
    return drawn;
  };
  const end = () => { Plotly.react = react; done([at, layout !== null]); };
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(async () => { await layout; setTimeout(end); })));
})
"""
TELL = "([dial, what]) => window.dispatchEvent(new CustomEvent('par-drag', { detail: { what, dial } }))"


def off(one, other):
    """How far a piece lies from another one of its kind, in pixels: of a line, the point that is farthest from the other line."""
    a, b = np.array(one["at"]), np.array(other["at"])
    if not one["corners"]:
        return float(np.abs(a - b).max())
    by_point = max(float(distances(points[::5], line).max()) for points, line in ((a, b), (b, a)))
    if len(one["corners"]) != len(other["corners"]):
        return by_point
    return min(by_point, float(np.abs(np.subtract(one["corners"], other["corners"])).max()))


def distances(points, line):
    """How far each point lies from a line of many segments."""
    begin, way = line[:-1], np.diff(line, axis=0)
    to = points[:, None, :] - begin
    share = np.clip((to * way).sum(axis=2) / np.maximum((way**2).sum(axis=1), 1e-12), 0, 1)
    return np.linalg.norm(to - share[:, :, None] * way, axis=2).min(axis=1)


def differences(one, other):
    """What is seen in one picture of a chart and not at that place in the other, with how far off it is."""
    left = defaultdict(list)
    for piece in other:
        left[piece["what"]].append(piece)
    for piece in one:
        candidates = left[piece["what"]]
        near = LEFT_OUT if piece["corners"] or piece["isBar"] else TOLERANCE
        at = next((at for at, each in enumerate(candidates) if off(piece, each) <= near), None)
        if at is None:
            yield piece["what"], min((off(piece, each) for each in candidates), default=None)
        else:
            candidates.pop(at)
    yield from ((what, "not under the thumb") for what, every in left.items() for _ in every)


class Dial:
    """A dial of a section, and the chart that follows it."""

    def __init__(self, reader, module, tab, chart, key) -> None:
        reader.open(module, tab=tab, **ALSO.get(key, {}), **ALSO.get(chart, {}))
        self.reader, self.page, self.chart, self.key = reader, reader.page, chart, key
        self.figure = self.page.locator(f".st-key-{chart} figure.par-chart")
        self.figure.wait_for()
        reader.wait_until_idle()
        self.page.evaluate(TELL, [key, "near"])  # the frames come
        (_, _), (self.last, _), (self.first, _) = (self.move_to(end) for end in (-1e9, 1e9, -1e9))
        until(lambda: any(self.is_moving(at) for at in (self.last, self.first)), where=(chart, key))

    def is_moving(self, at):
        self.move_to(at)
        return self.page.evaluate("document.querySelector('.par-moving') !== null")

    def move_to(self, value):
        return self.page.evaluate(MOVE, [self.key, value, self.chart])

    def move(self, share):
        """Move the thumb some way from the first stop to the last one."""
        first, last = self.first, self.last
        return self.move_to(first * (last / first) ** share if first > 0 else first + share * (last - first))

    def let_go(self):
        before = self.figure.get_attribute("data-drawn")
        self.page.evaluate(TELL, [self.key, "end"])
        until(lambda: self.figure.get_attribute("data-drawn"), lambda drawn: drawn not in (None, before), self.key)
        self.reader.wait_until_idle()

    def seen(self):
        return json.loads(self.figure.evaluate(DRAWN))


@pytest.mark.parametrize(("module", "tab", "chart", "key"), EVERY)
def test_a_frame_is_what_is_drawn_on_release(reader, module, tab, chart, key):
    dial, share = Dial(reader, module, tab, chart, key), SHARES[len(chart) % 2]
    if chart in LIGHT:
        assert_nothing_is_laid_out_anew(dial)
    dial.move(share - 0.1)
    at, _ = dial.move(share)
    if at is None:  # a dial of few stops
        at, _ = dial.move(share := 1.0)
    shown = dial.seen()
    dial.let_go()
    until(lambda: [*differences(shown, dial.seen())], lambda found: not found, at)  # a long count comes in steps


def assert_nothing_is_laid_out_anew(dial):
    for share in (0.3, 0.35, 0.4):  # from afar: what changes the margins is laid out anew, and so is the frame after it
        dial.move(share)
    assert [dial.move(share)[1] for share in (0.45, 0.5, 0.55)] == [False] * 3


def test_there_is_a_chart_of_which_nothing_is_laid_out_anew():
    assert {(chart, key) for _, _, chart, key in EVERY} >= set(LIGHT.items())


def test_what_a_frame_changes_is_gone_once_the_dial_rests(reader):
    """The points can be pointed at again, with the words of the server, and none is left that only moves."""
    dial = Dial(reader, "explicit_risk", "attacker", "attack_belief", "e0")
    curves = "(figure) => figure.querySelector('.js-plotly-plot')._fullData"
    told = curves + ".map(({ hoverinfo, hovertemplate }) => [hoverinfo, !!hovertemplate])"
    dial.move(0.4)
    dial.move(0.5)
    assert all(hoverinfo == "skip" for hoverinfo, _ in dial.figure.evaluate(told))
    dial.let_go()
    at_rest = dial.figure.evaluate(told)
    assert at_rest
    assert all(has_words for hoverinfo, has_words in at_rest if hoverinfo != "skip")
    assert any(hoverinfo != "skip" for hoverinfo, _ in at_rest)
