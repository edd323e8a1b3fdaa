"""What of a table may stand in a notebook: of a built-in one what is publicly known, of the reader's own nothing."""

from __future__ import annotations

from pages.shared.notebooks import INSTEAD
from pages.shared.settings import Setting
from pages.shared.uploads import OWN
from par_core.export.notebook import Cell


def instead_of_own(table: Setting[str]) -> list[Cell]:
    """Return the sentence that stands before the cells of a built-in table where a table of the reader's own is open."""
    return [INSTEAD] if table.value() == OWN else []
