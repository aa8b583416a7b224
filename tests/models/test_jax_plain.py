"""Plain JAX: functions of arrays, and of a tree of arrays that are the weights."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import as_files
from as_files import CHANNELS, CLASSES, FEATURES, HEADS, HIDDEN, IMAGE, LENGTH, LETTERS, MAPS, TERMS, WIDTH
from exported import beside, inside


def drawn(shapes, seed=1):
    """A tree of weights: normal ones over the root of how many are summed."""
    random = np.random.default_rng(seed)
    return {name: jnp.float32(random.normal(size=shape) / np.sqrt(np.prod(shape[:-1]))) for name, shape in shapes.items()}


def mlp(w, x):
    return jnp.tanh(x @ w["first"] + w["bias"]) @ w["last"]


def cnn(w, x):
    x = jax.lax.conv_general_dilated(x, w["kernel"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    x = (x - w["mean"]) / jnp.sqrt(w["deviation"] ** 2 + 1) * w["scale"]
    x = jax.lax.reduce_window(jax.nn.relu(x), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return x.reshape(x.shape[0], -1) @ w["last"]


def normal(x):
    return jax.nn.standardize(x, axis=-1, epsilon=1e-5)


def transformer(w, letters):
    x = w["letters"][letters] * np.sqrt(LETTERS) + w["places"]
    q, k, v = ((normal(x) @ w[name]).reshape(*x.shape[:2], HEADS, -1) for name in "qkv")
    x = x + jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(x.shape) @ w["out"]
    x = x + jax.nn.gelu(normal(x) @ w["wide"], approximate=False) @ w["narrow"]
    return normal(x) @ w["last"]


SHAPES = {
    "mlp": {"first": (FEATURES, HIDDEN), "bias": (HIDDEN,), "last": (HIDDEN, CLASSES)},
    "cnn": {"kernel": (3, 3, CHANNELS, MAPS), "mean": (MAPS,), "deviation": (MAPS,), "scale": (MAPS,),
            "last": (MAPS * (IMAGE // 2) ** 2, CLASSES)},
    "transformer": {"letters": (LETTERS, WIDTH), "places": (LENGTH, WIDTH), **{name: (WIDTH, WIDTH) for name in ["q", "k", "v", "out"]},
                    "wide": (WIDTH, 4 * WIDTH), "narrow": (4 * WIDTH, WIDTH), "last": (WIDTH, LETTERS)},
}
MODELS = {"mlp": mlp, "cnn": cnn, "transformer": transformer}


@pytest.mark.parametrize("kind", MODELS)
def test_weights_inside(kind, tmp_path):
    w, x = drawn(SHAPES[kind]), as_files.inputs(kind)
    answers = as_files.run(inside(lambda x: MODELS[kind](w, x), x), [x], tmp_path)
    as_files.compare(answers, jax.jit(MODELS[kind])(w, x), TERMS[kind])


@pytest.mark.parametrize("kind", MODELS)
def test_weights_beside(kind, tmp_path):
    w, x = drawn(SHAPES[kind]), as_files.inputs(kind)
    program, weights = beside(MODELS[kind], w, x)
    as_files.compare(as_files.run(program, [x], tmp_path, weights), jax.jit(MODELS[kind])(w, x), TERMS[kind])


def test_text(tmp_path):
    w, x = drawn(SHAPES["mlp"]), as_files.inputs("mlp")
    path = tmp_path / "model.mlir"
    path.write_text(jax.jit(lambda x: mlp(w, x)).lower(x).as_text())
    as_files.compare(as_files.run(path, [x], tmp_path), mlp(w, x), TERMS["mlp"])


def test_linear_algebra(tmp_path):
    """Symmetric matrices with eigenvalues from 1 to 8: no number is far from the sizes of the others."""
    random = np.random.default_rng(1)
    q, _ = np.linalg.qr(random.normal(size=(3, 8, 8)))
    x = (q * np.arange(1, 9) @ q.swapaxes(1, 2)).astype(np.float32)

    def function(x):
        return jnp.linalg.cholesky(x) + jnp.linalg.inv(x) + jnp.linalg.eigvalsh(x)[:, None] + jnp.linalg.svdvals(x)[:, None]

    # A factorisation of n by n is sums of n terms one after another, n deep; the condition of x is 8.
    as_files.compare(as_files.run(inside(function, x), [x], tmp_path), function(x), 8 * 8 * 8)


def test_linear_algebra_by_jaxlib(tmp_path):
    path = tmp_path / "model.mlirbc"
    path.write_bytes(inside(lambda x: jax.scipy.linalg.schur(x)[0], np.eye(4, dtype=np.float32)))
    found = as_files.millrace("run", path)
    assert found.returncode == 1 and "UNIMPLEMENTED" in found.stderr and "gees" in found.stderr
