"""Small words, and text from outside: unit tests, without a page."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pages.shared.words import as_sentence, letters, level, level0, literal

# --- pieces -----------------------------------------------------------------------------------------------------------


def test_levels_stand_on_one_line_with_four_digits_on_the_side_that_holds():
    assert level0(0.79729) == "ε₀\u00a0=\u00a00.7973"
    assert level(0.285839) == "ε\u00a0=\u00a00.2858"


# Marks of Markdown, letters, and whatever Python takes for white space.
@settings(derandomize=True, deadline=None)
@given(text=st.text("`*_[]()<>$\\aβ🙂 \t\n\r\x0b\x0c\x1c\x1f\x85\xa0\u2003\u2028\u3000", max_size=40))
def test_text_from_outside_is_one_code_span(text):
    shown = literal(text)
    assert "\n" not in shown
    fence = shown.split(" ")[0]
    assert set(fence) == {"`"}
    assert fence not in " ".join(text.split())
    assert shown == f"{fence} {' '.join(text.split())} {fence}"


def test_a_sentence_that_quotes_data_shows_every_letter():
    assert letters("a*b_[c](d)") == r"a\*b\_\[c\]\(d\)"
    assert as_sentence("no column  *age*") == r"No column \*age\*\."
    assert as_sentence("done.") == r"Done\."
