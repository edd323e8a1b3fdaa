"""The search of this page: a claim is found by the words of its paper, as they are copied from a PDF, or by its number there."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

_KINDS: Final = {
    "theorem": "theorem th thm",
    "equation": "equation eq eqn",
    "figure": "figure fig",
    "proposition": "proposition prop",
    "corollary": "corollary cor",
    "section": "section sec sect",
    "definition": "definition def defn",
    "table": "table tab",
    "lemma": "lemma lem",
    "page": "page p pp slide",
    "algorithm": "algorithm alg",
    "footnote": "footnote fn",
}
_KIND: Final = {each: kind for kind, names in _KINDS.items() for name in names.split() for each in (name, f"{name}s")}
_GREEK: Final = (
    r"(?:\\(?:var)?|(?<![a-z\\]))(alpha|beta|gamma|delta|epsilon|eta|theta|lambda|mu|pi|rho|sigma|phi)(?![a-z])"
)
_STEM: Final = 6  # letters that words of one family share: "probability", "probabilistic"
_LEADS, _PLACE, _STATES = 4.0, 2.0, 2.0  # a word counts more at the head of a place, in it, and in a statement
_LEAST = 0.25  # of the weight of what is searched for: below, texts share words by chance
_BESIDE = 0.5  # of the score of the best
_NEAREST = 10

Key = TypeVar("Key", bound=Hashable)


class Text(NamedTuple):
    """What is searched: where it stands in a paper, what it states, and all else that is said of it."""

    place: str
    statement: str
    rest: str = ""


class Found(NamedTuple, Generic[Key]):
    """Which texts were found, the best first; None where nothing was searched for."""

    keys: tuple[Key, ...] | None
    nearest: bool = False  # none holds the words as they were typed: these share the most of them


class Search(Generic[Key]):
    """Texts, made ready to be searched; of two that fit equally well the earlier one comes first."""

    def __init__(self, texts: Mapping[Key, Text]) -> None:
        split = {key: [_words(part) for part in text] for key, text in texts.items()}
        self._known = {word for parts in split.values() for part in parts for word in part}
        self._wholes = {key: f" {' / '.join(map(' '.join, parts))} " for key, parts in split.items()}
        self._weights = {key: _weights(*parts) for key, parts in split.items()}
        held = Counter(stem for weights in self._weights.values() for stem in weights)
        self._rare = {stem: math.log(1 + len(split) / number) for stem, number in held.items()}
        self._unheard = math.log(1 + len(split)) / 2  # a claim is told in other words than the paper's

    def find(self, words: str, among: Collection[Key] | None = None) -> Found[Key]:
        """Return the texts that hold these words one after another, or else those that share the most of them."""
        if not (asked := _words(words, self._known)):
            return Found(None)
        every = [key for key in self._wholes if among is None or key in among]
        stems = [*_stems(asked)]
        if any(
            " " in stem and not stem.startswith("page ") for stem in stems
        ):  # a theorem's page is that of another edition
            stems = [stem for stem in stems if not stem.startswith("page ")]
        rare = {stem: self._rare.get(stem, self._unheard) for stem in stems}
        score = {key: sum(rare[stem] * self._weights[key].get(stem, 0.0) for stem in rare) for key in every}
        whole = re.compile(re.escape(f" {' '.join(asked)}") + _end(asked[-1]))
        if found := [key for key in every if whole.search(self._wholes[key])]:
            return Found(tuple(sorted(found, key=score.__getitem__, reverse=True)))
        least, best = _LEAST * sum(rare.values()), max(score.values(), default=0.0)
        for key in every:
            shared = sum(each for stem, each in rare.items() if stem in self._weights[key])
            if 0 < shared >= least and score[key] >= _BESIDE * best:
                found.append(key)
        return Found(tuple(sorted(found, key=score.__getitem__, reverse=True)[:_NEAREST]), nearest=bool(found))


def _end(word: str) -> str:
    """Return what may not follow the last word: a word may be cut off, a number only where much of it is there."""
    return "" if not word[0].isdigit() or ("." in word and len(word) > _STEM) else r"(?!\d)"


def _words(text: str, known: Collection[str] = ()) -> list[str]:
    """Return the words and numbers of a text, without ligatures and spellings that differ from paper to paper.

    "Eqs. (15)" is equation 15, "43 %" is 43%, "ε₀" and "ε_0" are ε0. Given the `known` words, one that a line break has
    parted is put together.
    """
    text = unicodedata.normalize("NFKC", text).replace("\u00ad", "").replace("\u2206", "δ").casefold()
    text = re.sub(r"^\s*\((\d+)\)\s*$", r"equation \1", text)  # as papers number nothing else
    text = re.sub(_GREEK, lambda name: unicodedata.lookup(f"GREEK SMALL LETTER {name[1].replace('mb', 'm')}"), text)
    text = re.sub(r"\\(?:(ln|log|exp)|[a-z]+)", r" \1 ", text)
    text = re.sub(r"(?<=\d)\s*per\s?cent\b", "%", re.sub(r"(?<![\w.])\.(?=\d)", "0.", text))
    text = re.sub(rf"\b({'|'.join(_KIND)})\.?(?=\d)", r"\1 ", text)
    text = re.sub(r"_|(?<=\d),(?=\d{3}\b)|(?<=\d)\s+(?=%)", "", text)
    text = re.sub(r"([^\W\d]+)[-‐]\s*([^\W\d]+)", lambda halves: _joined(halves[1], halves[2], known), text)
    text = re.sub(r"(\.\d*?)0+\b", lambda end: end[1].rstrip("."), text)
    found = re.findall(r"[^\W\d]\w*|\d+(?:\.\d+)*%?", text)
    return [
        _KIND.get(word, word) if after[:1].isdigit() else word
        for word, after in zip(found, [*found, ""][1:], strict=True)
    ]


def _joined(first: str, second: str, known: Collection[str]) -> str:
    """Return "distri-bution" as one word, and "post-processing" as two."""
    broken = known and (first + second in known or second not in known)
    return first + second if broken else f"{first} {second}"


def _stems(words: Sequence[str]) -> Iterator[str]:
    """Yield by what texts can share these words: the head of each word, and each number with what it numbers."""
    kind = ""
    for word in words:
        if word[0].isdigit():
            yield f"{kind} {word}".strip()
            if re.fullmatch(r"\d+(\.\d+)?%", word):
                yield f"{float(word[:-1]) / 100:.6g}"
        elif word in _KINDS:
            kind = word
        else:
            kind = kind if word == "and" else ""
            if len(word) > 1 or not word.isascii():
                yield word[:_STEM].rstrip("s")


def _weights(place: Sequence[str], statement: Sequence[str], rest: Sequence[str]) -> dict[str, float]:
    where = [*_stems(place)]
    return {
        **dict.fromkeys(_stems(rest), 1.0),
        **dict.fromkeys(_stems(statement), _STATES),
        **dict.fromkeys(where, _PLACE),
        **dict.fromkeys(where[:1], _LEADS),
    }
