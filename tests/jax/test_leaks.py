"""What is let go of is gone: work that is still queued keeps what it reads and writes, and nothing longer.

Each case is a loop in which a thing that leaked would leak every time. That bytes in use and everything else that is counted are
what they were before it is seen by the fixture of tests/conftest.py, as for every test.
"""

import os
import pathlib
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jax_plugins.millrace import census

SIDE = 512  # one array is 1 MiB, whose executions and copies are queued
ROUNDS = 20


@pytest.fixture(params=["first device", "last device"])
def device(request):
    found = jax.devices("millrace")[0 if request.param == "first device" else -1]
    with jax.default_device(found):
        yield found


@pytest.fixture
def ones(device):
    return lambda: jax.device_put(np.ones((SIDE, SIDE), np.float32), device)


@jax.jit
def slow(x):
    return jnp.sin(x @ x * 1e-3)


def test_a_chain_whose_links_are_let_go_of(ones):
    x = ones()
    for _ in range(ROUNDS):
        x = slow(x)
    x.block_until_ready()


def test_training_without_donation(ones):
    @jax.jit
    def step(w, x):
        return jax.tree.map(lambda a, g: a - 1e-3 * g, w, jax.grad(lambda w: jnp.sum(jnp.tanh(x @ w["w"]) ** 2))(w))

    w, x = {"w": ones()}, ones()
    for _ in range(ROUNDS):
        w = step(w, x)
    jax.block_until_ready(w)


def test_reads_that_run_while_the_array_goes(ones):
    for _ in range(ROUNDS):
        y = slow(ones())
        y.copy_to_host_async()
        kept = np.asarray(y)
        del y
    assert kept.shape == (SIDE, SIDE)


def test_reads_that_nobody_waits_for(ones):
    for _ in range(ROUNDS):
        slow(ones()).copy_to_host_async()


def test_copies_to_other_devices(ones):
    for other in jax.devices("millrace"):
        for _ in range(ROUNDS // 4):
            y = jax.device_put(slow(ones()), other)
            z = jnp.copy(y)
            del y
            jax.device_put(z, jax.devices("millrace")[0], may_alias=False).block_until_ready()


def test_results_that_nobody_keeps(ones):
    for _ in range(ROUNDS):
        slow(ones())


def test_donation(ones):
    step = jax.jit(lambda x: jnp.sin(x @ x * 1e-3), donate_argnums=0)
    x = ones()
    for _ in range(ROUNDS):
        x = step(x)
    x.block_until_ready()


def test_deletion_while_work_is_queued(ones):
    for _ in range(ROUNDS):
        x = ones()
        y = slow(x)
        x.delete()
        z = slow(y)
        y.delete()
        z.delete()


def test_several_results_of_which_some_are_kept(ones):
    several = jax.jit(lambda x: (x @ x, x @ x.T, jnp.sum(x)))
    for _ in range(ROUNDS):
        _, kept, _ = several(ones())
        kept.block_until_ready()


def test_large_arrays_from_the_host_come_in_the_background(device):
    for _ in range(4):
        for semantics in (False, True):
            host = np.ones((4 << 20,), np.float32)
            jax.device_put(host, device, may_alias=semantics)
            del host


@pytest.fixture(autouse=True)
def no_failure_is_kept():
    """JAX keeps the failure of a call with effects for whoever asks next whether all effects are over."""
    yield
    jax._src.dispatch.runtime_tokens.clear()


def fail(x):
    raise ValueError("no such value")


@jax.jit
def broken(x):
    y = jax.pure_callback(fail, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
    return y + 1, y @ y, x @ x


def test_failures_while_results_are_pending(ones):
    """What depends on a failed execution fails with it, and nothing of either stays."""

    def use_and_wait():
        first, second, _ = broken(slow(ones()))
        after = slow(first)
        after.copy_to_host_async()
        jax.device_put(second, jax.devices("millrace")[0], may_alias=False).block_until_ready()

    for _ in range(3):
        with pytest.raises(Exception, match="no such value"):
            use_and_wait()


def test_a_chain_of_failures_of_which_only_the_end_is_kept(ones):
    def chain():
        x = broken(slow(ones()))[0]
        for _ in range(ROUNDS):
            x = slow(x)
        x.block_until_ready()

    with pytest.raises(Exception, match="no such value"):
        chain()


def test_the_census_sees_what_is_there(ones):
    """So that none of this passes because nothing is counted."""
    before = census.counts()
    kept = slow(ones()).block_until_ready()
    compiled = jax.jit(lambda x: x * 3).lower(kept).compile()
    now = census.counts()
    assert now["bytes"] - before["bytes"] == kept.nbytes
    for kind in ("buffers", "storages", "buffer_handles", "loaded_executables", "executables"):
        assert now[kind] > before[kind], kind
    assert compiled(kept).shape == kept.shape


@pytest.mark.sampled
@pytest.mark.skipif(os.environ.get("MILLRACE_NUM_DEVICES") == "8", reason="this is the other process")
def test_the_same_with_eight_devices():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "last", str(pathlib.Path(__file__))]
    environment = {**os.environ, "MILLRACE_NUM_DEVICES": "8"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:]
