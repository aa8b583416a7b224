"""A number that is computed in two places is one number: a largest element is found where it lies, whatever it is made of.

A product is rounded together with the sum that takes it, in every kernel that computes the sum or in none."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding, PartitionSpec

# Each of arguments whose shapes are made of the rows n and the columns m; what does not change along an axis may be computed before a loop.
FORMS = {
    "a row scaled": (lambda a, b: a[None, :] * 0.9 + b[:, None], lambda n, m: (m, n)),
    "a column scaled": (lambda a, b: a[:, None] * 0.9 + b[None, :], lambda n, m: (n, m)),
    "a row and a matrix": (lambda a, b: a[None, :] * 0.9 + b, lambda n, m: (m, (n, m))),
    "a column and a matrix": (lambda a, b: b - a[:, None] * 0.7, lambda n, m: (n, (n, m))),
    "two products": (lambda a, b: a * 1.1 + b[:, None] * 0.3, lambda n, m: ((n, m), n)),
    "an outer product": (lambda a, b: a[:, None] * b[None, :] + 0.1, lambda n, m: (n, m)),
    "three axes": (lambda a, b: a[:, None, None] * 0.3 + b[None, :, None] * 0.7 + jnp.arange(5.0)[None, None, :], lambda n, m: (n, m)),
    "negatives": (lambda a, b: -(a[None, :] * a[None, :]) - b, lambda n, m: (m, (n, m))),
    "complex": (lambda a, b: jnp.real(jax.lax.complex(a[None, :], b) * jax.lax.complex(b, a[None, :] * 0.5)), lambda n, m: (m, (n, m))),
}
SHAPES = [(16, 16), (64, 16), (16, 256), (33, 7), (128, 128), (5, 1000)]


def of_largest(form, axis):
    def function(a, b):
        z = form(a, b)
        found = (z == jnp.max(z, axis=axis, keepdims=True)).sum(axis=axis)
        return found, jax.grad(lambda b: jnp.max(form(a, b), axis=axis).sum())(b)

    return jax.jit(function)


def arguments_of(form, rows, columns):
    shapes = FORMS[form][1](rows, columns)
    return [np.random.default_rng(i).normal(size=shape).astype(np.float32) for i, shape in enumerate(shapes)]


@pytest.mark.parametrize("form", FORMS)
def test_largest_elements_are_found(form):
    for rows, columns in SHAPES:
        for axis in (0, 1, None):
            found, _ = of_largest(FORMS[form][0], axis)(*arguments_of(form, rows, columns))
            assert np.asarray(found).min() >= 1, f"{rows} rows, {columns} columns, axis {axis}: {np.asarray(found)}"


@pytest.mark.parametrize("form", FORMS)
def test_gradients_reach_largest_elements(form, oracle):
    arguments = arguments_of(form, 16, 256)
    for axis in (0, 1, None):
        function = of_largest(FORMS[form][0], axis)
        with jax.disable_jit():  # under jit XLA:CPU misses some of them
            wanted = function(*jax.device_put(arguments, oracle))[1]
        np.testing.assert_allclose(function(*arguments)[1], wanted, rtol=1e-5, atol=1e-5, err_msg=f"axis {axis}")


@pytest.mark.parametrize("form", FORMS)
def test_largest_elements_are_found_over_devices(form):
    mesh = Mesh(np.array(jax.devices()[:2]), ("x",))
    for rows, columns in [(64, 16), (128, 128)]:
        arguments = [jax.device_put(x, NamedSharding(mesh, PartitionSpec("x"))) for x in arguments_of(form, rows, columns)]
        for axis in (0, 1, None):
            found, _ = of_largest(FORMS[form][0], axis)(*arguments)
            assert np.asarray(found).min() >= 1, f"{rows} rows, {columns} columns, axis {axis}: {np.asarray(found)}"


@pytest.mark.parametrize("rows", [16, 64, 256])
def test_an_element_that_a_loop_takes_is_the_one_it_was_made_of(rows):
    """A round of a loop takes a maximum in place and then asks which of both it was."""
    r = np.random.default_rng(rows)
    c, v = r.normal(size=(rows, 16)).astype(np.float32) - 2, r.normal(size=16).astype(np.float32)

    @jax.jit
    def function(c, v):
        def step(i, state):
            c, neither = state
            z = v * 0.9 + 0.1
            largest = c.at[i].max(z)
            return largest, neither + ((z != largest[i]) & (c[i] != largest[i]))

        return jax.lax.fori_loop(0, rows, step, (c, jnp.zeros(16, jnp.int32)))[1]

    assert (np.asarray(function(c, v)) == 0).all()
