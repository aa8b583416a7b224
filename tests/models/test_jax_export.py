"""Files that jax.export's serialize() wrote: what is in them is a program of ours, of one size or of any."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import as_files
from as_files import CLASSES, FEATURES, HIDDEN, TERMS
from exported import export

RANDOM = np.random.default_rng(1)
FIRST, LAST = (RANDOM.normal(size=shape).astype(np.float32) / shape[0] ** 0.5 for shape in [(FEATURES, HIDDEN), (HIDDEN, CLASSES)])


def mlp(x):
    return jnp.tanh(x @ FIRST) @ LAST


def written(path, batch, platforms=("cpu",)):
    """A file for batches of this size, as who has trained the model hands it on."""
    like = jax.ShapeDtypeStruct((batch, FEATURES), np.float32)
    path.write_bytes(jax.export.export(jax.jit(mlp), platforms=platforms)(like).serialize())
    return path


def test_of_one_size(tmp_path):
    x = as_files.inputs("mlp")
    found = jax.export.deserialize(written(tmp_path / "model.jax", len(x)).read_bytes())
    as_files.compare(as_files.run(found.mlir_module_serialized, [x], tmp_path), mlp(x), TERMS["mlp"])


@pytest.mark.parametrize("platforms", [("cpu",), ("cpu", "tpu", "cuda")], ids=len)
def test_of_any_size(platforms, tmp_path):
    """Exported once more, for one size and one platform."""
    x = as_files.inputs("mlp")
    (batch,) = jax.export.symbolic_shape("batch")
    found = jax.export.deserialize(written(tmp_path / "model.jax", batch, platforms).read_bytes())
    as_files.compare(as_files.run(export(found.call, x).mlir_module_serialized, [x], tmp_path), mlp(x), TERMS["mlp"])


def test_as_it_is(tmp_path):
    """The file, which is JAX's own format, is not run, and says what is wrong; the program for any size takes that of its input."""
    x = as_files.inputs("mlp")
    (batch,) = jax.export.symbolic_shape("batch")
    path = written(tmp_path / "model.jax", batch)
    found = as_files.millrace("run", path)
    assert found.returncode == 1 and "INVALID_ARGUMENT" in found.stderr
    program = jax.export.deserialize(path.read_bytes()).mlir_module_serialized
    for rows in (2, len(x)):
        folder = tmp_path / str(rows)
        folder.mkdir()
        as_files.compare(as_files.run(program, [x[:rows]], folder), mlp(x[:rows]), TERMS["mlp"])
