"""What a release with noise will be like: its error, the epsilon for a wanted error, and shares of epsilon.

Planning needs no data: except where a function takes true values, nothing here is private.
"""

from par_core.release.adopted import scenario_of as scenario_of
from par_core.release.comparison import NoiseComparison as NoiseComparison
from par_core.release.comparison import compare_noise as compare_noise
from par_core.release.curves import ErrorCurves as ErrorCurves
from par_core.release.curves import Within as Within
from par_core.release.curves import cells as cells
from par_core.release.curves import error_curves as error_curves
from par_core.release.curves import noun_of as noun_of
from par_core.release.curves import within as within
from par_core.release.error import Measure as Measure
from par_core.release.error import ReleaseError as ReleaseError
from par_core.release.error import epsilon_for_error as epsilon_for_error
from par_core.release.error import error_of as error_of
from par_core.release.error import release_error as release_error
from par_core.release.made_up import MadeUp as MadeUp
from par_core.release.made_up import epsilon0_for_smallest as epsilon0_for_smallest
from par_core.release.made_up import made_up_counts as made_up_counts
from par_core.release.plan import PlannedPart as PlannedPart
from par_core.release.plan import PlannedRelease as PlannedRelease
from par_core.release.plan import epsilon_for_query as epsilon_for_query
from par_core.release.plan import plan as plan
from par_core.release.plan import plan_scenario as plan_scenario
from par_core.release.processing import ProcessedError as ProcessedError
from par_core.release.processing import ShareWithin as ShareWithin
from par_core.release.processing import processed_error as processed_error
from par_core.release.processing import share_within as share_within
from par_core.release.quotient import QuotientError as QuotientError
from par_core.release.quotient import quotient_error as quotient_error
from par_core.release.splitting import Split as Split
from par_core.release.splitting import split_by_weight as split_by_weight
from par_core.release.splitting import split_evenly as split_evenly
from par_core.release.wanted import epsilon0_for_release as epsilon0_for_release
