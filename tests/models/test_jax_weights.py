"""Weights beside a program, from the files that they are kept in."""

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import safetensors.numpy

import as_files
from as_files import CLASSES, FEATURES, HIDDEN, TERMS
from exported import beside


def mlp(w, x):
    return (jnp.tanh(x @ w["first"].astype(x.dtype) + w["bias"].astype(x.dtype)) @ w["last"].astype(x.dtype)).astype(jnp.float32)


def drawn(seed, dtype=np.float32):
    random = np.random.default_rng(seed)
    shapes = {"first": (FEATURES, HIDDEN), "bias": (HIDDEN,), "last": (HIDDEN, CLASSES)}
    return {name: (random.normal(size=shape) / shape[0] ** 0.5).astype(dtype) for name, shape in shapes.items()}


def test_one_program_for_many_weights(tmp_path):
    x = as_files.inputs("mlp")
    program, _ = beside(mlp, drawn(0), x)
    for seed in 1, 2:
        folder = tmp_path / str(seed)
        folder.mkdir()
        weights = drawn(seed)
        as_files.compare(as_files.run(program, [x], folder, [weights[name] for name in sorted(weights)]), mlp(weights, x), TERMS["mlp"])


def test_safetensors(tmp_path):
    x, weights = as_files.inputs("mlp"), drawn(1)
    safetensors.numpy.save_file(weights, tmp_path / "model.safetensors")
    program, _ = beside(mlp, weights, x)
    tensors = safetensors.numpy.load_file(tmp_path / "model.safetensors")
    answers = as_files.run(program, [x], tmp_path, [tensors[name] for name in ["bias", "first", "last"]])
    as_files.compare(answers, mlp(weights, x), TERMS["mlp"])


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.uint16], ids=["bfloat16", "uint16"])
def test_bfloat16(dtype, tmp_path):
    """As ml_dtypes lets NumPy write them, and as their bits. The rest of the program is in f32, so that they are exact."""
    x, weights = as_files.inputs("mlp"), drawn(1, ml_dtypes.bfloat16)
    program, arrays = beside(mlp, weights, x)
    answers = as_files.run(program, [x], tmp_path, [array.view(dtype) for array in arrays])
    as_files.compare(answers, mlp(weights, x), TERMS["mlp"])


def test_one_file_each(tmp_path):
    """In place of an archive; and a file too few or of another shape is refused with what is wanted."""
    x, weights = as_files.inputs("mlp"), drawn(1)
    program, arrays = beside(mlp, weights, x)
    as_files.compare(as_files.run(program, [*arrays, x], tmp_path), mlp(weights, x), TERMS["mlp"])
    files = [word for number in range(4) for word in ("--input", tmp_path / f"x{number}.npy")]
    few = as_files.millrace("run", tmp_path / "model.mlirbc", *files[:-2])
    assert few.returncode == 1 and "4 parameters, the inputs are 3 arrays" in few.stderr and "in3: 3x12xf32" in few.stderr
    turned = as_files.millrace("run", tmp_path / "model.mlirbc", *files[2:4], *files[:2], *files[4:])
    assert turned.returncode == 1 and "parameter 0 is a 48xf32" in turned.stderr


def test_several_platforms(tmp_path):
    """A program exported for several takes a number first, which says the one that it runs on."""
    import jax

    x, weights = as_files.inputs("mlp"), drawn(1)
    like = jax.ShapeDtypeStruct(x.shape, x.dtype)
    exported = jax.export.export(jax.jit(lambda x: mlp(weights, x)), platforms=["tpu", "cpu"])(like)
    answers = as_files.run(exported.mlir_module_serialized, [np.int32(1), x], tmp_path)
    as_files.compare(answers, mlp(weights, x), TERMS["mlp"])
