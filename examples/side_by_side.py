"""Runs the same program on millrace and on XLA:CPU, in this process, and says whether the numbers agree.

The scripts beside this one use it: they are unmodified programs of the JAX libraries, wrapped in a function of the
device. Import this before jax; it asks for both platforms.

    report = side_by_side.Report()
    def program(device, watch):
        step = watch.compile(jax.jit(step), state, batch)  # seconds of compiling are noted, as are those of steps
        return {"losses": [watch.step(step, state, batch) for batch in batches]}
    report.compare("my model", program, tolerances={"losses": 1e-4})
    sys.exit(report.finish())
"""

import os
import time

os.environ.setdefault("JAX_PLATFORMS", "millrace,cpu")

import jax
import numpy as np

OURS, XLA = "millrace", "cpu"


class Watch:
    """Where one run's time goes."""

    def __init__(self, platform=""):
        self.platform, self.compiling, self.steps = platform, 0.0, []

    def compile(self, jitted, *arguments, **named):
        """Lowers and compiles ahead of time; answers what to call."""
        lowered = jitted.lower(*arguments, **named)
        start = time.perf_counter()
        compiled = lowered.compile()
        self.compiling += time.perf_counter() - start
        return compiled

    def step(self, function, *arguments, **named):
        """Calls and waits."""
        start = time.perf_counter()
        result = jax.block_until_ready(function(*arguments, **named))
        self.steps.append(time.perf_counter() - start)
        return result

    def median_step(self):
        return float(np.median(self.steps)) if self.steps else 0.0


def largest_difference(ours, theirs):
    """Of two arrays: the largest difference, relative to the larger of the value and the typical value."""
    ours, theirs = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    if ours.shape != theirs.shape or not np.isfinite(ours).all():
        return np.inf
    if ours.size == 0:
        return 0.0
    scale = np.maximum(abs(theirs), np.sqrt(np.mean(theirs**2)))
    return float(np.max(abs(ours - theirs) / np.maximum(scale, 1e-30)))


class Report:
    def __init__(self):
        self.failed = []

    def check(self, name, difference, tolerance):
        held = difference <= tolerance
        print(f"{'ok  ' if held else 'FAIL'} {name}: differs by {difference:.1e}, allowed {tolerance:g}", flush=True)
        if not held:
            self.failed.append(name)

    def compare(self, name, program, tolerances):
        """program(device, watch) -> {what: arrays}. Every key of `tolerances` is compared; the rest is printed only."""
        results, watches = {}, {}
        for platform in (OURS, XLA):
            watches[platform] = Watch("XLA:CPU" if platform == XLA else platform)
            device = jax.devices(platform)[0]
            with jax.default_device(device):
                results[platform] = program(device, watches[platform])
        for key, tolerance in tolerances.items():
            pairs = zip(jax.tree.leaves(results[OURS][key]), jax.tree.leaves(results[XLA][key]), strict=True)
            self.check(f"{name}, {key}", max(largest_difference(a, b) for a, b in pairs), tolerance)
        ours, theirs = watches[OURS], watches[XLA]
        row = [f"time {name}"]
        if ours.compiling:
            row.append(f"compile {ours.compiling * 1e3:.0f} ms, XLA:CPU {theirs.compiling * 1e3:.0f} ms, {ours.compiling / theirs.compiling:.2f}x")
        if ours.steps:
            a, b = ours.median_step() * 1e3, theirs.median_step() * 1e3
            row.append(f"step {a:.3f} ms, XLA:CPU {b:.3f} ms, {a / b:.2f}x")
        print("; ".join(row), flush=True)
        return results

    def compare_means(self, name, results, allowed=4.5):
        """Of results with trees "means" and "errors" of one structure: by how many of both runs' standard errors the means differ at most."""
        apart = jax.tree.map(lambda x, y, e, f: float(np.max(abs(x - y) / np.hypot(e, f))),
                             *(results[platform][key] for key in ("means", "errors") for platform in (OURS, XLA)))
        for path, errors in jax.tree_util.tree_leaves_with_path(apart):
            self.check(f"{name}, mean{jax.tree_util.keystr(path)} in standard errors", errors, allowed)

    def finish(self):
        """The exit status."""
        print("all numbers agree" if not self.failed else f"{len(self.failed)} comparisons failed", flush=True)
        return 1 if self.failed else 0
