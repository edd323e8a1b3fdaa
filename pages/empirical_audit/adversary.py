"""What they know: which number of each database, and into how many buckets of it the databases are put."""

from typing import Any, get_args

from pages.empirical_audit.query_fields import EPSILON, INTERVALS, RANK, choose
from pages.shared import controls, settings
from pages.shared.dial import dial
from par_core.audit.adversary import FEWEST as LEAST
from par_core.audit.adversary import MOST_BUCKETS
from par_core.questions.empirical_audit.adversary import Known, Knows, WhatTheyKnow
from par_core.questions.glossary import explain
from par_core.scenario import Scenario
from par_core.tables.table import Table

KNOWS = settings.choice("eknow", "They know", get_args(Knows))
KNOWN = settings.choice("eg", "Another answer", get_args(Known))
BUCKETS = settings.whole("ebuck", "Buckets", WhatTheyKnow.buckets, at_least=1, at_most=MOST_BUCKETS)
FEWEST = settings.whole("eleast", "Fewest databases each", WhatTheyKnow.fewest, at_least=LEAST, at_most=1_000)

_KNOWS_WORDS = {"answer": "another answer", "size": "the size", "own": "a contribution"}


def ask(_: Scenario, table: Table) -> WhatTheyKnow:
    asked: dict[str, Any] = {**choose(table), "epsilon": dial(EPSILON, hint=explain("audit_epsilon"))}
    asked["knows"] = controls.choice(KNOWS, hint=explain("adversary_knows"), words=_KNOWS_WORDS.__getitem__)
    if asked["knows"] == "answer":
        asked["known"] = controls.choice(KNOWN, hint=explain("known_answer"))
    elif asked["knows"] == "own":
        asked["rank"] = controls.whole(RANK, hint=explain("ranking"))
    return WhatTheyKnow(
        **asked,
        buckets=controls.whole(BUCKETS, hint=explain("adversary_buckets")),
        fewest=controls.whole(FEWEST, hint=explain("fewest_databases")),
        intervals=controls.switch(INTERVALS, hint=explain("audit_intervals")),
    )
