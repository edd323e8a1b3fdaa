"""Settings in one parameter of their own read what they write."""

import pytest

from pages.shared import compared_scenarios, cost_controls, versioned
from par_core.errors import ParameterError


def test_a_table_setting_reads_what_it_writes():
    rows = ((0.1, 5.0), (1 / 3, 1e16), (2.0, 1.7e16))
    text = cost_controls.POINTS.write(rows)
    assert cost_controls.POINTS.read(text) == rows
    assert text.startswith(f"{versioned.VERSION} ")


def test_kept_settings_read_what_they_write_even_with_odd_characters():
    values = dict(versioned.restored(cost_controls.ALL, ()))
    entry = tuple((setting.key, setting.write(values[setting.key])) for setting in cost_controls.ALL)
    text = compared_scenarios.KEPT.write((entry, entry[:3]))
    assert compared_scenarios.KEPT.read(text) == (entry, entry[:3])
    assert compared_scenarios.KEPT.read(compared_scenarios.KEPT.write(())) == ()
    assert versioned.restored(cost_controls.ALL, entry) == values


def test_a_table_without_rows_can_be_written_and_read():
    free = versioned.rows("free", "Free table", ((1.0,),), most=3)
    assert free.read(free.write(())) == ()
    assert free.read("1 0.5 2") == ((0.5,), (2.0,))
    with pytest.raises(ParameterError, match="at most 3 rows"):
        free.read("1 1 2 3 4")
