"""PyTorch by torchax, which makes a function of JAX's of a model."""

import jax
import pytest
import torch
import torchax
from torchax.export import exported_program_to_jax

import as_files
from as_files import TERMS
from exported import beside, inside
from torch_models import MODELS, made


@pytest.mark.parametrize("kind", MODELS)
def test_weights_inside(kind, tmp_path):
    model, x, wanted = made(kind)
    weights, function = exported_program_to_jax(torch.export.export(model, (x,)))
    answers = as_files.run(inside(lambda x: function(weights, (x,))[0], x.numpy()), [x.numpy()], tmp_path)
    as_files.compare(answers, wanted, TERMS[kind])


@pytest.mark.parametrize("kind", MODELS)
def test_weights_beside(kind, tmp_path):
    model, x, wanted = made(kind)
    weights, function = exported_program_to_jax(torch.export.export(model, (x,)))
    program, arrays = beside(lambda weights, x: function(weights, (x,))[0], weights, x.numpy())
    as_files.compare(as_files.run(program, [x.numpy()], tmp_path, arrays), wanted, TERMS[kind])


@pytest.mark.parametrize("kind", MODELS)
def test_a_module_as_it_is(kind, tmp_path):
    """Without torch.export: the module is called with JAX's arrays. Its weights stay named."""
    model, x, wanted = made(kind)
    weights, function = torchax.extract_jax(model)
    program, arrays = beside(lambda weights, x: function(weights, (x,)), weights, x.numpy())
    as_files.compare(as_files.run(program, [x.numpy()], tmp_path, arrays), wanted, TERMS[kind])
