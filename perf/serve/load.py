"""Batching and overload, by a client that keeps to its own times and checks every answer (open_loop.c): issue 31's third and sixth bar.

    load.py --models DIR [--bars batching,overload] [--names block,resnet50] [--seconds 5] [--rounds 3] [--json FILE]

batching: rows a second at 32 connections beside the same program called directly at its best batch size (direct.c), in turns; then Poisson arrivals
at half the best rate. overload: ten times of what the server can, and what becomes of the requests, by the client and by the server's access log.
DIR is as export_models.py writes it. OPEN_LOOP and DIRECT are what the two were compiled to; MILLRACE_SERVE as in tests/python/serve/servers.py.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "python" / "serve"), str(ROOT / "perf" / "serve")]
import servers  # noqa: E402
import wire  # noqa: E402

SHAPES = {"mlp": (784,), "front": (784,), "block": (64, 256), "resnet50": (224, 224, 3), "counting": (4,)}
SIZES = 1, 2, 4, 8, 16, 32
CASES = 16  # different requests

# Takes some milliseconds for a batch of any size, and its requests are small: a client can send far more than it can take.
COUNTING = """func.func @main(%x: tensor<?x4xf32> loc("x")) -> (tensor<?x4xf32> {jax.result_info = "result['y']"}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<ROUNDS> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<?x4xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.negate %y : tensor<?x4xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<?x4xf32>
    }
  return %0#1 : tensor<?x4xf32>
}
"""
COUNTING_CONFIG = """max_batch_size: 4
default_model_filename: "model.mlir"
instance_group { kind: KIND_CPU count: 1 }
dynamic_batching { default_queue_policy { max_queue_size: 32 } }
"""


def write_cases(server, name, path):
    """The wanted answers are the server's own to one request at a time."""
    with path.open("wb") as out:
        for seed in range(CASES):
            body, size = wire.binary(wire.rows(SHAPES[name], seed))
            status, headers, text = server.request("POST", f"/v2/models/{name}/infer", body, {wire.BINARY: str(size)})
            assert status == 200, text
            wanted = text[int(headers[wire.BINARY.lower()]) :]
            out.write(struct.pack("<3I", len(body), size, len(wanted)) + body + wanted)


def open_loop(server, name, cases, connections, rate, seconds, headers=""):
    port = server.http.rpartition(":")[2]
    command = [os.environ["OPEN_LOOP"], port, f"/v2/models/{name}/infer", str(cases), str(connections), str(rate), str(seconds), headers]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    result = json.loads(done.stdout)
    if result["wrong"] or result["other"]:
        raise SystemExit(f"{name}: {result} {done.stderr}")
    return result


def direct(models, name, seconds):
    command = [os.environ["DIRECT"], str(models / name / "1" / "model.mlirbc"), str(seconds), *map(str, SIZES)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def batching(models, name, options, folder):
    ratios, rates = [], []
    with servers.millrace(models, folder / f"{name}.log") as server:
        write_cases(server, name, folder / "cases")
        open_loop(server, name, folder / "cases", 32, 0, 1)
        for _ in range(options.rounds):
            by_size = direct(models, name, options.seconds / len(SIZES))
            best = max(by_size, key=by_size.get)
            served = open_loop(server, name, folder / "cases", 32, 0, options.seconds)
            ratios.append(served["rate"] / by_size[best])
            rates.append(served["rate"])
            print(f"{name}: directly {by_size[best]:.0f} rows/s at {best}, served {served['rate']:.0f}, p50 {served['p50_us'] / 1000:.1f} ms", file=sys.stderr)
        half = statistics.median(rates) / 2
        poisson = [open_loop(server, name, folder / "cases", 64, half, max(options.seconds, 200 / half)) for _ in range(options.rounds)]
    tails = [result["p99_us"] / result["p50_us"] for result in poisson]
    yield f"{name} at 32 connections over the program itself: {statistics.median(ratios):.2f}, wanted 0.9", statistics.median(ratios) >= 0.9
    yield f"{name} at {half:.0f}/s Poisson: p50 {statistics.median(r['p50_us'] for r in poisson) / 1000:.1f} ms, p99 {statistics.median(tails):.1f} times that, wanted 3 at most", statistics.median(tails) <= 3


def refused_in_log(path):
    lines = (json.loads(line) for line in path.read_text().splitlines() if '"status":503' in line)
    return sorted(line["total_us"] for line in lines if "total_us" in line)


def overload(options, folder):
    root = folder / "overload"
    (root / "counting" / "1").mkdir(parents=True)
    (root / "counting" / "config.pbtxt").write_text(COUNTING_CONFIG)
    (root / "counting" / "1" / "model.mlir").write_text(COUNTING.replace("ROUNDS", "3000000"))
    log = folder / "access.log"
    with servers.millrace(root, folder / "overload.log", "--access-log", log) as server:
        cases = folder / "overload.cases"
        write_cases(server, "counting", cases)
        best = max(open_loop(server, "counting", cases, n, 0, options.seconds)["rate"] for n in (8, 16, 32))
        log.write_text("")
        over = open_loop(server, "counting", cases, 512, 10 * best, options.seconds)
        times = refused_in_log(log)
        print(f"best {best:.0f}/s; at ten times that: {over}", file=sys.stderr)
        after = open_loop(server, "counting", cases, 16, 0, 1)["rate"]
    late = sum(us > 5000 for us in times)
    yield f"overload: {over['rate'] / best:.2f} of the best throughput, wanted 0.8", over["rate"] >= 0.8 * best
    yield f"overload: {over['refused']} refused, {late} of {len(times)} in the log after more than 5 ms (the longest {times[-1] / 1000 if times else 0:.1f} ms)", bool(times) and not late
    yield f"overload: {over['broken']} connections broken, {over['wrong']} answers wrong", not over["broken"] and not over["wrong"]
    yield f"overload: afterwards {after / best:.2f} of the best", after >= 0.8 * best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = lambda text: text.split(",")  # noqa: E731
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--bars", type=names, default=["batching", "overload"])
    parser.add_argument("--names", type=names, default=["block", "resnet50"])
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp())
    bars = []
    try:
        if "batching" in options.bars:
            for name in options.names:
                bars += batching(options.models, name, options, folder)
        if "overload" in options.bars:
            bars += overload(options, folder)
    finally:
        shutil.rmtree(folder)
    for text, reached in bars:
        print(f"- {'reached' if reached else 'MISSED '} {text}")
    if options.json:
        options.json.write_text(json.dumps(bars, indent=1))


if __name__ == "__main__":
    main()
