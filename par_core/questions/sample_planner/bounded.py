"""What the questions of the page have in common: bounds, which their types name, and no part for the scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin, get_type_hints

from par_core.parameters import check_choice, check_integer, check_number
from par_core.questions.question import Question
from par_core.scenario import FIELDS

Pairs = Annotated[int, 1, 10**12]
Rho = Annotated[float, 1e-6, 1.0]
Share = Annotated[float, 0.0, 1.0]
Seed = Annotated[int, 0, 2**31]


@dataclass(frozen=True, repr=False)
class Bounded(Question):
    """A question that reads nothing of the scenario, and whose fields keep to the bounds of their types."""

    bounds: ClassVar[Mapping[str, tuple[Any, ...]]]
    """By field the least and the greatest number, or the texts that it can be."""

    def __init_subclass__(cls) -> None:
        """Note the bounds that the types of the fields name."""
        hints = get_type_hints(cls, include_extras=True)
        cls.bounds = {name: ends for name, hint in hints.items() if (ends := _bounds(hint))}

    def __post_init__(self) -> None:
        for name, ends in self.bounds.items():
            value = getattr(self, name)
            for each in value if isinstance(value, tuple) else (value,):
                if isinstance(ends[0], str):
                    check_choice(name, each, ends)
                else:
                    (check_integer if isinstance(ends[0], int) else check_number)(
                        name, each, at_least=ends[0], at_most=ends[1]
                    )

    @property
    def dials(self) -> tuple[str, ...]:
        return ()

    @property
    def unread(self) -> tuple[str, ...]:
        return tuple(each.name for each in FIELDS)


def _bounds(hint: Any) -> tuple[Any, ...]:
    each = get_args(hint)[0] if get_origin(hint) is tuple else hint
    if get_origin(each) is Annotated:
        ends: tuple[Any, ...] = each.__metadata__
        return ends
    return get_args(each) if get_origin(each) is Literal else ()
