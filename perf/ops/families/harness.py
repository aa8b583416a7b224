"""What the families of rows share: measuring a row on both platforms, inputs, and the rows so far."""

import re
import time

import jax
import jax.numpy as jnp
import numpy as np
import sides

clock = time.perf_counter
OURS, XLA = sides.devices()
ROWS = []
F32, F64, BF16, F16 = np.float32, np.float64, jnp.bfloat16, np.float16
I8, I32 = np.int8, np.int32


class Options:
    """Set by the command line before the first row."""

    only, rounds, slow = "", 5, False


# ---- Measuring ------------------------------------------------------------------------------------------------------


def prepare(function, arrays, device):
    """A call to time, seconds to trace and compile, and the answer."""
    arguments = jax.block_until_ready([jax.device_put(a, device) for a in arrays])
    start = clock()
    compiled = jax.jit(function).lower(*arguments).compile()
    seconds = clock() - start
    call = lambda: jax.block_until_ready(compiled(*arguments))
    return call, seconds, [np.asarray(leaf) for leaf in jax.tree.leaves(call())]


def agree(ours, theirs):
    """Whether two answers look like those of the same program."""
    for a, b in zip(ours, theirs):
        if a.shape != b.shape or a.dtype != b.dtype:
            return False
        if a.dtype == bool or not np.issubdtype(np.asarray(a, copy=False).dtype, np.number) and a.dtype != BF16:
            if a.dtype.kind != "V" and not (a == b).all():
                return False
            continue
        a, b = (np.asarray(v, np.complex128) for v in (a, b))
        scale = np.nanmax(np.where(np.isfinite(b), abs(b), 0), initial=1e-30)
        with np.errstate(invalid="ignore"):
            far = abs(a - b) > 0.02 * scale + 0.02 * abs(b)
        if (far & np.isfinite(b)).any():
            return False
    return True


def measure(calls, rounds, budget):
    count = sides.count_for(calls, budget)
    return sides.compared([lambda call=call: sides.timed(call, count) for call in calls], rounds)


def row(family, name, function, *arrays, check=True):
    if not re.search(Options.only, f"{family}: {name}"):
        return
    entry = {"family": family, "name": name}
    ROWS.append(entry)
    try:
        (our_call, our_compile, our_answer), (xla_call, xla_compile, xla_answer) = (
            prepare(function, arrays, device) for device in (OURS, XLA)
        )
    except Exception as error:
        entry["error"] = str(error).splitlines()[0][:160]
        print(f"{family:12} {name:44} FAILED: {entry['error']}", flush=True)
        return
    calls = (our_call, xla_call)
    ours, theirs, ratio = measure(calls, Options.rounds, 0.008)
    if ratio > 1 and not sides.BEFORE:
        ours, theirs, ratio = measure(calls, 2 * Options.rounds + 1, 0.02)
    entry.update(ours_us=ours * 1e6, xla_us=theirs * 1e6, ratio=ratio, compile_ratio=our_compile / xla_compile)
    entry["same"] = not check or agree(our_answer, xla_answer)
    mark = "" if entry["same"] else "  ANSWERS DIFFER"
    if entry["ratio"] > 1 or mark or not Options.slow:
        print(
            f"{family:12} {name:44} {ours * 1e6:11.1f} us {theirs * 1e6:11.1f} us {entry['ratio']:7.2f}x"
            f"   compile {our_compile * 1e3:6.1f} ms {entry['compile_ratio']:5.2f}x{mark}",
            flush=True,
        )


# ---- Inputs ---------------------------------------------------------------------------------------------------------


def normal(*shape, dtype=F32, seed=0):
    return np.random.default_rng(seed).standard_normal(shape, dtype=F32).astype(dtype)


def uniform(*shape, low=0.0, high=1.0, dtype=F32, seed=0):
    return np.random.default_rng(seed).uniform(low, high, shape).astype(dtype)


def integers(*shape, high, dtype=I32, seed=0):
    return np.random.default_rng(seed).integers(0, high, shape).astype(dtype)
