"""Which version it is, with and without a history to ask."""

import pytest

from pages.shared import app_version
from par_core import __version__
from par_core.deployment import Settings


@pytest.fixture
def text(monkeypatch):
    def of(commit, path=None):
        monkeypatch.setattr(app_version, "settings", lambda: Settings(commit=commit))
        if path is not None:
            monkeypatch.setenv("PATH", path)
        return app_version.text.__wrapped__()

    return of


def test_a_named_commit_stands_behind_the_version(text):
    assert text("v9-1-gabc") == f"{__version__} (v9-1-gabc)"


def test_without_a_name_the_checkout_is_asked_and_without_git_the_version_stands_alone(text, tmp_path):
    assert text(None).startswith(f"{__version__} (")
    assert text(None, str(tmp_path)) == __version__
