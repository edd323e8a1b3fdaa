"""Opens pages of the dashboard without a browser, and reads what stands on them."""

import json
import re
import threading
import time
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from pages.shared import answers, job_process, jobs
from par_core.questions.empirical_audit import audited
from tests.audits import audit
from tests.shown import BADGE as BADGE
from tests.shown import CODE, Chart, Story, plain, shown
from tests.shown import values as values

ROOT = Path(__file__).parents[2]
TIMEOUT = 600  # seconds for one run of a page: no test is one of speed, and a busy machine may take its time


@pytest.fixture(autouse=True)
def no_job_is_left():
    """Every test ends its own jobs."""
    yield
    end_jobs()


def end_jobs():
    """Stop whatever was started, and wait for its end: a job goes on beside the page that asked for it."""
    end = time.monotonic() + TIMEOUT
    while running := [each for each in threading.enumerate() if each.name == "job"]:
        for each in list(jobs._LINE._jobs):  # a thread that has just begun is not in it yet
            each.cancel()
        running[0].join(0.01)
        assert time.monotonic() < end, "a job does not stop"
    while job_process._IDLE:
        line, process = job_process._IDLE.pop()
        line.close()
        process.wait()


@pytest.fixture(scope="session")
def open_page():
    """Open a page, by the name of its module, with parameters in the address; returns a `View` of it."""

    def open_it(module, **address):
        return View().visit(module, **address)

    return open_it


class View:
    """What a reader sees of one session."""

    def __init__(self):
        self.app = AppTest.from_file(ROOT / "app.py", default_timeout=TIMEOUT)
        # Without one, AppTest searches every installed package for components, which costs twice what a page does.
        self.app._bidi_component_manager = BidiComponentManager()
        for group in ("query", "releases", "money"):  # a closed group of the sidebar draws no fields
            self.app.session_state[f"group_{group}"] = True
        self.app.session_state[jobs.AT_ONCE] = True  # nobody asks after a job here
        self._events = []  # what components tell in the next run

    def visit(self, module, **address):
        """Open a page; the reader's session goes on. AppTest knows pages that are files only, and ours are functions."""
        self.app._page_hash = calc_hash(module)
        self.app.query_params = {
            key: value if isinstance(value, list) else str(value) for key, value in address.items()
        }
        return self.run()

    def run(self):
        self.failing()
        assert not [each.value for each in self.app.error if "unexpected" in each.value]
        return self

    def failing(self):
        """Run the page, which may say that something unexpected went wrong."""
        states = self.app._tree.get_widget_states() if self.app._tree else WidgetStates()
        for id_, event in self._events:
            states.widgets.add(id=id_, json_trigger_value=json.dumps([event]))
        self._events.clear()
        self.app._run(states)
        assert not self.app.exception, self.app.exception
        # As in a browser: the next run is of the page that this one turned to, and brings along the address that it wrote.
        self.app._page_hash = calc_hash(self.links["page"])
        self.app.query_params = dict(parse_qsl(self.links["address"], keep_blank_values=True))
        return self

    # --- what is seen ---

    @property
    def title(self):
        (title,) = self.app.title
        return title.value

    @property
    def texts(self):
        """Every text of the page, with plain spaces and without the marks of Markdown."""
        app = self.app
        elements = (app.markdown, app.caption, app.info, app.success, app.warning, app.error)
        return [plain(each.value) for kind in elements for each in kind]

    @property
    def warnings(self):
        """The warnings of the page, letter by letter as they are shown."""
        return [shown(each.value) for each in self.app.warning]

    @property
    def words(self):
        return "\n".join(self.texts)

    @property
    def headline(self):
        """The first headline of the section, with its marks in brackets."""
        return next(text for text in self.texts if text.startswith("## ")).removeprefix("## ")

    def assert_told(self, question):
        """What the page shows is what the question answers: words, charts, tables and meters."""
        story = Story(question.answer() if question.private else answers.told(question).answer)
        texts = {text.lstrip("# ") for text in self.texts} | set(re.split(r"\n+(?:- )?", self.words))
        texts |= {*map(plain, self.warnings)}
        texts |= set(map(shown, texts))
        assert [text for text in story.texts if text not in texts] == []
        assert not story.headline or self.headline in story.texts
        for key, chart in story.charts.items():
            assert self.charts[key].figure == chart.figure
            assert self.charts[key].alt.replace("\u00a0", " ") == chart.alt
        tables = [{name: [*map(_unlinked, cells)] for name, cells in each.value.items()} for each in self.app.table]
        assert tables == story.tables
        assert [(each.label, plain(each.value)) for each in self.app.metric] == story.numbers
        assert [each.proto.text.replace("\u00a0", " ") for each in self.app.get("progress")] == story.meters

    @property
    def metrics(self):
        return {each.label: plain(each.value) for each in self.app.metric}

    @property
    def charts(self):
        """The charts of the page by their keys."""
        contents = (json.loads(each.proto.json) for each in self.app.get("bidi_component") if each.proto.json)
        return {content["name"]: ShownChart(content) for content in contents if "figure" in content}

    @property
    def chart(self):
        """The only full chart of the page; small pictures do not count."""
        (chart,) = (each for each in self.charts.values() if each.full)
        return chart

    @property
    def open_section(self):
        (tab,) = (each for each in self.app.tabs if each.children)
        return tab.label

    @property
    def links(self):
        """What the page writes to the address, and what its button copies."""
        contents = (json.loads(each.proto.json) for each in self.app.get("bidi_component") if each.proto.json)
        return next(content for content in contents if content.get("button"))

    # --- what is done; fields bear the names that they have in the address ---

    def number(self, key):
        """A field for a number: of Streamlit's own, or that of a dial."""
        return self.dials.get(key) or self.app.number_input(key=key)

    @property
    def dials(self):
        """The dials of the page by the keys of their settings."""
        contents = ((each.proto, json.loads(each.proto.json or "{}")) for each in self.app.get("bidi_component"))
        return {content["dial"]: Dial(proto, content) for proto, content in contents if "dial" in content}

    @property
    def keys(self):
        """The keys of all controls from top to bottom, as the Tab key meets them."""
        return [*_keys(self.app.main)]

    def type(self, key, value):
        """Type a number into a field."""
        return self.turn(key, value) if key in self.dials else self._type(key, value)

    def _type(self, key, value):
        self.app.number_input(key=key).set_value(value)
        return self.run()

    def turn(self, key, value, *, count=None):
        """Set a dial as the browser does: by an event."""
        return self.tell(key, {"value": value, "count": self.dials[key].heard + 1 if count is None else count})

    def tell(self, key, told):
        """Let a dial tell anything."""
        self._events.append((_make_trigger_id(self.dials[key].id, "events"), {"event": "told", "value": told}))
        return self.run()

    def come_near(self, chart, key):
        """Move the pointer to a dial: a chart asks for its frames."""
        (id_,) = (each.proto.id for each in self.app.get("bidi_component") if f'"name": "{chart}"' in each.proto.json)
        self._events.append((_make_trigger_id(id_, "events"), {"event": "frames", "value": key}))
        return self.run()

    def choose(self, key, option):
        """Click one of the alternatives in a row of buttons."""
        self.app.button_group(key=key).set_value(option)
        return self.run()

    def pick(self, key, *entries):
        """Put these entries into a list of numbers in place of what stands there."""
        self.app.multiselect(key=key).set_value(list(entries))
        return self.run()

    def press(self, label):
        """Click the button whose label begins like this."""
        found = [each for each in self.app.button if plain(each.label).startswith(label)]
        assert len(found) == 1, f"{len(found)} buttons begin with {label!r}: {[each.label for each in self.app.button]}"
        found[0].click()
        return self.run()


class Dial:
    """What a dial holds."""

    def __init__(self, proto, content):
        self.id, self.value, self.steps, self.heard = proto.id, content["value"], content["steps"], content["heard"]


class ShownChart(Chart):
    """A chart of a page: with what its component holds besides."""

    def __init__(self, content):
        super().__init__(content["figure"], content["alt"])
        self.full, self.dials, self.frames = content["menu"], content["dials"], content["frames"]


def _unlinked(cell):
    return re.sub(r"^\[(.*)\]\(paper_check\?[^)]*\)$", r"\1", plain(cell))


def _keys(block):
    for each in block.children.values():
        if hasattr(each, "children"):
            yield from _keys(each)
        elif getattr(each, "key", None):
            yield each.key


@pytest.fixture(scope="module")
def audited_once():
    """An audit that a page, its notebook and its test ask for alike is done once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audited, "audit", audit)
        yield


@pytest.fixture
def files(monkeypatch):
    """Catch what the download buttons would make, by their keys."""
    import streamlit as st

    found, draw = {}, st.download_button

    def button(label, data, **options):
        found[options["key"]] = data
        return draw(label, data, **options)

    monkeypatch.setattr(st, "download_button", button)
    return found


@pytest.fixture(scope="session")
def unguarded():
    """Return what is left of a sentence in Markdown without its code spans and its escaped letters."""
    return lambda markdown: re.sub(r"\\.", "", CODE.sub("", markdown))


@pytest.fixture(scope="session")
def read_values():
    """Read the numbers of one axis of a trace."""
    return values
