#!/usr/bin/env python3
"""Programs whose parts do not depend on each other, and programs that wait: with one thread, with two, and before a change.

    ./dev bench overlap [-- --before LIBRARY] [--after LIBRARY] [--threads 1,2] [--only REGEX] [--rounds N] [--json FILE]

LIBRARY is a libpjrt_millrace.so; without --before there are only the columns of this build's. A library with a number of threads
is a process of its own; processes take turns for --rounds rounds, who is first changes, and what is told is the quickest of all
turns of 5 ms, for each library alike: what else the machine does only ever adds. `before / after` is with the most threads; `one / many` is what the threads gain. Temporaries are what the plan
of the program asks for. Every process says what the programs answered: answers that are not the same bits are told.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHAINS, STEPS, EXPERTS = 16, 20, 8
WAITS = 30  # fewer than the calls that a host may have queued, so that none has to wait for another

clock = time.perf_counter


# ---- Programs: name -> (function, arguments, donated) ----------------------------------------------------------------


def programs():
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax

    random = np.random.default_rng(0)
    values = lambda *shape: random.standard_normal(shape, dtype=np.float32) * np.float32(0.1)

    def products(xs, ws):
        out = []
        for x, w in zip(xs, ws):
            for _ in range(STEPS):
                x = jnp.tanh(x @ w)
            out.append(x)
        return out

    def softmaxes(xs):
        out = []
        for x in xs:
            for step in range(STEPS):
                x = jax.nn.softmax(x * (1 + step), axis=step % 2)
            out.append(x)
        return out

    def lstm(xs, w, u, b, reverse):
        def step(state, x):
            h, c = state
            i, f, g, o = jnp.split(x @ w + h @ u + b, 4, axis=-1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        zero = jnp.zeros((xs.shape[1], u.shape[0]), xs.dtype)
        return lax.scan(step, (zero, zero), xs, reverse=reverse)[1]

    def both_ways(xs, forward, backward):
        return jnp.concatenate([lstm(xs, *forward, False), lstm(xs, *backward, True)], axis=-1)

    def mixture(x, gate, experts):
        share = jax.nn.softmax(x @ gate)
        return sum(share[:, e : e + 1] * (jax.nn.gelu(x @ up) @ down) for e, (up, down) in enumerate(experts))

    def ensemble(x, members):
        out = []
        for layers in members:
            y = x
            for w, b in layers[:-1]:
                y = jnp.tanh(y @ w + b)
            out.append(y @ layers[-1][0] + layers[-1][1])
        return sum(out) / len(out)

    def adam(params, means, squares, grads, count):
        step = lambda p, m, v: p - 0.001 * (m / (1 - 0.9**count)) / (jnp.sqrt(v / (1 - 0.999**count)) + 1e-8)
        means = [0.9 * m + 0.1 * g for m, g in zip(means, grads)]
        squares = [0.999 * v + 0.001 * g * g for v, g in zip(squares, grads)]
        return [step(p, m, v) for p, m, v in zip(params, means, squares)], means, squares

    layer = lambda: (values(128, 512), values(128, 512), values(512))
    mlp = lambda: [(values(a, b), values(b)) for a, b in ((128, 256), (256, 256), (256, 256), (256, 64))]
    shapes = [(256, 256) if k % 3 == 0 else (256,) if k % 3 == 1 else (64, 128) for k in range(60)]
    tensors = lambda: [values(*shape) for shape in shapes]
    return {
        f"{CHAINS} chains of {STEPS} products": (
            products, ([values(64, 64) for _ in range(CHAINS)], [values(64, 64) for _ in range(CHAINS)])),
        f"{CHAINS} chains of {STEPS} softmaxes": (softmaxes, ([values(128, 64) for _ in range(CHAINS)],)),
        "bidirectional LSTM, 64 steps of 8 x 128": (both_ways, (values(64, 8, 128), layer(), layer())),
        f"mixture of {EXPERTS} experts, 32 tokens": (
            mixture, (values(32, 128), values(128, EXPERTS),
                      [(values(128, 256), values(256, 128)) for _ in range(EXPERTS)])),
        f"ensemble of {EXPERTS} MLPs, batch 8": (ensemble, (values(8, 128), [mlp() for _ in range(EXPERTS)])),
        "Adam over 60 tensors": (
            adam, (tensors(), tensors(), [abs(t) for t in tensors()], tensors(), np.float32(3))),
    }  # fmt: skip


# ---- One process: rows of one library --------------------------------------------------------------------------------


def measured(call, turns, turn_s):
    call()
    start = clock()
    call()
    count = max(1, int(turn_s / max(clock() - start, 1e-7)))
    samples = []
    for _ in range(turns):
        start = clock()
        for _ in range(count):
            call()
        samples.append((clock() - start) / count)
    return min(samples)


def waiting_row(turns):
    """Executions that each wait 10 ms in a callback, all begun before the first is waited for. They wait for a product before that, since
    a callback whose arguments are there has run when the call returns."""
    import jax
    import numpy as np

    def sleepy(x):
        time.sleep(0.01)
        return np.asarray(x) + 1

    waits = jax.jit(lambda x: jax.pure_callback(sleepy, jax.ShapeDtypeStruct((8,), np.float32), x * 2))
    product = jax.jit(lambda a: (a @ a)[0, :8])
    a = jax.device_put(np.ones((1024, 1024), np.float32))

    def call():
        x = product(a)
        jax.block_until_ready([waits(x) for _ in range(WAITS)])

    seconds = measured(call, turns, 0)
    return {"us": seconds * 1e6, "bits": digest(waits(product(a)))}


def digest(result):
    import jax
    import numpy as np

    state = hashlib.sha256()
    for leaf in jax.tree.leaves(result):
        state.update(np.asarray(leaf).tobytes())
    return state.hexdigest()[:16]


def rows_of_one_process(only, turns):
    import jax

    rows = {}
    for name, (function, arguments) in programs().items():
        if not re.search(only, name):
            continue
        arguments = jax.block_until_ready(jax.device_put(arguments))
        compiled = jax.jit(function).lower(*arguments).compile()
        call = lambda: jax.block_until_ready(compiled(*arguments))
        memory = compiled.memory_analysis()
        rows[name] = {
            "us": measured(call, turns, 0.005) * 1e6, "temporaries": memory.temp_size_in_bytes if memory else 0,
            "bits": digest(call()),
        }  # fmt: skip
    name = f"{WAITS} callbacks that sleep 10 ms"
    if re.search(only, name):
        rows[name] = waiting_row(min(turns, 3))
    return rows


# ---- All processes ---------------------------------------------------------------------------------------------------


def run_process(library, threads, arguments):
    environment = dict(os.environ, MILLRACE_LIBRARY=library, MILLRACE_THREADS=str(threads), JAX_PLATFORMS="millrace")
    command = [sys.executable, __file__, "--process", "--only", arguments.only, "--turns", str(arguments.turns)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"{library} with {threads} threads: {result.stderr[-3000:]}")
    rows = json.loads(result.stdout.splitlines()[-1])
    name = f"{WAITS} executions that recv after 10 ms"
    program = ROOT / "build/release/perf/perf_pjrt_recv"
    if program.exists() and re.search(arguments.only, name):
        result = subprocess.run([program, library], env=environment, capture_output=True, text=True, check=True)
        rows[name] = {"us": float(result.stdout.split()[-2]) * 1e3}
    return rows


def measure_all(arguments, sides):
    settings = [(side, threads) for side in sides for threads in arguments.threads]
    found = {}
    for number in range(arguments.rounds):
        for side, threads in settings[number % len(settings) :] + settings[: number % len(settings)]:
            for name, row in run_process(sides[side], threads, arguments).items():
                known = found.setdefault(name, {}).setdefault((side, threads), row)
                known["us"] = min(known["us"], row["us"])
                known["changing"] = known.get("changing") or known.get("bits") != row.get("bits")
    return found


def ratio(cells, over, under):
    return f"{cells[over]['us'] / cells[under]['us']:8.2f}" if over in cells and under in cells else " " * 8


def report(found, arguments, sides):
    columns = [(side, threads) for side in sides for threads in arguments.threads]
    most, fewest = max(arguments.threads), min(arguments.threads)
    heads = [f"{side} {threads}" for side, threads in columns]
    print(f"{'us':42}" + "".join(f"{head:>12}" for head in heads) + "  before/after  one/many  temporaries")
    for name, cells in found.items():
        line = f"{name:42}" + "".join(f"{cells[c]['us']:12.1f}" for c in columns)
        line += f"      {ratio(cells, ('before', most), ('after', most))}"
        line += f"  {ratio(cells, ('after', fewest), ('after', most)) if most != fewest else ' ' * 8}"
        sizes = dict.fromkeys(str(cells[s, most].get("temporaries", "")) for s in sides)
        bits = {cells[c].get("bits") for c in columns}
        same = len(bits) == 1 and not any(cells[c]["changing"] for c in columns)
        print(f"{line}  {' -> '.join(sizes)}{'' if same else '  ANSWERS DIFFER'}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", help="a library to compare with")
    parser.add_argument("--after", default=str(ROOT / "build/release/lib/libpjrt_millrace.so"))
    parser.add_argument("--threads", default="1,2", type=lambda text: [int(word) for word in text.split(",")])
    parser.add_argument("--only", default="", help="rows whose name this finds")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--json", help="write the rows there")
    parser.add_argument("--process", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.process:
        print(json.dumps(rows_of_one_process(arguments.only, arguments.turns)))
        return
    sides = {"before": os.path.abspath(arguments.before)} if arguments.before else {}
    sides["after"] = os.path.abspath(arguments.after)
    found = measure_all(arguments, sides)
    report(found, arguments, sides)
    if arguments.json:
        rows = [{"name": name, "side": side, "threads": threads, **cell}
                for name, cells in found.items() for (side, threads), cell in cells.items()]  # fmt: skip
        with open(arguments.json, "w") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
