"""The label as a file: one sheet of A4 and a phone, with the longest texts and a plan of six releases; and how a reader gets it."""

import re

import pytest

from par_core.plan import PlanScenario, Release
from par_core.queries.shapes import MeanShape
from par_core.questions import PublicLabel
from par_core.questions.decide.public_label import LONGEST, LONGEST_NAME
from par_core.scenario import Scenario

# Means over a private number of rows, of which each person has another number: what takes most room.
SIX = tuple(
    Release(
        MeanShape(lower=-123456.0, upper=123456.0, chooses=True),
        size=90_000 + at,
        rows_per_person=1 + at,
        times=12,
        mechanism=noise,
    )
    for at, noise in enumerate(("laplace", "laplace", "laplace", "laplace", "laplace", "gaussian"))
)
SCENARIOS = {
    "scenario": Scenario(),
    "six releases": PlanScenario(epsilon0=1.0, plan=SIX),
    "six, added or removed": PlanScenario(epsilon0=1.0, neighbours="add-or-remove", plan=SIX),
}
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def paper(chromium):
    """A browser without a network, and what it complains of."""
    context = chromium.new_context()
    context.set_offline(True)
    page = context.new_page()
    page.complaints = []
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("request", lambda request: request.url.startswith("file:") or page.complaints.append(request.url))
    yield page
    context.close()


@pytest.mark.parametrize("letters", ["W", "Wide words & more "])
@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_it_is_one_sheet_and_fits_a_phone_with_the_longest_texts(paper, tmp_path, scenario, letters):
    texts = {name: (letters * longest)[:longest] for name, longest in LONGEST.items()}
    names = (("Wide words & more " * LONGEST_NAME)[:LONGEST_NAME],) * 6
    file = tmp_path / "label.html"
    file.write_text(PublicLabel(scenario, **texts, date="2026-09-30", names=names).answer().label(), encoding="utf-8")
    for width in (1440, 390):
        paper.set_viewport_size({"width": width, "height": 844})
        paper.goto(file.as_uri())
        assert paper.evaluate(WIDE) == 0, width
        assert paper.locator("svg").locator("visible=true").count() == 1
        assert paper.get_by_text("What is not protected?").is_visible()
    printed = paper.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == 1
    assert paper.complaints == []


def test_a_reader_types_and_takes_both_files(newcomer):
    reader = newcomer.open("decide", tab="public")
    for label, text in (
        ("Name of the publication", "Visits"),
        ("Published by", "Centre"),
        ("What it is for", "Doctors"),
        ("What one row is", "A visit"),
        ("Contact", "a@b.example"),
    ):
        reader.main.get_by_role("textbox", name=label, exact=True).fill(text)
    reader.main.get_by_role("textbox", name="Published by", exact=True).press("Tab")
    name, content = reader.download(reader.main.get_by_role("button", name="Label", exact=True))
    assert name == "public_label.html"
    assert b"a@b.example" in content
    reader.main.get_by_text("For the registry", exact=True).click()
    for label, text in (("Description", "Counts"), ("Region", "Bavaria")):
        reader.main.get_by_role("textbox", name=label, exact=True).fill(text)
        reader.main.get_by_role("textbox", name=label, exact=True).press("Tab")
    name, content = reader.download(reader.main.get_by_role("button", name="Registry entry"))
    assert name == "deployment.yaml"
    assert b'data_product_region: "Bavaria"' in content
