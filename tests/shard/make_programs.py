"""Makes programs over 4 x 2 devices with what XLA:CPU says of their parameters' and results' shardings.

Of one kind: tests/shard/programs/ has some, which test_boundary.c reads. The first lines say what is wanted, one for each parameter
and each result, as Shardy writes the dimensions of a sharding; a line of `?` is not compared (XLA:CPU's answer is no list of axes).

usage: python tests/shard/make_programs.py FOLDER [--random COUNT] [--seed N] [--named] [--larger]
"""

import argparse
import functools
import os
import pathlib
import random

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental.shard_alike import shard_alike
from jax.sharding import NamedSharding, PartitionSpec as P

MESH = jax.make_mesh((4, 2), ("x", "y"), devices=jax.devices()[:8], axis_types=(jax.sharding.AxisType.Auto,) * 2)


def named(*spec, **more):
    return NamedSharding(MESH, P(*spec, **more))


# ---- What is written ------------------------------------------------------------------------------------------------------


def dims_of(sharding, rank):
    """[{"x"}, {}] of a sharding, ? when it is none of axes."""
    if not isinstance(sharding, NamedSharding):
        if sharding.is_fully_replicated:
            return "[" + ", ".join(["{}"] * rank) + "]"
        return "?"
    dims = []
    for i in range(rank):
        axes = sharding.spec[i] if i < len(sharding.spec) else None
        axes = () if axes is None else (axes,) if isinstance(axes, str) else axes
        dims.append("{" + ", ".join(f'"{a}"' for a in axes) + "}")
    return "[" + ", ".join(dims) + "]"


def write(folder, name, function, arguments, **options):
    """arguments: (shape, dtype, spec or None). False when XLA:CPU does not take the program."""
    shapes, shardings = [], []
    for shape, dtype, spec in arguments:
        sharding = None if spec is None else NamedSharding(MESH, spec)
        shapes.append(jax.ShapeDtypeStruct(shape, dtype, sharding=sharding))
        shardings.append(sharding)
    try:
        lowered = jax.jit(function, keep_unused=True, **options).lower(*shapes)
        compiled = lowered.compile()
        taken = jax.tree.leaves(compiled.input_shardings[0])
        given = jax.tree.leaves(compiled.output_shardings)
        outs = jax.tree.leaves(lowered.out_info)
    except Exception as error:
        print(f"{name}: {str(error).splitlines()[0][:150]}")
        return False
    lines = [f"// parameter {dims_of(s, len(a[0]))}" for s, a in zip(taken, arguments)]
    lines += [f"// result {dims_of(s, len(o.shape))}" for s, o in zip(given, outs)]
    text = lowered.as_text()
    if "num_partitions = 8" not in text:
        return False
    (folder / f"{name}.mlir").write_text("\n".join(lines) + "\n" + text)
    return True


# ---- Random programs ------------------------------------------------------------------------------------------------------

SIZES = [4, 8, 16, 8, 16, 12, 32]
SPECS2 = [P(), P("x"), P("y"), P(None, "x"), P(None, "y"), P("x", "y"), P("y", "x"), P(("x", "y")), P(None, ("x", "y"))]


def fits(shape, spec):
    sizes = {"x": 4, "y": 2}
    for size, axes in zip(shape, tuple(spec) + (None,) * len(shape)):
        for axis in () if axes is None or axes is P.UNCONSTRAINED else (axes,) if isinstance(axes, str) else axes:
            if size % sizes[axis]:
                return False
            size //= sizes[axis]
    return len(spec) <= len(shape)


def random_spec(rng, shape):
    for _ in range(20):
        axes = rng.sample(["x", "y", ("x", "y"), ("y", "x")], 1)[0] if rng.random() < 0.15 else None
        if axes:
            spec = [None] * len(shape)
            if shape:
                spec[rng.randrange(len(shape))] = axes
        else:
            spec = [None] * len(shape)
            for axis in ("x", "y"):
                if shape and rng.random() < 0.6:
                    at = rng.randrange(len(shape))
                    if spec[at] is None:
                        spec[at] = axis
        if fits(shape, P(*spec)):
            return P(*spec)
    return P()


def op_elementwise(rng, values):
    a = rng.choice(values)
    same = [v for v in values if v.shape == a.shape]
    b = rng.choice(same)
    return rng.choice([lambda: a + b, lambda: a * b, lambda: jnp.maximum(a, b), lambda: jnp.tanh(a), lambda: a * 2 + 1,
                       lambda: jnp.where(a > b, a, b)])()


def op_matmul(rng, values):
    a = rng.choice([v for v in values if v.ndim >= 1])
    candidates = [(b, i, j) for b in values for i in range(a.ndim) for j in range(b.ndim) if a.shape[i] == b.shape[j]]
    b, i, j = rng.choice(candidates)
    if a.ndim + b.ndim - 2 > 3 or a.size * b.size > 1 << 22:
        return a
    return lax.dot_general(a, b, (((i,), (j,)), ((), ())))


def op_reshape(rng, values):
    a = rng.choice(values)
    n = a.size
    for _ in range(10):
        shape, rest = [], n
        while rest > 1 and len(shape) < 3:
            part = rng.choice([d for d in (2, 4, 8, 16, 3, 6, 12, rest) if rest % d == 0])
            shape.append(part)
            rest //= part
        if rest == 1:
            return a.reshape(shape)
    return a


def op_transpose(rng, values):
    a = rng.choice(values)
    order = list(range(a.ndim))
    rng.shuffle(order)
    return jnp.transpose(a, order)


def op_reduce(rng, values):
    a = rng.choice([v for v in values if v.ndim])
    return rng.choice([jnp.sum, jnp.max])(a, axis=rng.randrange(a.ndim), keepdims=rng.random() < 0.3)


def op_broadcast(rng, values):
    a = rng.choice(values)
    if a.ndim > 2:
        return a
    at = rng.randrange(a.ndim + 1)
    shape = list(a.shape)
    shape.insert(at, rng.choice([4, 8]))
    return lax.broadcast_in_dim(a, shape, [i for i in range(len(shape)) if i != at])


def op_slice(rng, values):
    a = rng.choice([v for v in values if v.ndim])
    i = rng.randrange(a.ndim)
    start = rng.randrange(max(1, a.shape[i] // 2))
    return lax.slice_in_dim(a, start, max(start + 1, a.shape[i] - rng.randrange(max(1, a.shape[i] // 2))), axis=i)


def op_pad(rng, values):
    a = rng.choice([v for v in values if v.ndim])
    i = rng.randrange(a.ndim)
    widths = [(0, 0, 0)] * a.ndim
    widths[i] = (rng.randrange(4), rng.randrange(5), 0)
    return lax.pad(a, jnp.array(0, a.dtype), widths)


def op_concatenate(rng, values):
    a = rng.choice([v for v in values if v.ndim])
    i = rng.randrange(a.ndim)
    same = [v for v in values if v.ndim == a.ndim and all(k == i or v.shape[k] == a.shape[k] for k in range(a.ndim))]
    return jnp.concatenate([a, rng.choice(same)], axis=i)


def op_sort(rng, values):
    a = rng.choice([v for v in values if v.ndim])
    return jnp.sort(a, axis=rng.randrange(a.ndim))


def op_reverse(rng, values):
    a = rng.choice([v for v in values if v.ndim])
    return jnp.flip(a, axis=rng.randrange(a.ndim))


def op_gather(rng, values):
    a = rng.choice([v for v in values if v.ndim])
    b = rng.choice([v for v in values if v.ndim <= 2])
    if a.ndim + b.ndim > 4 or a.size * b.size > 1 << 22:
        return a
    return jnp.take(a, b.astype(jnp.int32) % a.shape[0], axis=0)


def op_softmax(rng, values):
    a = rng.choice([v for v in values if v.ndim])
    return jax.nn.softmax(a, axis=-1)


def op_constraint(rng, values):
    a = rng.choice([v for v in values if v.ndim])
    spec = list(random_spec(rng, a.shape))
    spec += [None] * (a.ndim - len(spec))
    if rng.random() < 0.3:
        spec[rng.randrange(a.ndim)] = P.UNCONSTRAINED
    return lax.with_sharding_constraint(a, NamedSharding(MESH, P(*spec)))


def op_constant(rng, values):
    a = rng.choice(values)
    return a + rng.choice([lambda: jnp.ones(a.shape), lambda: jnp.arange(a.size, dtype=a.dtype).reshape(a.shape),
                           lambda: jnp.full(a.shape, 3.0), lambda: np.linspace(0, 1, a.size, dtype=np.float32).reshape(a.shape)])()


def op_scan(rng, values):
    a = rng.choice([v for v in values if v.ndim >= 2])
    carry, ys = lax.scan(lambda c, x: (jnp.tanh(c + x), c * x), jnp.zeros(a.shape[1:], a.dtype), a)
    return rng.choice([carry, ys])


def op_loop(rng, values):
    a = rng.choice(values)
    b = rng.choice([v for v in values if v.shape == a.shape])
    return lax.fori_loop(0, 3, lambda i, c: (c[0] + c[1], c[1]), (a, b))[0]


def op_cond(rng, values):
    a = rng.choice(values)
    b = rng.choice([v for v in values if v.shape == a.shape])
    return lax.cond(values[0].ravel()[0] > 0, lambda p, q: p + q, lambda p, q: q, a, b)


OPS = [op_elementwise] * 4 + [op_matmul] * 4 + [op_reshape] * 2 + [op_transpose] * 2 + [op_reduce] * 2 + [op_broadcast] * 2
OPS += [op_slice, op_pad, op_concatenate, op_sort, op_reverse, op_gather, op_softmax, op_constraint, op_constraint, op_constant,
        op_scan, op_loop, op_cond]


def random_program(rng):
    sizes = rng.sample(SIZES, 3)
    arguments = []
    for _ in range(rng.randrange(1, 4)):
        shape = tuple(rng.choice(sizes) for _ in range(rng.randrange(1, 4)))
        arguments.append((shape, np.float32, random_spec(rng, shape) if rng.random() < 0.75 else None))
    if all(a[2] is None or not any(a[2]) for a in arguments):
        arguments[0] = (arguments[0][0], np.float32, P("x") if arguments[0][0][0] % 4 == 0 else P())
    steps, seed = rng.randrange(1, 14), rng.random()

    def function(*values):
        values = list(values)
        inner = random.Random(seed)
        for _ in range(steps):
            for _ in range(5):
                try:
                    made = inner.choice(OPS)(inner, values)
                except (IndexError, TypeError, ValueError):
                    continue
                if made.size and made.size < 1 << 16 and not any(made is v for v in values):
                    values.append(made)
                    break
        return tuple(values[-inner.randrange(1, 3):]), values[-1] * 1

    options = {}
    if rng.random() < 0.25:
        outs = jax.eval_shape(function, *[jax.ShapeDtypeStruct(a[0], a[1]) for a in arguments])
        options["out_shardings"] = jax.tree.map(
            lambda o: NamedSharding(MESH, random_spec(rng, o.shape)) if rng.random() < 0.5 else None, outs)
    return function, arguments, options


# ---- Programs by name -----------------------------------------------------------------------------------------------------


def f(*shape):
    return shape, np.float32


def mlp(x, w1, w2):
    return jax.nn.relu(x @ w1) @ w2


def attention(x, q, k, v):
    heads = [jnp.einsum("btd,dhk->bhtk", x, w) for w in (q, k, v)]
    scores = jax.nn.softmax(jnp.einsum("bhtk,bhsk->bhts", heads[0], heads[1]) / 4.0, axis=-1)
    return jnp.einsum("bhts,bhsk->bthk", scores, heads[2])


def loss(x, w1, w2):
    return (mlp(x, w1, w2) ** 2).sum()


def shard_mapped(body, in_specs, out_specs, axes=("x", "y")):
    return jax.shard_map(body, mesh=MESH, in_specs=in_specs, out_specs=out_specs, axis_names=set(axes), check_vma=False)


def named_programs():
    pairs = [P(), P("x"), P("y"), P(None, "x"), P(None, "y"), P("x", "y"), P("y", "x"), P(("x", "y")), P(None, ("x", "y"))]
    for i, a in enumerate(pairs):
        for j, b in enumerate(pairs):
            yield f"add_{i}_{j}", lambda p, q: p + q, [(*f(8, 16), a), (*f(8, 16), b)], {}
            yield f"dot_{i}_{j}", lambda p, q: p @ q, [(*f(8, 16), a), (*f(16, 8), b)], {}
    yield "mlp_dp", mlp, [(*f(16, 8), P("x")), (*f(8, 32), None), (*f(32, 8), None)], {}
    yield "mlp_tp", mlp, [(*f(16, 8), P("x")), (*f(8, 32), P(None, "y")), (*f(32, 8), P("y"))], {}
    yield "mlp_free_weights", mlp, [(*f(16, 8), P("x", "y")), (*f(8, 32), None), (*f(32, 8), None)], {"out_shardings": named("x", "y")}
    yield "mlp_gradient", jax.grad(loss, (1, 2)), [(*f(16, 8), P("x")), (*f(8, 32), P(None, "y")), (*f(32, 8), P("y"))], {}
    yield "mlp_gradient_free", jax.grad(loss, (0, 1, 2)), [(*f(16, 8), P("x")), (*f(8, 32), None), (*f(32, 8), None)], {}
    yield "attention", attention, [(*f(8, 16, 32), P("x"))] + [(*f(32, 4, 8), P(None, "y"))] * 3, {}
    yield "attention_gradient", jax.grad(lambda *a: attention(*a).sum(), (0, 1, 2, 3)), [(*f(8, 16, 32), P("x"))] + [(*f(32, 4, 8), P(None, "y"))] * 3, {}
    yield "embedding", lambda e, i: e[i], [(*f(64, 16), P("y")), ((16,), np.int32, P("x"))], {}
    yield "scan_of_rows", lambda a: lax.scan(lambda c, x: (c + x, c * x), jnp.zeros(8), a), [(*f(4, 8), P("x", "y"))], {}
    yield "scan_of_layers", lambda x, w: lax.scan(lambda c, m: (jnp.tanh(c @ m), ()), x, w)[0], [(*f(16, 8), P("x")), (*f(3, 8, 8), P(None, None, "y"))], {}
    yield "branches", lambda i, a, b: lax.switch(i, [lambda p, q: p, lambda p, q: p + q, lambda p, q: q * 2], a, b), [((), np.int32, None), (*f(8, 8), P("x")), (*f(8, 8), P(None, "y"))], {}
    yield "barrier", lambda a, b: lax.optimization_barrier((a * 2, b)), [(*f(8, 8), P("x")), (*f(8, 8), None)], {}
    yield "loop_from_result", lambda a: lax.fori_loop(0, 4, lambda i, c: c * 2, a), [(*f(8, 8), None), ], {"out_shardings": named("x", "y")}
    yield "ones_result", lambda: jnp.ones((8, 8)), [], {"out_shardings": named("x", "y")}
    yield "constants_in_two_places", lambda a, b: (a + jnp.zeros((8, 8)), b + jnp.zeros((8, 8))), [(*f(8, 8), P("x")), (*f(8, 8), P(None, "y"))], {}
    yield "constraint_chain", lambda a: lax.with_sharding_constraint(lax.with_sharding_constraint(a * 2, named("x")), named(None, "y")) + 1, [(*f(8, 8), None)], {}
    yield "constraint_unconstrained", lambda a: lax.with_sharding_constraint(a * 2, named(P.UNCONSTRAINED, "y")), [(*f(8, 8), P("x"))], {}
    yield "constraint_two_users", lambda a: (lax.with_sharding_constraint(a * 2, named("x")), lax.with_sharding_constraint(a * 2, named(None, "x"))), [(*f(8, 8), None)], {}
    yield "constraint_behind_loop", lambda a: lax.with_sharding_constraint(lax.fori_loop(0, 4, lambda i, c: c * 2, a), named("x")) * 2, [(*f(8, 8), None)], {}
    yield "unused_constraint", lambda a: (lax.with_sharding_constraint(a, named(None, "y")), a + 1)[1], [(*f(8, 8), P("x"))], {}
    yield "manual_all", shard_mapped(lambda a: lax.psum(a, "x"), P("x", "y"), P(None, "y")), [(*f(8, 8), None)], {}
    yield "manual_partial", shard_mapped(lambda a: a * 2, P("x"), P("x"), "x"), [(*f(8, 8), P("x", "y"))], {}
    yield "manual_partial_free", shard_mapped(lambda a: jnp.tanh(a) + 1, P("x"), P("x"), "x"), [(*f(8, 8), None)], {}
    yield "manual_partial_out", shard_mapped(lambda a, b: a @ b, (P("x"), P()), P("x"), "x"), [(*f(8, 16), None), (*f(16, 8), P(None, "y"))], {}
    yield "manual_partial_constraint", shard_mapped(lambda a: lax.with_sharding_constraint(a * 2, P(None, "y")), P("x"), P("x"), "x"), [(*f(8, 8), None)], {}
    yield "manual_nested", shard_mapped(lambda a: jax.shard_map(lambda b: b + lax.axis_index("y"), in_specs=P(None, "y"), out_specs=P(None, "y"), axis_names={"y"})(a * 2), P("x"), P("x"), "x"), [(*f(8, 8), None)], {}
    yield "manual_index", shard_mapped(lambda: lax.axis_index("x")[None], (), P("x"), "x"), [], {}
    yield "alike", lambda a, b: shard_alike(a * 2, b * 3), [(*f(8, 8), P("x")), (*f(8, 8), None)], {}
    yield "random_bits", lambda k: jax.random.normal(jax.random.wrap_key_data(k), (16, 8)), [((2,), np.uint32, None)], {"out_shardings": named("x", "y")}
    for name, op in [("sort", lambda a: jnp.sort(a, 0)), ("argmax", lambda a: jnp.argmax(a, 0)), ("top_k", lambda a: lax.top_k(a, 3)), ("cumsum", lambda a: jnp.cumsum(a, 0)), ("roll", lambda a: jnp.roll(a, 1, 0)), ("split", lambda a: jnp.split(a, 2)), ("one_hot", lambda a: jax.nn.one_hot(a[:, 0].astype(int), 8)), ("fft", lambda a: jnp.fft.fft(a)), ("cholesky", lambda a: jnp.linalg.cholesky(a @ a.T)), ("outer", lambda a: a[:, None, 0] * a[None, :, 0]), ("self", lambda a: a @ a), ("selft", lambda a: a @ a.T), ("take_along", lambda a: jnp.take_along_axis(a, (a > 0).astype(int), 0)), ("at_set", lambda a: a.at[1].set(0.0)), ("at_add", lambda a: a.at[a[:, 0].astype(int)].add(1.0)), ("dynamic", lambda a: lax.dynamic_slice(a, (a[0, 0].astype(int), 0), (4, 8))), ("var", lambda a: a.var(0)), ("erf", lambda a: jax.scipy.special.erf(a)), ("logsumexp", lambda a: jax.scipy.special.logsumexp(a, 1)), ("stack", lambda a: jnp.stack([a, a * 2])), ("ravel", lambda a: a.ravel()), ("reshape", lambda a: a.reshape(4, 16)), ("vmap_dot", lambda a: jax.vmap(lambda r: r * r.sum())(a)), ("tile", lambda a: jnp.tile(a, (2, 1))), ("eye", lambda a: a + jnp.eye(8)), ("tril", lambda a: jnp.tril(a)), ("pad", lambda a: jnp.pad(a, 2))]:
        for i, spec in enumerate([P("x"), P(None, "y"), P("x", "y"), P(("x", "y"))]):
            yield f"{name}_{i}", op, [(*f(8, 8), spec)], {}


def block(x, w):
    """A transformer's block."""
    mean = x.mean(-1, keepdims=True)
    y = (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * w["scale"] + w["bias"]
    x = x + jnp.einsum("bthk,hkd->btd", attention(y, w["q"], w["k"], w["v"]), w["o"])
    return x + jax.nn.gelu(x @ w["up"]) @ w["down"]


def adam(w, m, v, g):
    m = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, m, g)
    v = jax.tree.map(lambda a, b: 0.99 * a + 0.01 * b * b, v, g)
    return jax.tree.map(lambda p, a, b: p - 0.01 * a / (jnp.sqrt(b) + 1e-8), w, m, v), m, v


WEIGHTS = {"scale": (32,), "bias": (32,), "q": (32, 4, 8), "k": (32, 4, 8), "v": (32, 4, 8), "o": (4, 8, 32), "up": (32, 64), "down": (64, 32)}
TENSOR_PARALLEL = {"scale": P(), "bias": P(), "q": P(None, "y"), "k": P(None, "y"), "v": P(None, "y"), "o": P("y"), "up": P(None, "y"), "down": P("y")}


def as_weights(flat):
    return dict(zip(WEIGHTS, flat))


def train(x, *flat):
    w, m, v = (as_weights(flat[i * len(WEIGHTS) :]) for i in range(3))
    g = jax.grad(lambda p: (block(x, p) ** 2).mean())(w)
    return adam(w, m, v, g)


def convolutions(x, k1, k2):
    dims = ("NHWC", "HWIO", "NHWC")
    x = jax.nn.relu(lax.conv_general_dilated(x, k1, (1, 1), "SAME", dimension_numbers=dims))
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return lax.conv_general_dilated(x, k2, (2, 2), "SAME", dimension_numbers=dims).mean((1, 2))


def lstm(x, w, u):
    def step(state, part):
        h, c = state
        i, f_, o, g = jnp.split(part @ w + h @ u, 4, axis=-1)
        c = jax.nn.sigmoid(f_) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(c), c), h

    zero = jnp.zeros((x.shape[1], u.shape[0]), x.dtype)
    return lax.scan(step, (zero, zero), x)


def experts(x, gate, w):
    chosen = jax.nn.one_hot(jnp.argmax(x @ gate, -1), gate.shape[1])
    return jnp.einsum("te,td,edf->tf", chosen, x, w)


def larger_programs():
    weights = [(*f(*shape), None) for shape in WEIGHTS.values()]
    cut = [(*f(*WEIGHTS[k]), TENSOR_PARALLEL[k]) for k in WEIGHTS]
    for name, x, w in [("data", P("x"), weights), ("tensor", P(), cut), ("both", P("x"), cut), ("sequence", P(None, "x"), cut), ("fsdp", P(("x", "y")), [(a, b, P("x") if a[0] % 4 == 0 else P()) for a, b, _ in cut])]:
        yield f"block_{name}", lambda x, *w: block(x, as_weights(w)), [(*f(8, 16, 32), x), *w], {}
        yield f"block_{name}_gradient", jax.grad(lambda x, *w: block(x, as_weights(w)).sum(), tuple(range(9))), [(*f(8, 16, 32), x), *w], {}
        yield f"train_{name}", train, [(*f(8, 16, 32), x), *w, *w, *w], {}
        yield f"block_{name}_remat", jax.grad(jax.checkpoint(lambda x, *w: block(x, as_weights(w)).sum())), [(*f(8, 16, 32), x), *w], {}
    for i, (x, k) in enumerate([(P("x"), P()), (P("x"), P(None, None, None, "y")), (P(None, "x"), P()), (P(None, None, None, "y"), P()), (P("x", "y"), P())]):
        arguments = [(*f(8, 16, 16, 4), x), (*f(3, 3, 4, 8), k), (*f(3, 3, 8, 16), k)]
        yield f"convolutions_{i}", convolutions, arguments, {}
        yield f"convolutions_gradient_{i}", jax.grad(lambda *a: convolutions(*a).sum(), (0, 1, 2)), arguments, {}
    for i, (x, w) in enumerate([(P(None, "x"), P()), (P(None, "x"), P(None, "y")), (P("x"), P()), (P(None, None, "y"), P("y"))]):
        arguments = [(*f(4, 8, 16), x), (*f(16, 64), w), (*f(16, 64), w)]
        yield f"lstm_{i}", lstm, arguments, {}
        yield f"lstm_gradient_{i}", jax.grad(lambda *a: lstm(*a)[1].sum(), (0, 1, 2)), arguments, {}
    yield "experts", experts, [(*f(64, 16), P("x")), (*f(16, 8), None), (*f(8, 16, 32), P("y"))], {}
    yield "experts_gradient", jax.grad(lambda *a: experts(*a).sum(), 2), [(*f(64, 16), P("x")), (*f(16, 8), None), (*f(8, 16, 32), P("y"))], {}
    for name, op in [("cholesky", jnp.linalg.cholesky), ("qr", jnp.linalg.qr), ("eigh", jnp.linalg.eigh), ("svd", jnp.linalg.svd), ("solve", lambda a: jnp.linalg.solve(a, a)), ("inv", jnp.linalg.inv), ("triangular", lambda a: lax.linalg.triangular_solve(a, a))]:
        for i, spec in enumerate([P("x"), P(None, "x"), P("y", "x")]):
            yield f"batch_{name}_{i}", op, [(*f(8, 8, 8), spec)], {}
    for i, spec in enumerate([P("x"), P(None, "y"), P("x", "y"), P(None, None, "x")]):
        for name, op in [("segment", lambda a: jax.ops.segment_sum(a, jnp.arange(8) // 2, 4)), ("scatter_rows", lambda a: jnp.zeros((16, 8, 8)).at[jnp.arange(8) * 2].set(a)), ("update", lambda a: lax.dynamic_update_slice(a, a[:2] * 2, (1, 0, 0))), ("window", lambda a: lax.reduce_window(a, 0.0, lax.add, (1, 3, 1), (1, 1, 1), "SAME")), ("clip", lambda a: jnp.clip(a, 0, 1)), ("norm", lambda a: jnp.linalg.norm(a, axis=1)), ("median", lambda a: jnp.median(a, 1)), ("argsort", lambda a: jnp.argsort(a, 1)), ("cumprod", lambda a: jnp.cumprod(a, 1)), ("repeat", lambda a: jnp.repeat(a, 2, 1)), ("diag", lambda a: jnp.diagonal(a, axis1=1, axis2=2)), ("where", lambda a: jnp.where(a > 0, a, 0.0)), ("einsum", lambda a: jnp.einsum("abc,abd->bcd", a, a)), ("bmm", lambda a: a @ a), ("swap", lambda a: jnp.swapaxes(a, 0, 2) + a), ("flat", lambda a: a.reshape(64, 8) @ jnp.ones((8, 8))), ("unflat", lambda a: (a.reshape(64, 8) * 2).reshape(8, 8, 8)), ("take", lambda a: jnp.take(a, jnp.array([1, 3]), axis=1)), ("index", lambda a: a[:, 1]), ("half", lambda a: a[:, ::2]), ("fori", lambda a: lax.fori_loop(0, 3, lambda i, c: c @ a, a)), ("scan_rows", lambda a: lax.map(lambda r: r @ r, a)), ("scan_sum", lambda a: lax.associative_scan(jnp.add, a, axis=1)), ("hessian", lambda a: jax.jvp(jax.grad(lambda b: jnp.sin(b).sum()), (a,), (a,))), ("complex", lambda a: jnp.abs(jnp.fft.rfft(a))), ("bits", lambda a: lax.bitcast_convert_type(a, jnp.uint8)), ("top", lambda a: lax.top_k(a, 2)), ("isin", lambda a: jnp.any(a > 2, axis=2)), ("whole", lambda a: jnp.unravel_index(jnp.argmax(a), a.shape)), ("pool_gradient", jax.grad(lambda a: lax.reduce_window(a, -jnp.inf, lax.max, (1, 2, 2), (1, 2, 2), "VALID").sum())), ("dropout", lambda a: jnp.where(jax.random.bernoulli(jax.random.key(0), 0.5, a.shape), a, 0)), ("normal", lambda a: a + jax.random.normal(jax.random.key(1), a.shape)), ("polynomial", lambda a: jnp.polyval(jnp.arange(3.0), a)), ("interpolated", lambda a: jax.image.resize(a, (8, 16, 8), "linear")), ("trace", lambda a: jnp.trace(a, axis1=1, axis2=2)), ("kron", lambda a: jnp.kron(a[0], a[1])), ("roll_all", lambda a: jnp.roll(a, (1, 2), (0, 1))), ("quantile", lambda a: jnp.quantile(a, 0.5, axis=0)), ("searched", lambda a: jnp.searchsorted(jnp.sort(a.ravel()), a)), ("gelu", lambda a: jax.nn.gelu(a)), ("swish", lambda a: jax.nn.silu(a) * a), ("rms", lambda a: a * lax.rsqrt((a * a).mean(-1, keepdims=True))), ("rope", lambda a: jnp.concatenate([a[..., ::2] * 2, a[..., 1::2]], -1)), ("mask", lambda a: jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((8, 8), bool)), a, -1e9), -1))]:
            yield f"{name}_{i}", op, [(*f(8, 8, 8), spec)], {}
    inner = shard_mapped(lambda a: lax.psum(a @ a.T, "x"), P("x"), P(), "x")
    yield "manual_in_scan", lambda a: lax.scan(lambda c, _: (c + inner(a), ()), jnp.zeros((2, 2)), None, length=3)[0], [(*f(8, 8), None)], {}
    yield "manual_gradient", jax.grad(lambda a, w: shard_mapped(lambda p, q: jnp.tanh(p @ q), (P("x"), P()), P("x"), "x")(a, w).sum(), (0, 1)), [(*f(8, 16), P("x")), (*f(16, 8), P(None, "y"))], {}
    yield "manual_gathered", shard_mapped(lambda a: lax.all_gather(a, "x", tiled=True) * 2, P("x"), P(), "x"), [(*f(8, 8), P("x", "y"))], {}
    yield "manual_scattered", shard_mapped(lambda a: lax.psum_scatter(a, "x", tiled=True), P(), P("x"), "x"), [(*f(8, 8), P(None, "y"))], {}
    yield "manual_turned", shard_mapped(lambda a: lax.ppermute(a, "x", [(i, (i + 1) % 4) for i in range(4)]), P("x"), P("x"), "x"), [(*f(8, 8), P(None, "y"))], {}
    yield "manual_between", lambda a: shard_mapped(lambda b: b * 2, P("x"), P("x"), "x")(a + 1).sum(0), [(*f(8, 8), P("x", "y"))], {}
    yield "manual_twice", lambda a: shard_mapped(lambda b: b + 1, P(None, "y"), P(None, "y"), "y")(shard_mapped(lambda b: b * 2, P("x"), P("x"), "x")(a)), [(*f(8, 8), None)], {}
    yield "manual_loop", shard_mapped(lambda a: lax.fori_loop(0, 3, lambda i, c: jnp.tanh(c @ c.T) @ c, a), P("x"), P("x"), "x"), [(*f(8, 8), P("x", "y"))], {}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--named", action="store_true")
    parser.add_argument("--larger", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, function, arguments, more in named_programs() if options.named else ():
        write(options.folder, name, function, arguments, **more)
    for name, function, arguments, more in larger_programs() if options.larger else ():
        write(options.folder, name, function, arguments, **more)
    for seed in range(options.seed, options.seed + options.random):
        function, arguments, more = random_program(random.Random(seed))
        write(options.folder, f"random_{seed}", function, arguments, **more)


if __name__ == "__main__":
    main()
