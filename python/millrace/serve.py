"""The inference server, `millrace serve`, from Python.

    python -m millrace.serve [OPTION]... FOLDER...        # the command itself: docs/serving.md, or --help

    from millrace import serve

    with serve.start("models", max_body=1 << 20) as server:       # on a free port, ready when this is entered
        urllib.request.urlopen(server.url + "/v2/models/digits")

It is a process of its own, which has none of this one's Python in it.
"""

import atexit
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

NAME = "millrace-serve"
_LISTENING = re.compile(r"^millrace serve: listening on (\S+)( \(TLS\))?$", re.M)
_LOADED = re.compile(r"^millrace serve: (ready|some models could not be loaded)$", re.M)
_POLL_S = 0.01  # between two looks at what the process says


def executable():
    """The program's file, or a FileNotFoundError that says where it was looked for: where MILLRACE_SERVE says; beside the plugin, as in the
    wheel; in bin beside the plugin's lib, as in a build and where it was installed; else by PATH."""
    named = os.environ.get("MILLRACE_SERVE")
    candidates = [pathlib.Path(named)] if named else list(_beside_the_plugin())
    for candidate in candidates:
        if os.access(candidate, os.X_OK) and candidate.is_file():
            return str(candidate)
    found = None if named else shutil.which(NAME)
    if found:
        return found
    looked = ", ".join(str(candidate) for candidate in candidates) or "no folder"
    way_out = "MILLRACE_SERVE names no program" if named else "build it (./dev build, with nghttp2, OpenSSL and zlib) or set MILLRACE_SERVE"
    raise FileNotFoundError(f"{NAME} is not at {looked}{'' if named else ', nor on the PATH'}; {way_out}")


def _beside_the_plugin():
    from jax_plugins.millrace import library  # which imports no JAX by itself

    try:
        folder = pathlib.Path(library.path()).resolve().parent
    except FileNotFoundError:
        return
    yield folder / NAME
    yield folder.parent / "bin" / NAME


def _words(options):
    """The command's options of {"max_body": 4096, "watch": True, "model": ["a", "b"]}."""
    for name, value in options.items():
        word = "--" + name.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                yield word
            elif one is not False and one is not None:
                yield f"{word}={os.fspath(one) if isinstance(one, os.PathLike) else one}"


class Server:
    """A server that runs. `address` is HOST:PORT for clients, of HTTP and gRPC; `url` the same as http:// or https://; `pid` its process."""

    def __init__(self, command):
        # A file rather than a pipe: nobody has to read it for the server to go on.
        self._said = tempfile.TemporaryFile(prefix="millrace-serve.")
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._said)
        self.pid, self._owner = self._process.pid, os.getpid()
        self.address = self.url = None
        _running.add(self)

    @property
    def port(self):
        return int(self.address.rpartition(":")[2])

    def text(self):
        """What it has said on its standard error so far."""
        return os.pread(self._said.fileno(), os.fstat(self._said.fileno()).st_size, 0).decode(errors="replace") if not self._said.closed else ""

    def _wait_until_ready(self, seconds):
        end = time.monotonic() + seconds
        while True:
            ended = self._process.poll()  # before the look at what it said
            text = self.text()
            loaded = _LOADED.search(text)
            if loaded and loaded[1] == "ready":
                break
            if loaded or ended is not None or time.monotonic() > end:
                why = loaded[1] if loaded else f"it ended with {ended}" if ended is not None else f"it is not ready after {seconds} s"
                raise RuntimeError(f"{NAME}: {why}\n{text[-3000:]}")
            time.sleep(_POLL_S)
        self.address, is_secure = _LISTENING.search(text).groups()
        self.url = self.address if self.address.startswith("unix:") else f"http{'s' if is_secure else ''}://{self.address}"

    def stop(self, seconds=60):
        """Ends it: requests that are under way get their answers, for `seconds` at most. Its exit status."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        try:
            status = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        _running.discard(self)
        self._said.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def __repr__(self):
        return f"<millrace.serve.Server {self.url}, process {self.pid}>"


_running = set()


@atexit.register
def _stop_all():
    for server in list(_running):
        if server._owner == os.getpid():  # not in a child of fork()
            server.stop(5)


def start(roots=(), *, seconds=120, **options):
    """Starts a server for the models in `roots`, a folder or several, on a free port of 127.0.0.1, and gives it once all of them are loaded. It ends
    with the `with` block, by stop(), or with this process.

    options are the command's, with _ for -: max_body=1 << 20, watch=True, model=["a", "b"], listen="127.0.0.1:8000". RuntimeError has what the
    server said when it cannot start, a model cannot be loaded, or it is not ready after `seconds`.
    """
    if isinstance(roots, (str, os.PathLike)):
        roots = [roots]
    options.setdefault("listen", "127.0.0.1:0")
    server = Server([executable(), *_words(options), *map(os.fspath, roots)])
    try:
        server._wait_until_ready(seconds)
    except BaseException:
        server.stop(5)
        raise
    return server


def main():
    try:
        program = executable()
    except FileNotFoundError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    sys.stdout.flush()
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
