"""What keeps an update short when much is loaded."""

from __future__ import annotations

import gc


def settle() -> None:
    """Take what is loaded by now out of the garbage collector's sight; called when a page is first imported.

    Streamlit collects garbage after each run, and what the run drew waits until that is done. Modules stay for good; walking
    through them each time would cost 30 to 60 ms per update.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
