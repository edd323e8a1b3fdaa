"""What the tests of the Empirical audit do and look at."""

import hashlib
import pickle
import re
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import parse_qsl

from par_core.audit import Panel, auditing
from par_core.datasets import census2000, county_murders
from par_core.randomness import seeded

MARKER = "zebra4711"


@dataclass(frozen=True)
class _Held:
    """A panel that is equal to another one with the same content."""

    digest: bytes
    panel: Panel = field(compare=False)


@lru_cache(maxsize=8)
def _audited(held, query):
    return auditing.audit(held.panel, query)


def audit(panel, query, *, progress=None):
    """The core's audit, done once where a page and the test that looks at it ask the same of equal panels."""
    if progress:
        progress(1.0)
    return _audited(_Held(hashlib.sha256(pickle.dumps(panel)).digest(), panel), query)


def census(value="weekly_income", *, databases=60, share=0.02, seed=1):
    """The panel that the page draws of the census."""
    return Panel.from_table(
        census2000().table, value=value, databases=databases, share=share, rng=seeded(seed), individual=None
    )


def murders(value="murders"):
    """The panel of the counties."""
    return Panel.from_long(county_murders().table, database="year", individual="county", value=value)


def headline(view):
    """The verdict, letter by letter as it is shown."""
    (text,) = (text.removeprefix("## ") for text in view.texts if text.startswith("## "))
    return text.replace("\\", "")


def errors(view):
    return [each.value.replace("\\", "") for each in view.app.error]


def infos(view):
    return [each.value.replace("\\", "") for each in view.app.info]


def ranking(view):
    """The listed individuals, as they are shown."""
    found = radio(view, "erank")
    captions = (each.replace("\\", "").replace("\u00a0", " ") for each in found.proto.captions)
    return [f"{number}. {caption}" for number, caption in zip(found.options, captions, strict=True)]


def radio(view, key):
    (found,) = (each for each in view.app.radio if re.fullmatch(rf"{key}(_\w+)?", each.key or ""))
    return found


def rank(view, number):
    """Choose an individual in the ranking."""
    radio(view, "erank").set_value(number)
    return view.run()


def turn(view, key):
    (toggle,) = (each for each in view.app.toggle if each.key == key)
    toggle.set_value(not toggle.value)
    return view.run()


def select(view, key, value):
    view.app.selectbox(key=key).set_value(value)
    return view.run()


def put(view, data, name=f"{MARKER}.csv"):
    view.app.file_uploader[0].set_value((name, data, "text/csv"))
    return view.run()


def link(view):
    return dict(parse_qsl(view.links["full"], keep_blank_values=True))
