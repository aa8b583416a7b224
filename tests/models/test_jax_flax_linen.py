"""flax.linen: modules whose variables lie in a tree beside them."""

import jax
import numpy as np
import pytest
from flax import linen

import as_files
from as_files import CLASSES, HEADS, HIDDEN, LENGTH, LETTERS, MAPS, TERMS, WIDTH
from exported import beside, inside


class Mlp(linen.Module):
    @linen.compact
    def __call__(self, x):
        return linen.Dense(CLASSES)(linen.tanh(linen.Dense(HIDDEN)(x)))


class Cnn(linen.Module):
    @linen.compact
    def __call__(self, x):
        x = linen.BatchNorm(use_running_average=True)(linen.Conv(MAPS, (3, 3))(x))
        x = linen.max_pool(linen.relu(x), (2, 2), strides=(2, 2))
        return linen.Dense(CLASSES)(x.reshape(x.shape[0], -1))


class Transformer(linen.Module):
    @linen.compact
    def __call__(self, letters):
        x = linen.Embed(LETTERS, WIDTH)(letters) + self.param("places", linen.initializers.normal(0.1), (LENGTH, WIDTH))
        mask = linen.make_causal_mask(letters)
        x = x + linen.MultiHeadDotProductAttention(HEADS)(linen.LayerNorm()(x), mask=mask)
        x = x + linen.Dense(WIDTH)(linen.gelu(linen.Dense(4 * WIDTH)(linen.LayerNorm()(x))))
        return linen.Dense(LETTERS)(linen.LayerNorm()(x))


MODELS = {"mlp": Mlp, "cnn": Cnn, "transformer": Transformer}


def made(kind):
    """A model, its variables, an input. Statistics are such as training would leave behind."""
    model, x = MODELS[kind](), as_files.inputs(kind)
    variables = model.init(jax.random.key(1), x)
    if kind == "cnn":
        random = np.random.default_rng(2)
        variables["batch_stats"] = jax.tree.map(lambda a: random.uniform(0.5, 1.5, a.shape).astype(a.dtype), variables["batch_stats"])
    return model, variables, x


@pytest.mark.parametrize("kind", MODELS)
def test_weights_inside(kind, tmp_path):
    model, variables, x = made(kind)
    answers = as_files.run(inside(lambda x: model.apply(variables, x), x), [x], tmp_path)
    as_files.compare(answers, model.apply(variables, x), TERMS[kind])


@pytest.mark.parametrize("kind", MODELS)
def test_weights_beside(kind, tmp_path):
    model, variables, x = made(kind)
    program, weights = beside(model.apply, variables, x)
    as_files.compare(as_files.run(program, [x], tmp_path, weights), model.apply(variables, x), TERMS[kind])
