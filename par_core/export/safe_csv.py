"""A table as CSV in which no text is a formula, under a commented head."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd  # otherwise where a table is written: it takes as long to load as the rest of a command

# A spreadsheet computes a text that begins like this as a formula, and may cut the text at other marks than a comma. It takes the
# wide and small forms of East Asian writing for the same signs.
_SIGNS = r"=+\-@＝＋－＠﹦﹢﹣﹫"
_IN_CELL = re.compile(rf"(^(?=\s*[{_SIGNS}])|^(?=[\t\n])|[;|\t\n]\s*\"?(?=[{_SIGNS}\t\n]))")
# It cuts lines of the head into cells too, and would compute what stands behind a comma. Quotation marks would help there, and
# hide the # from programs that pass over comments; negative numbers are left as they are.
_IN_HEAD = re.compile(rf"([,;|]\s*\"?)(?=[{_SIGNS}])(?!-\d+(\.\d*)?([eE][+-]?\d+)?\s*([,;|]|$))")


def as_csv(table: pd.DataFrame, head: Mapping[str, str], *, version: str) -> str:
    """Return a table as CSV under a commented head; floats keep every digit. `version` is that of the explorer."""
    import pandas as pd

    lines = [f"# Privacy at Risk explorer {version}"]
    lines += [_IN_HEAD.sub(r"\1'", f"# {name}: {' '.join(str(value).split())}") for name, value in head.items()]
    columns = [column if pd.api.types.is_numeric_dtype(column) else _safe(column) for _, column in table.items()]
    safe = pd.concat(columns, axis="columns").set_axis([_text(name) for name in table.columns], axis="columns")
    # What reads the head as comments takes a # in a cell for the beginning of one, unless the cell stands in quotation marks.
    texts = [*safe.columns, *safe.select_dtypes(exclude="number").to_numpy().ravel()]
    quoted = csv.QUOTE_NONNUMERIC if any("#" in str(text) for text in texts) else csv.QUOTE_MINIMAL
    return "\n".join([*lines, str(safe.to_csv(index=False, quoting=quoted))])


def _safe(column: pd.Series) -> pd.Series:
    """Return a column without formulas; whole numbers among others stay whole."""
    import pandas as pd

    return pd.Series([_text(cell) for cell in column], index=column.index, dtype=object)


def _text(cell: object) -> object:
    """Return a cell that holds no formula; numbers are left as they are."""
    return _IN_CELL.sub(r"\1'", re.sub("\r\n?", "\n", cell)) if isinstance(cell, str) else cell
