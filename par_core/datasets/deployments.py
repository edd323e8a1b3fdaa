"""What deployments of differential privacy report of themselves: a small table to compare an own level with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Final

from par_core.composition import of_zcdp
from par_core.parameters import check_integer, check_number

SOURCE: Final = "OpenDP deployments registry (registry.opendp.org), as compiled in 2025; MIT licence"
NOTE: Final = (
    "As reported there and not reviewed: every entry of the registry is still a draft or pending. Each level is for its own unit of "
    "privacy, and for one release or for all of a period."
)


@dataclass(frozen=True)
class Deployment:
    """One deployment as the registry reports it: `epsilon`, with a delta or without one, or `rho` of zero-concentrated privacy.

    `unit` is what is protected, empty where nothing is reported.
    """

    name: str
    curator: str
    year: int
    epsilon: float | None
    delta: float | None
    rho: float | None
    unit: str
    source: str

    def level(self, delta: float) -> float:
        """Return the epsilon that it reports; of one that reports rho alone, what that comes to at this delta, 0 to 1 exclusive.

        >>> census = next(each for each in deployments() if each.rho == 2.63)
        >>> census.epsilon, round(census.level(1e-10), 2)
        (None, 17.43)
        """
        if self.epsilon is not None:
            return self.epsilon
        assert self.rho is not None, "every row has one of both"
        return float(of_zcdp(self.rho, delta=delta))


@cache
def deployments() -> tuple[Deployment, ...]:
    """Return the 35 deployments, in the order of the registry's levels: first those that report epsilon.

    >>> len(deployments()), deployments()[0].curator
    (35, 'Uber')
    """
    return tuple(_read(line) for line in _ROWS.strip().splitlines())


def reporting_less(epsilon: float, *, delta: float) -> tuple[Deployment, ...]:
    """Return the deployments whose level at this delta is smaller than epsilon, at least 0.

    >>> len(reporting_less(1.0, delta=1e-5))
    5
    """
    level = check_number("epsilon", epsilon, at_least=0.0)
    return tuple(each for each in deployments() if each.level(delta) < level)


def nearest(epsilon: float, *, delta: float, number: int = 3) -> tuple[Deployment, ...]:
    """Return so many deployments whose levels at this delta are the fewest times larger or smaller than epsilon, at least 0.

    >>> [each.curator for each in nearest(1.0, delta=1e-5, number=2)]
    ['Apple', 'Wikimedia Foundation']
    """
    level, wanted = check_number("epsilon", epsilon, at_least=0.0), check_integer("number", number, at_least=1)

    def times(each: Deployment) -> tuple[float, float]:
        own = each.level(delta)
        return (max(own / level, level / own) if min(own, level) > 0.0 else math.inf), own

    return tuple(sorted(deployments(), key=times)[:wanted])


def _read(line: str) -> Deployment:
    name, curator, year, epsilon, delta, rho, unit, source = line.split("|")
    level, small, zcdp = (float(each) if each else None for each in (epsilon, delta, rho))
    return Deployment(name, curator, int(year), level, small, zcdp, unit, source)


# name | curator | year | epsilon | delta | rho | unit of privacy | source
_ROWS = """
FLEX|Uber|2018|0.01|||Tuple-level|https://vldb.org/pvldb/vol11/p526-johnson.pdf
Wikipedia Russian Editor Activity Statistics|Wikimedia Foundation|2023|0.1|||User account-month-level|https://wikitech.wikimedia.org/wiki/Russian_editor_information_(2022-23
Broadband Coverage|Microsoft|2021|0.2|||User-level|https://arxiv.org/abs/2103.14035
Shared Mobility Dataset|Google|2022|0.66|2.1e-29||User-trip-level|https://www.nature.com/articles/s41467-019-12809-y
Iconic scenes and photo sections for iOS apps|Apple|2023|1.0|1.5e-07|||https://machinelearning.apple.com/research/scenes-differential-privacy
Historical Pageviews|Wikimedia Foundation|2023|1.0|||Bounded contribution-day|https://arxiv.org/pdf/2308.16298
User-URL Privacy Dataset|Meta|2020|1.453|1e-05|0.0728|User-level|https://dataverse.harvard.edu/file.xhtml?persistentId=doi:10.7910/DVN/TDOAPG/DGSAMS&version=6.2
Telemetry Collection in Windows|Microsoft|2017|1.672|||User-quarter-day-level|https://www.microsoft.com/en-us/research/publication/collecting-telemetry-data-privately/
COVID-19 Search Trends Symptoms|Google|2020|1.68|||User-day-level|https://storage.googleapis.com/gcp-public-data-symptom-search/COVID-19%20Search%20Trends%20symptoms%20dataset%20documentation%20.pdf
HealthKit Usage Statistics|Apple|2017|2.0|||Event-level|https://docs-assets.developer.apple.com/ml-research/papers/learning-with-privacy-at-scale.pdf
Movement Ranges Map|Meta|2020|2.0|||User-day-level|https://research.facebook.com/blog/2020/06/protecting-privacy-in-facebook-mobility-data-during-the-covid-19-response/
Wikipedia Geoeditors Activity Statistics|Wikimedia Foundation|2023|2.0|||User-month-country-level|https://analytics.wikimedia.org/published/datasets/geoeditors_monthly/00_README.html
Vaccine Search Insights|Google|2021|2.19|1e-05||User-level|https://arxiv.org/abs/2107.01179
Community Mobility Place Visits|Google|2020|2.64|||User-day-level|https://arxiv.org/pdf/2004.04145
Popular Emojis|Apple|2017|4.0|||Event-level|https://docs-assets.developer.apple.com/ml-research/papers/learning-with-privacy-at-scale.pdf
Assistive AI|Microsoft|2020|4.0|1e-07||User-level|https://www.microsoft.com/en-us/research/articles/assistive-ai-makes-replying-easier-2/
Safari Energy Draining and Crashing Domains|Apple|2017|4.0|||Event-level|https://docs-assets.developer.apple.com/ml-research/papers/learning-with-privacy-at-scale.pdf
Energy Differential Privacy for OhmConnect Virtual Power Plant Measurement|Recurve|2020|4.72|5.06e-09||User-level|https://assets.website-files.com/5cb0a177570549b5f11b9550/5ffddb83b5ea5d67f5c43661_Quantifying%20The%20OhmConnect%20Virtual%20Power%20Plant%20During%20the%20California%20Blackouts.pdf
LinkedIn Hiring Reports|LinkedIn|2020|4.8|4e-10||Event-Month-level|https://arxiv.org/abs/2010.13981
Synthetic data to test third-party solutions in financial services|Nationwide Building Society; Hazy (now SAS Data Maker)|2020|5.0|||User-account-level|https://ico.org.uk/for-organisations/uk-gdpr-guidance-and-resources/data-sharing/privacy-enhancing-technologies/case-studies/synthetic-data-to-test-the-effectiveness-of-a-vulnerable-persons-detection-system-in-financial-services/
AutoPlay Intent|Apple|2017|8.0|||User-level|https://docs-assets.developer.apple.com/ml-research/papers/learning-with-privacy-at-scale.pdf
COVID-19 Exposure Notification Framework|Google; Apple|2021|8.0|1e-06||User-day-level|https://covid19-static.cdn-apple.com/applications/covid19/current/static/contact-tracing/pdf/ENPA_White_Paper.pdf
Lookup Hints|Apple|2016|8.0|||User-level|https://www.apple.com/privacy/docs/Differential_Privacy_Overview.pdf
Israel's National Registry of Live Births of 2014|Israeli Ministry of Health|2024|9.98|||Birth-level|https://birth.dataset.pub
Mobility Trends During Hurricane|Spectus|2022|10.0|||User-level|https://spectus.ai/wp-content/uploads/2022/10/Spectus_DPWhitepaper_v01b.pdf
CTDC Global Victim-Perpetrator Synthetic Dataset|Microsoft; International Organization for Migration|2023|12.0|5.8e-06||User-level|https://www.microsoft.com/en-us/research/blog/iom-and-microsoft-release-first-ever-differentially-private-synthetic-dataset-to-counter-human-trafficking/
Audience Engagement API|LinkedIn|2020|34.9|7e-09||User-month-level|https://arxiv.org/pdf/2002.05839
Current Pageviews|Wikimedia Foundation|2023|||0.015|Device-day-level|https://arxiv.org/pdf/2308.16298
Spanish Next Word Prediction|Google|2022|||0.81|User-device-level|https://research.google/blog/federated-learning-with-formal-differential-privacy-guarantees/
Disclosure Avoidance System for Supplemental Demographic and Housing Characteristics File|U.S. Census Bureau|2024|||2.515|Person-level|https://www2.census.gov/programs-surveys/decennial/2020/technical-documentation/complete-tech-docs/supplemental-demographic-and-housing-characteristics-file/2020census-supplemental-dhc-techdoc.pdf
Disclosure Avoidance System for Redistricting Data|U.S. Census Bureau|2021|||2.63|Person-level; housing-unit-level|https://www2.census.gov/library/publications/decennial/2020/2020-census-disclosure-avoidance-handbook.pdf
Census County Business Patterns|U.S. Census Bureau|2023|||12.058|Business establishment|https://www.census.gov/topics/business-economy/disclosure/about.html
Disclosure Avoidance System for Demographic and Housing Data|U.S. Census Bureau|2023|||15.29|Person-level; housing-unit-level|https://www2.census.gov/programs-surveys/decennial/2020/technical-documentation/complete-tech-docs/demographic-and-housing-characteristics-file-and-demographic-profile/2020census-demographic-and-housing-characteristics-file-and-demographic-profile-techdoc.pdf
Disclosure Avoidance System for Detailed Demographic and Housing Characteristics File B|U.S. Census Bureau|2024|||17.79|Person-level|https://www2.census.gov/programs-surveys/decennial/2020/technical-documentation/complete-tech-docs/detailed-demographic-and-housing-characteristics-file-b/2020census-detailed-dhc-b-techdoc.pdf
Disclosure Avoidance System for Detailed Demographic and Housing Characteristics File A|U.S. Census Bureau|2023|||19.776|Person-level|https://www2.census.gov/programs-surveys/decennial/2020/technical-documentation/complete-tech-docs/detailed-demographic-and-housing-characteristics-file-a/2020census-detailed-dhc-a-techdoc.pdf
"""
