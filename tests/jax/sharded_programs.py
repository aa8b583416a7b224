"""Programs over eight devices against one device and against XLA:CPU's eight.

Each program is a small function of a family, with sizes and shardings of its arguments drawn from a seed. What it gives must be what
one device gives, up to rounding, and lie as XLA:CPU's partitioner lays it.

    python sharded_programs.py --seeds 0:400          # prints what differs, and a line with counts
    python sharded_programs.py --family gather --seeds 7:8 -v
"""

import argparse
import collections
import os
import sys
import traceback

os.environ["JAX_PLATFORMS"] = "millrace,cpu"
os.environ["MILLRACE_NUM_DEVICES"] = "8"
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

FAMILIES = {}
MESHES = [((4, 2), "xy"), ((2, 4), "xy"), ((8,), "x"), ((2, 2, 2), "xyz")]


def family(f):
    FAMILIES[f.__name__] = f
    return f


class Draw:
    """Random choices of one program; its arguments and their shardings."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.sizes, self.names = MESHES[self.rng.integers(len(MESHES))]
        self.arguments, self.specs = [], []

    def pick(self, *options):
        return options[self.rng.integers(len(options))]

    def spec(self, shape):
        """Axes for dimensions that they divide."""
        free, out = list(self.names), []
        for size in shape:
            axes, left = [], size
            while free and self.rng.random() < 0.5:
                name = free[self.rng.integers(len(free))]
                count = self.sizes[self.names.index(name)]
                if left % count or left == 0:
                    break
                axes.append(name)
                free.remove(name)
                left //= count
            out.append(tuple(axes) if len(axes) > 1 else axes[0] if axes else None)
        return P(*out)

    def array(self, *shape, dtype=np.float32, low=None, high=None, free=0.15):
        if np.issubdtype(dtype, np.integer):
            value = self.rng.integers(-9 if low is None else low, 9 if high is None else high, shape).astype(dtype)
        elif dtype == np.bool_:
            value = self.rng.random(shape) < 0.5
        else:
            value = self.rng.standard_normal(shape).astype(dtype)
        self.arguments.append(value)
        self.specs.append(None if self.rng.random() < free else self.spec(shape))
        return len(self.arguments) - 1

    def shape(self, rank=None, sizes=(1, 2, 4, 6, 8, 16)):
        rank = self.rng.integers(1, 4) if rank is None else rank
        return tuple(int(self.rng.choice(sizes)) for _ in range(rank))

    def axis(self, rank):
        return int(self.rng.integers(rank))

    def constraint(self, shape):
        """A function that constrains a value, perhaps unevenly, when there is a mesh."""
        free = list(self.names)
        out = []
        for _ in shape:
            take = free and self.rng.random() < 0.5
            out.append(free.pop(self.rng.integers(len(free))) if take else self.pick(None, P.UNCONSTRAINED))
        spec = P(*out)
        return lambda x, mesh: x if mesh is None else jax.lax.with_sharding_constraint(x, NamedSharding(mesh, spec))


# ---- Families: each draws arguments and gives f(mesh, *arguments) ----------------------------------------------------------


@family
def elementwise(d):
    shape = d.shape()
    for _ in range(3):
        d.array(*shape)
    c = d.constraint(shape)
    return lambda mesh, a, b, e: (c(jnp.sin(a) * b, mesh) + jnp.where(e > 0, e, a), jnp.maximum(a, b) > e)


@family
def broadcasts(d):
    n, m = d.pick(4, 8, 6), d.pick(8, 16, 2)
    d.array(n, 1), d.array(1, m), d.array(m), d.array()
    return lambda mesh, a, b, c, s: (a * b + c * s, jnp.broadcast_to(c, (3, n, m)) + a)


@family
def reductions(d):
    shape = d.shape(d.pick(1, 2, 3))
    d.array(*shape)
    axis = d.axis(len(shape))
    kind = d.pick(jnp.sum, jnp.max, jnp.min, jnp.mean, jnp.prod, jnp.var, jnp.any, jnp.argmax, jnp.argmin, jnp.linalg.norm)
    c = d.constraint(shape)
    return lambda mesh, a: (kind(c(a, mesh), axis=axis), jnp.sum(a))


@family
def integer_reductions(d):
    shape = d.shape(2)
    d.array(*shape, dtype=d.pick(np.int32, np.uint8, np.int64))
    axis = d.axis(2)
    kind = d.pick(jnp.sum, jnp.max, jnp.bitwise_xor.reduce, jnp.bitwise_and.reduce, jnp.argmax)
    return lambda mesh, a: kind(a, axis=axis)


@family
def products(d):
    b, m, k, n = d.pick(1, 4, 8), d.pick(4, 8, 6), d.pick(8, 16, 4), d.pick(8, 2, 16)
    form = d.pick("mk,kn->mn", "bmk,bkn->bmn", "mk,nk->nm", "bmk,kn->bmn", "km,kn->mn", "bm,bn->mn", "bk,bk->b", "mk,k->m")
    letters = dict(b=b, m=m, k=k, n=n)
    left, right = form.split("->")[0].split(",")
    d.array(*[letters[x] for x in left])
    d.array(*[letters[x] for x in right])
    return lambda mesh, x, y: jnp.einsum(form, x, y)


@family
def layers(d):
    batch, width, hidden = 8, d.pick(8, 16), d.pick(16, 32)
    d.array(batch, width), d.array(width, hidden), d.array(hidden, width), d.array(width)
    c = d.constraint((batch, hidden))

    def loss(x, w, v, b, mesh):
        h = c(jax.nn.gelu(x @ w), mesh)
        y = h @ v + b
        return jnp.mean((jax.nn.log_softmax(y) * x) ** 2)

    return lambda mesh, x, w, v, b: jax.value_and_grad(loss, argnums=(1, 2, 3))(x, w, v, b, mesh)


@family
def attention(d):
    b, t, h, e = d.pick(2, 4), 8, d.pick(2, 4), 4
    d.array(b, t, h, e), d.array(b, t, h, e), d.array(b, t, h, e)

    def f(mesh, q, k, v):
        s = jnp.einsum("bthe,bshe->bhts", q, k)
        s = jnp.where(jnp.tril(jnp.ones((t, t), bool)), s, -1e9)
        return jnp.einsum("bhts,bshe->bthe", jax.nn.softmax(s), v)

    return f


@family
def moves(d):
    shape = d.shape(3, (2, 4, 8))
    d.array(*shape)
    order = tuple(int(i) for i in d.rng.permutation(3))
    target = d.pick((-1,), (shape[0], -1), (-1, shape[2]), (shape[0] * shape[1], -1), (2, -1))
    return lambda mesh, a: (jnp.transpose(a, order), jnp.reshape(a, target))


@family
def slices(d):
    n, m = d.pick(8, 16, 12), d.pick(8, 4)
    d.array(n, m)
    start, stride = int(d.rng.integers(0, 4)), d.pick(1, 1, 2, 3)
    c = d.constraint((n, m))
    return lambda mesh, a: (jnp.sin(c(a, mesh)[start:n - 1:stride]), a[:, 1:] - a[:, :-1], a[n // 2])


@family
def pads(d):
    n, m = d.pick(8, 16), d.pick(8, 4)
    d.array(n, m), d.array()
    config = [(int(d.rng.integers(-1, 3)), int(d.rng.integers(-1, 3)), d.pick(0, 0, 1)) for _ in range(2)]
    return lambda mesh, a, v: jax.lax.pad(a, v, config)


@family
def joins(d):
    n, m = d.pick(8, 4), d.pick(8, 16)
    d.array(n, m), d.array(n, m), d.array(2, m)
    return lambda mesh, a, b, c: (jnp.concatenate([a, c, b]), jnp.concatenate([a, b], 1), jnp.stack([a, b]),
                                  jnp.roll(a, 3, 1))


@family
def reverses(d):
    shape = d.shape(2, (8, 16, 6))
    d.array(*shape)
    return lambda mesh, a: (jnp.flip(a, 0), jnp.flip(a), jnp.tril(a), jnp.diag(jnp.sum(a, 1)))


@family
def gathers(d):
    n, m, k = d.pick(16, 8, 12), d.pick(4, 8), d.pick(8, 6)
    d.array(n, m)
    d.array(k, dtype=d.pick(np.int32, np.int64, np.uint32), low=0, high=n + 2)
    d.array(k, m, dtype=np.int32, low=0, high=n)
    mode = d.pick("clip", "fill", None)
    return lambda mesh, a, i, j: (jnp.take(a, i, axis=0, mode=mode), jnp.take_along_axis(a, j, axis=0), a[j[:, 0], j[:, 0] % m])


@family
def embeddings(d):
    v, e, b, t = d.pick(16, 32), 8, d.pick(4, 8), 8
    d.array(v, e), d.array(b, t, dtype=np.int32, low=0, high=v)

    def f(mesh, table, ids):
        return jax.value_and_grad(lambda w: jnp.sum(jnp.tanh(w[ids]) ** 2))(table)

    return f


@family
def scatters(d):
    n, m, k = d.pick(16, 8), d.pick(4, 8), d.pick(8, 4)
    d.array(n, m), d.array(k, dtype=np.int32, low=-2, high=n + 2), d.array(k, m)
    kind = d.pick("add", "max", "multiply", "min")
    return lambda mesh, a, i, u: (getattr(a.at[i], kind)(u), jnp.zeros_like(a).at[i].add(u),
                                  a.at[jnp.arange(k)].set(u), a.at[i, 1].add(u[:, 0]))


@family
def sorts(d):
    n, m = d.pick(8, 16, 6), d.pick(8, 4)
    d.array(n, m)
    axis = d.axis(2)
    return lambda mesh, a: (jnp.sort(a, axis=axis), jnp.argsort(a, axis=axis), jax.lax.top_k(a, 3))


@family
def sums_so_far(d):
    n, m = d.pick(8, 16), d.pick(8, 4)
    d.array(n, m)
    axis = d.axis(2)
    return lambda mesh, a: (jnp.cumsum(a, axis=axis), jax.lax.cummax(a, axis=axis), jnp.cumprod(a, axis=axis))


@family
def convolutions(d):
    n, h, w, ci, co = d.pick(2, 4, 8), d.pick(8, 16), 8, d.pick(4, 8), d.pick(8, 4)
    groups = d.pick(1, 1, 2)
    d.array(n, h, w, ci), d.array(d.pick(1, 3, 2), 3, ci // groups, co)
    stride, padding = d.pick((1, 1), (2, 1), (2, 2)), d.pick("SAME", "VALID", [(1, 2), (0, 1)])
    dilation = d.pick((1, 1), (1, 1), (2, 1))

    def f(mesh, x, k):
        return jax.lax.conv_general_dilated(x, k, stride, padding, rhs_dilation=dilation, feature_group_count=groups,
                                            dimension_numbers=("NHWC", "HWIO", "NHWC"))

    return f


@family
def convolution_gradients(d):
    n, h, ci, co = d.pick(4, 8), 8, 4, 8
    d.array(n, h, h, ci), d.array(3, 3, ci, co)
    stride = d.pick((1, 1), (2, 2))

    def loss(x, k):
        y = jax.lax.conv_general_dilated(x, k, stride, "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return jnp.sum(jnp.tanh(y))

    return lambda mesh, x, k: jax.grad(loss, (0, 1))(x, k)


@family
def pools(d):
    n, h, c = d.pick(2, 4), d.pick(8, 16), d.pick(4, 8)
    d.array(n, h, h, c)
    window, stride, padding = d.pick(2, 3), d.pick(1, 2), d.pick("SAME", "VALID")

    def pool(x, op, init):
        return jax.lax.reduce_window(x, init, op, (1, window, window, 1), (1, stride, stride, 1), padding)

    return lambda mesh, x: (pool(x, jax.lax.max, -jnp.inf), pool(x, jax.lax.add, 0.0),
                            jax.grad(lambda x: jnp.sum(pool(x, jax.lax.max, -jnp.inf) ** 2))(x))


@family
def transforms(d):
    n, m = d.pick(8, 4), d.pick(8, 16)
    d.array(n, m)
    kind = d.pick(jnp.fft.fft, jnp.fft.rfft, jnp.fft.fft2)
    return lambda mesh, a: kind(a)


@family
def linear_algebra(d):
    b, n = d.pick(1, 8, 4), d.pick(4, 8)
    d.array(b, n, n), d.array(b, n, 2)

    def f(mesh, a, y):
        spd = a @ jnp.swapaxes(a, 1, 2) + 4 * n * jnp.eye(n, dtype=a.dtype)
        return jnp.linalg.cholesky(spd), jnp.linalg.solve(spd, y), jnp.linalg.eigvalsh(spd), jnp.abs(jnp.linalg.qr(a)[1])

    return f


@family
def loops(d):
    n, m = d.pick(8, 4), d.pick(8, 16)
    d.array(n, m), d.array(m, m), d.array(5, n, m)
    c = d.constraint((n, m))

    def f(mesh, x, w, s):
        carry, ys = jax.lax.scan(lambda h, t: (c(jnp.tanh(h @ w / m + t), mesh), h.sum(0)), x, s)
        count = jax.lax.while_loop(lambda v: jnp.sum(v[1] ** 2) > 1.0, lambda v: (v[0] + 1, v[1] * 0.5), (0, x))
        return carry, ys, count, jax.lax.cond(x[0, 0] > 0, lambda v: v * 2, lambda v: v.T.reshape(v.shape), x)

    return f


@family
def random_numbers(d):
    shape = d.shape(2, (8, 16, 4))
    d.array(*shape)
    c = d.constraint(shape)
    return lambda mesh, a: (c(jax.random.normal(jax.random.key(3), shape), mesh) + a, jax.random.permutation(jax.random.key(1), 16))


@family
def made_from_nothing(d):
    n, m = d.pick(8, 16, 6), d.pick(8, 4)
    d.array(n, m)
    c, e = d.constraint((n, m)), d.constraint((n, m))
    return lambda mesh, a: (c(jnp.arange(n * m).reshape(n, m), mesh) * a, e(jnp.eye(n, m), mesh) + a,
                            jax.nn.one_hot(jnp.arange(n), m), jnp.full((n, m), 2.5))


@family
def dynamic_places(d):
    n, m = d.pick(8, 16), d.pick(8, 4)
    d.array(n, m), d.array(dtype=np.int32, low=-1, high=9), d.array(3, m)
    return lambda mesh, a, i, u: (jax.lax.dynamic_slice(a, (i, i * 0), (4, m)),
                                  jax.lax.dynamic_update_slice(a, u, (i, i * 0)),
                                  jax.lax.dynamic_index_in_dim(a, i, 1))


@family
def narrow_types(d):
    n, m = d.pick(8, 16), d.pick(8, 4)
    d.array(n, m), d.array(m, n)

    def f(mesh, a, b):
        a, b = a.astype(jnp.bfloat16), b.astype(jnp.bfloat16)
        return a @ b, jnp.sum(a, 1).astype(jnp.float32), (a > 0).sum(0), a.astype(jnp.int8) + 1

    return f


@family
def uneven(d):
    n, m = d.pick(5, 6, 7, 9), d.pick(8, 3)
    d.array(n, m), d.array(m, 6)
    c, e = d.constraint((n, m)), d.constraint((n, 6))

    def f(mesh, a, b):
        h = c(a * 2, mesh)
        return (jnp.sum(h, 0), jnp.max(h), jnp.argmin(h, 0), jnp.sort(h, 0), e(h @ b, mesh), jnp.cumsum(h, 0), h[::-1],
                jnp.mean(h, 1), jnp.concatenate([h, h]), jax.nn.softmax(h, 0))

    return f


@family
def by_hand(d):
    """shard_map with collectives over a part of the axes or all."""
    n, m = 16, d.pick(8, 16)
    d.array(n, m, free=0)
    names = d.names
    some = names[: d.rng.integers(1, len(names) + 1)]
    size = int(np.prod([d.sizes[names.index(a)] for a in some]))
    axes = tuple(some) if len(some) > 1 else some

    def body(x):
        total = jax.lax.psum(x, axes)
        everyone = jax.lax.all_gather(x, axes, tiled=True)
        mine = jax.lax.psum_scatter(everyone, axes, tiled=True)
        turned = jax.lax.ppermute(x, axes, [(i, (i + 1) % size) for i in range(size)])
        swapped = jax.lax.all_to_all(x, axes, 1, 0, tiled=True) if m % size == 0 else x
        return total + jax.lax.pmax(x, axes), mine + turned, jnp.sum(swapped) + jax.lax.axis_index(axes)[None].astype(x.dtype)

    def f(mesh, a):
        if mesh is None:
            return None
        return jax.shard_map(body, mesh=mesh, in_specs=P(axes), out_specs=(P(), P(axes), P(axes)),
                             axis_names=set(some), check_vma=False)(a * 2)

    return f


# ---- Running ------------------------------------------------------------------------------------------------------------------


def run(function, d, platform):
    devices = np.array(jax.devices(platform)[: int(np.prod(d.sizes))]).reshape(d.sizes)
    mesh = Mesh(devices, tuple(d.names))
    values = [
        a if s is None else jax.device_put(a, NamedSharding(mesh, s)) for a, s in zip(d.arguments, d.specs)
    ]
    if all(s is None for s in d.specs):
        values[0] = jax.device_put(d.arguments[0], NamedSharding(mesh, P()))
    return jax.jit(lambda *v: function(mesh, *v))(*values)


def close(got, wanted):
    got, wanted = np.asarray(got), np.asarray(wanted)
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return f"{got.dtype}{got.shape}, wanted {wanted.dtype}{wanted.shape}"
    if got.dtype.kind not in "fcV":
        return None if np.array_equal(got, wanted) else f"{np.sum(got != wanted)} of {got.size} differ"
    eps = float(jnp.finfo(got.dtype).eps)
    got, wanted = got.astype(np.complex128), wanted.astype(np.complex128)
    scale = np.max(np.abs(wanted[np.isfinite(wanted)]), initial=1e-30)
    if np.allclose(got, wanted, rtol=200 * eps, atol=200 * eps * scale, equal_nan=True):
        return None
    return f"off by {np.nanmax(np.abs(got - wanted)):.3g} of {scale:.3g}"


def sharding_text(x):
    s = x.sharding
    return str(s.spec) if isinstance(s, NamedSharding) else str(s)


def same_sharding(a, b):
    """Over other devices, of the same logical numbers."""
    mine = {d.id: i for d, i in a.sharding.devices_indices_map(a.shape).items()}
    theirs = {d.id: i for d, i in b.sharding.devices_indices_map(b.shape).items()}
    return mine == theirs


def check(name, seed, tally, verbose):
    d = Draw([seed, sum(map(ord, name))])
    function = FAMILIES[name](d)
    what = f"{name} {seed}: mesh {d.sizes}, " + ", ".join(f"{a.dtype}{list(a.shape)} {s}" for a, s in zip(d.arguments, d.specs))
    try:
        theirs = run(function, d, "cpu")
    except Exception as error:
        theirs, refused = None, str(error).splitlines()[0][:100]
    try:
        ours = jax.tree.leaves(run(function, d, "millrace"))
        [np.asarray(x) for x in ours]
    except Exception as error:
        tally["failed"] += 1
        print(f"FAILED {what}\n    {str(error).splitlines()[0][:300]}", flush=True)
        if verbose:
            traceback.print_exc()
        return
    with jax.default_device(jax.devices("cpu")[0]):
        one = jax.jit(lambda *v: function(None, *v))(*d.arguments)
    wanted = jax.tree.leaves(theirs if one is None else one)
    wrong = [f"result {i} {w}" for i, w in enumerate(map(close, ours, wanted)) if w]
    if wrong:
        tally["wrong"] += 1
        print(f"WRONG {what}\n    " + "; ".join(wrong), flush=True)
    else:
        tally["right"] += 1
    if theirs is None:
        tally["refused by XLA:CPU"] += 1
        if verbose:
            print(f"refused by XLA:CPU {what}\n    {refused}")
        return
    other = [f"result {i} {sharding_text(a)}, XLA:CPU {sharding_text(b)}"
             for i, (a, b) in enumerate(zip(ours, jax.tree.leaves(theirs))) if not same_sharding(a, b)]
    tally["shardings"] += len(ours)
    tally["other shardings"] += len(other)
    if other:
        print(f"OTHER {what}\n    " + "; ".join(other), flush=True)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", default="0:100", help="from:to")
    parser.add_argument("--family", action="append", help="only these")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args(arguments)
    jax.config.update("jax_enable_x64", True)
    names = options.family or sorted(FAMILIES)
    tally = collections.Counter()
    first, last = map(int, options.seeds.split(":"))
    for seed in range(first, last):
        check(names[seed % len(names)], seed // len(names), tally, options.verbose)
    print(", ".join(f"{count} {what}" for what, count in sorted(tally.items())))
    return 1 if tally["wrong"] or tally["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
