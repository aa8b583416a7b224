"""A server for a long time, at 80% of what it can, among clients that misbehave: issue 31's fourth bar.

    soak.py --models DIR [--seconds 3600] [--load 0.8] [--json FILE]

The load is checked answer by answer (open_loop.c); beside it run clients that vanish at any byte, read slowly, stay half open, or send
what is no request, in HTTP/1.1 and HTTP/2, gRPC by h2load, and a reload of the model every ten seconds. Memory, descriptors and threads are those of
when a quarter of the time was over, and of the end, when the misbehaving have gone. OPEN_LOOP and MILLRACE_SERVE as for load.py.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "python" / "serve"), str(ROOT / "perf" / "serve")]
import load  # noqa: E402
import servers  # noqa: E402
import wire  # noqa: E402

MODEL = "mlp"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
CHUNK_S = 10  # of checked load between two reloads and two looks at the server


def whole(seed):
    body, size = wire.binary(wire.rows(load.SHAPES[MODEL], seed))
    head = f"POST /v2/models/{MODEL}/infer HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n{wire.BINARY}: {size}\r\n\r\n"
    return head.encode() + body


def vanish(server, rng):
    """Any part of a request, or several, and gone; half of the time with a reset."""
    data = whole(1) * rng.randrange(1, 4)
    with server.connect() as connection:
        if rng.random() < 0.5:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall(data[: rng.randrange(len(data) + 1)])
        time.sleep(rng.random() / 50)


def read_slowly(server, rng):
    """Asks for much, and takes it a little at a time; then goes."""
    with server.connect() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(5)
        connection.sendall(b"GET /v2/models/mlp/config HTTP/1.1\r\nHost: a\r\n\r\n" * 500)
        for _ in range(rng.randrange(50)):
            connection.recv(100)
            time.sleep(0.02)


def stay_half_open(server, rng):
    with server.connect() as connection:
        connection.sendall(whole(1)[: rng.randrange(400)])
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(3)
        connection.recv(65536)


def send_nonsense(server, rng):
    kinds = [
        rng.randbytes(rng.randrange(1, 3000)),
        b"POST /v2/models/mlp/infer HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST /v2/models/mlp/infer HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + b"[" * 100000,
        bytes(b ^ (1 << rng.randrange(8)) if rng.random() < 0.01 else b for b in whole(2)),
        PREFACE + rng.randbytes(rng.randrange(1, 500)),
        PREFACE + b"\0\0\0\4\0\0\0\0\0" + b"".join(b"\0\0\4\3\0" + struct.pack(">I", 2 * i + 1) + b"\0\0\0\x08" for i in range(200)),  # resets
        PREFACE + b"\0\0\0\4\0\0\0\0\0" + b"\0\0\x08\6\0\0\0\0\0" + bytes(8),  # a ping
    ]
    with server.connect() as connection:
        connection.settimeout(3)
        connection.sendall(rng.choice(kinds))
        while connection.recv(65536):
            pass


MISBEHAVIOUR = [vanish, vanish, vanish, read_slowly, stay_half_open, send_nonsense]


class Chaos(threading.Thread):
    def __init__(self, server, seed):
        super().__init__(daemon=True)
        self.server, self.rng, self.over, self.count = server, random.Random(seed), False, 0

    def run(self):
        while not self.over:
            self.count += 1
            try:
                self.rng.choice(MISBEHAVIOUR)(self.server, self.rng)
            except OSError:
                pass
            time.sleep(0.02)


def grpc_load(server, folder):
    (folder / "grpc").write_bytes(wire.grpc(MODEL, wire.rows(load.SHAPES[MODEL], 3)))
    command = ["h2load", "-t1", "-c4", "-m4", "-n500", "-d", folder / "grpc", "-H", "content-type: application/grpc", "-H", "te: trailers", f"http://{server.grpc}/inference.GRPCInferenceService/ModelInfer"]
    out = subprocess.run([str(part) for part in command], capture_output=True, text=True).stdout
    return "500 succeeded, 0 failed, 0 errored" in out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--load", type=float, default=0.8)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp())
    root = folder / "models"
    shutil.copytree(options.models / MODEL, root / MODEL)
    totals, usages, wrong = {}, [], []
    with servers.millrace(root, folder / "log", "--control") as server:
        cases = folder / "cases"
        load.write_cases(server, MODEL, cases)
        best = statistics.median(load.open_loop(server, MODEL, cases, 16, 0, 2)["rate"] for _ in range(3))
        print(f"seed {options.seed}, best {best:.0f}/s", file=sys.stderr)
        chaos = [Chaos(server, options.seed + i) for i in range(4)]
        for thread in chaos:
            thread.start()
        begin = time.monotonic()
        while (passed := time.monotonic() - begin) < options.seconds:
            result = load.open_loop(server, MODEL, cases, 64, options.load * best, CHUNK_S)  # stops at a wrong answer
            for what in ("ok", "refused", "broken", "wrong"):
                totals[what] = totals.get(what, 0) + result[what]
            if server.request("POST", f"/v2/repository/models/{MODEL}/load")[0] != 200:
                wrong.append(f"a reload failed after {passed:.0f} s")
            if not grpc_load(server, folder):
                wrong.append(f"gRPC failed after {passed:.0f} s")
            usages.append((passed, server.usage()))
            print(f"{passed:.0f} s: {result['rate']:.0f}/s, p99 {result['p99_us'] / 1000:.1f} ms, {usages[-1][1]}", file=sys.stderr)
        for thread in chaos:
            thread.over = True
            thread.join(10)
        time.sleep(5)
        end = server.usage()
        connections = os.listdir(f"/proc/{server.pid}/fd")
        status = server.stop()
    quarter = next(usage for passed, usage in usages if passed >= usages[-1][0] / 4)
    bars = [
        (f"{totals['ok']:,} answers were right, {totals['wrong']} wrong, {totals['broken']} connections broken, {totals['refused']} refused", not totals["wrong"] and not totals["broken"]),
        (f"{sum(t.count for t in chaos):,} misbehaved meanwhile; {'; '.join(wrong) or 'every reload and every gRPC call went well'}", not wrong),
        (f"memory {quarter['rss_kb']:,} kB after a quarter of the time, {end['rss_kb']:,} at the end", end["rss_kb"] < 1.05 * quarter["rss_kb"] + 4096),
        (f"descriptors {quarter['descriptors']}, {len(connections)}; threads {quarter['threads']}, {end['threads']}", len(connections) <= quarter["descriptors"] and end["threads"] <= quarter["threads"]),
        (f"exit status {status}", status == 0),
    ]
    shutil.rmtree(folder)
    for text, reached in bars:
        print(f"- {'reached' if reached else 'MISSED '} {text}")
    if options.json:
        options.json.write_text(json.dumps({"seed": options.seed, "bars": bars, "usages": usages}, indent=1))
    sys.exit(not all(reached for _, reached in bars))


if __name__ == "__main__":
    main()
