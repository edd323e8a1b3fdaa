"""The controls of every section as a reader finds them: their kind, label, bounds, steps and choices, and whether a hint explains them.

`python -m tests.golden.record controls` writes `tests/data/controls.json.gz` anew. Words of hints are left to who writes them.
"""

import json

from google.protobuf.json_format import MessageToDict

from tests.golden.charts import SECTIONS, key_of, settings_of
from tests.pages.notebook import opened

NAMES = ("defaults", "another")
_DIAL = "privacy_at_risk_dial"
_OF_A_SESSION = {"id", "setValue", "deferredFileId", "url", "arrowData", "session", "heard"}
_OF_OTHER_RECORDS = {
    "default",
    "value",
    "values",
    "rawValue",
    "rawValues",
    "alt",
}  # what they stand at shows in charts and words


def drawn(page):
    """Each control of an open section under its place, kind and label."""
    found = {}
    for element in page.app.main:
        proto = getattr(element, "proto", None)
        if "id" not in getattr(getattr(proto, "DESCRIPTOR", None), "fields_by_name", {}) or element.type.endswith(
            "container"
        ):
            continue
        told = MessageToDict(proto)
        if element.type == "bidi_component":
            if told["componentName"] != _DIAL:
                continue
            told = json.loads(told["json"])
        if "columns" in told:
            told["columns"] = _plain(json.loads(told["columns"]))
        found[f"{len(found)} {element.type} {told.get('label', '')}"] = _plain(told)
    return found


def _plain(told):
    """A control, or a column of a table, whose hint counts as there or not."""
    if not isinstance(told, dict):
        return told
    kept = {name: _plain(each) for name, each in told.items() if name not in _OF_A_SESSION | _OF_OTHER_RECORDS}
    return kept | {name: bool(kept[name]) for name in ("help", "hint") if name in kept}


def recorded_now():
    """Open every section at its defaults and at other settings."""
    return {key_of(*at, name): drawn(opened(*at, **settings_of(at[0], name))) for at in SECTIONS for name in NAMES}
