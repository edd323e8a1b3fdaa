"""Components of our own: a script has an address, and is not sent anew with every element that it draws."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import streamlit as st

FOLDER = "app/static/components"
SCRIPTS: dict[str, str] = {}  # by the name of a file, which changes with what is in it

# The page's own script tells where the server's files are, whatever base path it stands under.
_LOADER = """
const script = document.querySelector('script[type="module"][src*="static/js/"]');
const root = script ? new URL("../../", script.src) : new URL("./", document.baseURI);
let module;
export default async function (component) {
  module ??= import(new URL("%s", root).href).catch((error) => {
    module = undefined;
    throw error;
  });
  return (await module).default(component);
}
"""


def component(name: str, *, js: str, css: str | None = None) -> Callable[..., Any]:
    """Return what draws a component, whose script is served at an address of its own."""
    file = f"{name}.{hashlib.sha256(js.encode()).hexdigest()[:12]}.js"
    SCRIPTS[file] = js
    return st.components.v2.component(
        f"privacy_at_risk_{name}", css=css, js=_LOADER % f"{FOLDER}/{file}", isolate_styles=False
    )
