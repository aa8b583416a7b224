"""XProf, which is TensorBoard's profiler plugin, reads our profiles: what its trace viewer shows of an op."""

import jax
import jax.numpy as jnp
import numpy as np
from xprof.convert import _pywrap_profiler_plugin as xprof


def fields(data):
    """Number and value of the fields of a protocol buffer."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        number, kind = divmod(varint(), 8)
        if kind == 0:
            yield number, varint()
            continue
        size = varint() if kind == 2 else {1: 8, 5: 4}[kind]
        yield number, data[at:at + size]
        at += size


def events_of(trace):
    """Names and texts of the events (field 4; its name 3, arguments 11 of a name 1 and a text 2)."""
    for number, event in fields(trace):
        if number == 4:
            name = next(value.decode() for number, value in fields(event) if number == 3)
            arguments = [dict(fields(value)) for number, value in fields(event) if number == 11]
            yield name, {a[1].decode(): a[2].decode() for a in arguments if 2 in a}


@jax.jit
def a_function_with_a_name_that_is_a_good_deal_longer_than_thirty_two_bytes(x):
    with jax.named_scope("a_layer"):
        return jnp.tanh(x @ x).sum()


def test_the_trace_viewer_shows_ops_with_where_they_are_from(tmp_path):
    f = a_function_with_a_name_that_is_a_good_deal_longer_than_thirty_two_bytes
    x = jax.device_put(np.ones((300, 300), np.float32), jax.devices("millrace")[0])
    f(x).block_until_ready()
    with jax.profiler.trace(str(tmp_path)):
        f(x).block_until_ready()
    (path,) = tmp_path.glob("**/*.xplane.pb")
    data, is_there = xprof.xspace_to_tools_data([str(path)], "trace_viewer", {})
    assert is_there
    module = "jit_" + f.__name__
    events = [(name, args) for name, args in events_of(data) if args.get("hlo_module") == module]
    assert module in {name for name, _ in events}
    (product,) = [(name, a) for name, a in events if a.get("tf_op") == f"jit({f.__name__})/a_layer/dot_general"]
    line = next(i + 1 for i, line in enumerate(open(__file__)) if "jnp.tanh(x @ x)" in line)
    assert product[1]["source"] == f"{__file__}:{line}"
    assert product[1]["hlo_op"].startswith(product[0] + ".")
