"""Arrays that loops carry through branches: updated in place where they may be, and never where somebody still needs what was there.

Each program is right when it gives XLA:CPU's numbers; tests/compiler/test_carried.c says what is copied.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from carried_loops import CONTROLS, FORMS, PROGRAMS as LOOPS
from jax import lax


def loop(branches):
    """What `branches` makes of the number of the round, the array and rows to put into it, round after round."""
    return lambda c, v, n: lax.fori_loop(0, n, lambda i, c: branches(i, c, v), c)


def pairs(branches):
    return lambda c, v, n: lax.fori_loop(0, n, lambda i, ab: branches(i, *ab, v), (c, c * 2 + 1))


def put(i, c, v):
    return c.at[i % c.shape[0]].set(v[i % v.shape[0]])


def put_and_read(i, c, v):
    d = put(i, c, v)
    return d + c[(i + 1) % c.shape[0]] * 1e-3 + c.sum() * 1e-6


def collect(c, v, n):
    def step(carry, i):
        c, k = carry
        c, k = lax.cond(i % 2 == 0, lambda: (c.at[k].set(v[i % v.shape[0]]), (k + 1) % c.shape[0]), lambda: (c, k))
        return (c, k), c[0].sum()

    return lax.scan(step, (c, 0), jnp.arange(n))


def of_two_shapes(c, v, n):
    flat = (c + 1).reshape(-1)
    return lax.cond(v[0, 0] > 0, lambda c, d: (c.at[0].set(d[: c.shape[1]] * 2), d[5]), lambda c, d: (c, d[7]), c + 1, flat)


PROGRAMS = {
    "one branch updates": loop(lambda i, c, v: lax.cond(i >= 2, lambda c: put(i, c, v), lambda c: c, c)),
    "both update": loop(lambda i, c, v: lax.cond(i % 2 == 0, lambda c: put(i, c, v), lambda c: c.at[i * 3 % 7].add(1.0), c)),
    "the update is read with what it was": loop(lambda i, c, v: lax.cond(i % 3 == 0, lambda c: put_and_read(i, c, v), lambda c: c, c)),
    "what it was is read behind": loop(lambda i, c, v: lax.cond(i % 3 == 0, lambda c: put(i, c, v), lambda c: c, c) + 1e-3 * c),
    "reset": loop(lambda i, c, v: lax.cond(i % 4 == 3, lambda c: jnp.ones_like(c) * v[0, 0], lambda c: c, c + 1)),
    "branches in branches": loop(
        lambda i, c, v: lax.switch(
            i % 4,
            [
                lambda c: put(i, c, v),
                lambda c: lax.cond(c[0, 0] > 0, lambda c: c.at[1].mul(0.5), lambda c: c, c),
                jnp.sin,
                lambda c: c,
            ],
            c,
        )
    ),
    "a loop in a branch": loop(
        lambda i, c, v: lax.cond(
            i % 2 == 0, lambda c: lax.fori_loop(0, 3, lambda j, c: c.at[j, i % 9].add(v[0, i % 9]), c), lambda c: c, c
        )
    ),
    "a choice of two": loop(lambda i, c, v: jnp.where(i >= 2, put(i, c, v), c)),
    "they change places": pairs(
        lambda i, a, b, v: lax.cond(
            i % 3 == 0, lambda a, b: (b, a), lambda a, b: (a.at[i % 7].add(1.0), b.at[0].set(a[i % 7])), a, b
        )
    ),
    "one for both": pairs(lambda i, a, b, v: lax.cond(i % 3 == 0, lambda a, b: (a, a), lambda a, b: (a.at[i % 7].add(b[0]), b * 0.5), a, b)),
    "one is kept in the other's place": pairs(
        lambda i, a, b, v: lax.cond(i % 2 == 0, lambda a, b: (jnp.cos(a), a), lambda a, b: (b.at[0].set(a[1]), b), a, b)
    ),
    "collected": collect,
    "no loop, two shapes of one array": of_two_shapes,
}


@pytest.mark.parametrize("donated", [(), (0,)])
@pytest.mark.parametrize("shape", [(7, 16), (40, 1000)])
@pytest.mark.parametrize("name", PROGRAMS)
def test_numbers_are_xlas(name, shape, donated, oracle):
    random = np.random.default_rng(3)
    c, v = random.normal(size=shape).astype(np.float32), random.normal(size=(5, shape[1])).astype(np.float32)
    for rounds in (1, 2, 9):
        wanted = jax.jit(PROGRAMS[name], static_argnums=2)(*jax.device_put((c, v), oracle), rounds)
        got = jax.jit(PROGRAMS[name], static_argnums=2, donate_argnums=donated)(jnp.array(c), v, rounds)
        jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5), got, wanted)


# Of the updates two, in all the ways; an odd number of rounds, so that some are left where two take turns.
SOME = [f"{update}, {control}" for update in ("two rows", "what moves on") for control in CONTROLS]


@pytest.mark.sampled
@pytest.mark.parametrize("name", [*SOME, *LOOPS])
def test_loops_give_xlas_numbers(name, oracle):
    f, args = FORMS[name](9)
    wanted = jax.jit(f)(*jax.device_put(args, oracle))
    got = jax.jit(f)(*args)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-5), got, wanted)


@pytest.mark.parametrize("first, last", [(0, 0), (0, 1), (0, 2), (0, 7), (3, 8), (-5, -5), (126, 127), (-128, -126), (-128, 127), (5, 2)])
def test_counts_of_rounds(first, last, oracle):
    """Arrays change places each round, of which there are as many as the program is told when it runs: none too many."""

    def f(a, b, i, n):
        return lax.while_loop(lambda s: s[2] < n, lambda s: (s[1], s[0].at[s[2] % 4].add(1.0), s[2] + jnp.int8(1)), (a, b, i))

    a, b = np.zeros((4, 2048), np.float32), np.ones((4, 2048), np.float32)
    args = (a, b, np.int8(first), np.int8(last))
    for got, wanted in zip(jax.jit(f)(*args), jax.jit(f)(*jax.device_put(args, oracle))):
        np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("last", [-128, -127, -60, 5, 127])
def test_counts_of_long_steps(last, oracle):
    """Two rounds make a step that the counter's type hardly holds."""

    def f(a, b, n):
        return lax.while_loop(lambda s: s[2] < n, lambda s: (s[1], s[0] + 1.0, s[2] + jnp.int8(50)), (a, b, jnp.int8(-128)))

    args = (np.zeros((4, 2048), np.float32), np.ones((4, 2048), np.float32), np.int8(min(last, 77)))
    for got, wanted in zip(jax.jit(f)(*args), jax.jit(f)(*jax.device_put(args, oracle))):
        np.testing.assert_array_equal(got, wanted)


def exchanged(p, a, b):
    return lax.cond(p, lambda a, b: (b, a), lambda a, b: (a, b), a, b)


# Rounds `i` of three arrays that begin as one, of which some stay alike, and a row.
ALIKE = {
    "all": lambda i, a, b, c, v: (*exchanged(v[0] > 0.5, a.at[i].set(v), b.at[i].set(v)), c.at[i].set(v)),
    "in turns": lambda i, a, b, c, v: (b + 1, c + 1, a + 1),
    "but for the third": lambda i, a, b, c, v: (*exchanged(i % 2 == 0, a.at[i].add(v), b.at[i].add(v)), c.at[i].set(v)),
    "until the second round": lambda i, a, b, c, v: (a.at[i].set(v), jnp.where(i >= 1, b.at[i].set(v * 2), b.at[i].set(v)), c),
    "in the turns of one that is not": lambda i, a, b, c, v: (b, c, a.at[i].add(i.astype(jnp.float32))),
    "in an inner loop": lambda i, a, b, c, v: (*lax.fori_loop(0, 3, lambda j, s: exchanged(j == i, s[0] + j, s[1] + j), (a, b)), c),
    "but for an inner loop": lambda i, a, b, c, v: (*lax.fori_loop(0, 3, lambda j, s: (s[1] + j, s[0] + j * j), (a, b)), c),
    "as what decides says": lambda i, a, b, c, v: (*exchanged(a[0, 0] > b[0, 0], a, b + v), c + a),
    "by another branch": lambda i, a, b, c, v: (lax.cond(v[0] > 0.5, lambda: a + 1, lambda: a), lax.cond(v[0] > 0.5, lambda: b + 1, lambda: b), c + 1),
}


@pytest.mark.parametrize("name", ALIKE)
def test_arrays_that_begin_as_one(name, oracle):
    def f(x, v):
        def body(i, s):
            v = jnp.sin(s[3]) + 0.1
            return (*ALIKE[name](i, *s[:3], v), v)

        return lax.fori_loop(0, 5, body, (x, x, x, v))

    arguments = (np.arange(8 * 2048, dtype=np.float32).reshape(8, 2048), np.linspace(0, 1, 2048, dtype=np.float32))
    for got, wanted in zip(jax.jit(f)(*arguments), jax.jit(f)(*jax.device_put(arguments, oracle))):
        np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("index", [np.int32, np.uint8, np.int8, np.int64])
@pytest.mark.parametrize("kind", ["set", "add", "multiply", "max", "min"])
def test_windows_of_several_lanes(kind, index, oracle):
    """Lanes choose for themselves whether a window at a place that they share is changed; one that is not inside is not, in any of them."""

    def f(c, v, p, i):
        changed = jax.vmap(lambda c, v, p: jnp.where(p, getattr(c.at[i, 3:9], kind)(v, mode="drop"), c))(c, v, p)
        kept = jax.vmap(lambda c, v, p: jnp.where(p, c, getattr(c.at[i, 3:9], kind)(v, mode="drop")))(c, v, p)
        summed = jax.vmap(lambda c, v: c + jnp.zeros_like(c).at[i].set(v[0], mode="drop"))(c, v)
        return changed, kept, summed

    random = np.random.default_rng(4)
    rows = 100 if index == np.int8 else 300  # JAX itself wants the number of rows in that type
    c, v = random.normal(size=(3, rows, 16)).astype(np.float32), random.normal(size=(3, 6)).astype(np.float32)
    c[:, 2, 3], v[1, 2] = np.nan, np.inf
    with jax.enable_x64(index == np.int64):
        for place in (0, 2, 299, 300, 127, -1, -300, 2**31 + 1):
            if np.iinfo(index).min <= place <= np.iinfo(index).max:
                arguments = (c, v, np.array([True, False, True]), index(place))
                for got, wanted in zip(jax.jit(f)(*arguments), jax.jit(f)(*jax.device_put(arguments, oracle))):
                    np.testing.assert_array_equal(got, wanted, err_msg=f"at {place}")


def test_zeros_keep_their_signs(oracle):
    """What is taken away is zero but for a window, and x - 0 is x; what is kept of a choice stays as it is, and so does what is no number."""

    def f(c, v, p):
        taken = c - lax.dynamic_update_slice(jnp.zeros_like(c), v, (1, 0))
        kept = jnp.where(p, lax.dynamic_update_slice(c, v, (2, 0)), c)
        return taken.at[0, 0].set(1.0), kept

    c = np.full((64, 32), -0.0, np.float32)
    c[5] = np.nan
    args = (c, np.full((1, 32), -0.0, np.float32), np.bool_(False))
    for got, wanted in zip(jax.jit(f)(*args), jax.jit(f)(*jax.device_put(args, oracle))):
        np.testing.assert_array_equal(np.asarray(got).view(np.uint32), np.asarray(wanted).view(np.uint32))


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int32", "uint32"])
def test_choices_with_places_of_any_type(dtype, oracle):
    """A place that is skipped must be beyond the array, whatever type it is counted in: 255 is a row of this one."""

    def f(c, i, p):
        numbers = lax.ScatterDimensionNumbers((1,), (0,), (0,))
        put = lax.scatter(c, i, jnp.full((3, 16), 7.0), numbers, mode="promise_in_bounds")
        return jnp.where(p, put, c), jnp.where(p, c, put)

    args = (np.zeros((300, 16), np.float32), np.array([[1], [100], [127]], dtype), np.bool_(True))
    for p in (True, False):
        for got, wanted in zip(jax.jit(f)(*args[:2], p), jax.jit(f)(*jax.device_put((*args[:2], p), oracle))):
            np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32"])
def test_masks_of_one_row_with_an_offset(dtype, oracle):
    """Where a mask counts on from a number, as a device's part of one does, its row is found modulo 2**bits, or is no row."""
    bits, n = np.iinfo(dtype).bits, 100

    def f(c, k, places):
        def body(j, c):
            mask = lax.iota(dtype, n) + k == places[j]
            return jnp.where(mask[:, None], c * 2.0 + 1.0 + j, c)

        return lax.fori_loop(0, places.shape[0], body, c)

    offsets = [0, 1, 50, 2 ** (bits - 1) - 3, 2**bits - 2]
    places = [0, 3, 99, 100, 127, 128, 150, 200, 253, 2 ** (bits - 1) - 1, 2 ** (bits - 1) + 20, 2**bits - 1]
    c = np.zeros((n, 16), np.float32)
    for k in offsets:
        args = (c, np.array(k % 2**bits, f"uint{bits}").astype(dtype), np.array([p % 2**bits for p in places], f"uint{bits}").astype(dtype))
        got, wanted = np.asarray(jax.jit(f)(*args)), np.asarray(jax.jit(f)(*jax.device_put(args, oracle)))
        np.testing.assert_array_equal(got, wanted, err_msg=f"from {k} on")
