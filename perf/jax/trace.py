#!/usr/bin/env python3
"""What recording a trace costs calls from JAX: microseconds with recording off and on.

    ./dev bench trace [-- --rounds N]

Short turns with recording off and on alternate in one process, so that what changes on the machine changes for both; a pair
of turns gives one difference, and the median of those is what recording costs. It is switched through the plugin's profiler
extension, as a host's profiler does, without JAX's own profiler.
"""

import argparse
import ctypes
import os
import statistics
import time

os.environ.setdefault("JAX_PLATFORMS", "millrace,cpu")

import jax
import jax.numpy as jnp
import numpy as np
from jax_plugins.millrace import library

clock = time.perf_counter_ns
PROFILER_EXTENSION = 1


class Recorder:
    """The functions of the profiler extension; structs as pjrt/abi/abi_ext.h has them."""

    class Create(ctypes.Structure):
        _fields_ = [("size", ctypes.c_size_t), ("options", ctypes.c_void_p), ("options_size", ctypes.c_size_t),
                    ("profiler", ctypes.c_void_p)]

    class Handle(ctypes.Structure):
        _fields_ = [("size", ctypes.c_size_t), ("profiler", ctypes.c_void_p)]

    def __init__(self, library):
        get_api = ctypes.CDLL(library).GetPjrtApi
        get_api.restype = ctypes.c_void_p
        word = lambda address: ctypes.c_uint64.from_address(address).value
        extension = word(get_api() + 8)
        while ctypes.c_int.from_address(extension + 8).value != PROFILER_EXTENSION:
            extension = word(extension + 16)
        functions = word(extension + 24)
        at = lambda index, kind: ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(kind))(word(functions + 8 * index))
        self.create, self.destroy, self.begin, self.end = (
            at(5, self.Create), at(6, self.Handle), at(7, self.Handle), at(8, self.Handle))

    def __enter__(self):
        made = self.Create(size=ctypes.sizeof(self.Create))
        assert not self.create(made)
        self.handle = self.Handle(size=ctypes.sizeof(self.Handle), profiler=made.profiler)
        assert not self.begin(self.handle)

    def __exit__(self, *_):
        assert not self.end(self.handle)
        assert not self.destroy(self.handle)


def enqueued(function, *arguments):
    def turn(count):
        for _ in range(count):
            result = function(*arguments)
        result.block_until_ready()

    return turn


def awaited(function, *arguments):
    def turn(count):
        for _ in range(count):
            function(*arguments).block_until_ready()

    return turn


def measure(recorder, turn, options):
    def timed(count):
        start = clock()
        turn(count)
        return (clock() - start) / count

    timed(100)
    count = max(1, int(options.turn_us * 1e3 / timed(100)))
    off, more = [], []
    for round_number in range(options.rounds):
        # Who comes first changes, too.
        if round_number % 2:
            off.append(timed(count))
        with recorder:
            on = timed(count)
        if round_number % 2 == 0:
            off.append(timed(count))
        more.append(on - off[-1])
    return statistics.median(off), statistics.median(more)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=201)
    parser.add_argument("--turn-us", type=float, default=10000)
    options = parser.parse_args()
    recorder = Recorder(str(library.path()))
    device = jax.devices("millrace")[0]
    small = jax.device_put(np.ones(128, np.float32), device)
    add_one = jax.jit(lambda x: x + 1)
    layer = [jax.device_put(np.ones(shape, np.float32) / 64, device) for shape in ((64, 128), (128, 32), (64, 32))]
    step = jax.jit(lambda x, w, y: w - x.T @ ((jnp.tanh(x @ w) - y) * jnp.tanh(x @ w) ** 2))
    for name, turn in (("x + 1, f32[128], enqueue", enqueued(add_one, small)),
                       ("x + 1, f32[128], round trip", awaited(add_one, small)),
                       ("a layer's step, batch 64, round trip", awaited(step, *layer))):
        off, more = measure(recorder, turn, options)
        print(f"{name:38} off {off:9.0f} ns  recording adds {more:6.1f} ns  {100 * more / off:5.2f}%", flush=True)


if __name__ == "__main__":
    main()
