"""The look of the figures: one list of colours for figures and pages, readable, and told apart without colour."""

import itertools
import tomllib
from pathlib import Path

import numpy as np
import pytest

from par_core.figures import style
from par_core.figures import theme as palette
from par_core.figures.drawing import Drawing
from par_core.rounding import percent

CONFIG = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
THEMES = {"light": palette.LIGHT, "dark": palette.DARK}
LINES = [role for role in palette.ROLES if role not in ("grid", "text", "background", "surface")]
LIGHTNESS_SEEN = 8  # of 100: a difference that two grey lines side by side still show


def luminance(colour):
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """Contrast as in WCAG 2, from 1 (the same) to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def lightness(colour):
    """Lightness as in CIELAB, from 0 to 100: what is left of a colour in grey."""
    y = luminance(colour)
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


@pytest.mark.parametrize("theme", THEMES)
def test_the_theme_of_the_pages_and_the_figures_have_the_same_colours_in_the_same_order(theme):
    assert CONFIG["theme"][theme]["chartCategoricalColors"] == [THEMES[theme][role] for role in palette.ROLES]


@pytest.mark.parametrize("theme", THEMES)
def test_text_and_background_are_those_of_the_pages(theme):
    assert THEMES[theme]["text"] == CONFIG["theme"][theme]["textColor"]
    assert THEMES[theme]["background"] == CONFIG["theme"][theme]["backgroundColor"]
    assert THEMES[theme]["surface"] == CONFIG["theme"][theme]["secondaryBackgroundColor"]


@pytest.mark.parametrize("theme", THEMES)
def test_no_two_roles_share_a_colour(theme):
    # The browser tells a role by its colour.
    assert len(set(THEMES[theme].values())) == len(palette.ROLES)


@pytest.mark.parametrize("role", LINES)
@pytest.mark.parametrize("theme", THEMES)
def test_lines_stand_out_from_the_background(theme, role):
    assert contrast(THEMES[theme][role], THEMES[theme]["background"]) >= 3.0


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("on", ["background", "surface"])
def test_text_is_easy_to_read(theme, on):
    assert contrast(THEMES[theme]["text"], THEMES[theme][on]) >= 7.0


@pytest.mark.parametrize("theme", THEMES)
def test_the_value_beside_the_own_setting_can_be_read(theme):
    assert contrast(THEMES[theme]["accent"], THEMES[theme]["background"]) >= 4.5


def look(trace):
    """What a line looks like in grey: lightness, dash, width, marker."""
    marker = trace["marker"]["symbol"] if "markers" in trace["mode"] else None
    return trace["line"]["color"], trace["line"].get("dash"), trace["line"]["width"], marker


def told_apart(one, other, theme):
    colour = {palette.LIGHT[role]: THEMES[theme][role] for role in palette.ROLES}
    (colour1, dash1, width1, marker1), (colour2, dash2, width2, marker2) = look(one), look(other)
    return (
        dash1 != dash2
        or marker1 != marker2
        or max(width1, width2) >= 1.5 * min(width1, width2)
        or abs(lightness(colour[colour1]) - lightness(colour[colour2])) >= LIGHTNESS_SEEN
    )


@pytest.mark.parametrize("theme", THEMES)
def test_the_lines_in_a_legend_are_told_apart_without_colour(any_drawing, theme):
    lines = [
        each
        for each in any_drawing.data
        if "lines" in each.get("mode", "") and each.get("showlegend", True) and "fill" not in each
    ]
    alike = [
        (one["name"], other["name"])
        for one, other in itertools.combinations(lines, 2)
        if one["name"] != other["name"] and not told_apart(one, other, theme)
    ]
    assert not alike


def test_the_meanings_are_told_apart_without_colour():
    x = [0.0, 1.0]
    exact, published, reference = (make(x, x, "a") for make in (style.exact, style.published, style.reference))
    estimate = style.estimate(x, x, x, x, "a")
    for theme in THEMES:
        for one, other in itertools.combinations((exact, published, reference, estimate), 2):
            assert told_apart(one, other, theme)
    assert "dash" not in exact["line"]
    assert "dash" in published["line"]["dash"]
    assert estimate["line"]["dash"] == "dot"
    assert style.not_valid((x, x), (x, x))["fillpattern"]["shape"] == "/"


# --- shares -----------------------------------------------------------------------------------------------------------


def test_shares_are_percentages_at_the_ticks_and_under_the_pointer_proven_ones_on_the_side_that_holds():
    x, y = np.array([0.0, 0.07, 0.6224, 1.0]), np.array([0.25, 0.33333, 0.84399, 1.0])
    for toward, told in (
        ("up", ["25\u00a0%", "33.4\u00a0%", "84.4\u00a0%", "100\u00a0%"]),
        ("down", ["33.3\u00a0%", "84.3\u00a0%"]),
    ):
        drawing = Drawing(title="t", x="x", y="y")
        drawing.add(style.exact(x, y, "exact"), style.published(x, y, "published"), style.not_valid((x, y), (x, y)))
        style.as_percentages(drawing, x="near", y=toward)
        figure = drawing.figure()
        assert figure.layout.xaxis.tickformat == figure.layout.yaxis.tickformat == ".0%"
        exact, published, area = figure.data
        assert [each for each in exact.customdata[:, 1] if each in told] == told
        assert list(exact.customdata[:, 0]) == ["0\u00a0%", "7\u00a0%", "62.2\u00a0%", "100\u00a0%"]
        assert list(published.customdata[:, 1]) == ["25\u00a0%", "33.3\u00a0%", "84.4\u00a0%", "100\u00a0%"]
        assert "%{customdata[0]}" in exact.hovertemplate
        assert "%{customdata[1]}" in exact.hovertemplate
        assert ":.4g" not in exact.hovertemplate
        assert area.customdata is None


@pytest.mark.parametrize("toward", ["near", "up", "down"])
def test_many_shares_at_once_are_written_as_each_alone(toward):
    rng = np.random.default_rng(5)
    shares = np.concatenate([rng.random(3000), 10 ** rng.uniform(-9, 0.5, 2000), np.arange(1001) / 1000, [0.99999]])
    drawing = Drawing(title="t", x="x", y="y")
    drawing.add(style.exact(shares, shares, "exact"))
    style.as_percentages(drawing, x=toward)
    assert drawing.data[0]["customdata"][:, 0].tolist() == [percent(each, toward=toward) for each in shares.tolist()]


def test_shares_of_a_second_axis_are_told_by_its_own_curves_only():
    x, y = np.array([0.1, 0.2]), np.array([0.25, 0.5])
    drawing = Drawing(title="t", x="x", y="y")
    drawing.add(style.exact(x, y, "right"), style.exact(x, y, "left") | {"yaxis": "y2"})
    drawing.layout["yaxis2"] = {"overlaying": "y"}
    style.as_percentages(drawing, y2="down")
    figure = drawing.figure()
    right, left = figure.data
    assert right.customdata is None
    assert list(left.customdata[:, 0]) == ["25\u00a0%", "50\u00a0%"]
    assert (figure.layout.yaxis2.tickformat, figure.layout.yaxis.tickformat) == (".0%", None)


@pytest.mark.parametrize(("low", "high", "ticks"), [(1.0, 10.0, 6), (0.02, 90.0, 15), (0.02, 200.0, 6)])
def test_a_logarithmic_axis_of_up_to_five_powers_has_ticks_between_them(low, high, ticks):
    axis = style.log_axis(low, high)
    assert len(axis["tickvals"]) == len(axis["ticktext"]) == ticks
    assert axis["tickvals"][0] <= low
    assert axis["tickvals"][-1] >= high


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (1e-5, 2e-5, ["0.00001", "0.00002", "0.00005", "0.0001", "0.0002", "0.0005"]),
        (1.0, 1e5, ["1", "10", "100", "1,000", "10,000", "100,000"]),
        (1e-8, 5e-8, ["10⁻⁸", "2·10⁻⁸", "5·10⁻⁸", "10⁻⁷", "2·10⁻⁷", "5·10⁻⁷"]),
        (1e9, 1e14, ["1,000,000,000", "10¹⁰", "10¹¹", "10¹²", "10¹³", "10¹⁴"]),
    ],
)
def test_ticks_are_written_as_people_write_numbers(low, high, words):
    assert style.log_axis(low, high)["ticktext"] == words


def test_a_mark_tells_under_the_pointer_what_is_written_beside_it():
    assert style.setting(0.5, 0.84399, "true 84.4 %")["hovertemplate"].startswith("%{text}<extra>")
    assert ":.4g" in style.setting(0.5, 0.84399, "")["hovertemplate"]
