"""A choice of several out of a few alternatives: switched on and off one by one, none if the reader likes."""

from collections.abc import Sequence

from pages.shared.settings import Setting
from par_core.errors import ParameterError

_NONE = "none"


def multiple_choice(key: str, label: str, options: Sequence[str], default: Sequence[str]) -> Setting[list[str]]:
    """Return a setting that holds some of a few texts (`a,b` in the address, `none` for none of them)."""

    def read(text: str) -> list[str]:
        chosen = [] if text == _NONE else text.split(",")
        for each in chosen:
            if each not in options:
                raise ParameterError(f"{label} must be among {', '.join(options)}, got {each[:40]!r}")
        return [each for each in options if each in chosen]

    def write(chosen: list[str]) -> str:
        return ",".join(each for each in options if each in chosen) or _NONE

    return Setting(key, label, list(default), read, write, options=tuple(options))
