"""TensorFlow: what tf.function's compiler makes is StableHLO; Keras 3 on its TensorFlow backend, tf.Module, folders of SavedModel."""

import os

os.environ["KERAS_BACKEND"] = "tensorflow"

import keras
import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

import as_files
from as_files import CLASSES, FEATURES, HIDDEN, TERMS
from keras_models import cnn, transformer

# TensorFlow's products and convolutions in f32 as they are, on any processor.
tf.config.experimental.enable_tensor_float_32_execution(False)


class Mlp(tf.Module):
    """Without Keras."""

    def __init__(self):
        random = np.random.default_rng(1)
        self.first = tf.Variable(random.normal(size=(FEATURES, HIDDEN)).astype(np.float32) / FEATURES**0.5)
        self.bias = tf.Variable(random.normal(size=HIDDEN).astype(np.float32))
        self.last = tf.Variable(random.normal(size=(HIDDEN, CLASSES)).astype(np.float32) / HIDDEN**0.5)

    @tf.function
    def __call__(self, x, training=False):
        return tf.tanh(x @ self.first + self.bias) @ self.last


MODELS = {"mlp": Mlp, "cnn": cnn, "transformer": transformer}


def made(kind):
    """A model, with statistics such as training would leave behind, an input, and what eager TensorFlow says."""
    assert keras.backend.backend() == "tensorflow"
    keras.utils.set_random_seed(1)
    model, random, x = MODELS[kind](), np.random.default_rng(2), as_files.inputs(kind)
    for variable in model.non_trainable_variables:
        if getattr(variable, "path", "").split("/")[-1].startswith("moving_"):
            variable.assign(random.uniform(0.5, 1.5, variable.shape))
    return model, x, model(x, training=False).numpy()


def compiled(function, x):
    """The program of a tf.function for inputs like x, and what it captures: its parameters are x and then those."""
    like = tf.TensorSpec(x.shape, x.dtype)
    program = function.experimental_get_compiler_ir(like)(stage="stablehlo_serialized", platform_name="CPU")
    concrete = function.get_concrete_function(like)
    variables = {id(variable.handle): variable for variable in concrete.variables}
    return program, [variables.get(id(captured), captured).numpy() for captured in concrete.captured_inputs]


@pytest.mark.parametrize("kind", MODELS)
def test_weights_beside(kind, tmp_path):
    model, x, wanted = made(kind)
    program, weights = compiled(tf.function(lambda x: model(x, training=False), jit_compile=True, autograph=False), x)
    assert len(weights) == len(model.trainable_variables) + 2 * (kind == "cnn")
    as_files.compare(as_files.run(program, [x, *weights], tmp_path), wanted, TERMS[kind])


@pytest.mark.parametrize("kind", MODELS)
def test_weights_inside(kind, tmp_path):
    model, x, wanted = made(kind)
    function = tf.function(lambda x: model(x, training=False), jit_compile=True, autograph=False)
    frozen = convert_variables_to_constants_v2(function.get_concrete_function(tf.TensorSpec(x.shape, x.dtype)))
    program, weights = compiled(tf.function(lambda x: frozen(x)[0], jit_compile=True), x)
    assert not weights
    as_files.compare(as_files.run(program, [x], tmp_path), wanted, TERMS[kind])


@pytest.mark.parametrize("kind", MODELS)
def test_a_saved_model(kind, tmp_path):
    """From the folder that TensorFlow keeps models in, which was made for batches of any size: as Keras writes it, and without Keras."""
    model, x, wanted = made(kind)
    if kind == "mlp":
        signature = model.__call__.get_concrete_function(tf.TensorSpec([None, FEATURES]))
        tf.saved_model.save(model, tmp_path / "saved", signatures=signature)
        loaded = tf.saved_model.load(tmp_path / "saved")
        function = lambda x: loaded.signatures["serving_default"](x)["output_0"]
    else:
        model.export(tmp_path / "saved", verbose=False)
        loaded = tf.saved_model.load(tmp_path / "saved")
        function = loaded.serve
    program, weights = compiled(tf.function(function, jit_compile=True, autograph=False), x)
    as_files.compare(as_files.run(program, [x, *weights], tmp_path), wanted, TERMS[kind])


def test_text(tmp_path):
    model, x, wanted = made("cnn")
    function = tf.function(lambda x: model(x, training=False), jit_compile=True, autograph=False)
    _, weights = compiled(function, x)
    path = tmp_path / "model.mlir"
    path.write_text(function.experimental_get_compiler_ir(tf.TensorSpec(x.shape, x.dtype))(stage="stablehlo", platform_name="CPU"))
    as_files.compare(as_files.run(path, [x, *weights], tmp_path), wanted, TERMS["cnn"])
