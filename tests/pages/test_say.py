"""Sentences with numbers: each on its safe side, with its badge, and no badge in front of punctuation."""

import re
from dataclasses import dataclass

import pytest

from pages.shared import badges
from par_core.evidence import (
    ESTIMATE,
    MODEL,
    PROVEN,
    PUBLISHED,
    Evidence,
    Quantity,
    Result,
    quantities,
    quantity_of,
    stated,
)
from par_core.figures.quantities import as_told, format_quantity
from par_core.mechanisms import default_noise, max_posterior
from par_core.published import explicit
from par_core.questions.blocks import Words
from par_core.rounding import percent
from tests.pages.conftest import BADGE

PUNCTUATION = re.compile(r"\]\**[,.;:!]")


PROVEN_HERE = Evidence(PROVEN, source="arithmetic")


@dataclass(frozen=True)
class Found(Result):
    level: float = 0.28583
    claimed: float = 0.37765
    ends: tuple[float, ...] = (0.1, 0.22222)
    samples: int = 15000
    QUANTITIES = quantities(
        level=stated("level", "up"),
        claimed=stated("share", "near", PUBLISHED, "par-theorem-4"),
        ends=stated("level", "down"),
    )
    evidence = PROVEN_HERE


def say(template, **values):
    return Words(template, **values).marked(badges.of)


def told(template, **values):
    return Words(template, **values).told()


def shown(text):
    return re.sub(BADGE, r"[\1]", text.replace("\u00a0", " "))


def test_a_bound_is_not_said_twice():
    sure = Quantity(0.99999, "share", PROVEN_HERE, "down", "")
    assert shown(told("It holds with at least **{sure}**.", sure=sure)) == "It holds with **more than 99.9 %**."


def test_one_badge_follows_the_full_stop_where_all_numbers_of_a_sentence_share_it():
    text = say("From {f.ends[0]} to **{f.level}** of {f.samples:,} pairs. It is {f.level}!", f=Found())
    assert shown(text) == "From 0.1 to **0.286** of 15,000 pairs. [Proven] It is 0.286! [Proven]"


def test_two_kinds_of_evidence_stand_beside_their_numbers_and_never_in_front_of_punctuation():
    text = say("Claimed is {f.claimed} by far, in truth **ε = {f.level}**; or {f.level}.", f=Found())
    assert shown(text) == ("Claimed is 37.8 % [Refuted] by far, in truth [Proven] **ε = 0.286**; or [Proven] 0.286.")
    assert "ε\u00a0=\u00a00.286" in text


@pytest.mark.parametrize("mark", [")", "]", "”", "’", '"', "'", ").", "”,"])
def test_no_badge_stands_in_front_of_what_closes_a_bracket_or_a_quotation(mark):
    text = shown(say(f"It is {{f.claimed}} (or “{{f.level}}{mark} and more", f=Found()))
    assert text == f"It is 37.8 % [Refuted] (or “[Proven] 0.286{mark} and more"


@pytest.mark.parametrize(
    ("how", "words"), [("level0", "ε₀ = 0.2858"), ("level", "ε = 0.2858"), ("percent", "28.6 %"), (".2f", "0.29")]
)
def test_a_number_with_a_format_is_written_so_and_has_no_badge(how, words):
    assert shown(say(f"It is **{{f.level:{how}}}**.", f=Found())) == f"It is **{words}**."


def test_what_follows_a_number_may_come_from_another_field():
    assert shown(say("{f.claimed}{more} and {f.level}.", f=Found(), more=", less")) == (
        "[Refuted] 37.8 %, less and [Proven] 0.286."
    )


def test_a_piece_without_a_full_stop_has_its_badge_beside_the_number():
    assert shown(say("up to {f.level} or more", f=Found())) == "up to 0.286 [Proven] or more"


def test_a_sentence_without_a_number_takes_its_evidence_from_a_result_a_function_or_a_claim():
    said = [
        shown(say("So it is.", evidence_from=each)) for each in (Found(), Found, default_noise(1.0), "par-theorem-4")
    ]
    assert said == ["So it is. [Proven]"] * 3 + ["So it is. [Refuted]"]


def test_a_headline_has_no_badges():
    assert told("## {f.level}. Then {f.claimed}", f=Found()).replace("\u00a0", " ") == "## 0.286. Then 37.8 %"


def test_text_from_outside_is_no_template():
    assert say("{name} and {f.level}.", name="{f.claimed}. {x}", f=Found()).startswith("{f.claimed}. {x} and 0.286.")


def test_one_of_several_is_named_by_its_place():
    assert say("{each[1]} of {f.ends[0]:g}", each=["a", "b"], f=Found()) == "b of 0.1"


def test_a_number_without_an_evidence_has_no_badge_and_is_an_error():
    class Open(Result):
        QUANTITIES = quantities(level=stated("level"))

    number = Open.as_quantity("level", 2.0)
    assert told("{it}", it=number) == "2"
    with pytest.raises(TypeError, match="without an evidence"):
        say("It is {it}.", it=number)


def test_a_name_that_is_not_in_the_table_is_an_error():
    with pytest.raises(KeyError):
        say("{f.samples}", f=Found())
    with pytest.raises(KeyError):
        Found().quantity("standing")
    with pytest.raises(TypeError, match="explicit.*|epsilon_at"):
        quantity_of(explicit.epsilon_at, 0.5, 1.0)


@pytest.mark.parametrize(
    ("kind", "toward", "value", "expected"),
    [
        ("share", "up", 0.62246, "62.3 %"),
        ("share", "down", 0.62246, "62.2 %"),
        ("points", "up", 0.2212, "22.2 percentage points"),
        ("points", "near", 0.2212, "22.1 percentage points"),
        ("number", "up", 4.2212, "4.23"),
        ("level", "down", 0.79729, "0.79"),
        ("quantile", "up", 0.99953, "0.9996"),
        ("error", "up", 3.9582, "4"),
        ("error", "up", 4.0, "4"),
        ("money", "up", 74434.406, "74,500 USD"),
        ("coins", "up", 74434.406, "74,434.41 USD"),
    ],
)
def test_each_kind_has_its_digits(kind, toward, value, expected):
    quantity = Quantity(value, kind, PROVEN_HERE, toward)
    assert format_quantity(quantity, currency="USD").replace("\u00a0", " ") == expected


def test_what_a_reader_takes_over_is_what_is_told():
    assert as_told(Quantity(1234.567, "level", PROVEN_HERE, "down")) == 1230.0


def test_a_function_says_what_its_number_is():
    believed = quantity_of(max_posterior, 0.5, 0.5)
    assert (believed.kind, believed.toward, believed.evidence.basis) == ("share", "up", PROVEN)
    assert quantity_of(explicit.risk, 0.5, 1.0).claim == "par-theorem-4"


def test_a_published_number_is_rounded_near_unless_its_table_says_otherwise():
    table = {"named": stated("level", "down", PUBLISHED, "x"), "left": stated("level", "down", claim="x")}

    class Of(Result):
        QUANTITIES = quantities(**table)

    for basis, toward in ((PUBLISHED, "near"), (MODEL, "down"), (ESTIMATE, "down")):
        Of.evidence = Evidence(basis, source="arithmetic")
        assert Of.as_quantity("left", 1.0).toward == toward
        assert Of.as_quantity("left", 1.0).claim == ("x" if basis is PUBLISHED else "")
        assert Of.as_quantity("named", 1.0) == Quantity(
            1.0, "level", Evidence(PUBLISHED, source="arithmetic"), "down", "x"
        )


@pytest.mark.parametrize("after", [",", ".", ";", ":", "!", " of", ")", "**.", "**, so"])
@pytest.mark.parametrize("basis", [PROVEN, MODEL, ESTIMATE])
def test_no_badge_stands_in_front_of_punctuation_whatever_follows(after, basis):
    bold = "**" * after.startswith("**")
    for value in (0.001, 0.0449, 0.5, 0.84341, 0.999):
        one, other = (
            Quantity(value, "share", Evidence(basis, source="arithmetic"), "up"),
            Quantity(value, "share", Evidence(PUBLISHED, source="a paper"), "near", "par-theorem-4"),
        )
        for end in ("", ".", " end.", "; so"):
            text = say(f"{bold}{{one}}{after} and {{other}}{end}", one=one, other=other)
            assert not PUNCTUATION.search(text)
            assert percent(value, toward="up") in text
            assert text.count("-badge[") == 2
