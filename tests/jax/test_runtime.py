"""What JAX expects of a runtime: transfers, donation, asynchrony, errors, callbacks, export, several devices."""

import gc
import os
import re
import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

MILLRACE = jax.devices("millrace")


# ---- Transfers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("view", [lambda a: a, lambda a: a.T, lambda a: a[::-1], lambda a: a[:, ::2], lambda a: np.broadcast_to(a[:1], a.shape)])
def test_arrays_of_any_layout_go_in_and_come_back(view):
    host = view(np.arange(48, dtype=np.float32).reshape(6, 8))
    np.testing.assert_array_equal(np.asarray(jax.device_put(host, MILLRACE[0])), host)


@pytest.mark.parametrize("dtype", ["bool", "int4", "uint8", "int64", "float16", "bfloat16", "float8_e4m3fn", "complex64", "float64"])
def test_every_type_survives_a_round_trip(dtype):
    with jax.enable_x64(True):
        host = np.arange(7).astype(jnp.dtype(dtype))
        device = jax.device_put(host, MILLRACE[0])
        assert device.dtype == host.dtype
        np.testing.assert_array_equal(np.asarray(device), host)


def test_host_memory_may_change_after_the_call():
    host = np.ones(100_000, np.float32)
    device = jnp.array(host)
    host[:] = 7
    assert float(device.sum()) == 100_000


def test_a_returned_argument_is_a_copy():
    x = jnp.arange(5.0)
    y = jax.jit(lambda v: v)(x)
    x.delete()
    np.testing.assert_array_equal(np.asarray(y), np.arange(5.0))


def test_copies_between_devices_and_memories():
    x = jax.device_put(jnp.arange(1000.0), MILLRACE[0])
    y = jax.device_put(x, MILLRACE[1])
    assert y.device == MILLRACE[1]
    z = jax.device_put(y, jax.devices("cpu")[0])
    np.testing.assert_array_equal(np.asarray(z), np.arange(1000.0))
    pinned = jax.device_put(x, jax.sharding.SingleDeviceSharding(MILLRACE[0], memory_kind="pinned_host"))
    assert pinned.sharding.memory_kind == "pinned_host"
    np.testing.assert_array_equal(np.asarray(pinned), np.arange(1000.0))


def test_donated_arguments_are_gone():
    step = jax.jit(lambda x: x + 1, donate_argnums=0)
    x = jnp.zeros((64, 64))
    y = step(x)
    assert x.is_deleted()
    with pytest.raises(RuntimeError, match="has been deleted"):
        np.asarray(x)
    assert float(y.sum()) == 64 * 64


@pytest.mark.skipif(os.environ.get("MILLRACE_DEVICES", "cpu") != "cpu", reason="device memory has no address")
@pytest.mark.parametrize("platform", ["millrace", "cpu"])
@pytest.mark.parametrize("share", [np.asarray, np.from_dlpack])
def test_what_is_shared_is_not_donated(share, platform):
    """An array that somebody else has a view of stays, and the view does not change, as on XLA:CPU; without the view it goes."""
    with jax.default_device(jax.devices(platform)[0]):
        x = jax.jit(lambda: jnp.zeros(1000))()
        step = jax.jit(lambda v: v + 1, donate_argnums=0)
        view = share(x)
        for _ in range(2):
            assert (np.asarray(step(x)) == 1).all() and (view == 0).all()
            assert not x.is_deleted() and float(x[3]) == 0
        del view
        gc.collect()
        assert (np.asarray(step(x)) == 1).all() and x.is_deleted()


def test_long_chain_of_dependent_calls():
    step = jax.jit(lambda x: x * 0.5 + 1)
    x = jnp.zeros(1000)
    for _ in range(2000):
        x = step(x)
    np.testing.assert_allclose(np.asarray(x), 2)


def test_large_and_small_work_interleave():
    big = jax.jit(lambda a: jnp.tanh(a @ a))
    small = jax.jit(lambda v: v + 1)
    a, v = jnp.ones((400, 400)) / 400, jnp.float32(0)
    for _ in range(20):
        a, v = big(a), small(v)
    assert float(v) == 20
    assert np.isfinite(np.asarray(a)).all()


def test_threads_compile_and_run_at_once():
    results = {}

    def work(index):
        f = jax.jit(lambda x: (x * index + index).sum())
        results[index] = [float(f(jnp.ones(n))) for n in (1, 10, 1000)]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {i: [2.0 * i * n for n in (1, 10, 1000)] for i in range(8)}


def test_each_device_computes():
    for device in MILLRACE:
        y = jax.jit(lambda x: x @ x)(jax.device_put(np.eye(8, dtype=np.float32), device))
        assert y.device == device
        np.testing.assert_array_equal(np.asarray(y), np.eye(8))


def test_results_may_be_dropped_before_they_are_there():
    f = jax.jit(lambda a: jnp.sin(a @ a))
    a = jnp.ones((300, 300))
    for _ in range(30):
        f(a)
    assert np.isfinite(np.asarray(f(a))).all()


# ---- Callbacks ------------------------------------------------------------------------------------------------------


def test_pure_callback_under_jit_and_vmap():
    def host(x):
        return np.asarray(x) ** 2

    def f(x):
        return jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), x, vmap_method="sequential") + 1

    x = np.arange(6, dtype=np.float32)
    np.testing.assert_allclose(np.asarray(jax.jit(f)(x)), x**2 + 1)
    np.testing.assert_allclose(np.asarray(jax.jit(jax.vmap(f))(x)), x**2 + 1)


def test_ordered_callbacks_come_in_order():
    seen = []

    @jax.jit
    def f(x):
        for i in range(5):
            jax.experimental.io_callback(lambda v, i=i: seen.append((i, float(v))), None, x + i, ordered=True)
        return x

    f(jnp.float32(1)).block_until_ready()
    jax.effects_barrier()
    assert seen == [(i, 1.0 + i) for i in range(5)]


def test_debug_print(capfd):
    jax.jit(lambda x: jax.debug.print("x is {x}", x=x))(jnp.int32(41))
    jax.effects_barrier()
    assert "x is 41" in capfd.readouterr().out


def test_an_error_in_a_callback_reaches_the_caller():
    def broken(x):
        raise ValueError("no such value")

    f = jax.jit(lambda x: jax.pure_callback(broken, jax.ShapeDtypeStruct((), np.float32), x))
    with pytest.raises(Exception, match="no such value"):
        f(jnp.float32(1)).block_until_ready()


# ---- Export, serialization, introspection ---------------------------------------------------------------------------


def test_exported_functions_run_again_on_both(oracle):
    f = jax.jit(lambda x: jnp.tanh(x) @ x.T)
    x = np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32)
    exported = export.export(f)(jax.ShapeDtypeStruct(x.shape, x.dtype))
    assert exported.platforms == ("cpu",) and exported.out_avals[0].shape == (5, 5)
    again = export.deserialize(exported.serialize())
    for device in (MILLRACE[0], oracle):
        result = again.call(jax.device_put(x, device))
        assert result.device == device
        np.testing.assert_allclose(np.asarray(result), np.tanh(x) @ x.T, rtol=5e-7, atol=1e-7)


def test_exported_functions_of_any_batch_with_their_gradient():
    shape = export.symbolic_shape("b, 3")
    exported = export.export(jax.jit(lambda x: (jnp.tanh(x) ** 2).sum()))(jax.ShapeDtypeStruct(shape, np.float32))
    again = export.deserialize(exported.serialize(vjp_order=1))
    for batch in (1, 4):
        x = np.random.default_rng(batch).standard_normal((batch, 3)).astype(np.float32)
        np.testing.assert_allclose(float(again.call(x)), (np.tanh(x) ** 2).sum(), rtol=5e-7)
        wanted = 2 * np.tanh(x) * (1 - np.tanh(x) ** 2)
        np.testing.assert_allclose(np.asarray(jax.grad(again.call)(x)), wanted, rtol=5e-7, atol=2e-7)


def test_device_describes_itself():
    device = MILLRACE[0]
    assert device.platform == "cpu" and device.id == 0
    # What runs other code than the processor's says which, for hosts keep programs by the kind of a device.
    is_opencl = os.environ.get("MILLRACE_DEVICES", "").startswith("opencl")
    assert re.fullmatch("millrace opencl .+" if is_opencl else "millrace", device.device_kind)
    stats = device.memory_stats()
    assert stats["bytes_limit"] > 0 and stats["bytes_in_use"] >= 0
    assert stats["bytes_reservable_limit"] == stats["bytes_limit"] // len(MILLRACE)
    assert {memory.kind for memory in device.addressable_memories()} >= {"device", "pinned_host"}


def test_a_program_over_two_devices():
    mesh = jax.sharding.Mesh(np.array(MILLRACE[:2]), "x")
    sharded = jax.device_put(np.arange(8.0), jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x")))
    total = jax.jit(lambda x: x.sum())(sharded)
    assert total.devices() == set(MILLRACE[:2])
    assert [float(shard.data) for shard in total.addressable_shards] == [28.0, 28.0]
