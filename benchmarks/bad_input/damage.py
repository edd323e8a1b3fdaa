"""Good files with faults put in: what is odd, and the cases of a reader drawn by hypothesis."""

from __future__ import annotations

import re
from collections.abc import Callable

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from benchmarks.bad_input.readings import Readings
from benchmarks.cases import SEED

NO_NUMBERS = (
    *("nan", "inf", "-inf", "1e999", "two", "0,5", "1_000", "0x10"),
    *("٣", "１", "1 000", "", " ", "--", "1e", "\u202e1"),
)  # fmt: skip
ODD = (
    *NO_NUMBERS,
    *("-1", "0", "-0", "1e308", "5e-324", "1e-400", "9" * 400, "+1", "true", "null", '"1"', "[1]", "{}", "=1+1", "é"),
    *("1.000,5", "2020-02-30", "\0", "\x1a", "\ufeff", "\ud7ff", "\r", "\n\n", '"', "'", ",", ";", "\t", "[", "]]", "}", "#"),
)  # fmt: skip
NUMBER = re.compile(rb"-?\d+(\.\d+)?(e-?\d+)?")
DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


@st.composite
def damaged(draw: st.DrawFn, *good: bytes) -> bytes:
    """A good file with one to four faults; now and then any bytes."""
    if draw(st.integers(0, 19)) == 0:
        return draw(st.binary(max_size=200))
    data = draw(st.sampled_from(good))
    for _ in range(draw(st.sampled_from((1, 1, 2, 4)))):
        odd = draw(st.sampled_from(ODD)).encode()
        at = draw(st.integers(0, len(data)))
        numbers, lines = list(NUMBER.finditer(data)), data.split(b"\n")
        match draw(st.integers(0, 9)):
            case 0 | 1 | 2 | 3 if numbers:
                found = draw(st.sampled_from(numbers))
                data = data[: found.start()] + odd + data[found.end() :]
            case 4:
                data = data[:at] + odd + data[at:]
            case 5:
                data = data[:at] + data[at + draw(st.integers(1, 12)) :]
            case 6:
                data = data[:at] + draw(st.binary(min_size=1, max_size=3)) + data[at + 1 :]
            case 7:
                data = b"\n".join([*lines, draw(st.sampled_from(lines))])
            case 8:
                lines.pop(draw(st.integers(0, len(lines) - 1)))
                data = b"\n".join(lines)
            case _:
                data = data[:at]
    return data


def files(drawn: st.SearchStrategy[bytes], read: Callable[..., str | None], cases: Readings, number: int) -> None:
    @seed(SEED)
    @settings(
        max_examples=number, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=[*HealthCheck]
    )
    @given(drawn)
    def each(data: bytes) -> None:
        cases.add(data, read, data)

    each()
