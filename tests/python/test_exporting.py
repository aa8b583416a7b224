"""jax_plugins.millrace.export(): what it writes is what `import millrace` reads."""

import json
import struct

import jax
import jax.export
import jax.numpy as jnp
import ml_dtypes
import native
import numpy as np
import pytest

import millrace
from jax_plugins.millrace import export

Struct = jax.ShapeDtypeStruct


def tensors(path):
    """(names in the order of the data, {name: (dtype, shape, begin in the file)})."""
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    assert (8 + size) % 64 == 0
    head = json.loads(data[8 : 8 + size])
    order = sorted(head, key=lambda name: head[name]["data_offsets"])
    assert [0] + [head[name]["data_offsets"][1] for name in order] == [head[name]["data_offsets"][0] for name in order] + [len(data) - 8 - size]
    return order, {name: (tensor["dtype"], tensor["shape"], 8 + size + tensor["data_offsets"][0]) for name, tensor in head.items()}


def network(params, x, unused):
    hidden = jnp.tanh(x @ params["w"] + params["layers"][0])
    return {"y": hidden, "sum": hidden.sum()}


PARAMS = {"w": np.random.default_rng(1).normal(size=(16, 3)).astype(np.float32), "layers": [np.ones(3, np.float32)], "it's": np.zeros(2)}
IMAGES = np.random.default_rng(2).normal(size=(5, 16)).astype(np.float32)


def test_names_weights_and_an_open_batch(tmp_path):
    path = tmp_path / "model.mlirbc"
    export(network, (PARAMS, Struct((1, 16), np.float32), Struct((), np.int32)), path, weights="params", batch=True)
    m = millrace.load(path)
    assert m.inputs[0] == ("x", "float32", ("b", 16), False)
    assert [port.name.removeprefix("result") for port in m.outputs] == ["['sum']", "['y']"]  # older versions of JAX have no prefix
    assert m.outputs[1].shape == ("b", 3)
    rest = [0] * (len(m.inputs) - 1)  # JAX keeps what is not used where sizes are open
    for count in (1, 5, 2, 5):
        total, y = m(IMAGES[:count], *rest)
        wanted = network(PARAMS, IMAGES[:count], 0)
        np.testing.assert_allclose(y, wanted["y"], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(total, wanted["sum"], rtol=1e-5, atol=1e-5)
    m.prepare(b=7)
    m.prepare(x=(8, 16))
    with pytest.raises(millrace.Error) as caught:
        m.prepare(x=(8, 17))
    assert caught.value.code == "INVALID_ARGUMENT"
    with pytest.raises(millrace.Error) as caught:
        m.prepare()
    assert "dimension 0 of x is open" in str(caught.value)
    with pytest.raises(millrace.Error) as caught:
        m(IMAGES[0], *rest)
    assert "x is f32[16], wanted f32[?,16]" in str(caught.value)


def test_weights_begin_on_lines_and_are_what_the_program_keeps(tmp_path):
    path = tmp_path / "model.mlirbc"
    export(network, (PARAMS, IMAGES, 0), path, weights=0)
    order, head = tensors(path.with_suffix(".safetensors"))
    assert head.keys() == {"params['layers'][0]", "params['w']"}  # nothing is used of the other
    assert order[0] == "params['w']" and head["params['w']"][:2] == ("F32", [16, 3]) and head["params['w']"][2] % 64 == 0
    m = millrace.load(path)
    assert [port.name for port in m.inputs] == ["x"]
    np.testing.assert_allclose(m(IMAGES)[1], network(PARAMS, IMAGES, 0)["y"], rtol=1e-5, atol=1e-6)


def test_weights_of_others_and_bound_later(tmp_path):
    path = tmp_path / "model.mlirbc"
    export(network, (PARAMS, IMAGES, 0), path, weights="params")
    weights = millrace.Weights(path.with_suffix(".safetensors"))
    assert set(weights) == set(weights.keys()) and len(weights) == 2 and "params['w']" in weights and "w" not in weights
    np.testing.assert_array_equal(weights["params['w']"], PARAMS["w"])
    assert not weights["params['w']"].flags.writeable
    with pytest.raises(KeyError):
        weights["w"]
    m = millrace.load(path, weights=False)
    assert [port.name for port in m.inputs] == ["params['layers'][0]", "params['w']", "x"]
    by_hand = m(PARAMS["layers"][0], PARAMS["w"], IMAGES)
    with pytest.raises(millrace.Error, match="before the first call"):
        m.bind(weights)
    m = millrace.load(path, weights=False)
    m.bind(weights)
    assert [port.name for port in m.inputs] == ["x"]
    np.testing.assert_array_equal(m(IMAGES)[1], by_hand[1])
    twice = {**PARAMS, "w": PARAMS["w"] * 2}
    export(network, (twice, IMAGES, 0), tmp_path / "twice.mlirbc", weights="params")
    m.bind(tmp_path / "twice.safetensors")
    np.testing.assert_allclose(m(IMAGES)[1], network(twice, IMAGES, 0)["y"], rtol=1e-5, atol=1e-6)
    export(lambda params: params["w"], ({"w": np.zeros(3)},), tmp_path / "other.mlirbc", weights="params")
    with pytest.raises(millrace.Error):
        m.bind(tmp_path / "other.safetensors")
    np.savez(tmp_path / "model.npz", **{"params['w']": PARAMS["w"], "params['layers'][0]": PARAMS["layers"][0]})
    m.bind({"params['w']": PARAMS["w"], "params['layers'][0]": PARAMS["layers"][0]})
    np.testing.assert_array_equal(m(IMAGES)[1], by_hand[1])
    given = millrace.load(path, weights=dict(weights))
    np.testing.assert_array_equal(given(IMAGES)[1], by_hand[1])
    with pytest.raises(TypeError, match="w has type object"):
        millrace.Weights({"w": object()})
    first_fastest = np.asfortranarray(PARAMS["w"])
    np.savez(tmp_path / "fortran.npz", w=first_fastest)
    np.testing.assert_array_equal(millrace.Weights(tmp_path / "fortran.npz")["w"], first_fastest)
    shared = millrace.load(path, weights=tmp_path / "model.npz")
    np.testing.assert_array_equal(shared(IMAGES)[1], by_hand[1])


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "complex64"])
def test_each_type_of_weights(tmp_path, dtype):
    dtype = np.dtype(getattr(ml_dtypes, dtype, dtype))
    table = np.arange(6).reshape(2, 3).astype(dtype)
    export(lambda table, x: table["t"][x], ({"t": table}, Struct((), np.int32)), tmp_path / "model.mlirbc", weights="table")
    result = millrace.load(tmp_path / "model.mlirbc")(1)
    assert result.dtype == dtype
    np.testing.assert_array_equal(result, table[1])


def test_donation_is_kept(tmp_path):
    def count(cache, x):
        return x.sum(), {"n": cache["n"] + x}

    state, x = {"n": Struct((4,), np.float32)}, Struct((4,), np.float32)
    export(count, (state, x), tmp_path / "a.mlirbc", donate="cache")
    export(jax.jit(count, donate_argnums=0), (state, x), tmp_path / "b.mlirbc")
    for path in (tmp_path / "a.mlirbc", tmp_path / "b.mlirbc"):
        m = millrace.load(path)
        assert [(port.name, port.donated) for port in m.inputs] == [("cache['n']", True), ("x", False)]
        session = m.session()
        for number in range(1, 4):
            assert session(np.ones(4, np.float32)) == 4
            np.testing.assert_array_equal(np.asarray(session["cache['n']"]), np.full(4, number))


def test_sizes_that_the_user_names(tmp_path):
    def f(x, mask):
        return (x * mask[:, None]).sum(0)

    path = tmp_path / "model.mlirbc"
    export(f, (Struct((2, 3), np.float32), Struct((2,), np.float32)), path, batch={"x": "rows, columns", "mask": "rows"})
    m = millrace.load(path)
    assert [port.shape for port in m.inputs] == [("rows", "columns"), ("rows",)] and m.outputs[0].shape == ("columns",)
    np.testing.assert_array_equal(m(np.ones((4, 2), np.float32), np.ones(4, np.float32)), [4, 4])
    with pytest.raises(millrace.Error):
        m(np.ones((4, 2), np.float32), np.ones(3, np.float32))
    (n,) = jax.export.symbolic_shape("n", constraints=["n <= 8"])
    export(lambda x: x * 2, (Struct((n,), np.float32),), path)
    m = millrace.load(path)
    assert m.inputs[0].shape == ("n",) and m(np.ones(8, np.float32)).shape == (8,)
    with pytest.raises(millrace.Error) as caught:
        m(np.ones(9, np.float32))
    assert caught.value.code == "INVALID_ARGUMENT" and "n" in str(caught.value)
    export(lambda x, y: x + y, (Struct((3, 2), np.float32), Struct((2,), np.float32)), path, batch={0: -2})
    assert [port.shape for port in millrace.load(path).inputs] == [("b", 2), (2,)]


def test_more_sizes_than_are_remembered(tmp_path):
    path = tmp_path / "model.mlirbc"
    export(lambda x: x * 2, (Struct((1,), np.float32),), path, batch=True)
    m = millrace.load(path)
    for _ in range(2):
        for count in range(1, 75):
            np.testing.assert_array_equal(m(np.full(count, 3, np.float32)), np.full(count, 6))


def test_more_inputs_and_outputs_than_lie_on_the_stack(tmp_path):
    path = tmp_path / "model.mlirbc"
    export(lambda *xs: tuple(x + number for number, x in enumerate(xs)), (Struct((3,), np.float32),) * 40, path)
    m = millrace.load(path)
    xs = [np.full(3, 100 * number, np.float32) for number in range(40)]
    for results in (m(*xs), m(*xs[:5], **{f"xs[{number}]": xs[number] for number in range(5, 40)}), m(*map(millrace.put, xs)), m.on_device(*xs)):
        assert len(results) == 40
        for number, result in enumerate(results):
            np.testing.assert_array_equal(np.asarray(result), np.full(3, 101 * number))
    with pytest.raises(millrace.Error, match=r"no argument for xs\[39\]"):
        m(*xs[:39])


def test_what_is_wrong_is_named(tmp_path):
    path, x = tmp_path / "model.mlirbc", Struct((2, 3), np.float32)
    for wrong, words, how in [
        (ValueError, "weights names 'y', which is none of the arguments: 0 (x)", {"weights": "y"}),
        (ValueError, "batch opens axis 2 of x, which has 2 dimensions", {"batch": {"x": 2}}),
        (ValueError, "batch is 1.5", {"batch": 1.5}),
        (TypeError, "x is a ShapeDtypeStruct, wanted an array", {"weights": 0}),
    ]:
        with pytest.raises(wrong) as caught:
            export(lambda x: x + 1, (x,), path, **how)
        assert words in str(caught.value)
    with pytest.raises(ValueError, match="give donate_argnums to jax.jit"):
        export(jax.jit(lambda x: x + 1), (x,), path, donate=0)
    with pytest.raises(TypeError, match="missing a required argument"):
        export(lambda x, y: x + y, (x,), path)
    with pytest.raises(TypeError, match="int4"):
        export(lambda t, x: t + x, (np.zeros(3, ml_dtypes.int4), Struct((3,), ml_dtypes.int4)), path, weights=0)
    assert list(tmp_path.iterdir()) == []
