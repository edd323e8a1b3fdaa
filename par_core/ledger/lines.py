"""The lines of a ledger as bytes: each record with its own seal, and what a broken write leaves behind.

A seal is the SHA-256 of the line without it. There is no chain from line to line, so that lines of two branches may be merged in any
order. Line ends may be those of Windows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from par_core.errors import DataError

TORN = b"#torn"  # ends a line that a broken write left behind; no record ends like that
_SEAL = b',"seal":"'
_END = len(_SEAL) + 64 + len('"}')  # from where a seal begins to the end of its record


@dataclass(frozen=True)
class Lines:
    """The whole records of a ledger by their line numbers, from 1, with the numbers of `torn` lines; `ends` is what ends the last line.

    It is empty where a newline does already.
    """

    records: tuple[tuple[int, bytes], ...]
    torn: tuple[int, ...]
    ends: bytes


def sealed(content: Mapping[str, object]) -> bytes:
    """Return the line of a record, with its seal and without a newline."""
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    return body[:-1] + _SEAL + hashlib.sha256(body).hexdigest().encode() + b'"}'


def is_whole(line: bytes) -> bool:
    """Whether a line is a record under its own seal."""
    body, found, seal = line.rpartition(_SEAL)
    return bool(found) and seal == hashlib.sha256(body + b"}").hexdigest().encode() + b'"}'


def _begins_whole(line: bytes) -> bool:
    """Whether a line begins with a record under its own seal: its write came to an end, whatever follows."""
    return is_whole(line[: line.find(_SEAL) + _END])


def lines_of(data: bytes) -> Lines:
    """Return the lines of a ledger; DataError with the number of a line that is neither a record nor torn.

    A last line without a newline is a record if it is whole. If it is no JSON and does not begin with a record, it cannot have been one:
    nothing was measured for a record that was not written to its end. Otherwise it was changed after it was written.
    """
    *ended, last = [each.removesuffix(b"\r") for each in data.split(b"\n")]
    records, torn = [], []
    for number, line in enumerate(ended, start=1):
        if is_whole(line):
            records.append((number, line))
        elif line.endswith(TORN) and not _begins_whole(line):
            torn.append(number)
        elif line:
            raise DataError(_damage(number, line))
    if not last:
        return Lines(tuple(records), tuple(torn), b"")
    number = len(ended) + 1
    if is_whole(last):
        return Lines((*records, (number, last)), tuple(torn), b"\n")
    if _is_json(last) or _begins_whole(last):
        raise DataError(_damage(number, last))
    return Lines(tuple(records), (*torn, number), TORN + b"\n")


def _damage(number: int, line: bytes) -> str:
    if _begins_whole(line):
        what = "is a whole record with something after it"
    elif _is_json(line):
        what = "was edited: its seal is not that of its content"
    else:
        what = "is damaged: it is no record"
    return f"line {number:,} of the ledger {what}; bring back the line as it was, because what was spent is not known any more"


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True
