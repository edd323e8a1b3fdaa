"""What a chart and a story hold, read without a browser."""

import base64
import json
import math
import re

import numpy as np

from par_core.questions import blocks
from par_core.questions.evidence import word_of

BADGE = r"\[?+:\w+-badge\[([^\]]*)\](?:\]\([^)]*\))?+"  # with its link, if it has one: never half of it


def plain(text):
    text = re.sub(BADGE, r"(\1)", text.replace("\u00a0", " "))
    return re.sub(r"\*\*|(?<!\\)`", "", text)


CODE = re.compile(r"(?<!`)(`+) (.*?) \1(?!`)", re.DOTALL)


def shown(markdown):
    """Return what Markdown shows of a sentence with code spans and escaped letters."""
    spans = []
    kept = CODE.sub(lambda match: spans.append(match[2]) or "\0", markdown.replace("\u00a0", " "))
    unescaped = re.sub(r"\\(.)", r"\1", kept)
    return re.sub("\0", lambda _: spans.pop(0), unescaped)


def values(encoded):
    """Read the numbers of a trace: a list, or the bytes of an array in base 64 with their type."""
    if isinstance(encoded, dict):
        return np.frombuffer(base64.b64decode(encoded["bdata"]), dtype=np.dtype(encoded["dtype"])).astype(float)
    return np.array([math.nan if each is None else each for each in encoded], dtype=float)


class Chart:
    """What a chart holds."""

    def __init__(self, figure, alt):
        self.figure, self.alt = json.loads(figure), alt
        self.title = self.figure["layout"]["title"]["text"]
        self.x_title = self.figure["layout"]["xaxis"]["title"]["text"]
        self.y_title = self.figure["layout"]["yaxis"]["title"]["text"]

    @property
    def names(self):
        return [trace["name"] for trace in self.figure["data"] if "name" in trace]

    def trace(self, *words):
        """The one trace whose name holds all these words; a `;` stands for the end of the name."""
        found = [each for each in self.figure["data"] if all(word in f"{each.get('name', '')};" for word in words)]
        assert len(found) == 1, f"{len(found)} traces hold {words}: {self.names}"
        return found[0]

    def curve(self, *words):
        """The points of that trace, as two arrays."""
        trace = self.trace(*words)
        return values(trace["x"]), values(trace["y"])

    @property
    def own(self):
        """The reader's own setting as it is marked: a list of (x, y, text)."""
        marks = [each for each in self.figure["data"] if each.get("mode") == "markers+text"]
        return [(values(each["x"])[0], values(each["y"])[0], each["text"][0]) for each in marks]


class Story:
    """What an answer tells, in the words of a page: with its marks in brackets, plain spaces, and no Markdown."""

    def __init__(self, answer):
        self.texts, self.charts, self.tables, self.meters, self.takes, self.own = [], {}, [], [], {}, []
        self.headline = plain(answer.headline)
        self._read(answer.story())

    def _read(self, story):
        for block in story:
            match block:
                case blocks.Words():
                    self.texts.append(_told(block))
                case blocks.Listed():
                    self.texts += map(_told, (block.announced, *block.lines))
                case blocks.Chart():
                    self.charts[block.key] = Chart(block.draw().to_json(), plain(block.alt.told()))
                case blocks.Table():
                    self.tables.append({name: [*map(_told, cells)] for name, cells in block.columns.items()})
                case blocks.Meter():
                    self.meters.append(plain(block.text))
                case blocks.Beside() | blocks.More(blocks=tuple()):
                    self._read(block.blocks)
                case blocks.Take():
                    self.takes[plain(block.label)] = block.fields
                case blocks.Own():
                    self.own.append(block.name)
                case blocks.Part():
                    self._read(block.question.answer().story())

    @property
    def words(self):
        return "\n".join(self.texts)

    @property
    def chart(self):
        (chart,) = self.charts.values()
        return chart

    def cell(self, column, row):
        """One cell of the only table, by its column and the beginning of its row."""
        (table,) = self.tables
        first, *_ = table.values()
        (at,) = (at for at, name in enumerate(first) if name.startswith(row))
        return table[column][at]


def _told(words):
    return plain(words if isinstance(words, str) else words.marked(lambda source: f"({word_of(source)[0]})"))
