"""What is loaded for good is kept out of the garbage collector's way."""

from __future__ import annotations

import gc
import sys


def settle() -> None:
    """Take what is there now out of the collector's sight, if many modules were loaded since the last call.

    Streamlit collects garbage after each run, and the browser waits for what is not sent by then: walking through all modules
    each time costs 30 to 80 ms per update. What was set aside before is looked at once more, so that garbage of a visit is kept
    no longer than until then.
    """
    global _loaded
    if len(sys.modules) > _loaded + _FEW:
        _loaded = len(sys.modules)
        gc.unfreeze()
        gc.collect()
        gc.freeze()


_FEW = 50
_loaded = -_FEW
