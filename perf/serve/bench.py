"""Front ends side by side: millrace-serve, Triton with a backend that answers at once, a server that parses nothing, and others, in turns.

    bench.py --models DIR                        DIR as export_models.py writes it
             [--servers floor,millrace,triton]   also triton-millrace (Triton with our backend) and mlserver
             [--cases binary,json,grpc,health] [--connections 1,8,32] [--rounds 5] [--seconds 2] [--pin] [--json FILE]

wrk and h2load are the clients, over loopback. In each round every server is measured once for each case and number of connections, one after the
other; the tables have the medians over the rounds. Processor time is the server's (/proc/PID/stat, all threads) over the requests that the client
counted. --pin: servers on the first half of the processors, clients on the second. millrace-serve is asked for the model `mlp`; with `front`
among the cases also for one that does no work, which is its front end alone.

MILLRACE_SERVE, TRITON and TRITON_BACKENDS are as in tests/python/serve/servers.py; the last has stub/libtriton_stub.so. FLOOR is what floor.c was
compiled to, MLSERVER an environment with mlserver.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "python" / "serve"), str(ROOT / "perf" / "serve")]
import servers  # noqa: E402
import wire  # noqa: E402

STUB_CONFIG = """backend: "stub"
max_batch_size: 32
input { name: "x" data_type: TYPE_FP32 dims: 784 }
output { name: "y" data_type: TYPE_FP32 dims: 10 }
dynamic_batching { }
instance_group { kind: KIND_CPU count: 1 }
"""
MLSERVER_SETTINGS = {"http_port": 0, "grpc_port": 0, "metrics_port": 0, "host": "127.0.0.1", "debug": False, "parallel_workers": 0}
HAS_NOT = {("floor", "grpc"), ("floor", "front"), ("mlserver", "binary"), ("mlserver", "grpc"), ("mlserver", "front"), ("triton", "front")}
PATHS = {"binary": "/v2/models/mlp/infer", "front": "/v2/models/front/infer", "json": "/v2/models/mlp/infer", "health": "/v2/health/live"}
GRPC = "/inference.GRPCInferenceService/ModelInfer"


def halves():
    cpus = sorted(os.sched_getaffinity(0))
    return cpus[: (len(cpus) + 1) // 2], cpus[(len(cpus) + 1) // 2 :] or cpus


# ---- Servers -----------------------------------------------------------------------------------------------------------------


def start_floor(folder, models):
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 200\r\n\r\n" + b"x" * 200
    (folder / "answer").write_bytes(answer)
    server = servers.Server([os.environ["FLOOR"], folder / "answer", len(os.sched_getaffinity(0))], folder / "floor.log")
    server.http = "127.0.0.1:" + server.wait_until(lambda: server.text().strip(), "no port")
    return server


def start_millrace(folder, models):
    return servers.millrace(models, folder / "millrace.log")


def start_triton(folder, models):
    (folder / "stub" / "mlp" / "1").mkdir(parents=True)
    (folder / "stub" / "mlp" / "config.pbtxt").write_text(STUB_CONFIG)
    return servers.triton(folder / "stub", folder / "triton.log")


def start_triton_millrace(folder, models):
    chosen = [f"--load-model={name}" for name in ("mlp", "front") if (models / name).exists()]
    return servers.triton(models, folder / "triton_millrace.log", "--model-control-mode=explicit", *chosen)


def start_mlserver(folder, models):
    model = folder / "mlserver" / "mlp"
    model.mkdir(parents=True)
    port = servers.free_port()
    settings = {**MLSERVER_SETTINGS, "http_port": port, "grpc_port": servers.free_port(), "metrics_port": servers.free_port()}
    (folder / "mlserver" / "settings.json").write_text(json.dumps(settings))
    (model / "model-settings.json").write_text(json.dumps({"name": "mlp", "implementation": "mlserver_stub.Stub"}))
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "perf" / "serve")}
    server = servers.Server([pathlib.Path(os.environ["MLSERVER"]) / "bin" / "mlserver", "start", folder / "mlserver"], folder / "mlserver.log", environment)
    server.http = f"127.0.0.1:{port}"
    server.wait_until(server.is_ready, "not ready")
    return server


STARTS = {"floor": start_floor, "millrace": start_millrace, "triton": start_triton, "triton-millrace": start_triton_millrace, "mlserver": start_mlserver}


# ---- Measuring ---------------------------------------------------------------------------------------------------------------


def client(pin):
    return ["taskset", "-c", ",".join(map(str, halves()[1]))] if pin else []


def wrk(server, case, body, headers, connections, seconds, pin):
    environment = {**os.environ, "HEADERS": headers, **({"BODY_FILE": str(body)} if body else {})}
    command = [*client(pin), "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(ROOT / "perf" / "serve" / "post.lua"), f"http://{server.http}{PATHS[case]}"]
    out = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    return json.loads(re.search(r"^RESULT (.*)$", out, re.M)[1])


def h2load(server, body, connections, seconds, pin, folder):
    log = folder / "h2load.log"
    log.unlink(missing_ok=True)
    command = [*client(pin), "h2load", "-t1", f"-c{connections}", "-m1", f"-D{seconds}", "-d", str(body), "-H", "content-type: application/grpc", "-H", "te: trailers",
               f"--log-file={log}", f"http://{server.grpc}{GRPC}"]  # fmt: skip
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    times = sorted(int(line.split("\t")[2]) for line in log.read_text().splitlines())
    rate = float(re.search(r"finished in .*?, ([0-9.]+) req/s", out)[1])
    errors = sum(int(n) for n in re.search(r"(\d+) failed, (\d+) errored, (\d+) timeout", out).groups())
    return {"requests": len(times), "seconds": len(times) / rate, "p50_us": times[len(times) // 2], "p99_us": times[len(times) * 99 // 100], "errors": errors}


def succeeded(server):
    """How many inferences went well, in the server's own words: over gRPC an error has HTTP's status 200."""
    return sum(entry["inference_stats"]["success"]["count"] for entry in server.json("GET", "/v2/models/stats")[1]["model_stats"])


def measure(name, server, case, bodies, connections, options, folder):
    body, headers = bodies[case]
    if server.process.poll() is not None:
        raise SystemExit(f"{name} ended with {server.process.returncode}\n{server.text()[-2000:]}")
    before, counted = server.usage()["cpu_s"], succeeded(server) if case == "grpc" else 0
    if case == "grpc":
        result = h2load(server, body, connections, options.seconds, options.pin, folder)
        result["errors"] += max(0, result["requests"] - (succeeded(server) - counted))
    else:
        result = wrk(server, case, body, headers, connections, options.seconds, options.pin)
    result["cpu_us"] = (server.usage()["cpu_s"] - before) / max(1, result["requests"]) * 1e6
    result["rate"] = result["requests"] / result["seconds"]
    if result["errors"]:
        raise SystemExit(f"{name} {case} {connections}: {result['errors']} errors\n{server.text()[-2000:]}")
    return result


def write_bodies(folder):
    x = wire.rows((784,), 7)
    binary, size = wire.binary(x)
    files = {"binary": binary, "front": binary, "json": wire.as_json(x), "grpc": wire.grpc("mlp", x)}
    for name, data in files.items():
        (folder / name).write_bytes(data)
    bodies = {name: (folder / name, "") for name in files}
    bodies["binary"] = bodies["front"] = (folder / "binary", f"{wire.BINARY}: {size}")
    bodies["health"] = (None, "")
    return bodies


# ---- Tables and bars -------------------------------------------------------------------------------------------------------------


def print_table(results, options):
    for case in options.cases:
        print(f"\n{case}\n\n| server | connections | requests/s | p50 us | p99 us | cpu us/request |\n|---|---|---|---|---|---|")
        for connections in options.connections:
            for name in options.servers:
                if (name, case, connections) in results:
                    r = results[name, case, connections]
                    print(f"| {name} | {connections} | {r['rate']:,.0f} | {r['p50_us']:.0f} | {r['p99_us']:.0f} | {r['cpu_us']:.1f} |")


def bars(results):
    """(text, whether it is reached) of issue 31's second bar, as far as it was measured."""

    def of(name, case, connections, what="rate"):
        return results.get((name, case, connections), {}).get(what)

    def ratio(text, ours, theirs, least):
        if ours and theirs:
            yield f"{text}: {ours / theirs:.2f}, wanted {least}", ours / theirs >= least

    for connections in (8, 32):
        ours, theirs, floor = (of(name, "binary", connections) for name in ("millrace", "triton", "floor"))
        if ours and theirs:
            of_floor = ours / floor if floor else 0
            yield f"binary at {connections}: {ours / theirs:.2f} of Triton, {of_floor:.2f} of the floor; wanted 2 or 0.85", ours / theirs >= 2 or of_floor >= 0.85
    for connections in (1, 8, 32):
        yield from ratio(f"gRPC at {connections} over Triton's", of("millrace", "grpc", connections), of("triton", "grpc", connections), 2)
        yield from ratio(f"JSON at {connections} over binary", of("millrace", "json", connections), of("millrace", "binary", connections), 0.5)
        yield from ratio(f"JSON at {connections} over MLServer's", of("millrace", "json", connections), of("mlserver", "json", connections), 10)
    yield from ratio("Triton's p50 at 1 over ours", of("triton", "binary", 1, "p50_us"), of("millrace", "binary", 1, "p50_us"), 1)
    for connections in (1, 8, 32):
        cpu = of("millrace", "front", connections, "cpu_us")
        if cpu:
            yield f"processor time of the front end at {connections}: {cpu:.1f} us, wanted 15 at most", cpu <= 15


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = lambda text: text.split(",")  # noqa: E731
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--servers", type=names, default=["floor", "millrace", "triton"])
    parser.add_argument("--cases", type=names, default=["binary", "front", "json", "grpc", "health"])
    parser.add_argument("--connections", type=lambda text: [int(n) for n in text.split(",")], default=[1, 8, 32])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--pin", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    rounds = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        folder = pathlib.Path(folder)
        bodies = write_bodies(folder)
        running = {name: stack.enter_context(STARTS[name](folder, options.models)) for name in options.servers}
        if options.pin:
            for server in running.values():
                subprocess.run(["taskset", "-a", "-p", "-c", ",".join(map(str, halves()[0])), str(server.pid)], check=True, stdout=subprocess.DEVNULL)
        for number in range(options.rounds + 1):  # the first one warms up
            for case in options.cases:
                for connections in options.connections:
                    for name, server in running.items():
                        if (name, case) not in HAS_NOT:
                            result = measure(name, server, case, bodies, connections, options, folder)
                            if number:
                                rounds.setdefault((name, case, connections), []).append(result)
            print(f"round {number} of {options.rounds}", file=sys.stderr)
    results = {key: {what: statistics.median(r[what] for r in list) for what in list[0]} for key, list in rounds.items()}
    print_table(results, options)
    print()
    for text, reached in bars(results):
        print(f"- {'reached' if reached else 'MISSED '} {text}")
    if options.json:
        options.json.write_text(json.dumps([{"server": s, "case": c, "connections": n, **r} for (s, c, n), r in results.items()], indent=1))


if __name__ == "__main__":
    main()
