"""Settings in one parameter of their own read what they write."""

import pytest

from pages.budget_minimiser import compared_scenarios, cost_controls
from pages.composition import levels_table
from pages.shared import packed_settings, rows_field
from par_core.errors import ParameterError


def test_a_table_setting_reads_what_it_writes():
    rows = ((0.1, 5.0), (1 / 3, 1e16), (2.0, 1.7e16))
    text = cost_controls.POINTS.write(rows)
    assert cost_controls.POINTS.read(text) == rows
    assert text.startswith(f"{packed_settings.VERSION} ")


def test_kept_settings_read_what_they_write_even_with_odd_characters():
    values = dict(packed_settings.restored(cost_controls.ALL, ()))
    entry = tuple((setting.key, setting.write(values[setting.key])) for setting in cost_controls.ALL)
    text = compared_scenarios.KEPT.write((entry, entry[:3]))
    assert compared_scenarios.KEPT.read(text) == (entry, entry[:3])
    assert compared_scenarios.KEPT.read(compared_scenarios.KEPT.write(())) == ()
    assert packed_settings.restored(cost_controls.ALL, entry) == values


def test_a_table_without_rows_can_be_written_and_read():
    free = packed_settings.rows("free", "Free table", ((1.0,),), most=3)
    assert free.read(free.write(())) == ()
    assert free.read("1 0.5 2") == ((0.5,), (2.0,))
    with pytest.raises(ParameterError, match="at most 3 rows"):
        free.read("1 1 2 3 4")


LEVELS = levels_table.setting("levels", "Levels", ((0.1, 1.0),))


def pasted(text):
    return rows_field.read(LEVELS, text, missing=levels_table.MISSING)


@pytest.mark.parametrize("text", ["0.1\n0.2\n0.3", "epsilon\n0.1\n0.2\n0.3\n", "  0.1\r\n0.2,\r\n\r\n0.3\t"])
def test_a_plain_list_of_levels_is_one_release_of_each(text):
    assert pasted(text) == ((0.1, 1.0), (0.2, 1.0), (0.3, 1.0))


def test_lines_with_and_without_a_count_may_stand_together():
    assert pasted("0.1, 20\n0.2\n0.3 4") == ((0.1, 20.0), (0.2, 1.0), (0.3, 4.0))


@pytest.mark.parametrize("line", [",5", "\t5", " ; 5"])
def test_a_count_without_a_level_is_not_taken_for_a_level(line):
    with pytest.raises(ParameterError, match="row 2 must have 2 numbers, got 1"):
        pasted(f"0.1, 3\n{line}")


def test_where_nothing_stands_in_for_a_number_each_row_must_have_them_all():
    with pytest.raises(ParameterError, match="row 2 must have 2 numbers, got 1"):
        rows_field.read(cost_controls.POINTS, "0.1, 0\n0.2")
    with pytest.raises(ParameterError, match="row 1 must have 2 numbers, got 3"):
        pasted("0.1 0.2 0.3")
    with pytest.raises(ParameterError, match="row 1 must have 2 numbers, got 1"):
        LEVELS.read("1 0.1")  # a link is read to the letter
