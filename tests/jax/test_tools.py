"""What JAX offers around programs on a device: profiles, memory kinds, donation warnings, arrays shared with other
libraries."""

import gzip
import json
import os
import warnings

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.ad_checkpoint import checkpoint_name
from jax.sharding import SingleDeviceSharding

MILLRACE = jax.devices("millrace")


# ---- Profiles -------------------------------------------------------------------------------------------------------


def read_profile(folder):
    (path,) = folder.glob("**/*.xplane.pb")
    return {plane.name: plane for plane in jax.profiler.ProfileData.from_file(str(path)).planes}


def spans(plane, **stats):
    """Name, start, end of a plane's events with these stats, and the line they are on."""
    found = []
    for line in plane.lines:
        for event in line.events:
            if stats.items() <= dict(event.stats).items():
                found.append((event.name, event.start_ns, event.start_ns + event.duration_ns, line.name))
    return found


def test_profile_has_our_executions_and_kernels(tmp_path):
    @jax.jit
    def squared(x):
        return jnp.tanh(x @ x).sum()

    x = jax.device_put(np.ones((200, 200), np.float32), MILLRACE[0])
    squared(x).block_until_ready()
    with jax.profiler.trace(str(tmp_path)):
        with jax.profiler.TraceAnnotation("three calls"):
            for _ in range(3):
                squared(x).block_until_ready()
        jax.jit(lambda x: jnp.sin(x) + 7)(x).block_until_ready()
    planes = read_profile(tmp_path)
    device = planes["/device:CUSTOM:millrace:0"]
    executions = [s for s in spans(device, category="node") if s[0].startswith("jit_")]
    # What takes its time on a device is a node of its own there; else each step is a part of an execution, on the same thread.
    at_once = os.environ.get("MILLRACE_DEVICES", "cpu") == "cpu"
    steps = spans(device, category="step" if at_once else "node")
    steps = [s for s in steps if not s[0].startswith("jit_")]
    assert len(executions) == 4 and len(steps) >= 5
    assert any("matmul" in name for name, *_ in steps)
    for _, start, end, line in steps:
        if at_once:
            assert any(line == at and a <= start and end <= b for _, a, b, at in executions)
        else:
            assert any(a <= start for _, a, _, _ in executions)
    # Our clock is the profiler's: the calls begin within the host's annotation, the last one after it. (A span ends when its
    # thread gets to say so, which on a busy machine may be after its caller went on.)
    host = planes["/host:CPU"]
    (calls,) = [s for s in spans(host) if s[0] == "three calls"]
    executions.sort(key=lambda s: s[1])
    assert [name for name, *_ in executions] == 3 * ["jit_squared"] + ["jit__lambda"]
    slack = 1e6
    assert all(calls[1] - slack <= start <= calls[2] + slack for _, start, _, _ in executions[:3])
    assert executions[3][1] >= calls[2] - slack
    compiles = [name for name, *_ in spans(host, category="compile")]
    assert {"compile", "read", "passes", "plan and code"} <= set(compiles)


def a_function_with_a_name_that_is_a_good_deal_longer_than_thirty_two_bytes(x):
    with jax.named_scope("a_layer"):
        return helper(jnp.tanh(x @ x)).sum()


@jax.jit
def helper(x):
    return jnp.linalg.cholesky(x @ x.T + 300 * jnp.eye(300))


def line_of(text):
    """Of this file, the first with the text."""
    return next(i + 1 for i, line in enumerate(open(__file__)) if text in line)


def test_profile_says_what_xla_says_of_an_event(tmp_path):
    """Names are whole; each event has its op, module, program and run, and where the program has it from."""
    f = jax.jit(a_function_with_a_name_that_is_a_good_deal_longer_than_thirty_two_bytes)
    x = jax.device_put(np.ones((300, 300), np.float32), MILLRACE[0])
    f(x).block_until_ready()
    with jax.profiler.trace(str(tmp_path)):
        for _ in range(2):
            f(x).block_until_ready()
    module = "jit_" + f.__name__
    device = read_profile(tmp_path)["/device:CUSTOM:millrace:0"]
    events = [(e.name, dict(e.stats)) for line in device.lines for e in line.events]
    runs = [stats for name, stats in events if name == module]
    assert len(runs) == 2 and len({stats["run_id"] for stats in runs}) == 2
    ops = [(name, stats) for name, stats in events if "hlo_op" in stats]
    assert ops and all(s["hlo_module"] == module and s["device_ordinal"] == 0 for _, s in ops)
    assert {s["program_id"] for _, s in ops} == {runs[0]["program_id"]}
    assert {s["run_id"] for _, s in ops} == {stats["run_id"] for stats in runs}
    assert len({s["hlo_op"] for _, s in ops}) == len(ops) // 2
    outer = f"jit({f.__name__})/a_layer/"
    (product,) = {(s["tf_op"], s["source"]) for name, s in ops if s.get("tf_op") == outer + "dot_general"}
    assert product[1] == f"{__file__}:{line_of('return helper(jnp.tanh(x @ x))')}"
    (factors,) = {(s["tf_op"], s["source"]) for name, s in ops if s.get("tf_op", "").endswith("/cholesky")}
    assert factors[0].startswith(outer + "jit(helper)/")
    assert factors[1] == f"{__file__}:{line_of('return jnp.linalg.cholesky')}"


def test_profile_as_trace_events(tmp_path):
    """The form that Perfetto shows has our planes too."""
    x = jax.device_put(np.ones((300, 300), np.float32), MILLRACE[1])
    with jax.profiler.trace(str(tmp_path), create_perfetto_trace=True):
        jax.jit(lambda x: jnp.cos(x @ x))(x).block_until_ready()
    path = next(path for path in tmp_path.glob("**/*.json.gz") if "perfetto" in path.name)
    events = json.loads(gzip.open(path).read())["traceEvents"]
    names = {event["args"]["name"] for event in events if event.get("name") == "process_name"}
    assert any("CUSTOM:millrace:1" in name for name in names)
    assert any(event.get("name") == "jit__lambda" for event in events)


def test_without_a_host_level_there_are_no_host_threads(tmp_path):
    options = jax.profiler.ProfileOptions()
    options.host_tracer_level = 0
    x = jax.device_put(np.ones((100, 100), np.float32), MILLRACE[0])
    with jax.profiler.trace(str(tmp_path), profiler_options=options):
        jax.jit(lambda x: x * 2)(x).block_until_ready()
    planes = read_profile(tmp_path)
    assert spans(planes["/device:CUSTOM:millrace:0"], category="node")
    assert not any(spans(plane, category="compile") for plane in planes.values())


# ---- Memories -------------------------------------------------------------------------------------------------------


def test_arrays_in_pinned_host_memory():
    pinned = SingleDeviceSharding(MILLRACE[0], memory_kind="pinned_host")
    device = SingleDeviceSharding(MILLRACE[0], memory_kind="device")
    x = jax.device_put(np.arange(1000.0, dtype=np.float32), pinned)
    assert x.sharding.memory_kind == "pinned_host"

    @jax.jit
    def there_and_back(x):
        on_device = jax.device_put(x, device)
        return jax.device_put(on_device * 2, pinned), on_device + 1

    far, near = there_and_back(x)
    assert (far.sharding.memory_kind, near.sharding.memory_kind) == ("pinned_host", "device")
    np.testing.assert_array_equal(np.asarray(far), np.arange(1000) * 2)
    np.testing.assert_array_equal(np.asarray(near), np.arange(1000) + 1)
    stays = jax.jit(lambda x: x + 1, out_shardings=pinned)(jax.device_put(x, device))
    assert stays.sharding.memory_kind == "pinned_host"
    np.testing.assert_array_equal(np.asarray(stays), np.arange(1000) + 1)


def test_gradients_with_offloaded_activations(same_as_xla):
    policy = jax.checkpoint_policies.save_and_offload_only_these_names(
        names_which_can_be_saved=[], names_which_can_be_offloaded=["hidden"], offload_src="device", offload_dst="pinned_host")

    def loss(w, x):
        def layer(x, w):
            return checkpoint_name(jnp.tanh(x @ w), "hidden"), None

        return jax.lax.scan(jax.checkpoint(layer, policy=policy), x, w)[0].sum()

    w = np.random.default_rng(1).standard_normal((4, 16, 16)).astype(np.float32) * 0.2
    got = jax.jit(jax.grad(loss))(w, np.ones((8, 16), np.float32))
    plain = jax.grad(lambda w, x: jax.lax.scan(lambda x, w: (jnp.tanh(x @ w), None), x, w)[0].sum())
    np.testing.assert_allclose(np.asarray(got), np.asarray(jax.jit(plain)(w, np.ones((8, 16), np.float32))), rtol=5e-7,
                               atol=5e-7)


# ---- Donation -------------------------------------------------------------------------------------------------------


def test_a_donation_without_use_is_warned_about():
    arguments = jax.ShapeDtypeStruct((100,), np.float32), jax.ShapeDtypeStruct((7,), np.int32)
    with pytest.warns(UserWarning) as told:
        jax.jit(lambda x, y: (x.sum(), y + 1), donate_argnums=(0, 1)).lower(*arguments).compile()
    # Only the one that no result can have.
    assert [str(w.message).splitlines()[0] for w in told] == ["Some donated buffers were not usable: float32[100]."]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = jnp.ones(100)
        jax.jit(lambda x: x + 1, donate_argnums=0)(x).block_until_ready()
    assert x.is_deleted()
