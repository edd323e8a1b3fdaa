"""Settings that hold the fields of a question: each begins where its field does, and has its bounds."""

from __future__ import annotations

from typing import Any

from pages.shared import settings
from pages.shared.settings import Setting
from par_core.questions.sample_planner.bounded import Bounded


class Fields(dict[str, Setting[Any]]):
    """Settings by the fields that they hold."""

    def __init__(self, kind: type[Bounded]) -> None:
        """Begin with no field."""
        super().__init__()
        self.kind = kind

    def setting(self, field: str, key: str, label: str) -> Setting[Any]:
        """Return a setting for a field, of the kind that the field is."""
        default, ends = getattr(self.kind, field), self.kind.bounds.get(field, ())
        if isinstance(default, bool):
            self[field] = settings.switch(key, label, default=default)
        elif isinstance(default, str):
            self[field] = settings.choice(key, label, ends, default)
        else:
            whole, many = isinstance(ends[0], int), isinstance(default, tuple)
            more = {"only_whole": whole} if many else {}
            make: Any = settings.numbers if many else settings.whole if whole else settings.number
            self[field] = make(key, label, default, at_least=ends[0], at_most=ends[1], **more)
        return self[field]

    def now(self) -> dict[str, Any]:
        """Return the present values; of a list those that can be used."""
        return {field: _value(setting) for field, setting in self.items()}


def _value(setting: Setting[Any]) -> Any:
    if not isinstance(setting.default, list):
        return setting.value()
    numbers, _ = settings.usable(setting)
    return tuple(map(int, numbers) if setting.only_whole else numbers)
