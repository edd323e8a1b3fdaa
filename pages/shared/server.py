"""What the server does beside the pages: it loads them, serves the chart library, and says which uploads it takes."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import cast

import streamlit as st
from starlette.datastructures import Headers as Received
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import net_util, runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.url_util import make_url_path

from pages.shared import component, messages, session_lock
from par_core.deployment import settings
from par_core.errors import ParameterError
from par_core.tables.table import MEGABYTE

_MOST_FILES = 3  # of the largest size: so much of uploads is held for a session
_UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/[^/]+$")
# Nothing comes from other hosts, and no page stands in the frame of another site. Scripts of components come as blobs, styles inline; the
# one inline script is Streamlit's own.
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; script-src 'self' blob: 'sha256-THxz9J9+wf7rhwR2YkXJoSZ13UCmYyC+3lNDv2+8ugA='; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; worker-src 'self' blob:; object-src 'none'; "
    "base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}

# Streamlit asks other hosts for the address of this machine: at the start, and whenever a page of another site wants a connection, which is
# refused all the same; and no other reader is served until they answer.
net_util.get_external_ip = net_util.get_internal_ip = lambda: None


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Load every page before the first reader comes: whoever opened one first would wait for it, and all others with them."""
    from pages.shared import app_shell, memory, navigation  # late: their components belong to the server that runs now

    assert app_shell
    for each in navigation.PAGES:
        each.load()
    memory.settle()
    messages.keep_whole_runs()
    session_lock.one_a_session()
    yield


def routes() -> list[Route]:
    """Return the addresses of the chart library, since a folder that cannot be written to holds no copy of it, and of our scripts."""
    base = st.get_option("server.baseUrlPath")
    return [
        Route(make_url_path(base, "app/static/plotly.min.js"), _chart_library),
        Route(make_url_path(base, f"{component.FOLDER}/{{file}}"), _script),
    ]


def middleware() -> list[Middleware]:
    """Return what stands before every request; the server does not start with a wrong PAR_ variable."""
    try:
        settings()
    except ParameterError as error:
        sys.exit(str(error))
    return [Middleware(Headers), Middleware(Uploads)]


async def _chart_library(_: Request) -> FileResponse:
    return FileResponse(str(files("plotly") / "package_data" / "plotly.min.js"), media_type="text/javascript")


async def _script(request: Request) -> Response:
    text = component.SCRIPTS.get(request.path_params["file"])
    if text is None:
        return PlainTextResponse("no such script", 404)
    return Response(
        text, media_type="text/javascript", headers={"Cache-Control": "public, max-age=31536000, immutable"}
    )


class Headers:
    """Adds `HEADERS` to every answer, also where no proxy does."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, with_headers)


class Uploads:
    """Refuses files before they are held: all of them where uploads are off, and those that a session has no room for."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._coming: Counter[str] = Counter()  # bytes by session, of uploads that go on side by side

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        upload = _UPLOAD.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if upload is None:
            return await self._app(scope, receive, send)
        session, largest = upload["session"], int(st.get_option("server.maxUploadSize")) * MEGABYTE
        length = Received(scope=scope).get("content-length", "")
        size = int(length) if length.isdecimal() else largest
        room = _MOST_FILES * min(settings().upload_mb * MEGABYTE, largest) if settings().uploads else -1
        if self._coming[session] + _held(session) + size <= room:
            self._coming[session] += size
            try:
                return await self._app(scope, receive, send)
            finally:
                self._coming -= Counter({session: size})
        while size <= largest and (await receive()).get("more_body"):
            pass  # an answer before the end of a file reaches nobody: its sender sees a connection that breaks
        refused = (413, "This session holds too many files.") if settings().uploads else (403, "Uploads are off here.")
        return await PlainTextResponse(refused[1], refused[0])(scope, receive, send)


def _held(session: str) -> int:
    """Return how many bytes of uploads are held for a session."""
    manager = cast(MemoryUploadedFileManager, runtime.get_instance().uploaded_file_mgr)
    return sum(len(each.data) for each in list(manager.file_storage.get(session, {}).values()))
