#!/usr/bin/env python3
"""What a call from Python costs, `import millrace` beside onnxruntime's session.run() where that is installed, and the import itself.

    ./dev bench call [-- --json] [--rounds N]

Each figure is the least of some rounds, which alternate between the two; in microseconds for a call, of the same array again and again.
The function is x + 1, so that it is the way there and back that is measured.
"""

import argparse
import asyncio
import json
import statistics
import struct
import subprocess
import sys
import time

import numpy as np

import millrace

clock = time.perf_counter


def program(count):
    return f"""
func.func @main(%x: tensor<{count}xf32> loc("x")) -> tensor<{count}xf32> {{
  %one = stablehlo.constant dense<1.0> : tensor<{count}xf32>
  %0 = stablehlo.add %x, %one : tensor<{count}xf32>
  return %0 : tensor<{count}xf32>
}}
""".encode()


# ---- The same for onnxruntime, as protobuf has it ------------------------------------------------------------------------


def number(field, value):
    out = bytearray([field << 3])
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def block(field, content):
    content = content.encode() if isinstance(content, str) else content
    size = number(0, len(content))[1:]
    return bytes([field << 3 | 2]) + size + content


def port(name, count):
    shape = block(2, block(1, number(1, count)))
    return block(1, name) + block(2, block(1, number(1, 1) + shape))


def onnx(count):
    node = block(1, "x") + block(1, "one") + block(2, "y") + block(4, "Add")
    one = number(2, 1) + block(8, "one") + block(9, struct.pack("<f", 1))
    graph = block(1, node) + block(2, "g") + block(5, one) + block(11, port("x", count)) + block(12, port("y", count))
    return number(1, 8) + block(7, graph) + block(8, number(2, 17))


# ---- Measuring -----------------------------------------------------------------------------------------------------------


def timed(call, count):
    begin = clock()
    for _ in range(count):
        call()
    return (clock() - begin) / count


def per_call(calls, rounds, seconds=0.05):
    for call in calls:
        call()
    counts = [max(1, int(seconds / max(timed(call, 10), 1e-7))) for call in calls]
    return [min(times) for times in zip(*[[timed(call, count) for call, count in zip(calls, counts)] for _ in range(rounds)])]


def awaited(m, x, rounds):
    async def main():
        await m.call(x)
        best = float("inf")
        for _ in range(rounds):
            begin = clock()
            for _ in range(5000):
                await m.call(x)
            best = min(best, (clock() - begin) / 5000)
        return best

    return asyncio.run(main())


def import_ms(rounds):
    code = "import numpy, time; t = time.perf_counter(); import millrace; print((time.perf_counter() - t) * 1e3)"
    return statistics.median(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(rounds))


def theirs_for(count):
    try:
        import onnxruntime
    except ImportError:
        return None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(onnx(count), options, providers=["CPUExecutionProvider"])
    return session.run


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = []

    def tell(name, ours, theirs=None, unit="us"):
        rows.append({"name": name, "ours": ours, "onnxruntime": theirs, "unit": unit})
        if not arguments.json:
            beside = "" if theirs is None else f"   onnxruntime {theirs:9.2f} {unit}, ratio {ours / theirs:.3f}"
            print(f"{name:34} {ours:9.2f} {unit}{beside}", flush=True)

    for count in (128, 16384, 1048576):
        m, x = millrace.load(program(count)), millrace.empty(count)
        x[:] = 1
        run = theirs_for(count)
        calls = [lambda: m(x)] + ([lambda: run(None, {"x": x})] if run else [])
        best = [seconds * 1e6 for seconds in per_call(calls, arguments.rounds)]
        tell(f"m(x), {count} floats", *best)
    m, x = millrace.load(program(128)), np.ones(128, np.float32)
    there = millrace.put(x)
    tell("m.on_device(buffer), 128 floats", per_call([lambda: m.on_device(there)], arguments.rounds)[0] * 1e6)
    tell("await m.call(x), 128 floats", awaited(m, x, arguments.rounds) * 1e6)
    tell("x + 1 of numpy, 128 floats", per_call([lambda: x + 1], arguments.rounds)[0] * 1e6)
    tell("import millrace, numpy being there", import_ms(max(3, arguments.rounds // 2)), unit="ms")
    if arguments.json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
