"""Haiku: functions that are transformed, with weights and state in trees."""

import haiku
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import as_files
from as_files import CLASSES, HEADS, HIDDEN, LENGTH, LETTERS, MAPS, TERMS, WIDTH
from exported import beside, inside


def mlp(x):
    return haiku.nets.MLP([HIDDEN, CLASSES], activation=jnp.tanh)(x)


def cnn(x):
    # Statistics are there from the first call on when that trains.
    x = haiku.BatchNorm(True, True, 0.9)(haiku.Conv2D(MAPS, 3)(x), is_training=haiku.running_init())
    return haiku.Linear(CLASSES)(haiku.Flatten()(haiku.max_pool(jax.nn.relu(x), (2, 2, 1), (2, 2, 1), "VALID")))


def normal(x):
    return haiku.LayerNorm(-1, True, True)(x)


def transformer(letters):
    x = haiku.Embed(LETTERS, WIDTH)(letters) + haiku.get_parameter("places", (LENGTH, WIDTH), init=haiku.initializers.RandomNormal(0.1))
    attention = haiku.MultiHeadAttention(HEADS, WIDTH // HEADS, model_size=WIDTH, w_init=haiku.initializers.VarianceScaling())
    y = normal(x)
    x = x + attention(y, y, y, mask=jnp.tril(jnp.ones((1, 1, LENGTH, LENGTH), bool)))
    x = x + haiku.Linear(WIDTH)(jax.nn.gelu(haiku.Linear(4 * WIDTH)(normal(x))))
    return haiku.Linear(LETTERS)(normal(x))


MODELS = {"mlp": mlp, "cnn": cnn, "transformer": transformer}


def made(kind):
    """A function of weights, state and input, the first two with statistics such as training would leave behind, an input."""
    network, x = haiku.without_apply_rng(haiku.transform_with_state(MODELS[kind])), as_files.inputs(kind)
    weights, state = network.init(jax.random.key(1), x)
    random = np.random.default_rng(2)
    state = jax.tree.map(lambda a: jnp.asarray(random.uniform(0.5, 1.5, a.shape), a.dtype), state)
    return lambda weights, state, x: network.apply(weights, state, x)[0], weights, state, x


@pytest.mark.parametrize("kind", MODELS)
def test_weights_inside(kind, tmp_path):
    function, weights, state, x = made(kind)
    answers = as_files.run(inside(lambda x: function(weights, state, x), x), [x], tmp_path)
    as_files.compare(answers, function(weights, state, x), TERMS[kind])


@pytest.mark.parametrize("kind", MODELS)
def test_weights_beside(kind, tmp_path):
    function, weights, state, x = made(kind)
    program, arrays = beside(lambda both, x: function(*both, x), (weights, state), x)
    as_files.compare(as_files.run(program, [x], tmp_path, arrays), function(weights, state, x), TERMS[kind])
