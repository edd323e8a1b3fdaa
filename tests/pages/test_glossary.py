"""The glossary: one line for every technical word, and no line that nobody reads."""

import re
from pathlib import Path

from par_core.questions.glossary import _WORDS

ROOT = Path(__file__).parents[2]
FILES = [path for at in ("pages", "par_core/questions", "par_core/decision") for path in ROOT.glob(f"{at}/**/*.py")]
CODE = "\n".join(path.read_text(encoding="utf-8") for path in FILES if path.name != "glossary.py")


def test_every_word_is_used_on_a_page():
    unused = [word for word in _WORDS if not re.search(rf"[\"']{word}[\"']", CODE)]
    assert not unused


def test_every_explanation_is_one_sentence_or_a_few_on_one_line():
    assert not [word for word, text in _WORDS.items() if "\n" in text or not text.endswith(".") or len(text) > 220]
