"""Whole models, small ones, among the programs of this folder."""

import jax
import jax.numpy as jnp
from jax import lax

from program import Draw, program


@program("multi_function")
def multi_function():
    @jax.jit
    def inner(x):
        return jnp.tanh(x) * 2

    @jax.jit
    def outer(x):
        return inner(x) + inner(-x)

    def f(x):
        return outer(x) + inner(x), jax.checkpoint(lambda y: jnp.sin(inner(y)))(x), jax.nn.relu(x), jnp.clip(x, -1, 1)

    return f, [Draw("multi_function").floats(4)]


# A softmax: the scores' absolute errors, of numbers around 60, are its relative ones.
# Softmax: the exponential turns an error of a sum of size 30 into one thirty times as large.
@program("mlp dot", of_largest=32)
def mlp_fwd():
    def f(x, w1, b1, w2, b2):
        return jax.nn.softmax(jax.nn.relu(x @ w1 + b1) @ w2 + b2)

    draw = Draw("mlp_fwd")
    return f, [draw.floats(8, 16), draw.floats(16, 32), draw.floats(32), draw.floats(32, 10), draw.floats(10)]


@program("mlp grad donation", donate=(0, 1, 2, 3), of_largest=4)
def mlp_train_step():
    def loss(weights, x, y):
        w1, b1, w2, b2 = weights
        scores = jax.nn.log_softmax(jax.nn.gelu(x @ w1 + b1) @ w2 + b2)
        return -(scores * jax.nn.one_hot(y, 10)).sum(-1).mean()

    def step(w1, b1, w2, b2, x, y):
        weights = w1, b1, w2, b2
        value, gradients = jax.value_and_grad(loss)(weights, x, y)
        return [w - 0.1 * g for w, g in zip(weights, gradients)], value

    draw = Draw("mlp_train_step")
    return step, [draw.floats(16, 32), draw.floats(32), draw.floats(32, 10), draw.floats(10), draw.floats(8, 16),
                  draw.ints(8, low=0, high=10)]


@program("attention", of_largest=4)
def attention_block():
    def normalize(x, gain):
        return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * gain

    def f(x, wq, wk, wv, wo, gain):
        q, k, v = (jnp.einsum("bsd,dhk->bhsk", normalize(x, gain), w) for w in (wq, wk, wv))
        scores = jnp.where(jnp.tril(jnp.ones((5, 5), bool)), jnp.einsum("bhsk,bhtk->bhst", q, k) / 2, -1e9)
        return x + jnp.einsum("bhst,bhtk,hkd->bsd", jax.nn.softmax(scores), v, wo)

    draw = Draw("attention_block")
    return f, [draw.floats(2, 5, 8), draw.floats(8, 2, 4), draw.floats(8, 2, 4), draw.floats(8, 2, 4), draw.floats(2, 4, 8),
               draw.floats(8)]


@program("cnn grad", of_largest=4)
def cnn_grad():
    def net(k1, k2, w, x):
        layout = ("NHWC", "HWIO", "NHWC")
        h = jax.nn.relu(lax.conv_general_dilated(x, k1, (1, 1), "SAME", dimension_numbers=layout))
        h = lax.reduce_window(h, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        h = jax.nn.relu(lax.conv_general_dilated(h, k2, (2, 2), "SAME", dimension_numbers=layout))
        return (h.reshape(h.shape[0], -1) @ w).sum()

    draw = Draw("cnn_grad")
    return jax.value_and_grad(net, (0, 1, 2)), [draw.floats(3, 3, 2, 4), draw.floats(3, 3, 4, 5), draw.floats(20, 3),
                                                draw.floats(2, 8, 8, 2)]


@program("optimization_barrier")
def barrier():
    draw = Draw("barrier")
    return lambda x, y: lax.optimization_barrier((x + y, x * y)), [draw.floats(3), draw.floats(3)]


@program("jvp hessian")
def hessian():
    def f(x):
        return jnp.sum(jnp.sin(x) * jnp.exp(-x ** 2)) + jnp.prod(x)

    return jax.hessian(f), [Draw("hessian").floats(5)]


@program("large_module dot")
def deep_chain():
    def f(x, w):
        for i in range(60):
            x = jnp.tanh(x @ w + i * 0.01) + x * 0.1
        return x

    draw = Draw("deep_chain")
    return f, [draw.floats(4, 4, low=-1, high=1), draw.floats(4, 4, low=-1, high=1)]


@program("aliasing donor", donate=(0, 1))
def donation():
    draw = Draw("donation")
    return lambda a, b, c: (a + c, b[:2] * 2), [draw.floats(4, 4), draw.floats(6), draw.floats(4, 4)]
