"""What the tests of this folder share: inputs, `millrace run` on files, and how close its answers must be.

A test makes a model with random weights, asks its framework for an answer, writes the model as a file, and its weights into the file or
beside it; what `millrace run` then answers, in a process without Python, is compared.
"""

import os
import pathlib
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = pathlib.Path(os.environ.get("MILLRACE_TOOL", ROOT / "build/release/bin/millrace")).resolve()

# The sizes that every framework's models have: an MLP, a network of images with batch normalisation, a transformer over letters.
FEATURES, HIDDEN, CLASSES = 12, 48, 5
IMAGE, CHANNELS, MAPS = 8, 3, 16
LETTERS, LENGTH, WIDTH, HEADS = 11, 8, 32, 4

# How many roundings lie behind a number of each, one after another: the terms of all sums on the longest path from input to answer, and
# 8 for a function such as tanh, erf, exp or a normalisation's root and division.
TERMS = {
    "mlp": FEATURES + 8 + HIDDEN,
    "cnn": 9 * CHANNELS + 8 + MAPS * (IMAGE // 2) ** 2,
    # Three normalisations with two sums each, scores and softmax, four projections, two layers and the answer's.
    "transformer": 3 * (2 * WIDTH + 8) + WIDTH // HEADS + 2 * LENGTH + 8 + 2 * WIDTH + WIDTH + 8 + 4 * WIDTH + WIDTH,
}


def inputs(kind, seed=0, layout="NHWC"):
    """A batch of three for one of the models."""
    random = np.random.default_rng(seed)
    if kind == "transformer":
        return random.integers(0, LETTERS, (3, LENGTH)).astype(np.int32)
    shape = (3, FEATURES) if kind == "mlp" else (3, IMAGE, IMAGE, CHANNELS) if layout == "NHWC" else (3, CHANNELS, IMAGE, IMAGE)
    return random.normal(size=shape).astype(np.float32)


def millrace(*arguments, **settings):
    """The command, and what it printed. Nothing of JAX, PyTorch or TensorFlow is in its process."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "LD_", "JAX_", "XLA_"))} | settings
    return subprocess.run([TOOL, *map(str, arguments)], env=environment, capture_output=True, text=True, timeout=300)


def run(program, arrays, folder, weights=None):
    """What the program answers: `program` is its bytes or a file, `weights` the arrays that its first parameters are, or None."""
    if isinstance(program, bytes):
        path = folder / "model.mlirbc"
        path.write_bytes(program)
        program = path
    files = []
    if weights is not None:
        # As numpy names them, arr_0, arr_1, ...: an archive's arrays are taken in the order in which it has them.
        np.savez(folder / "weights.npz", *map(np.asarray, weights))
        files += ["--input", folder / "weights.npz"]
    for number, array in enumerate(arrays):
        np.save(folder / f"x{number}.npy", array)
        files += ["--input", folder / f"x{number}.npy"]
    answers = folder / "answers"
    answers.mkdir()
    done = millrace("run", program, *files, "--output", answers)
    assert done.returncode == 0, done.stderr
    return [np.load(answers / f"out{number}.npy") for number in range(len(list(answers.iterdir())))]


def tolerance(terms, wanted, unit=2.0**-24):
    """How far two answers may lie apart where each has gone through so many roundings, of f32 if not of another type.

    One rounding is off by `unit` of its result at most. Both sides round, so twice `terms` of them add up, of numbers as large as the
    largest answer: weights here are such that no layer makes its input's error grow by more than it makes its input grow.
    """
    return 2 * terms * unit * float(np.abs(wanted).max())


def compare(answers, wanted, terms, unit=2.0**-24):
    """Asserts that the answers, a list of one array, are what the framework said."""
    wanted = np.asarray(wanted)
    assert len(answers) == 1 and answers[0].shape == wanted.shape and answers[0].dtype == wanted.dtype
    allowed = tolerance(terms, wanted, unit)
    # An answer that depended on nothing would prove nothing: rows of the batch differ by far more than is allowed.
    assert np.ptp(wanted, axis=0).max() > 20 * allowed
    np.testing.assert_allclose(answers[0], wanted, rtol=0, atol=allowed)
