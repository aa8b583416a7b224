"""flax.nnx: modules that hold their variables, taken apart by nnx.split."""

import jax
import numpy as np
import pytest
from flax import nnx

import as_files
from as_files import CHANNELS, CLASSES, FEATURES, HEADS, HIDDEN, IMAGE, LENGTH, LETTERS, MAPS, TERMS, WIDTH
from exported import beside, inside


class Mlp(nnx.Module):
    def __init__(self, rngs):
        self.first, self.last = nnx.Linear(FEATURES, HIDDEN, rngs=rngs), nnx.Linear(HIDDEN, CLASSES, rngs=rngs)

    def __call__(self, x):
        return self.last(nnx.tanh(self.first(x)))


class Cnn(nnx.Module):
    def __init__(self, rngs):
        self.conv, self.norm = nnx.Conv(CHANNELS, MAPS, (3, 3), rngs=rngs), nnx.BatchNorm(MAPS, rngs=rngs)
        self.dropout = nnx.Dropout(0.5, rngs=rngs)
        self.last = nnx.Linear(MAPS * (IMAGE // 2) ** 2, CLASSES, rngs=rngs)

    def __call__(self, x):
        x = nnx.max_pool(nnx.relu(self.norm(self.conv(x))), (2, 2), strides=(2, 2))
        return self.last(self.dropout(x.reshape(x.shape[0], -1)))


class Transformer(nnx.Module):
    def __init__(self, rngs):
        self.letters = nnx.Embed(LETTERS, WIDTH, rngs=rngs)
        self.places = nnx.Param(jax.random.normal(rngs.params(), (LENGTH, WIDTH)) * 0.1)
        self.norms = nnx.List([nnx.LayerNorm(WIDTH, rngs=rngs) for _ in range(3)])
        self.attention = nnx.MultiHeadAttention(HEADS, WIDTH, decode=False, rngs=rngs)
        self.wide, self.narrow = nnx.Linear(WIDTH, 4 * WIDTH, rngs=rngs), nnx.Linear(4 * WIDTH, WIDTH, rngs=rngs)
        self.last = nnx.Linear(WIDTH, LETTERS, rngs=rngs)

    def __call__(self, letters):
        x = self.letters(letters) + self.places[...]
        x = x + self.attention(self.norms[0](x), mask=nnx.make_causal_mask(letters))
        x = x + self.narrow(nnx.gelu(self.wide(self.norms[1](x))))
        return self.last(self.norms[2](x))


MODELS = {"mlp": Mlp, "cnn": Cnn, "transformer": Transformer}


def made(kind):
    """A model as it is used after training, and an input."""
    model = MODELS[kind](nnx.Rngs(1))
    if kind == "cnn":
        random = np.random.default_rng(2)
        model.norm.mean[...] = random.normal(size=MAPS).astype(np.float32)
        model.norm.var[...] = random.uniform(0.5, 1.5, MAPS).astype(np.float32)
    model.eval()
    return model, as_files.inputs(kind)


@pytest.mark.parametrize("kind", MODELS)
def test_weights_inside(kind, tmp_path):
    model, x = made(kind)
    graph, state = nnx.split(model)
    answers = as_files.run(inside(lambda x: nnx.merge(graph, state)(x), x), [x], tmp_path)
    as_files.compare(answers, model(x), TERMS[kind])


@pytest.mark.parametrize("kind", MODELS)
def test_weights_beside(kind, tmp_path):
    model, x = made(kind)
    graph, state, rest = nnx.split(model, (nnx.Param, nnx.BatchStat), ...)
    program, weights = beside(lambda state, x: nnx.merge(graph, state, rest)(x), state, x)
    as_files.compare(as_files.run(program, [x], tmp_path, weights), model(x), TERMS[kind])
