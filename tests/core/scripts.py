"""Runs scripts as `python -I` does, in forks of a process that has imported OpenDP, which takes longer than what most of them do."""

import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
from functools import cache


class Started:
    """A script on its way: of `subprocess.Popen` what a test needs, with `given` at its standard input."""

    def __init__(self, words, folder, given=""):
        self._written = [tempfile.TemporaryFile("w+", encoding="utf-8") for _ in range(3)]  # noqa: SIM115
        self._written[0].write(given)
        self._written[0].seek(0)
        ended, tells = os.pipe()
        self._ended = os.fdopen(ended)
        files = [*(each.fileno() for each in self._written), tells]
        socket.send_fds(_server(), [json.dumps([str(folder), *words]).encode()], files)
        os.close(tells)

    def communicate(self):
        """Wait for its end, and return what it wrote to standard output and standard error."""
        with self._ended:
            self.returncode = int(self._ended.read())
        _, *written = self._written
        for each in written:
            each.seek(0)
        return [each.read() for each in written]


def run(words, folder, given=""):
    """Run a script to its end, as `subprocess.run` does."""
    started = Started(words, folder, given)
    out, error = started.communicate()
    return subprocess.CompletedProcess(words, started.returncode, out, error)


@cache
def _server():
    """Start the process that is forked; it ends with this one."""
    own, its = socket.socketpair()
    with its:
        subprocess.Popen([sys.executable, "-I", __file__], stdin=its)
    return own


def _serve():
    """Fork for each request; the fork runs the script, and ends as a script does."""
    import opendp.prelude  # noqa: F401

    requests = socket.socket(fileno=os.dup(0))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        request, files, *_ = socket.recv_fds(requests, 1 << 16, 4)
        if not request:
            return
        if os.fork() == 0:
            break
        for each in files:
            os.close(each)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if script := os.fork():  # this one waits, and tells how it ended
        _, status = os.waitpid(script, 0)
        os.write(files[3], str(os.waitstatus_to_exitcode(status)).encode())
        os._exit(0)
    for at, each in enumerate(files[:3]):
        os.dup2(each, at)
    os.closerange(3, max(files) + 1)
    folder, *sys.argv = json.loads(request)
    os.chdir(folder)
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    _serve()
