"""Equinox: modules that are trees of arrays and of what is none."""

import equinox
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import as_files
from as_files import CHANNELS, CLASSES, FEATURES, HEADS, HIDDEN, IMAGE, LENGTH, LETTERS, MAPS, TERMS, WIDTH
from exported import beside, inside


class Cnn(equinox.Module):
    """Batch normalisation with the statistics of training, which lie in a state of their own."""

    conv: equinox.nn.Conv2d
    norm: equinox.nn.BatchNorm
    pool: equinox.nn.MaxPool2d
    last: equinox.nn.Linear

    def __init__(self, key):
        keys = jax.random.split(key)
        self.conv = equinox.nn.Conv2d(CHANNELS, MAPS, 3, padding=1, key=keys[0])
        self.norm = equinox.nn.BatchNorm(MAPS, axis_name="batch", mode="batch")
        self.pool = equinox.nn.MaxPool2d(2, 2)
        self.last = equinox.nn.Linear(MAPS * (IMAGE // 2) ** 2, CLASSES, key=keys[1])

    def __call__(self, x, state):
        x, state = self.norm(self.conv(x), state)
        return self.last(self.pool(jax.nn.relu(x)).reshape(-1)), state


class Transformer(equinox.Module):
    letters: equinox.nn.Embedding
    places: jax.Array
    norms: list
    attention: equinox.nn.MultiheadAttention
    wide: equinox.nn.Linear
    narrow: equinox.nn.Linear
    last: equinox.nn.Linear

    def __init__(self, key):
        keys = jax.random.split(key, 6)
        self.letters = equinox.nn.Embedding(LETTERS, WIDTH, key=keys[0])
        self.places = jax.random.normal(keys[1], (LENGTH, WIDTH)) * 0.1
        self.norms = [equinox.nn.LayerNorm(WIDTH) for _ in range(3)]
        self.attention = equinox.nn.MultiheadAttention(HEADS, WIDTH, key=keys[2])
        self.wide, self.narrow = equinox.nn.Linear(WIDTH, 4 * WIDTH, key=keys[3]), equinox.nn.Linear(4 * WIDTH, WIDTH, key=keys[4])
        self.last = equinox.nn.Linear(WIDTH, LETTERS, key=keys[5])

    def __call__(self, letters):
        x = jax.vmap(self.letters)(letters) + self.places
        y = jax.vmap(self.norms[0])(x)
        x = x + self.attention(y, y, y, mask=jnp.tril(jnp.ones((LENGTH, LENGTH), bool)))
        x = x + jax.vmap(lambda row: self.narrow(jax.nn.gelu(self.wide(self.norms[1](row)))))(x)
        return jax.vmap(lambda row: self.last(self.norms[2](row)))(x)


def trained(key):
    """The CNN after a few batches, as a function of one image."""
    model, state = equinox.nn.make_with_state(Cnn)(key)
    step = jax.jit(jax.vmap(model, in_axes=(0, None), axis_name="batch", out_axes=(0, None)))
    for seed in range(3):
        _, state = step(as_files.inputs("cnn", seed + 10, "NCHW") * 2 + 1, state)
    return equinox.Partial(lambda model, state, x: model(x, state)[0], equinox.nn.inference_mode(model), state)


MODELS = {
    "mlp": lambda key: equinox.nn.MLP(FEATURES, CLASSES, HIDDEN, 1, activation=jnp.tanh, key=key),
    "cnn": trained,
    "transformer": Transformer,
}


@pytest.mark.parametrize("kind", MODELS)
def test_weights_inside(kind, tmp_path):
    model, x = MODELS[kind](jax.random.key(1)), as_files.inputs(kind, layout="NCHW")
    answers = as_files.run(inside(jax.vmap(model), x), [x], tmp_path)
    as_files.compare(answers, jax.vmap(model)(x), TERMS[kind])


@pytest.mark.parametrize("kind", MODELS)
def test_weights_beside(kind, tmp_path):
    model, x = MODELS[kind](jax.random.key(1)), as_files.inputs(kind, layout="NCHW")
    arrays, rest = equinox.partition(model, equinox.is_array)
    program, weights = beside(lambda arrays, x: jax.vmap(equinox.combine(arrays, rest))(x), arrays, x)
    as_files.compare(as_files.run(program, [x], tmp_path, weights), jax.vmap(model)(x), TERMS[kind])
