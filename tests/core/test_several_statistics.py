"""Several statistics of one release: each has noise of its own, and every door says the same of what all of them spend."""

import re

import pytest
from click.testing import CliRunner

from par_core.cli.shell import par
from par_core.composition.planned_releases import counted, exact_after, exact_together
from par_core.decision.duties import total
from par_core.export.scenario_code import scenario_code
from par_core.mechanisms import MECHANISMS, NOISES
from par_core.questions.composition.accountants import Accountants
from par_core.questions.composition.exact_plan import ExactPlan
from par_core.questions.composition.mixed_releases import MixedReleases
from par_core.questions.decide.report_story import find
from par_core.risk.attacks import believed_after, lost
from par_core.rounding import rounded
from par_core.scenario import Scenario

DELTA = 1e-5
