"""A ledger that a reader opened: equal by what its file holds, and never shown in code."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Self

from par_core.ledger import Ledger


@dataclass(frozen=True, repr=False)
class UploadedLedger:
    """A ledger with the digest of its file, by which questions about it are told apart; records need not be compared."""

    digest: str
    ledger: Ledger = field(compare=False)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the ledger of a file `ledger.jsonl`; DataError as `Ledger.from_bytes`, which names the line."""
        return cls(hashlib.sha256(data).hexdigest(), Ledger.from_bytes(data))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(<private>)"
