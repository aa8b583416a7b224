"""Servers as processes: millrace-serve, and Triton with backends of ours where its wheel has been unpacked.

    MILLRACE_SERVE    the binary; build/release/bin/millrace-serve otherwise
    TRITON            a folder with pytriton/tritonserver and nvidia_pytriton.libs, from the wheel nvidia-pytriton
    TRITON_BACKENDS   a folder with millrace/libtriton_millrace.so
"""

import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = pathlib.Path(os.environ.get("MILLRACE_SERVE", ROOT / "build" / "release" / "bin" / "millrace-serve"))
SECONDS = 120  # that anything may take


class Server:
    def __init__(self, command, log, environment=None):
        self.log = pathlib.Path(log)
        with self.log.open("wb") as out:
            self.process = subprocess.Popen([str(part) for part in command], stdout=out, stderr=subprocess.STDOUT, env=environment)
        self.pid = self.process.pid
        self.http = self.grpc = None  # "127.0.0.1:PORT"

    @property
    def is_triton(self):
        return self.http != self.grpc

    def wait_until(self, true, what):
        end = time.monotonic() + SECONDS
        while not (result := true()):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{what}: exit status {self.process.poll()}\n{self.text()[-3000:]}")
            time.sleep(0.01)
        return result

    def text(self):
        return self.log.read_text(errors="replace")

    def get(self, path):
        return self.request("GET", path)

    def request(self, method, path, body=None, headers=None):
        """(status, headers in lower case, body)."""
        connection = http.client.HTTPConnection(self.http, timeout=SECONDS)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
        finally:
            connection.close()

    def json(self, method, path, body=None):
        """(status, what the body says)."""
        status, _, text = self.request(method, path, json.dumps(body) if body is not None else None)
        return status, json.loads(text) if text else None

    def connect(self):
        host, _, port = self.http.rpartition(":")
        return socket.create_connection((host, int(port)), timeout=SECONDS)

    def is_ready(self):
        try:
            return self.get("/v2/health/ready")[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def usage(self):
        """Of its process: seconds of processor time, kB that are resident, descriptors, threads."""
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        return {
            "cpu_s": (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"),
            "rss_kb": int(re.search(r"VmRSS:\s+(\d+)", status)[1]),
            "descriptors": len(os.listdir(f"/proc/{self.pid}/fd")),
            "threads": int(re.search(r"Threads:\s+(\d+)", status)[1]),
        }

    def stop(self, number=signal.SIGTERM, seconds=SECONDS):
        """Its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop(signal.SIGKILL)


def millrace(root, log, *options, wait=True):
    server = Server([BINARY, "--listen", "127.0.0.1:0", *options, root], log)
    listening = re.compile(r"millrace serve: listening on (127\.0\.0\.1:\d+)")
    server.http = server.grpc = server.wait_until(lambda: listening.search(server.text()), "no port")[1]
    if wait:
        server.wait_until(server.is_ready, "not ready")
    return server


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def triton(root, log, *options):
    folder = pathlib.Path(os.environ["TRITON"])
    ports = free_port(), free_port()
    binary = folder / "pytriton" / "tritonserver" / "bin" / "tritonserver"
    command = [binary, f"--model-repository={root}", f"--backend-directory={os.environ['TRITON_BACKENDS']}", "--allow-metrics=false",
               "--http-address=127.0.0.1", "--grpc-address=127.0.0.1", f"--http-port={ports[0]}", f"--grpc-port={ports[1]}", *options]  # fmt: skip
    server = Server(command, log, {**os.environ, "LD_LIBRARY_PATH": str(folder / "nvidia_pytriton.libs")})
    server.http, server.grpc = (f"127.0.0.1:{port}" for port in ports)
    server.wait_until(server.is_ready, "not ready")
    return server
