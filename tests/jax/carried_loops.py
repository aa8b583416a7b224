"""Loops that carry arrays: forms for tests, each a function of how many rounds it makes over an array of as many rows.

A form gives a function and its arguments.
"""

import jax
import jax.numpy as jnp
from jax import lax

WIDTH = 2048

# ---- What a round changes: rows of `c`, of which it is the round `i` with the row `v` ---------------------------------------

UPDATES = {
    "set": lambda i, v, c: c.at[i].set(v),
    "add": lambda i, v, c: c.at[i].add(v),
    "largest": lambda i, v, c: c.at[i].max(v),
    "two rows": lambda i, v, c: c.at[i].set(v).at[0].add(v),
    "a row that it reads": lambda i, v, c: c.at[i].set(jnp.sin(c[i]) + v),
    "some rows": lambda i, v, c: c.at[(i + jnp.arange(3)) % c.shape[0]].add(v),
    "a mask of one row": lambda i, v, c: jnp.where((jnp.arange(c.shape[0]) == i)[:, None], jnp.sin(c) + v, c),
    "a sum with a mask": lambda i, v, c: c + jnp.where((i == jnp.arange(c.shape[0]))[:, None], v, 0),
    "what moves on": lambda i, v, c: c.at[(i + 1) % c.shape[0]].set(c[i] * v),
}

# ---- How: the update is given `i`, `v` and `c` -------------------------------------------------------------------------------

CONTROLS = {
    "always": lambda f, i, v, c: f(i, v, c),
    "cond": lambda f, i, v, c: lax.cond(i >= 2, lambda c: f(i, v, c), lambda c: c, c),
    "cond by a value": lambda f, i, v, c: lax.cond(v[0] > 0.5, lambda c: c, lambda c: f(i, v, c), c),
    "both branches": lambda f, i, v, c: lax.cond(v[0] > 0.5, lambda c: f(i, v * 2, c), lambda c: f(i, v, c), c),
    "switch": lambda f, i, v, c: lax.switch(i % 3, [lambda c: c, lambda c: f(i, v, c), lambda c: f(0, v, f(i, v, c))], c),
    "where": lambda f, i, v, c: jnp.where(i >= 2, f(i, v, c), c),
    "where of two": lambda f, i, v, c: jnp.where(v[0] > 0.5, f(i, v, c), f(0, v + 1, c)),
    "loop in the loop": lambda f, i, v, c: lax.fori_loop(0, 3, lambda j, c: f((i + j) % c.shape[0], v, c), c),
    "cond in a cond": lambda f, i, v, c: lax.cond(
        i >= 2, lambda c: lax.cond(v[0] > 0.5, lambda c: f(i, v, c), lambda c: c, c), lambda c: c, c
    ),
}


def of(control, update):
    def make(n):
        def body(i, s):
            v = jnp.sin(s[0]) + 1e-3
            return v, CONTROLS[control](UPDATES[update], i, v, s[1])

        return lambda v, c: lax.fori_loop(0, n, body, (v, c)), (jnp.ones(WIDTH), jnp.zeros((n, WIDTH)))

    return make


# ---- Loops of programs that people have ----------------------------------------------------------------------------------------


def rows(n):
    return jnp.ones(WIDTH), jnp.zeros((n, WIDTH))


def deep(n):
    def body(i, c):
        return lax.fori_loop(0, n, lambda j, c: c.at[i % c.shape[0], j].add(c[i % c.shape[0], j - 1] + 1.0), c)

    return lambda c: lax.fori_loop(0, 32, body, c), (jnp.zeros((n, WIDTH)),)


def table(n):
    loss = lambda e, ids: lax.scan(lambda s, i: (s + jnp.tanh(e[i]).sum(), None), 0.0, ids)[0]
    return jax.grad(loss), (jnp.ones((n, WIDTH)), jnp.arange(n))


def slices(n):
    def loss(e):
        return lax.fori_loop(0, n, lambda i, s: s + jnp.tanh(lax.dynamic_slice(e, (i, 0), (1, WIDTH))).sum(), 0.0)

    return jax.grad(loss), (jnp.ones((n, WIDTH)),)


def several_rows(n):
    loss = lambda e, ids: lax.scan(lambda s, i: (s + jnp.sin(e[i]).sum(), None), 0.0, ids)[0]
    return jax.grad(loss), (jnp.ones((n, WIDTH)), jnp.zeros((n, 4), jnp.int32))


def places(n):
    def body(i, s):
        a, b, v = s
        v = jnp.sin(v)
        return b, a.at[i].set(v), v

    return lambda a, b, v: lax.fori_loop(0, n, body, (a, b, v)), (jnp.zeros((n, WIDTH)), jnp.zeros((n, WIDTH)), jnp.ones(WIDTH))


def batched(control, update="set"):
    def make(n):
        f, _ = of(control, update)(n)
        return jax.vmap(f), (jnp.ones((4, WIDTH)), jnp.zeros((4, n, WIDTH)))

    return make


def batched_until(n):
    def run(v, c):
        return lax.while_loop(lambda s: s[0] < n - s[1][0].astype(int), lambda s: (s[0] + 1, s[1] * 0.99, s[2].at[s[0]].set(s[1])), (0, v, c))

    return jax.vmap(run), (jnp.ones((4, WIDTH)), jnp.zeros((4, n, WIDTH)))


def samples(n):
    def step(s, i):
        v, kept, count = s
        v = jnp.sin(v) + 1e-3
        keep = v[1] > 0.2
        kept = lax.cond(keep, lambda k: k.at[count].set(v), lambda k: k, kept)
        return (v, kept, count + keep.astype(jnp.int32)), v.sum()

    return lambda v, c: lax.scan(step, (v, c, 0), jnp.arange(n)), rows(n)


def replay(n):
    def step(s, i):
        buffer, key, w = s
        key, use = jax.random.split(key)
        buffer = lax.dynamic_update_slice(buffer, (w * 0.5)[None], (i % n, 0))
        batch = buffer[jax.random.randint(use, (8,), 0, n)]
        return (buffer, key, w + batch.mean(0) * 1e-2), None

    return lambda b, k, w: lax.scan(step, (b, k, w), jnp.arange(n))[0], (jnp.zeros((n, WIDTH)), jax.random.PRNGKey(0), jnp.ones(WIDTH))


def cache(n):
    def layer(s, i):
        x, k = s
        k = lax.dynamic_update_slice(k, x[None, None] * 2, (i, 5, 0))
        return (jnp.tanh(x + k[i, 5]), k), None

    return lambda x, k: lax.scan(layer, (x, k), jnp.arange(n))[0], (jnp.ones(WIDTH), jnp.zeros((n, 16, WIDTH)))


def decode(n):
    def step(t, s):
        x, k = s
        k = lax.fori_loop(0, 4, lambda l, k: k.at[l, t].set(x * (l + 1)), k)
        return jnp.tanh(x + k[3, t]), k

    return lambda x, k: lax.fori_loop(0, n, step, (x, k)), (jnp.ones(WIDTH), jnp.zeros((4, n, WIDTH)))


def embedding(n):
    def step(s, ids):
        e, m = s
        g = jnp.cos(e[ids])
        m = m.at[ids].set(0.9 * m[ids] + g)
        return (e.at[ids].add(-0.1 * m[ids]), m), g.sum()

    return lambda e, m, ids: lax.scan(step, (e, m), ids), (jnp.ones((n, WIDTH)), jnp.zeros((n, WIDTH)), jnp.zeros((n, 4), jnp.int32))


def search(n):
    def simulate(i, s):
        value, visits, parent = s

        def up(t):
            node, value, visits = t
            return parent[node], value.at[node].add(1.0), visits.at[node].add(1)

        leaf = visits[i] % n
        _, value, visits = lax.while_loop(lambda t: t[0] > 0, up, (leaf, value, visits))
        return value, visits, parent.at[i].set(leaf // 2)

    return lambda v, k, p: lax.fori_loop(0, n, simulate, (v, k, p)), (
        jnp.zeros((n, WIDTH)),
        jnp.zeros(n * WIDTH, jnp.int32),
        jnp.zeros(n * WIDTH, jnp.int32),
    )


def ring(n):
    def step(i, s):
        ring, v = s
        old = ring[i % n]
        return ring.at[i % n].set(v), jnp.sin(old + v)

    return lambda v, c: lax.fori_loop(0, n, step, (c, v)), rows(n)


def adaptive(n):
    def step(s):
        t, h, y, out, k = s
        trial = y + h * jnp.cos(y)
        good = jnp.abs(trial - y).max() < 0.1
        out = jnp.where(good, out.at[k].set(trial), out)
        return t + jnp.where(good, h, 0.0), jnp.where(good, h * 1.1, h * 0.5), jnp.where(good, trial, y), out, k + good

    def solve(y, out):
        return lax.while_loop(lambda s: (s[0] < 1.0) & (s[4] < n), step, (0.0, 0.1, y, out, 0))[3]

    return solve, rows(n)


def reverse_of_stack(n):
    f = lambda x: lax.scan(lambda h, _: (jnp.sin(h) * 1.01, h), x, None, length=n)[1].sum()
    return jax.grad(f), (jnp.ones(WIDTH),)


def reverse_of_inputs(n):
    f = lambda x, xs: lax.scan(lambda h, u: (jnp.sin(h * u), None), x, xs)[0].sum()
    return jax.grad(f, argnums=(0, 1)), (jnp.ones(WIDTH), jnp.ones((n, WIDTH)))


def reverse_of_updates(n):
    def f(c, v):
        return lax.scan(lambda c, i: (c.at[i].set(jnp.sin(c[i]) * v), None), c, jnp.arange(n))[0].sum()

    return jax.grad(f, argnums=1), (jnp.ones((n, WIDTH)), jnp.ones(WIDTH))


def reverse_of_cond(n):
    def f(e, v):
        step = lambda s, i: (lax.cond(i % 2 == 0, lambda s: jnp.sin(s) * e[i], lambda s: s, s), None)
        return lax.scan(step, v, jnp.arange(n))[0].sum()

    return jax.grad(f), (jnp.ones((n, WIDTH)), jnp.ones(WIDTH))


def programming(n):
    return lambda c: lax.fori_loop(1, n, lambda i, c: c.at[i].set(jnp.minimum(c[i - 1], c[i]) + 1.0), c), (jnp.zeros((n, WIDTH)),)


def elimination(n):
    def column(k, a):
        return a.at[k].set(a[k] / a[k, k % WIDTH])

    return lambda a: lax.fori_loop(0, n, column, a), (jnp.ones((n, WIDTH)),)


def carried_tuple(n):
    def step(i, s):
        return {"a": s["a"].at[i].set(s["v"]), "b": s["b"].at[n - 1 - i].add(s["v"]), "v": jnp.sin(s["v"])}

    return lambda s: lax.fori_loop(0, n, step, s), (dict(a=jnp.zeros((n, WIDTH)), b=jnp.zeros((n, WIDTH)), v=jnp.ones(WIDTH)),)


def checkpointed(n):
    f = lambda x: lax.scan(jax.checkpoint(lambda h, _: (jnp.sin(jnp.cos(h)), None)), x, None, length=n)[0].sum()
    return jax.grad(f), (jnp.ones(WIDTH),)


def leapfrog(n):
    def step(i, s):
        before, now = s
        lap = jnp.roll(now, 1, 1) + jnp.roll(now, -1, 1) - 2 * now
        return now, 2 * now - before + 0.1 * lap

    return lambda a, b: lax.fori_loop(0, n, step, (a, b)), (jnp.zeros((8, WIDTH)), jnp.ones((8, WIDTH)).at[3, 5].set(2.0))


def looks_back(n):
    def step(s):
        i, a, b, c, total = s
        return i + 1, b, c, (a + b * 2 + c * 3) / 6.1, total + a[0, 0]

    return lambda a, b, c, n: lax.while_loop(lambda s: s[0] < n, step, (0, a, b, c, 0.0)), (
        jnp.zeros((8, WIDTH)),
        jnp.ones((8, WIDTH)),
        jnp.ones((8, WIDTH)) * 2,
        jnp.int32(n),
    )


def nested_sums(n):
    """The gradient of a loop in a loop that reads rows of one table."""

    def loss(e):
        inner = lambda s, i: lax.fori_loop(0, 4, lambda j, s: s + jnp.sin(e[(i + j) % n]).sum(), s)
        return lax.scan(lambda s, i: (inner(s, i), None), 0.0, jnp.arange(n))[0]

    return jax.grad(loss), (jnp.ones((n, WIDTH)),)


def padded(n):
    """The sum of windows, each put among zeros."""

    def step(i, s):
        c, v = s
        return c + lax.dynamic_update_slice(jnp.zeros_like(c), jnp.sin(v)[None], (i, 0)), v * 0.99

    return lambda v: lax.fori_loop(0, n, step, (jnp.zeros((n, WIDTH)), v)), (jnp.ones(WIDTH),)


def updated_twice_lanes(n):
    """Where a lane says so and a round does, two updates, of which the second one adds to what is there, and then a window among zeros."""

    def lane(c, v, low):
        def body(i, s):
            c, k = s
            twice = lambda c: lax.cond(i % 3 == 0, lambda c: c.at[n - 1 - i].set(v * 0.9).at[0].add(0.5), lambda c: c, c)
            c = lax.cond(k % 2 == 0, twice, lambda c: c, c)
            return c + lax.dynamic_update_slice(jnp.zeros_like(c), v[None], (jnp.maximum(i - 1, 0), 0)), k + low

        return lax.fori_loop(0, n, body, (c, 0))

    return jax.vmap(lane), (jnp.ones((3, n, WIDTH)), jnp.ones((3, WIDTH)), jnp.arange(3))


def padded_lanes(n):
    f, (v,) = padded(n)
    return jax.vmap(f), (jnp.stack([v, v * 2, v * 3]),)


def two_reads(n):
    """The gradient of a loop that reads two rows of one array each round."""

    def loss(e):
        body = lambda i, s: s * 0.9 + jnp.tanh(lax.dynamic_slice(e, (i, 0), (1, WIDTH)) * lax.dynamic_slice(e, (n - 1 - i, 0), (1, WIDTH))).sum()
        return lax.fori_loop(0, n, body, 0.0)

    return jax.grad(loss), (jnp.ones((n, WIDTH)),)


def reverse_of_where(put, reads=(lambda i, n: i,)):
    """The gradient of a loop whose rounds choose, by a value, whether a window of an array changes, and read rows of it: each read is one
    more cotangent that is added."""

    def make(n):
        def loss(c, v):
            def body(i, s):
                c, v = s
                changed = put(c, jnp.sin(v) * c[n - 1 - i], i)
                return jnp.where(v[0] > 0.3, changed, c), v * 0.99 + sum(c[at(i, n)] for at in reads) * 0.01

            c, v = lax.fori_loop(0, n, body, (c, v))
            return (v * v).sum() + (c * 0.01).sum()

        return jax.grad(loss, argnums=(0, 1)), (jnp.ones((n, WIDTH)), jnp.ones(WIDTH))

    return make


def alike(n):
    """Two arrays that are equal all the way, as cotangents may be, and that a branch exchanges."""

    def body(i, s):
        a, b, v = s
        v = jnp.sin(v) + 1e-3
        a, b = lax.cond(v[0] > 0.5, lambda a, b: (b, a), lambda a, b: (a, b), a, b)
        return a.at[i].set(v), b.at[i].set(v), v

    def f(v):
        zeros = jnp.zeros((n, WIDTH))
        return lax.fori_loop(0, n, body, (zeros, zeros, v))

    return f, (jnp.ones(WIDTH),)


# ---- Stencils: each round makes all of the arrays anew from neighbours ---------------------------------------------------------------


def square(n):
    return jnp.sin(jnp.arange(n * n, dtype=jnp.float32)).reshape(n, n)


def rounds(n, step, *arrays):
    return lambda *s: lax.fori_loop(0, n, lambda i, s: step(*s), s), arrays


def neighbours(u):
    return jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1)


def inside(u):
    return u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]


def diffused(u):
    p = jnp.pad(u, 1, mode="edge")
    return (u + 0.1 * inside(p),)


def wave(u, before):
    return 2 * u - before + 0.1 * (sum(jnp.roll(u, d, a) for a in range(3) for d in (1, -1)) - 6 * u), u


def reaction(u, v):
    r = u * v * v
    return u + 0.16 * (neighbours(u) - 4 * u) - r + 0.06 * (1 - u), v + 0.08 * (neighbours(v) - 4 * v) + r - 0.122 * v


def maxwell(e, hx, hy):
    hx = hx - 0.5 * (e[:, 1:] - e[:, :-1])
    hy = hy + 0.5 * (e[1:, :] - e[:-1, :])
    return e.at[1:-1, 1:-1].add(0.5 * ((hy[1:, 1:-1] - hy[:-1, 1:-1]) - (hx[1:-1, 1:] - hx[1:-1, :-1]))), hx, hy


def wave_with_memory(u, before, long_before):
    return u + 0.5 * (u - before) + 0.1 * (neighbours(u) - 4 * u) - 0.01 * long_before, u, before


# Of arrays of side x side that take n rounds, and how many times the bytes of what it carries a round reads and writes at the most. Two
# are needed; a round of the plan is two or three of the loop where arrays take turns.
STENCILS = {
    "by rolls": (lambda side, n: rounds(n, lambda u: (u + 0.1 * (neighbours(u) - 4 * u),), square(side)), 4.1),
    "wave in three dimensions": (lambda side, n: rounds(n, wave, square(side).reshape(-1, 32, 32), square(side).reshape(-1, 32, 32)), 3.1),
    "padded at the edges": (lambda side, n: rounds(n, diffused, square(side)), 5.1),
    "the inside is set": (lambda side, n: rounds(n, lambda u: (u.at[1:-1, 1:-1].set(inside(u) * 0.1),), square(side)), 4.1),
    "the inside is added to": (lambda side, n: rounds(n, lambda u: (u.at[1:-1, 1:-1].add(inside(u) * 0.1),), square(side)), 4.1),
    "two substances": (lambda side, n: rounds(n, reaction, square(side), 1 - square(side)), 6.6),
    "three that change places": (lambda side, n: rounds(n, wave_with_memory, *(square(side) * k for k in (1, 2, 3))), 4.1),
    "fields that lie between": (lambda side, n: rounds(n, maxwell, square(side), square(side)[:, 1:], square(side)[1:]), 4.1),
}

PROGRAMS = {
    "two loops deep": deep,
    "gradient of a scan that reads a table": table,
    "gradient of a loop that slices": slices,
    "gradient of a loop that reads two rows": two_reads,
    "gradient of a scan that reads several rows": several_rows,
    "two that change places": places,
    "two that are alike and change places": alike,
    "vmap of cond": batched("cond"),
    "vmap of cond by a value": batched("cond by a value"),
    "vmap of both branches": batched("both branches"),
    "vmap of where": batched("where"),
    "vmap of where of two": batched("where of two"),
    "vmap of where of two, add": batched("where of two", "add"),
    "vmap of where of two, largest": batched("where of two", "largest"),
    "vmap of a loop that ends when it will": batched_until,
    "collected samples": samples,
    "replay buffer": replay,
    "a cache of every layer": cache,
    "decoding": decode,
    "rows of an embedding": embedding,
    "tree search": search,
    "ring": ring,
    "adaptive solver": adaptive,
    "reverse of a stack": reverse_of_stack,
    "reverse of what is read": reverse_of_inputs,
    "reverse of updates": reverse_of_updates,
    "reverse of cond": reverse_of_cond,
    "reverse of where, stored": reverse_of_where(lambda c, v, i: lax.dynamic_update_slice(c, v[None], (i, 0))),
    "reverse of where, scattered": reverse_of_where(lambda c, v, i: c.at[i].set(v)),
    "reverse of where, several reads": reverse_of_where(
        lambda c, v, i: lax.dynamic_update_slice(c, v[None], (i, 0)),
        (lambda i, n: i, lambda i, n: i // 2, lambda i, n: n - 1 - i // 3, lambda i, n: i * 3 % n),
    ),
    "reverse of where, no reads": reverse_of_where(lambda c, v, i: lax.dynamic_update_slice(c, v[None], (i, 0)), (lambda i, n: 0,)),
    "reverse of where, among zeros": reverse_of_where(lambda c, v, i: c + lax.dynamic_update_slice(jnp.zeros_like(c), v[None], (i, 0))),
    "dynamic programming": programming,
    "elimination": elimination,
    "a dictionary": carried_tuple,
    "checkpointed": checkpointed,
    "windows among zeros": padded,
    "vmap of windows among zeros": padded_lanes,
    "vmap of two updates and a window among zeros": updated_twice_lanes,
    "leapfrog": leapfrog,
    "a recurrence that looks back": looks_back,
    "gradient of a loop in a loop": nested_sums,
}
FORMS = {**{f"{u}, {c}": of(c, u) for u in UPDATES for c in CONTROLS}, **PROGRAMS}

