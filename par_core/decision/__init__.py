"""Which level to take: what wishes ask of epsilon0, where they all hold, what a level says in odds, what a reviewer asks."""

from par_core.decision.bands import LARGEST, SMALLEST, Band, band
from par_core.decision.decision import Collision, Decision, decide
from par_core.decision.duties import KEYS, Duty, Total, duties, total
from par_core.decision.kinds import KINDS, Kind, Number, example_wishes, kind_of
from par_core.decision.odds import Odds, odds
from par_core.decision.wishes import (
    AdvantageWish,
    AttackWish,
    BaselineWish,
    BeliefWish,
    ErrorWish,
    GroupWish,
    MoneyWish,
    ReleasesWish,
    RiseWish,
    Wish,
)
from par_core.public_names import listed

__all__ = [
    "KEYS",
    "KINDS",
    "LARGEST",
    "SMALLEST",
    "AdvantageWish",
    "AttackWish",
    "Band",
    "BaselineWish",
    "BeliefWish",
    "Collision",
    "Decision",
    "Duty",
    "ErrorWish",
    "GroupWish",
    "Kind",
    "MoneyWish",
    "Number",
    "Odds",
    "ReleasesWish",
    "RiseWish",
    "Total",
    "Wish",
    "band",
    "decide",
    "duties",
    "example_wishes",
    "kind_of",
    "odds",
    "total",
]
__dir__ = listed(__all__)
