"""Text of any encoding as UTF-8, and what there is to say about a guess."""

from __future__ import annotations

import codecs
import io
import re
from collections import Counter

import charset_normalizer
import numpy as np

from par_core.errors import DataError
from par_core.tables.common import MEGABYTE

_BOMS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
_LATIN = ("cp1252", "cp1250", "cp1254", "mac_roman")
_NOT_LATIN = ("cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "cp932", "euc_jp", "gb18030", "big5", "cp949")
_WIDE = ("utf_16_le", "utf_16_be")
_AROUND = 200  # bytes on either side of a letter beyond ASCII
_MOST_ODD = 65_536
_LINE_END = re.compile(rb"[\r\n]")
_SOUND = re.compile(
    rb"\xc3[\x80-\xbf]|\xe2(\x80[\x90-\xbf]|\x82\xac)"
)  # UTF-8 of letters and marks that make no sense as Latin
_NULS = 100  # of so many bytes one at least is NUL where each letter has two: separators and line ends
_FEW = 12  # from fewer letters beyond ASCII no script can be told


def as_utf8(content: bytes) -> tuple[bytes, str, str, list[str]]:
    """Return the text as UTF-8, the encoding it had as Python names it and in words, and what there is to say about it."""
    for bom, codec, words in _BOMS:
        if content.startswith(bom):
            # The codec without the order of bytes takes the mark at the beginning for what it is.
            marked = "utf-8-sig" if codec == "utf-8" else codec.rpartition("-")[0]
            return _recoded(content[len(bom) :], codec, words), marked, words, []
    try:
        text = _recoded(content, "utf-8", "UTF-8")
        if not _is_wide(content):
            return text, "utf-8", "UTF-8", []
    except DataError as refused:
        odd = _odd_lines(content)
        if _is_nearly_utf8(odd):
            raise
        codec = _guess(content, odd)
        if codec in (*_LATIN, "latin-1") and b"\0" not in content and (sound := _SOUND.search(content)):
            row = line_ends(content[: sound.start()]) + 1
            first, _, rest = str(refused).partition(".")
            raise DataError(f"{first}, and row {row:,} is written in UTF-8: two encodings are mixed.{rest}") from None
    else:
        codec = _guess(content, b"")
    words = codec.replace("_", "-").upper().replace("CP125", "Windows-125")
    note = f"Letters beyond A to Z are read as {words}, which is a guess. If they look wrong, save the file as UTF-8."
    return _recoded(content, codec, words), codec, words, [note]


def _recoded(content: bytes, codec: str, words: str) -> bytes:
    """Return the text as UTF-8, read piece by piece: a whole copy with four bytes a letter would be too much."""
    decoder = codecs.getincrementaldecoder(codec)()
    out = io.BytesIO()
    rows = 1
    for start in range(0, max(len(content), 1), MEGABYTE):
        try:
            letters = decoder.decode(content[start : start + MEGABYTE], final=start + MEGABYTE >= len(content))
        except UnicodeDecodeError as error:
            rows += line_ends(error.object[: error.start].decode(codec, "ignore").encode())
            raise DataError(f"Row {rows:,} holds bytes that are not {words}. Save the file anew as UTF-8.") from None
        piece = letters.encode("utf-8", "replace")
        rows += line_ends(piece)
        if codec != "utf-8":
            out.write(piece)
    return content if codec == "utf-8" else out.getvalue()


def _is_nearly_utf8(odd: bytes) -> bool:
    """Whether most letters beyond ASCII are sound UTF-8: then a few bytes are damaged, and no other encoding is meant."""
    letters = Counter(letter for letter in odd.decode("utf-8", "replace") if letter > "\x7f")
    return letters.total() > 10 * letters["\ufffd"]


def _is_wide(content: bytes) -> bool:
    """Whether letters seem to have two bytes: then one of them at most is NUL, in most of those the first or in most the second."""
    pairs = np.frombuffer(content[:4096], np.uint8)[: len(content) // 2 * 2].reshape(-1, 2) == 0
    few, many = sorted(pairs.sum(axis=0))
    return many * _NULS > 2 * len(pairs) and 2 * few < many and not pairs.all(axis=1).any()


def _guess(content: bytes, odd: bytes) -> str:
    """Return the most likely encoding of text that is not UTF-8; `odd` are its lines that hold more than ASCII.

    charset-normalizer tells scripts apart well, but not the code pages of the Latin alphabet (French comes out as Central
    European); there the one that most files have is taken, and Latin-1, which has a letter for every byte, where it fails.
    """
    wide = _is_wide(content)
    sample = content[:65536] if wide else odd
    if wide or sum(letter > 127 for letter in sample) >= _FEW:
        best = charset_normalizer.from_bytes(sample, cp_isolation=[*(_WIDE if wide else _NOT_LATIN), *_LATIN]).best()
        if best is not None and best.encoding not in _LATIN:
            return best.encoding
    try:
        content.decode("cp1252")
    except UnicodeDecodeError:
        return "latin-1"
    return "cp1252"


def _odd_lines(content: bytes) -> bytes:
    """Return the first lines that hold more than ASCII, 64 kB at most: those that an encoding can be told from.

    Long lines are cut around such letters. Each byte is looked at once: a regular expression would go back at every letter.
    """
    lines = io.BytesIO()
    done = 0  # what stands before it has been taken
    for start in range(0, len(content), MEGABYTE):
        letters = np.frombuffer(content, np.uint8, min(MEGABYTE, len(content) - start), start)
        for at in (start + np.flatnonzero(letters > 127)).tolist():
            if at < done:
                continue
            before = content[max(done, at - _AROUND) : at]
            after = content[at : at + _AROUND + 1]
            cut = _LINE_END.search(after)
            done = at + (cut.start() if cut else len(after))
            lines.write(_LINE_END.split(before)[-1] + content[at:done] + b"\n")
            if lines.tell() > _MOST_ODD:
                return lines.getvalue()
    return lines.getvalue()


def line_ends(text: bytes) -> int:
    """Count line ends of every kind."""
    return text.count(b"\n") + text.count(b"\r") - text.count(b"\r\n")
