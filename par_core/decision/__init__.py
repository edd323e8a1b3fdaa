"""Which level to take: what wishes ask of epsilon0, where they all hold, what a level says in odds, what a reviewer asks."""

from par_core.decision.bands import LARGEST as LARGEST
from par_core.decision.bands import SMALLEST as SMALLEST
from par_core.decision.bands import Band as Band
from par_core.decision.bands import band as band
from par_core.decision.decision import Collision as Collision
from par_core.decision.decision import Decision as Decision
from par_core.decision.decision import decide as decide
from par_core.decision.duties import KEYS as KEYS
from par_core.decision.duties import Duty as Duty
from par_core.decision.duties import Total as Total
from par_core.decision.duties import duties as duties
from par_core.decision.duties import total as total
from par_core.decision.odds import Odds as Odds
from par_core.decision.odds import odds as odds
from par_core.decision.wishes import AdvantageWish as AdvantageWish
from par_core.decision.wishes import AttackWish as AttackWish
from par_core.decision.wishes import BaselineWish as BaselineWish
from par_core.decision.wishes import BeliefWish as BeliefWish
from par_core.decision.wishes import ErrorWish as ErrorWish
from par_core.decision.wishes import GroupWish as GroupWish
from par_core.decision.wishes import MoneyWish as MoneyWish
from par_core.decision.wishes import ReleasesWish as ReleasesWish
from par_core.decision.wishes import RiseWish as RiseWish
from par_core.decision.wishes import Wish as Wish
