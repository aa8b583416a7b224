"""When Python callbacks have run, which is the create option run_in_call, and who raises what they raise. Each test says it of XLA:CPU as
well, whose users rely on it."""

import os
import subprocess
import sys
import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import io_callback

from gated import SECONDS, gated

SCALAR = jax.ShapeDtypeStruct((), np.float32)
VECTOR = jax.ShapeDtypeStruct((8,), np.float32)


@pytest.fixture(params=["millrace", "cpu"])
def device(request):
    with jax.default_device(jax.devices(request.param)[0]):
        yield jax.devices(request.param)[0]


class Host:
    """Functions for callbacks that take a while, and a list of what has run."""

    def __init__(self):
        self.ran = []
        self.sleeper = threading.Event()  # that nobody sets

    def number(self, *values):
        self.sleeper.wait(0.005)
        self.ran.append(1)
        return np.float32(len(self.ran))

    def vector(self, value):
        self.number()
        return np.asarray(value)

    def nothing(self, *values):
        self.number()


def _heavy(x):
    a = jnp.full((300, 300), x[0])
    for _ in range(4):
        a = a @ a
    return a[0, 0]


# By name: a program of a Host and an array, and how many callbacks it makes.
PROGRAMS = {
    "pure": (lambda host, x: jax.pure_callback(host.number, SCALAR, x), 1),
    "io": (lambda host, x: io_callback(host.number, SCALAR, x), 1),
    "io ordered": (lambda host, x: io_callback(host.number, SCALAR, x, ordered=True), 1),
    "debug": (lambda host, x: (jax.debug.callback(host.nothing, x), x + 1)[1], 1),
    "debug ordered": (lambda host, x: (jax.debug.callback(host.nothing, x, ordered=True), x + 1)[1], 1),
    "two": (lambda host, x: (jax.pure_callback(host.number, SCALAR, x), io_callback(host.number, SCALAR, x)), 2),
    "beside work": (lambda host, x: jax.pure_callback(host.number, SCALAR, x) + _heavy(x), 1),
    "loop": (lambda host, x: jax.lax.fori_loop(0, 3, lambda i, c: jax.pure_callback(host.vector, VECTOR, c), x), 3),
    "while": (
        lambda host, x: jax.lax.while_loop(
            lambda c: c[0] < 3, lambda c: (jax.debug.callback(host.nothing, c), c + 1)[1], x
        ),
        3,
    ),
    "scan": (
        lambda host, x: jax.lax.scan(
            lambda c, _: (io_callback(host.vector, VECTOR, c, ordered=True), None), x, length=3
        )[0],
        3,
    ),
    "branch": (
        lambda host, x: jax.lax.cond(x[0] < 1, lambda c: jax.pure_callback(host.vector, VECTOR, c), lambda c: c, x),
        1,
    ),
    "vmap": (
        lambda host, x: jax.vmap(lambda v: jax.pure_callback(host.vector, SCALAR, v, vmap_method="sequential"))(x),
        8,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_callbacks_have_run_when_the_call_returns(name, device):
    program, count = PROGRAMS[name]
    host = Host()
    f = jax.jit(lambda x: program(host, x))
    x = jax.block_until_ready(jnp.arange(8.0))
    for _ in range(3):
        host.ran.clear()
        results = f(x)
        assert len(host.ran) == count
        if name != "beside work" or device not in jax.devices("millrace"):  # of ours, what follows the last callback may still run
            assert all(leaf.is_ready() for leaf in jax.tree.leaves(results))
    jax.effects_barrier()  # JAX lets go of what orders callbacks


@pytest.mark.parametrize("name", ["pure", "io", "debug"])
def test_callbacks_have_run_when_an_eager_call_returns(name, device):
    program, count = PROGRAMS[name]
    host = Host()
    x = jax.block_until_ready(jnp.arange(8.0))
    for _ in range(3):
        host.ran.clear()
        program(host, x)
        assert len(host.ran) == count


def test_callbacks_have_run_when_a_call_in_a_callback_returns(device):
    host, early = Host(), []
    inner = jax.jit(lambda x: jax.pure_callback(host.number, SCALAR, x))

    def outer(x):
        before = len(host.ran)
        inner(jax.device_put(np.float32(1)))
        early.append(len(host.ran) == before)
        return np.float32(0)

    f = jax.jit(lambda x: jax.pure_callback(outer, SCALAR, x))
    x = jax.block_until_ready(jnp.float32(2))
    for _ in range(3):
        f(x)
    assert early == [False] * 3


def _followed_by_work(x):
    a = jnp.full((800, 800), x)
    for _ in range(24):
        a = jnp.tanh(a @ a)
    return a[0, 0]


def _two_sorts(_, x):
    a, b = jnp.full((4096,), x), jnp.full((4096,), x + 1)
    for _ in range(3):
        a, b = jnp.sort(jnp.sin(a)), jnp.sort(jnp.cos(b))
    return a[0] + b[0]


@pytest.mark.parametrize("rounds", [0, 2])
def test_the_call_does_not_wait_for_what_follows_its_last_callback(rounds):
    host = Host()

    def program(x):
        y = jax.pure_callback(host.number, SCALAR, x)
        for _ in range(rounds):  # in a loop whose round has strands
            y = jax.lax.fori_loop(0, 3, _two_sorts, y)
        return _followed_by_work(y)

    f = jax.jit(program)
    x = jax.block_until_ready(jnp.float32(2))
    for calls in (1, 2, 3):
        result = f(x)
        assert len(host.ran) == calls
        assert not result.is_ready()
        jax.block_until_ready(result)


def test_the_call_raises_what_a_callback_raises_before_more_work():
    def broken(x):
        raise KeyError("a broken callback")

    f = jax.jit(lambda x: _followed_by_work(jax.pure_callback(broken, SCALAR, x)))
    x = jax.block_until_ready(jnp.float32(2))
    for _ in range(3):
        with pytest.raises(jax.errors.JaxRuntimeError, match="a broken callback"):
            f(x)


def _beside_each_other(callback):
    """A loop whose round is two lines of sorts that need nothing of each other, each with a callback at its end."""
    wide = jax.ShapeDtypeStruct((4096,), np.float32)

    def line(f, z):
        for _ in range(4):
            z = jnp.sort(f(z))
        return jax.pure_callback(callback, wide, z)

    return jax.jit(lambda x: jax.lax.fori_loop(0, 3, lambda _, c: (line(jnp.sin, c[0]), line(jnp.cos, c[1])), (x, x)))


def test_what_lies_beside_a_callback_is_for_other_threads(monkeypatch):
    monkeypatch.setenv("MILLRACE_PLAN_UNITS", "2")
    together, met = threading.Barrier(2, timeout=SECONDS), []

    def meet(value):
        together.wait()
        met.append(threading.get_ident())
        return np.asarray(value)

    x = jax.block_until_ready(jnp.arange(4096.0))
    results = _beside_each_other(meet)(x)
    assert len(met) == 6 and len(set(met)) > 1
    assert all(result.is_ready() for result in results)


def test_a_call_in_a_callback_beside_others_has_run_when_it_returns(monkeypatch):
    monkeypatch.setenv("MILLRACE_PLAN_UNITS", "2")
    host, early = Host(), []
    caller = threading.get_ident()
    inner = jax.jit(lambda x: jax.pure_callback(host.number, SCALAR, x))

    def outer(value):
        if threading.get_ident() == caller:  # a worker does not wait for what it begins
            before = len(host.ran)
            inner(jax.device_put(np.float32(1)))
            early.append(len(host.ran) == before)
        return np.asarray(value)

    x = jax.block_until_ready(jnp.arange(4096.0))
    jax.block_until_ready(_beside_each_other(outer)(x))
    assert early and True not in early


def test_a_call_does_not_wait_for_its_arguments():
    host, gate = Host(), threading.Event()
    f = jax.jit(lambda x: jax.pure_callback(host.number, SCALAR, x))
    f(jax.device_put(np.zeros(8, np.float32), jax.devices("millrace")[0]))
    host.ran.clear()
    pending = gated(gate).addressable_shards[0].data
    result = f(pending)
    assert host.ran == [] and not result.is_ready()
    gate.set()
    assert float(result) == 1


def test_a_program_over_several_devices_does_not_hold_up_its_call():
    gate = threading.Event()
    result = gated(gate)
    assert not result.is_ready()
    gate.set()
    assert (np.asarray(result) == 1).all()


@pytest.mark.parametrize("name", ["pure", "io", "io ordered", "debug", "debug ordered", "loop", "beside work"])
def test_the_call_raises_what_a_callback_raises(name, device):
    class Broken(Host):
        def number(self, *values):
            self.sleeper.wait(0.005)
            raise KeyError("a broken callback")

    host = Broken()
    f = jax.jit(lambda x: PROGRAMS[name][0](host, x))
    x = jax.block_until_ready(jnp.arange(8.0))
    for _ in range(2):
        with pytest.raises(jax.errors.JaxRuntimeError, match="a broken callback"):
            f(x)
    jax.effects_barrier()  # has nothing to say of it


def test_a_donated_argument_of_a_call_that_raises_is_gone_or_there():
    def broken(x):
        raise KeyError("a broken callback")

    f = jax.jit(lambda x: jax.pure_callback(broken, VECTOR, x) + x, donate_argnums=0)
    x = jax.block_until_ready(jnp.arange(8.0))
    with pytest.raises(jax.errors.JaxRuntimeError, match="a broken callback"):
        f(x)
    assert x.is_deleted() or (np.asarray(x) == np.arange(8)).all()


def test_threads_make_calls_with_callbacks_at_once(device):
    host = Host()
    f = jax.jit(lambda x: jax.pure_callback(lambda v: np.float32(v + 1), SCALAR, x))
    x = jax.block_until_ready(jnp.float32(2))
    sums = []

    def work():
        sums.append(sum(float(f(x)) for _ in range(20)))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sums == [60.0] * 6 and host.ran == []


SCRIPT = """
import jax, jax.numpy as jnp, numpy as np
from jax.experimental import io_callback
def broken(x):
    raise KeyError("a broken callback")
x = jnp.arange(8.0)
for ordered in (False, True):
    try:
        jax.block_until_ready(jax.jit(lambda x: io_callback(broken, x, x, ordered=ordered))(x))
    except jax.errors.JaxRuntimeError:
        print("caught")
"""


@pytest.mark.parametrize("platform", ["millrace", "cpu"])
def test_an_error_that_was_caught_is_not_told_again_at_exit(platform):
    environment = {**os.environ, "JAX_PLATFORMS": platform}
    child = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, timeout=SECONDS
    )
    assert (child.returncode, child.stdout.split()) == (0, ["caught", "caught"])
    assert "ignored in" not in child.stderr and "Error" not in child.stderr.replace("KeyError", "")
