"""Find a Chromium or Chrome for the browser tests and print its path; with --install, get one where there is none.

Nothing is skipped: without a browser the tests fail, and this says which command would help.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"  # the same engine without windows around the pages: a quarter less work
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
HELP = "No browser to test with. Run `.venv/bin/playwright install chromium`, or install Chromium or Chrome."


def find() -> str | None:
    """Return the path of a browser: the one named in PAR_CHROMIUM, one on the PATH, or Playwright's own."""
    named = os.environ.get("PAR_CHROMIUM")
    candidates = (named, *(shutil.which(name) for name in NAMES), MAC)
    found = next((path for path in candidates if path and Path(path).exists()), None)
    return found or _playwrights_own()


def _playwrights_own() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:  # takes a second: asked last
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def _install() -> None:
    print("No Chromium or Chrome found: asking Playwright for one.", flush=True)
    if (
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False).returncode == 0
        and find()
    ):
        return
    if os.geteuid() == 0 and shutil.which("apt-get") and platform.system() == "Linux":
        print("Playwright could not; installing Debian's Chromium with apt-get, as root.", flush=True)
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], env=environment, check=False)
        for package in (SHELL, "chromium"):  # an older Debian has the second alone
            if not find():
                subprocess.run(["apt-get", "install", "-y", "-qq", package], env=environment, check=False)


if __name__ == "__main__":
    if "--install" in sys.argv and not find():
        _install()
    path = find()
    if path is None:
        sys.exit(HELP)
    if "--install" not in sys.argv:
        print(path)
