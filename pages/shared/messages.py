"""What a run has drawn reaches the reader whole, also where the next run starts before it was sent."""

from __future__ import annotations

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

_clear = ForwardMsgQueue.clear


def _clear_but_whole_runs(
    self: ForwardMsgQueue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
) -> None:
    # Streamlit drops what waits of a fragment that runs again, but lets "the whole run has ended" go out: the browser
    # then takes the fragment's elements for left over, and removes them for a moment with all that is pressed on them.
    if fragment_ids_this_run is not None and any(map(_ends_whole_run, self._queue)):
        self._delta_index_map.clear()  # the fragment's run does not write into what was before it
    else:
        _clear(self, retain_lifecycle_msgs, fragment_ids_this_run)


def _ends_whole_run(message: ForwardMsg) -> bool:
    return message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY and message.HasField("script_finished")


def keep_whole_runs() -> None:
    """Let a fragment's run drop nothing of a whole run that has ended before it."""
    ForwardMsgQueue.clear = _clear_but_whole_runs  # type: ignore[method-assign]  # no setting of Streamlit says this
