"""Programs that jax.export writes with open sizes, compiled for some: the answers are those of the same function at these sizes.

The functions are what models are made of; each has a dimension "b" that is open, a batch or the length of a sequence.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

millrace = pytest.importorskip("millrace")

BATCHES = 1, 3, 8
b = jax.export.symbolic_shape("b")[0]


def f32(*shape):
    return jax.ShapeDtypeStruct(shape, np.float32)


def s32(*shape):
    return jax.ShapeDtypeStruct(shape, np.int32)


# fmt: off
FUNCTIONS = {
    "cond": (lambda x: lax.cond(x.sum()>0, lambda y:y*2, lambda y:y+1, x), [f32(b, 3)]),
    "switch": (lambda x: lax.switch(jnp.int32(x.sum())%3, [lambda y:y*2, lambda y:y+1, lambda y:jnp.sort(y, 0)], x), [f32(b, 3)]),
    "while": (lambda x: lax.while_loop(lambda c:c[0]<5, lambda c:(c[0]+1, jnp.where(c[1]>0, c[1]*0.5, c[1])), (0, x)), [f32(b, 3)]),
    "scan": (lambda x: lax.scan(lambda c, t:(c+t, c*t), x[0], x), [f32(b, 3)]),
    "conv": (lambda x: lax.conv_general_dilated(x, jnp.ones((3, 3, 2, 4), "float32"), (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")), [f32(b, 8, 8, 2)]),
    "pool": (lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), [f32(b, 8, 8, 2)]),
    "cumsum": (lambda x: jnp.cumsum(x, axis=1), [f32(b, 7)]),
    "cumsum0": (lambda x: jnp.cumsum(x, axis=0), [f32(b, 7)]),
    "argmax": (lambda x: jnp.argmax(x, axis=-1), [f32(b, 7)]),
    "topk": (lambda x: lax.top_k(x, 3), [f32(b, 7)]),
    "gather": (lambda x, i: x[i], [f32(10, 4), s32(b)]),
    "embed": (lambda i: jnp.ones((11, 4))[i].sum(1), [s32(b, 5)]),
    "scatter": (lambda x, i: x.at[i].add(1.0), [f32(b, 4), s32(3)]),
    "dynup": (lambda x: x.at[0].set(5.0), [f32(b, 4)]),
    "reshape": (lambda x: x.reshape(-1), [f32(b, 4)]),
    "mean": (lambda x: x.mean(0)+x.var(), [f32(b, 4)]),
    "concat": (lambda x: jnp.concatenate([x, x*2], 0), [f32(b, 4)]),
    "pad": (lambda x: jnp.pad(x, ((1, 2), (0, 0))), [f32(b, 4)]),
    "einsum": (lambda q, k: jnp.einsum("bthd, bshd->bhts", q, k), [f32(b, 4, 2, 8), f32(b, 4, 2, 8)]),
    "chol": (lambda x: jnp.linalg.cholesky(jnp.einsum("bij, bkj->bik", x, x)+3*jnp.eye(4)), [f32(b, 4, 4)]),
    "qr": (lambda x: jnp.linalg.qr(x), [f32(b, 5, 3)]),
    "eigh": (lambda x: jnp.linalg.eigh(x+x.swapaxes(1, 2)), [f32(b, 4, 4)]),
    "svd": (lambda x: jnp.linalg.svd(x, compute_uv=False), [f32(b, 5, 3)]),
    "solve": (lambda x, y: jnp.linalg.solve(x, y), [f32(b, 4, 4), f32(b, 4, 2)]),
    "rand": (lambda x: x+jax.random.normal(jax.random.key(3), x.shape), [f32(b, 4)]),
    "fft": (lambda x: jnp.abs(jnp.fft.fft(x, axis=-1)), [f32(b, 8)]),
    "rev": (lambda x: x[::-1], [f32(b, 4)]),
    "slice": (lambda x: x[1:], [f32(b, 4)]),
    "vmap": (lambda x: jax.vmap(lambda v: jnp.outer(v, v))(x), [f32(b, 4)]),
    "grad": (lambda x: jax.grad(lambda y: jnp.sum(jnp.tanh(y)@y.T))(x), [f32(b, 4)]),
    "sort2": (lambda x: lax.sort_key_val(x, x*2), [f32(b)]),
    "tri": (lambda x: jnp.tril(x@x.T), [f32(b, 4)]),
    "clip": (lambda x: jnp.clip(x, 0, x.shape[0]), [f32(b, 4)]),
    "layernorm": (lambda x: (x-x.mean(-1, keepdims=True))/jnp.sqrt(x.var(-1, keepdims=True)+1e-5), [f32(b, 4, 8)]),
    "onehot": (lambda i: jax.nn.one_hot(i, 7), [s32(b)]),
    "repeat": (lambda x: jnp.repeat(x, 3, axis=0), [f32(b, 4)]),
    "meshg": (lambda x: jnp.arange(x.shape[0])[:, None]*x, [f32(b, 4)]),
    "bilinear": (lambda x: jax.image.resize(x, (x.shape[0], 8, 8, 2), "bilinear"), [f32(b, 4, 4, 2)]),
    "rngbits": (lambda x: jax.random.bits(jax.random.key(1), (x.shape[0], 4)), [f32(b)]),
    "cumsum2": (lambda x: jnp.cumsum(x, axis=0)+jnp.cumsum(x, axis=1), [f32(b, 7)]),
    "cummax": (lambda x: lax.cummax(x, axis=0), [f32(b, 7)]),
    "attn": (lambda q: jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((q.shape[0], q.shape[0]), bool)), q@q.T, -1e9)), [f32(b, 8)]),
    "seq2": (lambda x: lax.scan(lambda c, t:(jnp.tanh(c@jnp.ones((4, 4))*0.1+t), c), jnp.zeros((x.shape[1], 4)), x)[1], [f32(5, b, 4)]),
    "seqopen": (lambda x: lax.scan(lambda c, t:(c*0.9+t, c), jnp.zeros((4, )), x), [f32(b, 4)]),
    "dropout": (lambda x: jnp.where(jax.random.bernoulli(jax.random.key(0), 0.5, x.shape), x, 0), [f32(b, 4)]),
    "avgpool": (lambda x: lax.reduce_window(x, 0., lax.add, (1, x.shape[1], 1, 1), (1, 1, 1, 1), "VALID"), [f32(2, b, 8, 2)]),
    "nestcond": (lambda x: lax.cond(x.sum()>0, lambda y: lax.cond(y[0, 0]>0, lambda z:z+1, lambda z:z*2, y), lambda y: lax.fori_loop(0, 3, lambda i, z:z*1.1, y), x), [f32(b, 3)]),
    "triangular": (lambda x: jax.scipy.linalg.solve_triangular(jnp.tril(x)+4*jnp.eye(4), x, lower=True), [f32(b, 4, 4)]),
    "expand": (lambda x: jnp.broadcast_to(x[None], (3, *x.shape)), [f32(b, 4)]),
    "roll": (lambda x: jnp.roll(x, 1, axis=0), [f32(b, 4)]),
    "take": (lambda x: jnp.take(x, jnp.arange(x.shape[0])[::-1], axis=0), [f32(b, 4)]),
    "dslice": (lambda x: lax.dynamic_slice(x, (0, 1), (x.shape[0], 2)), [f32(b, 4)]),
    "where": (lambda x: jnp.where(x>0, x, jnp.zeros_like(x)), [f32(b, 4)]),
    "norm": (lambda x: x/jnp.linalg.norm(x, axis=-1, keepdims=True), [f32(b, 4)]),
    "segsum": (lambda x, i: jax.ops.segment_sum(x, i, num_segments=4), [f32(b, 3), s32(b)]),
    "argsort": (lambda x: jnp.argsort(x, axis=0), [f32(b, 3)]),
    "expm": (lambda x: jax.scipy.linalg.expm(x*0.1), [f32(b, 3, 3)]),
    "inv": (lambda x: jnp.linalg.inv(x+5*jnp.eye(4)), [f32(b, 4, 4)]),
    "gradconv": (lambda x: jax.grad(lambda w: (lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))**2).sum())(jnp.ones((3, 3, 2, 4))), [f32(b, 6, 6, 2)]),
}
# fmt: on


def arrays(random, specs, batch):
    for spec in specs:
        shape = tuple(size if isinstance(size, int) else batch for size in spec.shape)
        yield random.integers(0, 3, shape).astype(np.int32) if spec.dtype == np.int32 else random.normal(size=shape).astype(np.float32)


@pytest.mark.sampled
@pytest.mark.parametrize("name", FUNCTIONS)
def test_sizes(name, tmp_path):
    function, specs = FUNCTIONS[name]
    exported = jax.export.export(jax.jit(function), platforms=["cpu"])(*specs)
    path = tmp_path / "program.mlirbc"
    path.write_bytes(exported.mlir_module_serialized)
    model, random = millrace.load(path), np.random.default_rng(7)
    for batch in BATCHES:
        inputs = list(arrays(random, specs, batch))
        wanted, got = jax.tree.leaves(jax.jit(function)(*inputs)), model(*inputs)
        got = got if isinstance(got, tuple) else (got,)
        assert len(got) == len(wanted)
        for ours, theirs in zip(got, wanted):
            assert ours.shape == theirs.shape and ours.dtype == theirs.dtype
            np.testing.assert_allclose(ours, theirs, rtol=2e-4, atol=2e-5)
