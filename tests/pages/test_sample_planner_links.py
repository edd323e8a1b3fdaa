"""Links to the Sample planner: they restore every setting of every section, and what cannot be used is named."""

from urllib.parse import parse_qsl

import pytest

from pages import sample_planner
from pages.shared import app_shell
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.sections import DIAL
from pages.shared.settings import scenario_settings
from pages.shared.tour import STOP
from par_core.errors import ParameterError


@pytest.fixture
def page(open_page):
    """Open the page at one of its sections, with settings; jobs run to their end at once."""
    return lambda tab="samples", **settings: open_page("sample_planner", tab=tab, **settings)


def link(shown):
    return dict(parse_qsl(shown.links["full"], keep_blank_values=True))


EVERY = {
    "samples": {"sfind": "rho", "sn": 7, "srho": 0.2, "sa": 0.3, "srhos": "0.05,0.5"},
    "sampled": {
        "stable": "household_heads",
        "sdrop": 1,
        "sask": "quantile",
        "sof": "income",
        "slo": -1,
        "shi": 90000,
        "sq": 0.25,
        "sby": "gender",
        "slist": "1\n2",
        "swhere": "race",
        "scmp": "==",
        "sval": "x",
        "sfrom": "laws",
        "slaws": "income:normal",
        "sp": 33,
        "spairs": 44,
        "sseed": 5,
        "sshare": 0.6,
        "ssure": 0.7,
        "scrho": 0.2,
        "sax": "log",
    },
    "both": {
        "bby": "samples",
        "brhos": "0.3",
        "bn": 8,
        "bns": "500,600",
        "brho": 0.04,
        "be0": 1.5,
        "be": 0.6,
        "bc2": 0.7,
        "beta": "model",
        "bmax": 9,
        "bds": 3,
        "bc": 1.5,
        "bk": 1,
        "bkk": 2,
        "bw": 0.1,
        "spaper": 1,
    },
    "accuracy": {
        "stable": "household_heads",
        "sy": "income",
        "sylo": 10,
        "syhi": 70000,
        "sx": "age,gender",
        "sl": 0.5,
        "sint": 1,
        "ae": 0.3,
        "ae0": 0.7,
        "ae0s": "0.5,2",
        "aruns": 3,
        "aseed": 9,
        "anoise": "published",
    },
}
OF_UPLOADS = {"sown_lo", "sown_hi", "sown_ylo", "sown_yhi"}


def test_every_setting_is_in_the_test_of_links():
    keys = {setting.key for setting in app_shell.settings_of(sample_planner.PAGE)}
    scenario = {setting.key for setting in (*scenario_settings(), PRESENT, DIAL, STOP)}
    assert keys - scenario - OF_UPLOADS == {"tab"}.union(*EVERY.values())


@pytest.mark.parametrize("tab", EVERY)
def test_a_copied_link_restores_every_setting_of_a_section(page, tab):
    shown = page(tab, **EVERY[tab])
    assert not [each for each in shown.warnings if "cannot be used" in each]
    for key, value in EVERY[tab].items():
        assert link(shown)[key] == str(value), key
    again = page(**link(shown))
    assert again.links["full"] == shown.links["full"]
    assert again.open_section == shown.open_section
    assert again.chart.figure == shown.chart.figure
    assert [text for text in again.texts if "explorer" not in text] == [
        text for text in shown.texts if "explorer" not in text
    ]


REFUSED = parse_qsl(
    "sfind=x&sn=0&sn=1.5&srho=0&sa=1&srhos=0.01,2&stable=nowhere&sdrop=yes&sask=mode&sof=state"
    "&sby=zebra&swhere=zebra&scmp=~&sq=1.01&sfrom=air&slaws=age&slaws=age:cauchy&slaws=zebra:normal&sp=0"
    "&spairs=9&spairs=1000001&sseed=-1&sshare=1&ssure=1&ssure=0.49&sof=puma&scrho=0&sax=cube&sy=state&sx=zebra"
    "&sl=0&sint=2&bby=x&brhos=0&bns=1.5&bc2=1.1&beta=x&bmax=0&bw=0&ae=0&ae0s=x&aruns=1&aseed=x&anoise=loud"
    f"&sval={'x' * 3000}&slist={'x' * 3000}"
)


@pytest.mark.parametrize(("key", "asked"), REFUSED)
def test_a_value_that_cannot_be_used_is_refused(key, asked):
    (setting,) = (each for each in app_shell.settings_of(sample_planner.PAGE) if each.key == key)
    with pytest.raises(ParameterError):
        setting.read(asked)


@pytest.mark.parametrize(("key", "asked"), [("sn", "1.5"), ("sval", "x" * 3000), ("bby", "x")])
def test_a_setting_that_cannot_be_used_is_named(page, key, asked):
    shown = page(**{key: asked, "e0": 3})
    (words,) = shown.warnings
    assert "cannot be used" in words
    assert f"“{asked[:20]}" in words
    assert shown.number("e0").value == 3, "the rest of the link is used"
