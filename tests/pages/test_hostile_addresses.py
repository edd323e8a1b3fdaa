"""Addresses as nobody would write them: every page stays whole, and every value that it refuses is named."""

import random

import pytest

from pages.shared import app_shell
from pages.shared.navigation import PAGES
from par_core.errors import ParameterError
from tests.pages.conftest import View

SEEDS = 4  # each opens every page once
ODD = (
    "nan",
    "inf",
    "-1",
    "0",
    "-0",
    "1e308",
    "1e-308",
    "1e999",
    "",
    " ",
    "two",
    "0,5",
    "ａ",
    "😀",
    "1;2",
    "1,1",
    "9" * 400,
    "٣",
)
ODD += ("1_000", "0x10", "1e", "+1", "\u202e1", "1\n2", "<script>alert(1)</script>", "**x**", "%00", "2", "0.5", "none")


def good(draw, setting):
    """A value that the setting takes, often the last one, or one just outside."""
    if setting.options:
        return draw.choice(list(setting.options))
    if setting.at_least is None or setting.at_most is None:
        return draw.choice(["0", "1"])
    return f"{draw.choice([setting.at_least, setting.at_most, setting.at_least * (1 - 1e-9), setting.at_most * 1.001]):.17g}"


def address_from(draw, page):
    """Some settings of a page with values; of every tenth two values."""
    settings = app_shell.settings_of(page)
    chosen = dict.fromkeys(draw.sample(settings, min(len(settings), draw.choice((1, 2, 4, 6)))))
    for setting in chosen:
        value = good(draw, setting) if draw.random() < 0.5 else draw.choice(ODD)
        chosen[setting] = [draw.choice(ODD), value] if draw.random() < 0.1 else [value]
    if len(page.sections) > 1:
        chosen[page.tab] = [draw.choice(page.sections).slug]
    return chosen


def refused(asked):
    """Each setting with a value that cannot be shown: it is none, or another one is asked for too."""
    for setting, (*others, last) in asked.items():
        yield from ((setting, other) for other in others if other != last)
        try:
            setting.read(last)
        except ParameterError:
            yield setting, last


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_page_stays_whole_and_names_every_value_that_it_refuses(seed):
    draw, view = random.Random(seed), View()
    for info in PAGES:  # one session for all of them
        asked = address_from(draw, info.load())
        view.visit(info.module, **{setting.key: values for setting, values in asked.items()})
        lines = [" ".join(line.split()) for warning in view.warnings for line in warning.split("  \n")]
        for setting, value in refused(asked):
            told = f"The link asks for {setting.label} = “{' '.join(value[:40].split())}"
            assert any(" ".join(line.split()).startswith(told.rstrip()) for line in lines), (
                info.module,
                setting.key,
                value,
            )
