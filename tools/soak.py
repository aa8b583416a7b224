"""Trains for a long time and watches the memory: `./dev soak [seconds]`.

A round is some of each: training steps without and with donation, reads to the host that are waited for later, results that
nobody keeps, copies, a step of a convolution, and now and then a program compiled anew. After each round, with everything
finished, the process's memory (RssAnon of /proc/self/status) and the device's bytes in use are sampled; between rounds it
sleeps (--pause), so that it can run beside other work, and twice a minute for long enough that idle memory goes back.

What decides, over all samples but those of the first tenth (at most two minutes):
  - the slope of the memory by Theil and Sen, the median of the slopes between all pairs of samples, which does not mind some that
    lie elsewhere. Times the length of the run it may be 4 MiB, whatever the length: 1 MiB is 10 bytes a step in 100,000.
  - bytes in use, which are to be the same after every round.
"""

import argparse
import gc
import json
import os
import sys
import time

os.environ.setdefault("JAX_PLATFORMS", "millrace")

import jax
import jax.numpy as jnp
import numpy as np

ALLOWED_RISE = 4 << 20
LONG_PAUSE, LONG_PAUSE_EVERY = 5.0, 30.0
COMPILE_EVERY = 15.0


def resident():
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) << 10
    raise RuntimeError("/proc/self/status has no RssAnon")


def theil_sen(times, values, most=800):
    """The median slope between pairs; of evenly spread samples when there are more than `most`."""
    if len(times) > most:
        chosen = np.linspace(0, len(times) - 1, most).astype(int)
        times, values = times[chosen], values[chosen]
    first, second = np.triu_indices(len(times), 1)
    return float(np.median((values[second] - values[first]) / (times[second] - times[first])))


def init(key, sizes):
    keys = jax.random.split(key, len(sizes))
    return [(jax.random.normal(k, (a, b)) * 0.05, jnp.zeros(b)) for k, a, b in zip(keys, sizes, sizes[1:])]


def loss(params, x, y):
    for w, b in params[:-1]:
        x = jnp.tanh(x @ w + b)
    w, b = params[-1]
    return jnp.mean((x @ w + b - y) ** 2)


def sgd(params, x, y):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads), value


def conv_loss(w, x):
    y = jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return jnp.mean(jax.nn.relu(y) ** 2)


class Round:
    """Keeps the state of the loops from one round to the next."""

    def __init__(self):
        key = jax.random.key(0)
        self.kept = jax.jit(sgd)
        self.donated = jax.jit(sgd, donate_argnums=0)
        self.conv = jax.jit(lambda w, x: w - 0.01 * jax.grad(conv_loss)(w, x))
        self.double = jax.jit(lambda x: x * 2 + 1)
        self.params, self.mine = init(key, (256, 512, 512, 64)), init(key, (256, 512, 512, 64))
        self.x, self.y = jax.random.normal(key, (128, 256)), jnp.zeros((128, 64))
        self.w, self.images = jax.random.normal(key, (3, 3, 16, 16)) * 0.05, jax.random.normal(key, (4, 32, 32, 16))
        self.host = np.ones((512, 512), np.float32)
        self.compiled = 0
        self.steps = 0

    def train(self):
        for _ in range(8):
            self.params, value = self.kept(self.params, self.x, self.y)
        for _ in range(8):
            self.mine, _ = self.donated(self.mine, self.x, self.y)
        for _ in range(2):
            self.w = self.conv(self.w, self.images)
        self.steps += 18
        float(value)

    def transfers(self):
        pending = []
        for _ in range(4):
            y = self.double(jax.device_put(self.host))
            y.copy_to_host_async()
            pending.append(y)
        assert all(np.asarray(y)[0, 0] == 3 for y in pending)
        copies = [jnp.copy(y) for y in pending]
        del pending, y
        for x in copies:
            self.double(x)  # nobody keeps it
        self.steps += 8

    def compile(self):
        """A program that was never seen before: whatever is kept of those that are gone counts as growth."""
        number = self.compiled + 0.5
        self.compiled += 1
        jax.jit(lambda x: jnp.sin(x * number) @ x)(jnp.ones((64, 64))).block_until_ready()

    def finish(self):
        jax.block_until_ready((self.params, self.mine, self.w))
        jax.block_until_ready(self.double(self.x))  # queued behind what nobody waits for


def quiet_bytes(device, last):
    """Bytes in use when nothing runs any more: what nobody waits for may be finishing still, on a busy machine for long. `last`: as
    many are known to be possible."""
    least, looks, end = device.memory_stats()["bytes_in_use"], 0, time.monotonic() + 10
    while looks < 20 or (least > last and time.monotonic() < end):
        time.sleep(0.002)
        least = min(least, device.memory_stats()["bytes_in_use"])
        looks += 1
    return least


class Samples:
    """What was seen after each round, in memory that is taken and written to before the first: 24 bytes for each sample, where a
    tuple in a list is 180, which were 3 MiB in the hour."""

    def __init__(self, most):
        self.rows, self.count = np.full((most, 3), -1.0), 0

    def add(self, seconds, resident_bytes, in_use):
        if self.count == len(self.rows):  # every other one, from here on
            self.count //= 2
            self.rows[: self.count] = self.rows[: 2 * self.count : 2].copy()
        self.rows[self.count] = seconds, resident_bytes, in_use
        self.count += 1

    def seen(self):
        return self.rows[: self.count]


def run(seconds, pause, report):
    device, work, samples = jax.devices()[0], Round(), Samples(50000)
    begin = now = time.monotonic()
    next_long, next_compile, next_report = begin + LONG_PAUSE_EVERY, begin, begin
    in_use = float("inf")
    while now - begin < seconds:
        if now >= next_compile:
            work.compile()
            gc.collect()  # jitted functions lie in cycles
            next_compile = now + COMPILE_EVERY
        work.train()
        work.transfers()
        work.finish()
        in_use = quiet_bytes(device, in_use)
        samples.add(time.monotonic() - begin, resident(), in_use)
        if now >= next_report:
            t, rss, _ = samples.seen()[-1]
            report(f"{t:7.0f} s  {work.steps:9d} steps  {rss / 2**20:8.1f} MiB resident  {in_use} bytes in use")
            next_report = now + max(seconds / 60, 5)
        time.sleep(pause)
        now = time.monotonic()
        if now >= next_long and seconds > 2 * LONG_PAUSE_EVERY:
            time.sleep(LONG_PAUSE)
            work.train()  # takes its memory back before it is looked at again
            work.finish()
            now = time.monotonic()
            next_long = now + LONG_PAUSE_EVERY
    return samples.seen(), work.steps


def judge(samples, steps):
    times, rss, in_use = samples.T
    warm = times > min(times[-1] / 10, 120)
    span = times[-1] - times[warm][0]
    rise = theil_sen(times[warm], rss[warm]) * span
    use_rise = in_use[warm].max() - in_use[warm].min()
    return {
        "seconds": round(float(times[-1]), 1), "steps": steps, "samples": int(warm.sum()),
        "resident_first_mib": round(float(np.median(rss[warm][:20])) / 2**20, 2),
        "resident_last_mib": round(float(np.median(rss[warm][-20:])) / 2**20, 2),
        "rise_mib": round(rise / 2**20, 3), "allowed_rise_mib": ALLOWED_RISE / 2**20,
        "bytes_in_use_range": int(use_rise),
        "flat": bool(rise <= ALLOWED_RISE and use_rise == 0),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("seconds", type=float, nargs="?", default=3600)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds of sleep after each round")
    parser.add_argument("--samples", help="a file for all samples, as text")
    args = parser.parse_args()
    samples, steps = run(args.seconds, args.pause, lambda line: print(line, flush=True))
    if args.samples:
        np.savetxt(args.samples, samples, fmt="%.3f %d %d")
    verdict = judge(samples, steps)
    print(json.dumps(verdict))
    sys.exit(not verdict["flat"])


if __name__ == "__main__":
    main()
