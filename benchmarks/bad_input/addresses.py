"""Query strings of every page: read value by value, and opened in whole pages."""

from __future__ import annotations

import random
from typing import Any

from benchmarks.bad_input.damage import DECIMAL, ODD
from benchmarks.bad_input.readings import Readings
from benchmarks.bad_input.scenarios_and_plans import LINE
from benchmarks.cases import SEED, is_sentence
from pages.shared import app_shell
from pages.shared.navigation import PAGES
from par_core.errors import ParameterError
from tests.pages.conftest import View


def value_of(draw: random.Random, setting: Any) -> str:
    if draw.random() < 0.5:
        return draw.choice(ODD)
    if setting.options:
        return draw.choice(list(setting.options))
    if setting.at_least is None or setting.at_most is None:
        whole = setting.write(setting.default)
        at = draw.randrange(len(whole) + 1)
        return draw.choice((whole, whole[:at] + draw.choice(ODD) + whole[at:], draw.choice(("0", "1", LINE))))
    low, high = setting.at_least, setting.at_most
    factor = draw.choice((1, 1, 1 - 1e-9, 1.001, -1, 1e300))
    return f"{draw.choice((low, high, draw.uniform(low, high))) * factor:.17g}"


def read_setting(setting: Any, text: str) -> str | None:
    value = setting.read(text)
    if setting.at_least is not None and setting.at_most is not None and isinstance(value, int | float):
        if not DECIMAL.fullmatch(text) or float(text) != value or not setting.at_least <= value <= setting.at_most:
            return f"{setting.key} became {value!r}"
        if setting.only_whole and not float(text).is_integer():
            return f"{setting.key} is no whole number"
    elif setting.options and not set(value if isinstance(value, list) else [value]) <= set(setting.options):
        return f"{setting.key} became {value!r}"
    return None if setting.read(setting.write(value)) == value else f"{setting.key} is another when written again"


def addresses(cases: Readings, number: int) -> None:
    """Query strings of every page, a value each: the reader of a setting decides alone, and names what it refuses."""
    draw = random.Random(SEED)
    pages = [app_shell.settings_of(info.load()) for info in PAGES]
    for _ in range(10 * number):
        page = draw.choice(pages)
        asked = [(each, value_of(draw, each)) for each in draw.sample(page, min(len(page), draw.choice((1, 2, 4, 6))))]
        cases.add([(setting.key, text) for setting, text in asked], _read, asked)


def _read(asked: list[tuple[Any, str]]) -> str | None:
    refused = None
    for setting, text in asked:
        try:
            if wrong := read_setting(setting, text):
                return wrong
        except ParameterError as error:
            refused = error
            if not is_sentence(str(error)):
                return f"no sentence: {str(error)!r}"
    if refused:
        raise refused
    return None


def opened(cases: Readings, number: int) -> None:
    """Such addresses in whole pages, all in one session: nothing unexpected happens there."""
    draw, view = random.Random(SEED), View()
    cases.most = 10.0  # seconds: a page computes at once what a browser waits for beside a bar
    for _ in range(number // 4):
        info = draw.choice(PAGES)
        page = info.load()
        known = app_shell.settings_of(page)
        asked = {each.key: value_of(draw, each) for each in draw.sample(known, min(len(known), 4))}
        if len(page.sections) > 1:
            asked[page.tab.key] = draw.choice(page.sections).slug
        cases.add((info.module, asked), _visit, view, info.module, asked)


def _visit(view: View, module: str, asked: dict[str, str]) -> None:
    view.visit(module, **asked)
    if any("cannot be used" in each for each in view.warnings):
        raise ParameterError("the page names what it refuses")
