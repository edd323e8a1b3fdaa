"""What a check for accessibility finds on a page; the script of it is read once in a document."""

import json

from axe_playwright_python.sync_playwright import Axe

SCRIPT = Axe().axe_script


def violations(reader, **options):
    """Return the rules that the page breaks, each with its nodes."""
    if not reader.page.evaluate("'axe' in window"):
        reader.page.evaluate(SCRIPT)
    check = "async (options) => JSON.stringify((await axe.run(options)).violations)"
    return json.loads(reader.page.evaluate(check, {"resultTypes": ["violations"], **options}))
