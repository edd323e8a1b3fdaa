"""A visitor without a browser: speaks Streamlit's own language over a websocket, and changes a control at a time.

What a browser draws costs more than the server that it asks: ten of them on the machine of the server would measure each other.
"""

from __future__ import annotations

import asyncio
import json
import time
import urllib.request
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest, BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import FileUploaderState, FileURLs
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

FIRST = "overview"  # has no name in the address
LONGEST = 120  # seconds for one answer
POLL = 0.5  # as pages/shared/jobs.py has it
WIDGETS = (
    "text_input",
    "slider",
    "number_input",
    "button_group",
    "bidi_component",
    "button",
    "file_uploader",
    "download_button",
)


@dataclass
class Widget:
    """A widget as the server described it last, with the fragment that it belongs to, if any."""

    kind: str
    told: Any
    fragment: str


class Visitor:
    """One session: where it is, which widgets it sees, and the values that it has given them."""

    def __init__(self, address: str, random: Random) -> None:
        self.address, self.random = address, random
        self.session = self.page = self.cookies = ""
        self.pages: dict[str, str] = {}  # by their name in the address: what Streamlit calls them
        self.widgets: dict[str, Widget] = {}
        self.values: dict[str, WidgetState] = {}
        self.watches: set[str] = set()  # the fragments that ask after a job, twice a second
        self.socket: ClientConnection | None = None
        self.told: list[str] = []  # what pages have said in boxes of their own

    async def arrive(self) -> None:
        stream = self.address.replace("http", "ws") + "/_stcore/stream"
        self.cookies = await asyncio.to_thread(self._greet)
        self.socket = await connect(
            stream,
            subprotocols=["streamlit"],
            max_size=None,
            compression=None,
            additional_headers={"Cookie": self.cookies},
        )
        await self.run()

    async def leave(self) -> None:
        if self.socket is not None:
            await self.socket.close()

    async def open(self, module: str, **query: str) -> float:
        """Turn to a page as a link of ours does; returns the milliseconds that its first run took."""
        self.page = self.pages[module]
        return await self.run(query=urlencode({**query, "click": uuid4().hex}))

    async def change(self) -> float | None:
        """Change one of the controls in sight by a step; returns the milliseconds, or None if there is no control."""
        offered = [(widget, state) for widget in self.widgets.values() if (state := self._stepped(widget))]
        if not offered:
            return None
        widget, state = self.random.choice(offered)
        return await self._send(widget, state)

    async def wait_for_jobs(self, until: float) -> bool:
        """Ask after the jobs of the page as a browser does, at most until then; returns whether none is left."""
        while self.watches and time.perf_counter() + POLL < until:
            await asyncio.sleep(POLL)
            for watch in [*self.watches]:
                if watch in self.watches:
                    await self.run(fragment=watch, again=True)
        return not self.watches

    async def press(self, label: str) -> float | None:
        """Press a button; returns the milliseconds, or None if it is not in sight, as where a first job is still at work."""
        for widget in self.widgets.values():
            if widget.kind == "button" and widget.told.label == label:
                return await self._send(widget, WidgetState(id=widget.told.id, trigger_value=True))
        return None

    def type(self, text: str) -> None:
        """Type into every field for a text in sight; a form sends it with its button."""
        for widget in self.widgets.values():
            if widget.kind == "text_input":
                self.values[widget.told.id] = WidgetState(id=widget.told.id, string_value=text)

    async def tell(self, part: str, name: str, value: object) -> float:
        """Let the component whose content holds this part tell something, as its script does."""
        widget = next(
            each for each in self.widgets.values() if each.kind == "bidi_component" and part in each.told.json
        )
        return await self._send(widget, _told(widget, name, value))

    async def upload_and_drop(self, name: str, content: bytes) -> None:
        """Give a file to the uploader in sight, take it away again, and close the table that it held."""
        uploader = next(each for each in self.widgets.values() if each.kind == "file_uploader")
        place = f"/_stcore/upload_file/{self.session}/{uuid4()}"
        await asyncio.to_thread(self._upload, place, name, content)
        number = place.rsplit("/", 1)[1]
        urls = FileURLs(file_id=number, upload_url=place, delete_url=place)
        files = FileUploaderState()
        files.uploaded_file_info.add(name=name, size=len(content), file_id=number, file_urls=urls)
        await self._send(uploader, WidgetState(id=uploader.told.id, file_uploader_state_value=files))
        await asyncio.to_thread(self._upload, place)
        await self._send(uploader, WidgetState(id=uploader.told.id, file_uploader_state_value=FileUploaderState()))
        await self.press("Close this table")

    async def download(self, label: str) -> str:
        """Ask for the file of a button, which is made then, and return its text."""
        assert self.socket is not None
        told = next(
            each.told for each in self.widgets.values() if each.kind == "download_button" and each.told.label == label
        )
        asked = BackendOperationRequest(request_id=uuid4().hex, session_id=self.session)
        asked.deferred_file.file_id = told.deferred_file_id
        await self.socket.send(BackMsg(backend_operation_request=asked).SerializeToString())
        while True:
            answer = ForwardMsg.FromString(await asyncio.wait_for(self.socket.recv(decode=False), LONGEST))
            if answer.WhichOneof("type") == "backend_operation_response":
                place = self.address + answer.backend_operation_response.deferred_file.url
                with await asyncio.to_thread(urllib.request.urlopen, place) as response:
                    return response.read().decode()

    async def run(
        self, *, query: str = "", fragment: str = "", trigger: WidgetState | None = None, again: bool = False
    ) -> float:
        """Ask for a run and hear it out; returns the milliseconds from sending to its end."""
        assert self.socket is not None
        asked = ClientState(query_string=query, page_script_hash=self.page, fragment_id=fragment, is_auto_rerun=again)
        asked.widget_states.widgets.extend([*self.values.values(), *([trigger] if trigger else [])])
        message = BackMsg(rerun_script=asked)
        began = time.perf_counter()
        await self.socket.send(message.SerializeToString())
        while True:
            answer = self.hear(await asyncio.wait_for(self.socket.recv(decode=False), LONGEST))
            match answer.WhichOneof("type"):
                case "new_session":
                    self.session = answer.new_session.initialize.session_id
                    anew = set(answer.metadata.run.fragment_ids)
                    kept = {name: each for name, each in self.widgets.items() if anew and each.fragment not in anew}
                    self.widgets = kept
                    if not (anew and anew <= self.watches):  # what is drawn anew says again what it waits for
                        self.watches.clear()
                case "auto_rerun":
                    self.watches.add(answer.auto_rerun.fragment_id)
                case "stop_auto_rerun":
                    self.watches.difference_update(answer.stop_auto_rerun.fragment_ids)
                case "navigation":
                    self.page = answer.navigation.page_script_hash
                    pages = answer.navigation.app_pages
                    self.pages = {each.url_pathname or FIRST: each.page_script_hash for each in pages}
                case "delta":
                    self._see(answer.delta)
                case "script_finished" if answer.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    self.values = {name: value for name, value in self.values.items() if name in self.widgets}
                    return (time.perf_counter() - began) * 1000

    def hear(self, message: bytes) -> ForwardMsg:
        return ForwardMsg.FromString(message)

    async def _send(self, widget: Widget, state: WidgetState) -> float:
        if state.WhichOneof("value") in ("trigger_value", "json_trigger_value"):
            return await self.run(fragment=widget.fragment, trigger=state)
        self.values[state.id] = state
        return await self.run(fragment=widget.fragment)

    def _see(self, delta: Delta) -> None:
        kind = delta.new_element.WhichOneof("type")
        if kind == "exception":
            raise RuntimeError(f"a page failed: {delta.new_element.exception.message}")
        if kind == "alert":
            self.told.append(delta.new_element.alert.body)
        if kind not in WIDGETS:
            return
        told = getattr(delta.new_element, kind)
        self.widgets[told.id] = Widget(kind, told, delta.fragment_id)
        if getattr(told, "set_value", False):  # the server has another value for it than the visitor
            self.values.pop(told.id, None)

    def _stepped(self, widget: Widget) -> WidgetState | None:
        """The state of a widget one step from where it stands; None for what takes no step."""
        told, state = widget.told, WidgetState(id=widget.told.id)
        given, up = self.values.get(told.id), self.random.choice((-1, 1))
        if widget.kind == "slider" and told.options:
            shown = given.string_array_value.data if given else told.raw_value
            at = list(told.options).index(shown[0]) if shown else int(told.default[0])
            state.string_array_value.data.append(told.options[_beside(at, up, len(told.options))])
        elif widget.kind == "number_input":
            present = given.double_value if given else told.value if told.set_value else told.default
            step = told.step or 1
            state.double_value = present + (up if present > step else 1) * step
        elif widget.kind == "button_group" and told.click_mode == told.SINGLE_SELECT and len(told.options) > 1:
            names = [each.content for each in told.options]
            shown = [names[at] for at in told.default] if not told.set_value else list(told.raw_values)
            shown = list(given.string_array_value.data) if given else shown
            state.string_array_value.data.append(self.random.choice([each for each in names if each not in shown]))
        elif widget.kind == "bidi_component" and '"dial"' in told.json:
            data = json.loads(told.json)
            at = min(range(len(data["steps"])), key=lambda at: abs(data["steps"][at] - data["value"]))
            value = data["steps"][_beside(at, up, len(data["steps"]))]
            state = _told(widget, "told", {"value": value, "count": data["heard"] + 1})
        else:
            return None
        return state

    def _greet(self) -> str:
        """Return the cookies of a first answer: of the server, which guards uploads, and of the proxy, for the visitor's seat."""
        with urllib.request.urlopen(f"{self.address}/_stcore/health") as response:
            return "; ".join(each.split(";")[0] for each in response.headers.get_all("Set-Cookie"))

    def _upload(self, place: str, name: str = "", content: bytes | None = None) -> None:
        """Put a file at its place, or without one delete what is there."""
        head = {"Cookie": self.cookies, "X-Xsrftoken": self.cookies.partition("_streamlit_xsrf=")[2].partition(";")[0]}
        body = None
        if content is not None:
            head["Content-Type"] = "multipart/form-data; boundary=edge"
            first = f'--edge\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
            body = first.encode() + content + b"\r\n--edge--\r\n"
        method = "DELETE" if content is None else "PUT"
        urllib.request.urlopen(urllib.request.Request(self.address + place, body, head, method=method)).close()


def _told(widget: Widget, name: str, value: object) -> WidgetState:
    event = json.dumps([{"event": name, "value": value}])
    return WidgetState(id=_make_trigger_id(widget.told.id, "events"), json_trigger_value=event)


def _beside(at: int, up: int, number: int) -> int:
    return at + up if 0 <= at + up < number else at - up
