"""The whole catalogue, recomputed once for all tests that ask what came out."""

from functools import cache

import pytest

from par_core.claims import Verdict, check_all
from par_core.deployment import settings


@cache
def catalogue_found() -> dict[str, Verdict]:
    """Return the verdicts by id, without the precipitation data, which whoever runs the tests may have."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PAR_GPCP", raising=False)
        settings.cache_clear()
        found = {verdict.claim.id: verdict for verdict in check_all()}
    settings.cache_clear()
    return found
