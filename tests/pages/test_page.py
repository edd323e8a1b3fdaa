"""A page has every setting that its files declare, in an order of its own, and no setting of another page."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pages.shared import wish_fields
from pages.shared.settled_duties import TICKED

WISHES = {each.key for each in wish_fields.LINKED}
ROOT = Path(__file__).parents[2]
SCRIPT = """
import gc, json
from pages.shared import app_shell
from pages.shared.navigation import PAGES
from pages.shared.settings import Setting

def alive():
    return {id(each): each for each in gc.get_objects() if isinstance(each, Setting)}

found, before = {}, alive()
for info in PAGES:
    page = info.load()
    has = [each.key for each in app_shell.settings_of(page)]
    declared = [each for each in alive().values() if id(each) not in before]
    before |= {id(page.tab): page.tab, **alive()}
    unlinked = {each.key for each in declared if not each.in_links}
    found[info.module] = has, sorted({each.key for each in declared}), sorted(unlinked)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def settings():
    """The settings of each page, those that loading it made, and those of them that no link holds; in a process of its own."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_no_setting_of_a_page_is_forgotten_in_its_links(settings):
    shared = set.intersection(*(set(has) for has, *_ in settings.values()))
    assert {"e0", "present", "tour"} < shared
    for module, (has, declared, unlinked) in settings.items():
        assert len(has) == len(set(has)), module
        elsewhere = {*WISHES, TICKED.key}  # in `pages.shared`: no page alone makes them
        assert set(has) - shared - elsewhere == set(declared) - set(unlinked) - elsewhere, module
    assert TICKED.key in settings["decide"][0]


def test_the_wishes_are_in_the_links_of_both_pages_that_speak_of_them(settings):
    assert {"we", "wev", "wb", "wbv", "wbp"} < WISHES
    holding = {module: WISHES & set(has) for module, (has, *_) in settings.items() if WISHES & set(has)}
    assert holding == {"overview": WISHES, "decide": WISHES}


def test_what_belongs_to_a_file_of_the_readers_own_or_to_a_label_is_in_no_link(settings):
    unlinked = {module: unlinked for module, (*_, unlinked) in settings.items() if unlinked}
    assert unlinked == {
        "decide": ["pl_ask", "pl_by", "pl_date", "pl_for", "pl_name", "pl_row", "pl_type", "pl_what", "pl_where"],
        "empirical_audit": ["eanswers", "eown_db", "eown_of", "eown_who", "eshow"],
        "mechanism_lab": ["lf_first", "lf_second"],
    }


def test_a_page_of_one_section_has_no_tabs(open_page, settings):
    assert "tab" not in settings["overview"][0]
    assert not open_page("overview").app.tabs
