"""The reader's own numbers for the dials of a claim: they belong to the claim that is open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from pages.shared import settings
from pages.shared.settings import Setting
from par_core.claims.catalogue import Dial
from par_core.errors import ParameterError
from par_core.questions.paper_check.opened_claim import OpenedClaim
from par_core.scenario import exact_text, is_decimal

_BETWEEN = "_"
Values = tuple[float, ...]
CLAIM = Setting("claim", "Claim", "", lambda text: text and OpenedClaim(claim=text).claim, str)
"""The id of the claim that is open; empty for the list."""


@dataclass(frozen=True, eq=False)
class _OfTheClaim(Setting[Values]):
    """Held beside the claim; with another one open it stands at its default."""

    def value(self) -> Values:
        held: Any = super().value()
        return cast(Values, held[1]) if held[:1] == (CLAIM.value(),) else self.default

    def put(self, value: Values) -> None:
        super().put(cast(Values, (CLAIM.value(), value)))


def _read(text: str) -> Values:
    parts = text.split(_BETWEEN) if text else []
    if parts and not (CLAIM.value() and all(map(is_decimal, parts))):
        raise ParameterError(f"Your own numbers must be those of the dials of the open claim, got {text[:40]!r}")
    return OpenedClaim(claim=CLAIM.value(), own=tuple(map(float, parts))).own if parts else ()


def _write(values: Values) -> str:
    return _BETWEEN.join(map(exact_text, values))


OWN: Setting[Values] = _OfTheClaim("own", "Your own numbers", (), _read, _write)
"""Where the dials of the open claim stand; empty for where the catalogue looks."""


@dataclass(frozen=True, eq=False)
class _AtPlace(Setting[Any]):
    """One of the numbers that `OWN` holds."""

    claim: str = ""
    place: int = 0

    def _all(self) -> Values:
        return OpenedClaim(claim=self.claim, own=OWN.value()).values

    def value(self) -> Any:
        return self._all()[self.place]

    def put(self, value: Any) -> None:
        if CLAIM.value() != self.claim:  # a button was faster than the dial
            raise ParameterError(f"the claim of this dial must be open, got {CLAIM.value()!r}")
        every = self._all()
        OWN.put((*every[: self.place], value, *every[self.place + 1 :]))


def setting_of(claim: str, place: int, dial: Dial) -> Setting[Any]:
    """Return the setting of one of the dials of a claim."""
    make: Any = settings.whole if dial.whole else settings.number
    like = make(f"own{place + 1}", dial.label, dial.default, at_least=dial.at_least, at_most=dial.at_most)
    return _AtPlace(**{**vars(like), "own_key": f"own_{claim}_{place}"}, claim=claim, place=place)
