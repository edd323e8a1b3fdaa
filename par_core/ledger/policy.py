"""What may be spent on a data set, as a file `policy.toml` that people agree on, and that a gate holds every plan against.

>>> policy = Policy.from_toml('''
... format = 1
... data_set = "visits"
... delta = 1e-6
... epsilon_per_release = 1
... epsilon_per_year = 4
... epsilon_for_ever = 10
... smallest_group = 20
... mechanisms = ["laplace", "discrete-laplace"]
... approvers = ["Data protection officer"]
... ''')
>>> policy.epsilon_per_year, policy.neighbours is None
(4.0, True)
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from typing import Self

from par_core.errors import DataError, ParameterError
from par_core.ledger.record import RECORDED, check_name
from par_core.parameters import check_choice, check_integer, check_list, check_number, shown
from par_core.scenario import Neighbours
from par_core.toml_text import check_format, parsed

_FORMAT, _KIND = 1, "policy"
_LEVELS = ("epsilon_per_release", "epsilon_per_year", "epsilon_for_ever")


@dataclass(frozen=True)
class Policy:
    """The limits of one data set.

    The levels are above 0 and hold at `delta`, above 0 and below 1. `smallest_group` is how many rows a mean must be over, at least.
    `mechanisms` may be drawn from, named as in `RECORDED`. With `approvers`, one of them must have approved a plan. `neighbours`, where
    given, are those that every plan must be for.
    """

    data_set: str
    delta: float
    epsilon_per_release: float
    epsilon_per_year: float
    epsilon_for_ever: float
    smallest_group: int = 1
    mechanisms: tuple[str, ...] = tuple(RECORDED)
    approvers: tuple[str, ...] = ()
    neighbours: Neighbours | None = None

    def __post_init__(self) -> None:
        """Check each field; a ParameterError names the one that is wrong."""
        check_name("data_set", self.data_set)
        object.__setattr__(self, "delta", check_number("delta", self.delta, above=0.0, below=1.0))
        for name in _LEVELS:
            object.__setattr__(self, name, check_number(name, getattr(self, name), above=0.0))
        object.__setattr__(self, "smallest_group", check_integer("smallest_group", self.smallest_group, at_least=1))
        allowed = tuple(
            check_choice("mechanisms", each, tuple(RECORDED)) for each in check_list("mechanisms", self.mechanisms)
        )
        if not allowed:
            raise ParameterError("mechanisms must be one at least: without any nothing can be released")
        object.__setattr__(self, "mechanisms", allowed)
        people = tuple(check_name("approvers", each) for each in check_list("approvers", self.approvers))
        object.__setattr__(self, "approvers", people)
        if self.neighbours is not None:
            known = check_choice("neighbours", self.neighbours, tuple(Neighbours))
            object.__setattr__(self, "neighbours", Neighbours(known))

    @classmethod
    def from_toml(cls, text: str | bytes) -> Self:
        """Return the policy of a file; DataError for what is none, for a key that no policy has, and for one that is missing."""
        held = parsed(text, kind=_KIND)
        check_format(held, _FORMAT, kind=_KIND)
        known = {each.name: each.default for each in fields(cls)}
        if strange := held.keys() - known.keys():
            raise DataError(f"a policy has no {shown(min(strange))}; it has {', '.join(known)}")
        if missing := [name for name, default in known.items() if default is MISSING and name not in held]:
            raise DataError(f"a policy must have {missing[0]}")
        try:
            return cls(**held)
        except ParameterError as error:
            raise DataError(f"the policy cannot be used: {error}") from error
