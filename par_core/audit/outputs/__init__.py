"""A mechanism audited from outside: what its outputs on two neighbouring inputs say of the privacy that is claimed for it."""

from par_core.audit.outputs.columns import outputs_of as outputs_of
from par_core.audit.outputs.fixed_sample import EpsilonBound as EpsilonBound
from par_core.audit.outputs.fixed_sample import TradeoffCheck as TradeoffCheck
from par_core.audit.outputs.fixed_sample import check_tradeoff as check_tradeoff
from par_core.audit.outputs.fixed_sample import epsilon_at_least as epsilon_at_least
from par_core.audit.outputs.refutation import Refutation as Refutation
from par_core.audit.outputs.refutation import refute as refute
from par_core.audit.outputs.refutation import refute_tradeoff as refute_tradeoff
from par_core.audit.outputs.trying import Tried as Tried
from par_core.audit.outputs.trying import try_on as try_on
