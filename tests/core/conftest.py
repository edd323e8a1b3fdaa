"""Scripts run in this process, on the table of a test."""

import sys

import pytest

from tests.core.script_text import namespace


@pytest.fixture
def here(table, tmp_path, monkeypatch, capsys):
    """Run the text of a script on `table`, which a file of tests makes; returns what it prints."""
    table.to_csv(tmp_path / "people.csv", index=False)

    def run_it(text, *words):
        monkeypatch.setattr(sys, "argv", [str(tmp_path / "release.py"), str(tmp_path / "people.csv"), *words])
        namespace(text)["main"]()
        return capsys.readouterr().out

    return run_it
