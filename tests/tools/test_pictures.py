"""Each page has its picture in the README."""

import re
from pathlib import Path

from PIL import Image

from pages.shared.navigation import PAGES
from tools.pictures import FOLDER, SIZE

ROOT = Path(__file__).parents[2]


def test_every_page_stands_in_the_readme_with_its_picture_and_its_name():
    rows = re.findall(
        r'<img src="docs/pictures/(\w+)\.png" .+?\*\*(.+?)\.\*\*', (ROOT / "README.md").read_text("utf-8")
    )
    assert rows == [(info.module, info.title) for info in PAGES]
    assert sorted(each.name for each in FOLDER.iterdir()) == sorted(f"{info.module}.png" for info in PAGES)
    for info in PAGES:
        with Image.open(FOLDER / f"{info.module}.png") as picture:
            assert picture.size == (SIZE["width"], SIZE["height"])
    assert sum(each.stat().st_size for each in FOLDER.iterdir()) < 1_500_000
