"""The server: several readers at once, a path that is not the root, and what it sends."""

import re
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect

ROOT = Path(__file__).parents[2]
STEPS = ["0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "1", "1.5", "2", "2.5", "3"]


def test_three_readers_at_once_each_end_where_they_went(start_server, new_reader):
    # A fresh server, so that the first runs and their imports happen side by side too.
    server = start_server()
    starts = [0, 3, 6]
    readers = [new_reader(server) for _ in starts]
    for reader, start in zip(readers, starts, strict=True):
        address = server.address("explicit_risk", tab="truth", e0=STEPS[start])
        reader.page.goto(address, wait_until="commit")
    for reader, start in zip(readers, starts, strict=True):
        reader.wait_until_drawn().expect_epsilon0(STEPS[start])
    for _ in range(5):
        for reader in readers:
            reader.slider().press("ArrowRight")
    for reader, start in zip(readers, starts, strict=True):
        end = STEPS[start + 5]
        reader.expect_title(f"ε₀ = {end} ").expect_epsilon0(end).expect_query(e0=end)
    assert len({reader.chart["title"] for reader in readers}) == 3


@pytest.fixture(scope="module")
def below(start_server):
    """A server whose pages stand below a path, as behind a reverse proxy."""
    return start_server("--server.baseUrlPath=some/path", base_path="some/path")


def test_a_page_opens_below_a_path_and_its_link_keeps_it(new_reader, below):
    reader = new_reader(below).open("explicit_risk", tab="truth", e0="2")
    reader.expect_epsilon0("2").expect_title("ε₀ = 2 ").expect_query(e0="2", tab="truth")
    assert reader.address.startswith(f"{below.origin}/some/path/explicit_risk?")
    reader.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=below.origin)
    reader.page.get_by_role("button", name="Copy link").click()
    expect(reader.page.get_by_role("button", name=re.compile("copied", re.I))).to_be_visible()
    link = reader.page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{below.origin}/some/path/explicit_risk?")
    again = new_reader(below).go(link)
    again.expect_epsilon0("2").expect_title("ε₀ = 2 ")


def test_navigation_works_below_a_path(new_reader, below):
    reader = new_reader(below).open("overview", e0="2")
    reader.visit("Explicit risk").visit("Overview")
    assert reader.address.startswith(f"{below.origin}/some/path/")


def test_the_chart_library_comes_from_below_the_path_too(new_reader, below):
    reader, asked = new_reader(below), []
    # A page with a route has no cache: everything is fetched anew.
    reader.page.route("**/*", lambda route: route.continue_())
    reader.page.on("response", lambda response: asked.append((response.url, response.status)))
    reader.open("overview")
    libraries = [(url, status) for url, status in asked if url.endswith("plotly.min.js")]
    assert libraries == [(f"{reader.server.url}app/static/plotly.min.js", 200)]


def test_the_chart_library_is_the_one_of_the_installed_plotly(server):
    import plotly

    shipped = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    with urllib.request.urlopen(f"{server.url}app/static/plotly.min.js") as response:
        assert response.read() == shipped.read_bytes()


def test_only_the_static_folder_is_served(server):
    for path in ("app/static/../app.py", "app/static/%2e%2e/app.py", "app/static/..%2f.streamlit/config.toml"):
        try:
            with urllib.request.urlopen(f"{server.url}{path}") as response:
                body = response.read()
        except urllib.error.HTTPError:
            continue
        assert b"frame.start()" not in body
        assert b"gatherUsageStats" not in body
