"""ONNX files as both of PyTorch's exporters write them, by jaxonnxruntime."""

import jax

jax.config.update("jax_enable_x64", True)  # ONNX counts in int64

import onnx
import pytest
import torch
from jaxonnxruntime import call_onnx

import as_files
from as_files import TERMS
from exported import beside
from onnx_spelt import spelt_out
from torch_models import MODELS, made


@pytest.mark.parametrize("dynamo", [False, True], ids=["traced", "dynamo"])
@pytest.mark.parametrize("kind", MODELS)
def test_weights_beside(kind, dynamo, tmp_path):
    model, x, wanted = made(kind)
    torch.onnx.export(model, (x,), tmp_path / "model.onnx", input_names=["x"], dynamo=dynamo)
    x = x.numpy()
    function, weights = call_onnx.call_onnx_model(spelt_out(onnx.load(tmp_path / "model.onnx"), tmp_path), [x])
    program, arrays = beside(lambda weights, x: function(weights, [x])[0], weights, x)
    as_files.compare(as_files.run(program, [x], tmp_path, arrays), wanted, TERMS[kind])
