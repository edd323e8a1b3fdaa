"""Nothing lost: public calls still answer what is on record."""

from functools import partial

import pytest

from tests.golden.calls import CALLS, tolerance_at
from tests.golden.flat import differences, flat
from tests.golden.record import CALLS_FILE, read

RECORDED = read(CALLS_FILE)


def test_all_calls_on_record_are_still_made():
    assert set(CALLS) == set(RECORDED)


@pytest.mark.parametrize("subject", sorted({name.partition(":")[0] for name in RECORDED}))
def test_a_subject_answers_what_is_on_record(subject):
    changed = [
        f"{name}: {each}"
        for name in CALLS
        if name.partition(":")[0] == subject
        for each in differences(flat(CALLS[name]()), RECORDED.get(name, {}), partial(tolerance_at, name))
    ]
    assert not changed, "\n".join(changed)
