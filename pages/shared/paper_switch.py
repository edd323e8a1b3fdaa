"""The switch that leaves of a printed figure what the paper prints: no truth over it, and no marks of the reader's."""

from collections.abc import Collection

from pages.shared import controls, settings
from pages.shared.settings import Setting
from par_core.figures import style
from par_core.figures.drawing import Drawing
from par_core.questions.glossary import explain


def setting(key: str) -> Setting[bool]:
    """Return the switch of a page, or of one section of it: off, so that the truth is there, until the reader or a link asks."""
    return settings.switch(key, "Paper only")


def draw(paper_only: Setting[bool]) -> bool:
    """Draw the switch; returns whether it is on."""
    return controls.switch(paper_only, hint=explain("paper_only"))


def shown(figure: Drawing, paper_only: Setting[bool], *, also: Collection[str] = ()) -> Drawing:
    """Return the figure as the switch wants it; `also` as in `style.as_printed`."""
    return style.as_printed(figure, also=also) if paper_only.value() else figure
