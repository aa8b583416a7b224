"""Random JAX programs rich in loops, branches, updates, gathers and their gradients, timed on millrace and on XLA:CPU at two sizes.

    MILLRACE_LIBRARY=build/release/lib/libpjrt_millrace.so python tests/random/speed.py --seed 0 --count 200 [--most 2] [--print]

A program carries arrays of N rows through N rounds; sizes are N = 64 and 256, for both the quickest of several runs counts. Told is each
program that takes over --most times XLA:CPU's time and 20 us more at one of them, or whose time grows as much more from one to the
other, and each whose numbers differ by more than last bits can do in it; the last line counts both. Three runs of each side are the first look, and only what takes over 1.2
times XLA:CPU's time there is looked at twice more, longer: a program just over --most may pass if XLA:CPU's three runs were slow by
chance, as it may with any few runs. --print writes a seed's program in words. What is found is looked into by hand: docs/performance.md lists what stays, and why.
"""

import argparse
import os
import sys
import time

os.environ["JAX_PLATFORMS"] = "millrace,cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

SIZES = (64, 256)
SLACK = 20e-6
# Seconds of a look and how much slower than XLA:CPU is worth another one; the last is --most itself. Few runs say enough of most programs.
LOOKS = ((0, 1.2), (0.15, float("inf")), (1.0, float("inf")))
# What both sides may differ by is so many times what XLA:CPU's numbers move by when last bits do.
LAST_BITS = 4
DEVICES = [jax.devices(name)[0] for name in ("millrace", "cpu")]
clock = time.perf_counter


class Program:
    """A round as a list of statements, each a function of the state and the number of the round. State: arrays `c` (N x W), rows `v` (W)
    and numbers `k`. `shaken`, if it is not 0, changes the last bits of two in five numbers of each row that is made, of others for
    each value."""

    def __init__(self, seed, shaken=0):
        self.random, self.shaken = np.random.default_rng(seed), shaken
        self.width = int(self.pick([16, 128, 512, 2048]))
        self.arrays, self.rows = int(self.pick([1, 1, 2, 3])), int(self.pick([1, 2]))
        self.words = []
        self.round = [self.statement(2) for _ in range(int(self.random.integers(1, 5)))]
        self.shape = self.pick(["fori", "fori", "scan", "while", "nested"])
        self.outer = self.pick(["", "", "", "grad", "grad", "vmap"])
        if self.outer == "grad" and self.shape == "while":
            self.shape = "scan"  # loops without a number of rounds have no reverse
        self.donates = not self.outer and bool(self.random.integers(0, 2))

    def pick(self, of):
        return of[int(self.random.integers(0, len(of)))]

    # ---- What is in a round ----------------------------------------------------------------------------------------------

    def place(self):
        """Which row: of the round, one that a table or a number says, one behind."""
        kind = self.pick(["i", "i", "back", "reverse", "modulo", "table", "number"])
        by = int(self.random.integers(1, 7))
        return f"{kind}{by}", {
            "i": lambda s, i, n: i,
            "back": lambda s, i, n: jnp.maximum(i - by, 0),
            "reverse": lambda s, i, n: n - 1 - i,
            "modulo": lambda s, i, n: i * by % n,
            "table": lambda s, i, n: s["t"][i],
            "number": lambda s, i, n: s["k"] % n,
        }[kind]

    def row(self):
        """A row made of other rows."""
        r, (word, at), c = int(self.random.integers(0, self.rows)), self.place(), int(self.random.integers(0, self.arrays))
        kind = self.pick(["own", "own", "read", "sine", "sum", "several"])
        made = {
            "own": lambda s, i, n: s["v"][r] * 0.9 + 0.1,
            "read": lambda s, i, n: s["c"][c][at(s, i, n)] * 0.5 + s["v"][r],
            "sine": lambda s, i, n: jnp.sin(s["c"][c][at(s, i, n)] + s["v"][r]),
            "sum": lambda s, i, n: s["v"][r] + s["c"][c][at(s, i, n)].mean(),
            "several": lambda s, i, n: s["c"][c][(at(s, i, n) + jnp.arange(3)) % n].sum(0) * 0.2 + s["v"][r] * 0.1,
        }[kind]
        return f"{kind}(v{r}, c{c}[{word}])", lambda s, i, n: self.shake(made(s, i, n), i)

    def shake(self, row, i):
        if not self.shaken:
            return row
        chosen = (jnp.arange(row.shape[-1]) * 7 + i * 3 + self.shaken) % 5 < 2
        return row * jnp.where(chosen, np.float32(1 + 2**-23), np.float32(1))

    def update(self):
        """Of one array: `f(array, state, i, n)`."""
        (word, at), (made, row) = self.place(), self.row()
        kind = self.pick(["set", "set", "add", "multiply", "max", "element", "slice", "rows", "zeros", "twice"])
        w = self.width
        return f"{kind}[{word}] = {made}", {
            "set": lambda c, s, i, n: c.at[at(s, i, n)].set(row(s, i, n)),
            "add": lambda c, s, i, n: c.at[at(s, i, n)].add(row(s, i, n)),
            "multiply": lambda c, s, i, n: c.at[at(s, i, n)].multiply(jnp.cos(row(s, i, n))),
            "max": lambda c, s, i, n: c.at[at(s, i, n)].max(row(s, i, n)),
            "element": lambda c, s, i, n: c.at[at(s, i, n), 3].set(row(s, i, n)[0]),
            "slice": lambda c, s, i, n: lax.dynamic_update_slice(c, row(s, i, n)[None, : w // 2], (at(s, i, n), 3)),
            "rows": lambda c, s, i, n: c.at[(at(s, i, n) + jnp.arange(3)) % n].add(row(s, i, n)),
            "zeros": lambda c, s, i, n: c + lax.dynamic_update_slice(jnp.zeros_like(c), row(s, i, n)[None], (at(s, i, n), 0)),
            "twice": lambda c, s, i, n: c.at[at(s, i, n)].set(row(s, i, n)).at[0].add(0.5),
        }[kind]

    def condition(self):
        r, by = int(self.random.integers(0, self.rows)), int(self.random.integers(2, 6))
        kind = self.pick(["i", "every", "value", "number"])
        return f"{kind}{by}", {
            "i": lambda s, i: i >= by,
            "every": lambda s, i: i % by == 0,
            "value": lambda s, i: s["v"][r][0] > 0.3,
            "number": lambda s, i: s["k"] % by != 0,
        }[kind]

    def statement(self, depth):
        kind = self.pick(["update", "update", "update", "row", "row", "number", "swap", "branch", "branch", "where", "inner"])
        if kind == "swap" and self.arrays == 1 or kind in ("branch", "inner") and depth == 0:
            kind = "update"
        return getattr(self, f"do_{kind}")(depth)

    def say(self, words):
        self.words.append(words)

    def do_update(self, depth):
        c, (word, f) = int(self.random.integers(0, self.arrays)), self.update()
        self.say(f"c{c}.{word}")
        return lambda s, i, n: {**s, "c": [f(x, s, i, n) if k == c else x for k, x in enumerate(s["c"])]}

    def do_row(self, depth):
        r, (word, f) = int(self.random.integers(0, self.rows)), self.row()
        self.say(f"v{r} = {word}")
        return lambda s, i, n: {**s, "v": [f(s, i, n) if k == r else x for k, x in enumerate(s["v"])]}

    def do_number(self, depth):
        (word, cond) = self.condition()
        self.say(f"k += {word}")
        return lambda s, i, n: {**s, "k": s["k"] + jnp.asarray(cond(s, i)).astype(jnp.int32)}

    def do_swap(self, depth):
        self.say("swap c0 c1")
        return lambda s, i, n: {**s, "c": [s["c"][1], s["c"][0], *s["c"][2:]]}

    def do_where(self, depth):
        c, (word, cond), (made, f) = int(self.random.integers(0, self.arrays)), self.condition(), self.update()
        self.say(f"c{c} = where({word}, {made})")
        return lambda s, i, n: {**s, "c": [jnp.where(cond(s, i), f(x, s, i, n), x) if k == c else x for k, x in enumerate(s["c"])]}

    def do_branch(self, depth):
        word, cond = self.condition()
        self.say(f"if {word} {{")
        yes = self.statement(depth - 1)
        both = bool(self.random.integers(0, 2))
        self.say("} else {")
        no = self.statement(depth - 1) if both else (lambda s, i, n: s)
        self.say("}")
        return lambda s, i, n: lax.cond(cond(s, i), lambda s: yes(s, i, n), lambda s: no(s, i, n), s)

    def do_inner(self, depth):
        times = int(self.random.integers(2, 5))
        self.say(f"{times} times {{")
        f = self.statement(depth - 1)
        self.say("}")
        return lambda s, i, n: lax.fori_loop(0, times, lambda j, s: f(s, (i + j) % n, n), s)

    # ---- The program -----------------------------------------------------------------------------------------------------

    def function(self, n):
        def step(i, s):
            for f in self.round:
                s = f(s, i, n)
            return s

        def loop(s):
            if self.shape == "fori":
                return lax.fori_loop(0, n, step, s)
            if self.shape == "scan":
                return lax.scan(lambda s, i: (step(i, s), s["v"][0].sum()), s, jnp.arange(n))[0]
            if self.shape == "nested":
                return lax.fori_loop(0, 4, lambda j, s: lax.fori_loop(0, n // 4, lambda i, s: step(j * (n // 4) + i, s), s), s)
            return lax.while_loop(lambda t: t[0] < n + t[1]["k"] * 0, lambda t: (t[0] + 1, step(t[0], t[1])), (0, s))[1]

        if self.outer == "grad":

            def loss(c, v, s):
                out = loop({**s, "c": c, "v": v})
                return sum(jnp.vdot(x, x) for x in out["v"]) + sum((x * 1e-2).sum() for x in out["c"])

            return lambda s: jax.grad(loss, argnums=(0, 1))(s["c"], s["v"], {"k": s["k"], "t": s["t"]})
        return jax.vmap(loop) if self.outer == "vmap" else loop

    def state(self, n):
        random = np.random.default_rng(n)
        lead = (3,) if self.outer == "vmap" else ()
        floats = lambda *shape: random.normal(size=lead + shape).astype(np.float32)
        numbers = random.integers(0, n, lead + (n,)).astype(np.int32)
        return {
            "c": [floats(n, self.width) for _ in range(self.arrays)],
            "v": [floats(self.width) for _ in range(self.rows)],
            "k": np.zeros(lead, np.int32),
            "t": numbers,
        }

    def __str__(self):
        size = f"{self.arrays} arrays of rows of {self.width}"
        return f"{self.outer or 'plain'} {self.shape}{', donated' if self.donates else ''}, {size}: " + "; ".join(self.words)


def best_time(f, state, device, donates, seconds):
    best, begun, looks = float("inf"), clock(), 0
    while looks < 3 or (clock() - begun < seconds and looks < 200):
        arguments = jax.block_until_ready(jax.device_put(state, device))
        start = clock()
        jax.block_until_ready(f(arguments))
        best = min(best, clock() - start)
        looks += 1
    return best


def agrees(a, b):
    """Sums are added in other orders, and what is chosen by a value may be chosen otherwise: most numbers have to be alike."""
    a, b = np.asarray(a), np.asarray(b)
    return a.shape == b.shape and np.mean(np.isclose(a, b, rtol=1e-3, atol=1e-3, equal_nan=True)) > 0.9


def off(left, right):
    """By how much numbers differ in all where both sides have numbers, and how many are none (infinite or NaN) on one side alone."""
    by = np.zeros(2)
    for x, y in zip(*map(jax.tree.leaves, (left, right))):
        x, y = np.float64(x), np.float64(y)
        both = np.isfinite(x) & np.isfinite(y)
        by += abs(x[both] - y[both]).sum(), (np.isfinite(x) != np.isfinite(y)).sum()
    return by


class Case:
    """A seed's program at one size, on both sides; `best` is the least seconds of a run, ours and theirs, in all looks so far."""

    def __init__(self, seed, n):
        self.program, self.n = Program(seed), n
        self.f = jax.jit(self.program.function(n), donate_argnums=(0,) if self.program.donates else ())
        self.state, self.best = self.program.state(n), [float("inf")] * 2
        results = [jax.tree.map(np.asarray, self.f(jax.device_put(self.state, device))) for device in DEVICES]
        self.differs = False
        if not all(jax.tree.leaves(jax.tree.map(agrees, *results))):
            ours, own = off(*results), np.max([off(results[1], self.run_shaken(seed, by)) for by in (1, 2, 3)], axis=0)
            self.differs = not np.all(ours <= LAST_BITS * own)
            what = "numbers differ" if self.differs else "last bits are enlarged"
            print(f"seed {seed}: {what} at {n}: both sides by {ours[0]:.2g}, XLA:CPU's by {own[0]:.2g} when it is shaken; no numbers on one side {ours[1]:.0f}, {own[1]:.0f}", flush=True)

    def run_shaken(self, seed, by):
        """XLA:CPU's numbers where the last bits of rows are others: many rounds of a gradient, or of a choice by a value, may enlarge these
        to anything."""
        return jax.tree.map(np.asarray, jax.jit(Program(seed, by).function(self.n))(jax.device_put(self.state, DEVICES[1])))

    def look(self, seconds):
        for i, device in enumerate(DEVICES):
            self.best[i] = min(self.best[i], best_time(self.f, self.state, device, self.program.donates, seconds))


def verdict(times, most):
    """What is wrong with the times of both sizes, ours and theirs; empty: nothing."""
    (a, b), (c, d) = times
    if a > most * b + SLACK or c > most * d + SLACK:
        return "slower"
    return "grows" if c / a > most * (d / b) and c > 1.2 * d + SLACK else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--most", type=float, default=2)
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    found = differing = 0
    ratios = []
    for seed in range(options.seed, options.seed + options.count):
        if options.print:
            print(f"seed {seed}: {Program(seed)}", flush=True)
        cases = [Case(seed, n) for n in SIZES]
        differing += any(case.differs for case in cases)
        for seconds, most in LOOKS:
            for case in cases:
                case.look(seconds)
            times = [case.best for case in cases]
            if not verdict(times, min(most, options.most)):
                break
        ratios.append(times[1][0] / times[1][1])
        wrong = verdict(times, options.most)
        if wrong:
            found += 1
            told = ", ".join(f"{ours * 1e3:.3f} ms, XLA:CPU {theirs * 1e3:.3f}" for ours, theirs in times)
            print(f"seed {seed}: {wrong}: {told}: {Program(seed)}", flush=True)
        jax.clear_caches()
    mean = np.exp(np.mean(np.log(ratios)))
    told = f"{options.count} programs: {found} over {options.most} times XLA:CPU's time, {differing} whose numbers differ"
    print(f"{told}; in the geometric mean {mean:.2f} of it at {SIZES[1]} rounds")
    return int(found + differing > 0)


if __name__ == "__main__":
    sys.exit(main())
