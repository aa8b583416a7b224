"""Two servers behind nginx, by packaging/serve/nginx.conf: what the proxy costs, and whether restarting the servers one after the other fails a request.

    nginx.py --models DIR [--connections 8,32] [--rounds 5] [--seconds 2] [--restarts 6] [--json FILE]

DIR is as export_models.py writes it; nginx and wrk are Debian's (nginx-light, wrk). First one server is asked, then nginx with two, in turns; the
table has the medians, with the processor time of servers and proxy over the requests. Then wrk and a client that checks each answer ask through nginx while
one server after the other gets SIGTERM, is waited for, begins anew at the same port and is ready. Where tritonclient[grpc] is installed, that again over
gRPC, and now nginx is told before that a server is down, and after that it is up (its configuration, SIGHUP): it does not see what gRPC answers, so that it
could not pass over a server that is still loading. Everything is on this machine and shares its cores.
"""

import argparse
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "python" / "serve"), str(ROOT / "perf" / "serve")]
import bench  # noqa: E402
import servers  # noqa: E402
import wire  # noqa: E402

CONF = ROOT / "packaging" / "serve" / "nginx.conf"
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
MODEL, SHAPE = "mlp", (784,)


def start_one(models, port, log):
    server = servers.Server([servers.BINARY, "--listen", f"127.0.0.1:{port}", "--drain-delay", "1", models], log)
    server.http = server.grpc = f"127.0.0.1:{port}"
    server.wait_until(server.is_ready, "not ready")
    return server


class Proxy(servers.Server):
    """nginx with the configuration that people copy, at other ports."""

    def __init__(self, folder, ports):
        here, grpc = servers.free_port(), servers.free_port()
        text = CONF.read_text().replace("/tmp/", f"{folder}/")
        for was, now in zip((8010, 8020, 8000, 8001), (*ports, here, grpc), strict=True):
            text = re.sub(rf"(server|listen) 127\.0\.0\.1:{was}\b", rf"\1 127.0.0.1:{now}", text)
        self.conf, self.conf_text = folder / "nginx.conf", text
        self.conf.write_text(text)
        super().__init__([NGINX, "-p", folder, "-c", folder / "nginx.conf", "-g", "daemon off;"], folder / "nginx.log")
        self.http, self.grpc = f"127.0.0.1:{here}", f"127.0.0.1:{grpc}"
        self.wait_until(self.is_ready, "nginx is not ready")

    def take_out(self, port=None):
        """The server at this port gets no more requests; None: all do again."""
        self.conf.write_text(re.sub(rf"(server 127\.0\.0\.1:{port} max_fails=0)", r"\1 down", self.conf_text))
        self.process.send_signal(signal.SIGHUP)
        time.sleep(0.5)  # until the workers are others

    def cpu_s(self):
        """Of its workers, which are the master's children."""
        children = pathlib.Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        fields = [pathlib.Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split() for child in children]
        return sum(int(f[11]) + int(f[12]) for f in fields) / os.sysconf("SC_CLK_TCK")


# ---- What the proxy costs --------------------------------------------------------------------------------------------------------


def measure(case, asked, two, proxy, bodies, connections, options, folder):
    def used():
        return sum(server.usage()["cpu_s"] for server in two), proxy.cpu_s()

    before, counted = used(), sum(bench.succeeded(server) for server in two)
    body, headers = bodies[case]
    if case == "grpc":
        result = bench.h2load(asked, body, connections, options.seconds, False, folder)
        result["errors"] += max(0, result["requests"] - (sum(bench.succeeded(server) for server in two) - counted))
    else:
        result = bench.wrk(asked, case, body, headers, connections, options.seconds, False)
    if result["errors"]:
        raise SystemExit(f"{case}, {connections} connections: {result['errors']} errors\n{proxy.text()[-2000:]}")
    after = used()
    result["rate"] = result["requests"] / result["seconds"]
    result["server_us"], result["proxy_us"] = ((now - was) / result["requests"] * 1e6 for was, now in zip(before, after))
    return result


def compare(two, proxy, options, folder):
    bodies = bench.write_bodies(folder)
    rounds = {}
    for number in range(options.rounds + 1):  # the first one warms up
        for case in ("binary", "grpc"):
            for connections in options.connections:
                for name, asked in (("one server", two[0]), ("nginx, two servers", proxy)):
                    result = measure(case, asked, two, proxy, bodies, connections, options, folder)
                    if number:
                        rounds.setdefault((case, connections, name), []).append(result)
        print(f"round {number} of {options.rounds}", file=sys.stderr)
    results = {key: {what: statistics.median(r[what] for r in list) for what in list[0]} for key, list in rounds.items()}
    print("| | connections | asked | requests/s | p50 us | p99 us | server us/request | nginx us/request |\n|---|---|---|---|---|---|---|---|")
    for (case, connections, name), r in results.items():
        print(f"| {case} | {connections} | {name} | {r['rate']:,.0f} | {r['p50_us']:.0f} | {r['p99_us']:.0f} | {r['server_us']:.1f} | {r['proxy_us']:.1f} |")
    return [{"case": c, "connections": n, "asked": who, **r} for (c, n, who), r in results.items()]


# ---- Restarts ----------------------------------------------------------------------------------------------------------------------


class Checker(threading.Thread):
    """Asks for other rows each time, and compares what comes with what one server alone answered."""

    def __init__(self, address, wanted):
        super().__init__(daemon=True)
        self.address, self.wanted = address, wanted
        self.right, self.wrong, self.over = 0, [], False

    def ask(self, connection, seed):
        body, size = wire.binary(wire.rows(SHAPE, seed))
        connection.request("POST", f"/v2/models/{MODEL}/infer", body, {wire.BINARY: str(size)})
        answer = connection.getresponse()
        data = answer.read()
        if answer.status != 200:
            return f"status {answer.status}: {data[:200]!r}"
        got = np.frombuffer(data[int(answer.headers[wire.BINARY]) :], np.float32)
        return None if np.allclose(got, self.wanted[seed], rtol=1e-4, atol=1e-6) else f"another answer for rows {seed}"

    def run(self):
        connection = http.client.HTTPConnection(self.address, timeout=30)
        for seed in iter(lambda: (self.right + len(self.wrong)) % len(self.wanted), None):
            if self.over:
                break
            try:
                trouble = self.ask(connection, seed)
            except (OSError, http.client.HTTPException) as error:
                trouble = repr(error)
                connection.close()
            self.right += trouble is None
            self.wrong += [trouble] if trouble else []
        connection.close()


class GrpcChecker(Checker):
    def run(self):
        import tritonclient.grpc as grpc

        client = grpc.InferenceServerClient(self.address)
        while not self.over:
            seed = (self.right + len(self.wrong)) % len(self.wanted)
            x = grpc.InferInput("x", [1, *SHAPE], "FP32")
            x.set_data_from_numpy(wire.rows(SHAPE, seed))
            try:
                is_right = np.allclose(client.infer(MODEL, [x], client_timeout=30).as_numpy("y").ravel(), self.wanted[seed], rtol=1e-4, atol=1e-6)
                trouble = None if is_right else f"another answer for rows {seed}"
            except grpc.InferenceServerException as error:
                trouble = str(error)
            self.right += trouble is None
            self.wrong += [trouble] if trouble else []
        client.close()


def answers_of(address, count=32):
    connection = http.client.HTTPConnection(address, timeout=30)
    answers = []
    for seed in range(count):
        body, size = wire.binary(wire.rows(SHAPE, seed))
        connection.request("POST", f"/v2/models/{MODEL}/infer", body, {wire.BINARY: str(size)})
        answer = connection.getresponse()
        answers.append(np.frombuffer(answer.read()[int(answer.headers[wire.BINARY]) :], np.float32))
    connection.close()
    return answers


def restart(two, proxy, options, folder):
    ports = [int(server.http.rpartition(":")[2]) for server in two]
    body, headers = bench.write_bodies(folder)["binary"]
    checkers = [Checker(proxy.http, answers_of(two[0].http)) for _ in range(2)]
    seconds = 5 * options.restarts
    loaded = {}
    load = threading.Thread(target=lambda: loaded.update(bench.wrk(proxy, "binary", body, headers, 32, seconds, False)))
    for thread in (load, *checkers):
        thread.start()
    statuses, times, end = [], [], time.monotonic() + seconds
    for number in range(options.restarts):
        if time.monotonic() > end - 3:
            break
        time.sleep(0.5)
        which, begin = number % 2, time.monotonic()
        statuses.append(two[which].stop())
        two[which] = start_one(options.models, ports[which], folder / f"again{number}.log")
        times.append(time.monotonic() - begin)
    load.join()
    for checker in checkers:
        checker.over = True
        checker.join()
    checked, wrong = sum(checker.right for checker in checkers), [trouble for checker in checkers for trouble in checker.wrong]
    print(f"\n{len(times)} restarts of {statistics.median(times):.1f} s in {seconds} s: {loaded['requests']:,} requests by wrk at 32 connections, {loaded['errors']} failed, "
          f"p99 {loaded['p99_us'] / 1e3:.1f} ms; {checked:,} answers checked, {len(wrong)} wrong or missing; exit statuses {sorted(set(statuses))}")  # fmt: skip
    for trouble in wrong[:10]:
        print("-", trouble)
    failed = loaded["errors"] + len(wrong) + sum(status != 0 for status in statuses)
    if failed:
        print(proxy.text()[-3000:], file=sys.stderr)
    return {"restarts": len(times), "requests": loaded["requests"], "errors": loaded["errors"], "p99_us": loaded["p99_us"], "checked": checked, "wrong": len(wrong), "failed": failed}


def restart_grpc(two, proxy, options, folder):
    try:
        import tritonclient.grpc  # noqa: F401
    except (ImportError, RuntimeError):
        print("\nno tritonclient[grpc]: gRPC was not restarted under")
        return None
    ports = [int(server.http.rpartition(":")[2]) for server in two]
    checkers = [GrpcChecker(proxy.grpc, answers_of(two[0].http)) for _ in range(4)]
    for checker in checkers:
        checker.start()
    statuses = []
    for number in range(options.restarts):
        which = number % 2
        proxy.take_out(ports[which])
        statuses.append(two[which].stop())
        two[which] = start_one(options.models, ports[which], folder / f"grpc{number}.log")
        proxy.take_out(None)
    for checker in checkers:
        checker.over = True
        checker.join()
    checked, wrong = sum(checker.right for checker in checkers), [trouble for checker in checkers for trouble in checker.wrong]
    print(f"\n{options.restarts} restarts under gRPC: {checked:,} answers checked, {len(wrong)} wrong or missing; exit statuses {sorted(set(statuses))}")
    for trouble in wrong[:10]:
        print("-", trouble)
    return {"restarts": options.restarts, "checked": checked, "wrong": len(wrong), "failed": len(wrong) + sum(status != 0 for status in statuses)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--connections", type=lambda text: [int(n) for n in text.split(",")], default=[8, 32])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--restarts", type=int, default=6)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)  # nginx's workers are another user
        ports = [servers.free_port(), servers.free_port()]
        two = [start_one(options.models, port, folder / f"server{i}.log") for i, port in enumerate(ports)]
        proxy = None
        try:
            proxy = Proxy(folder, ports)
            result = {"compare": compare(two, proxy, options, folder) if options.rounds else []}
            if options.restarts:
                result["restart"] = restart(two, proxy, options, folder)
                result["restart_grpc"] = restart_grpc(two, proxy, options, folder)
        finally:
            for server in (*two, proxy):
                if server and server.process.poll() is None:
                    server.stop()
    if options.json:
        options.json.write_text(json.dumps(result, indent=1))
    sys.exit(any(part["failed"] for part in (result.get("restart"), result.get("restart_grpc")) if part))


if __name__ == "__main__":
    main()
