"""Keras 3 on its JAX backend."""

import os

os.environ["KERAS_BACKEND"] = "jax"

import keras
import numpy as np
import pytest

import as_files
from as_files import TERMS
from exported import beside, inside
from keras_models import cnn, mlp, transformer

MODELS = {"mlp": mlp, "cnn": cnn, "transformer": transformer}


def made(kind):
    """A model, with statistics such as training would leave behind, and an input."""
    assert keras.backend.backend() == "jax"
    keras.utils.set_random_seed(1)
    model, random = MODELS[kind](), np.random.default_rng(2)
    for variable in model.non_trainable_variables:
        if variable.name.startswith("moving_"):
            variable.assign(random.uniform(0.5, 1.5, variable.shape))
    return model, as_files.inputs(kind)


@pytest.mark.parametrize("kind", MODELS)
def test_weights_inside(kind, tmp_path):
    model, x = made(kind)
    answers = as_files.run(inside(lambda x: model(x, training=False), x), [x], tmp_path)
    as_files.compare(answers, model.predict(x, verbose=0), TERMS[kind])


@pytest.mark.parametrize("kind", MODELS)
def test_weights_beside(kind, tmp_path):
    model, x = made(kind)
    variables = [[v.value for v in group] for group in (model.trainable_variables, model.non_trainable_variables)]
    program, weights = beside(lambda variables, x: model.stateless_call(*variables, x, training=False)[0], variables, x)
    as_files.compare(as_files.run(program, [x], tmp_path, weights), model.predict(x, verbose=0), TERMS[kind])


def test_a_saved_model(tmp_path):
    """From the file that Keras keeps models in."""
    model, x = made("cnn")
    model.save(tmp_path / "model.keras")
    loaded = keras.models.load_model(tmp_path / "model.keras")
    as_files.compare(as_files.run(inside(lambda x: loaded(x, training=False), x), [x], tmp_path), model.predict(x, verbose=0), TERMS["cnn"])
