"""ONNX by jaxonnxruntime, which makes a function of JAX's of a model."""

import jax

jax.config.update("jax_enable_x64", True)  # ONNX counts in int64

import pytest
from jaxonnxruntime import call_onnx

import as_files
from as_files import TERMS
from exported import beside, inside
from onnx_models import MODELS, made
from onnx_spelt import spelt_out


def converted(kind, folder, opset):
    """A function of the weights, an input and nothing else; the weights, an input, what ONNX Runtime says."""
    model, x, wanted = made(kind, opset)
    function, weights = call_onnx.call_onnx_model(spelt_out(model, folder), [x])
    return lambda weights, x: function(weights, [x])[0], weights, x, wanted


@pytest.mark.parametrize("opset", [17, 25])
@pytest.mark.parametrize("kind", MODELS)
def test_weights_inside(kind, opset, tmp_path):
    function, weights, x, wanted = converted(kind, tmp_path, opset)
    as_files.compare(as_files.run(inside(lambda x: function(weights, x), x), [x], tmp_path), wanted, TERMS[kind])


@pytest.mark.parametrize("opset", [17, 25])
@pytest.mark.parametrize("kind", MODELS)
def test_weights_beside(kind, opset, tmp_path):
    function, weights, x, wanted = converted(kind, tmp_path, opset)
    program, arrays = beside(function, weights, x)
    as_files.compare(as_files.run(program, [x], tmp_path, arrays), wanted, TERMS[kind])


def test_what_it_does_not_know():
    """Why a model is spelt out first."""
    for kind, opset, words in ("transformer", 17, "LayerNormalization is not"), ("cnn", 22, "Conv version 22 is not"):
        model, x, _ = made(kind, opset)
        with pytest.raises(NotImplementedError, match=words):
            call_onnx.call_onnx_model(model, [x])
