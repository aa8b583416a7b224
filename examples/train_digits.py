#!/usr/bin/env python3
"""Trains a small convolutional network on handwritten digits with unmodified JAX on millrace, and exports it.

    ./dev run [-- --epochs N --platform millrace]

1. The first steps are taken on millrace and on XLA:CPU, and their losses compared.
2. Training goes on to at least 97% on digits it has not seen.
3. The trained model is exported as a portable StableHLO artifact and run by bin/millrace, without Python; its answers are
   compared with JAX's.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BATCH = 64
STEPS_PER_EPOCH = 22
COMPARED_STEPS = 20
LOSS_TOLERANCE = 1e-4
WANTED_ACCURACY = 0.97


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--platform", default="millrace", help="what JAX trains on")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "digits")
    parser.add_argument("--tool", type=pathlib.Path, default=ROOT / "build" / "release" / "bin" / "millrace")
    return parser.parse_args()


ARGUMENTS = parse_arguments()
# XLA:CPU is listed too: it is what the first losses are compared with.
os.environ["JAX_PLATFORMS"] = ARGUMENTS.platform if ARGUMENTS.platform == "cpu" else f"{ARGUMENTS.platform},cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax
from sklearn.datasets import load_digits

# ---- Data -----------------------------------------------------------------------------------------------------------


def load_data():
    """Images in 0..1 as NHWC and labels, in a fixed random order: (training, held back)."""
    digits = load_digits()
    images = (digits.images / 16).astype(np.float32)[..., None]
    labels = digits.target.astype(np.int32)
    order = np.random.default_rng(0).permutation(len(labels))
    held_back = len(labels) // 5
    test, train = order[:held_back], order[held_back:]
    return (images[train], labels[train]), (images[test], labels[test])


def batches(images, labels, epoch):
    """The images in a random order, each moved by up to a pixel up or down, left or right."""
    random = np.random.default_rng(epoch + 1)
    order = random.permutation(len(labels))
    margins = np.pad(images, ((0, 0), (1, 1), (1, 1), (0, 0)))
    for start in range(0, len(order) - BATCH + 1, BATCH):
        chosen = order[start : start + BATCH]
        moves = random.integers(0, 3, (BATCH, 2))
        moved = [margins[i, y : y + 8, x : x + 8] for i, (y, x) in zip(chosen, moves)]
        yield np.stack(moved), labels[chosen]


# ---- Model ----------------------------------------------------------------------------------------------------------


def init_parameters(key):
    def weights(key, shape, fan_in):
        return jax.random.normal(key, shape) * np.sqrt(2 / fan_in)

    keys = jax.random.split(key, 4)
    return {
        "conv1": (weights(keys[0], (3, 3, 1, 16), 9), jnp.zeros(16)),
        "conv2": (weights(keys[1], (3, 3, 16, 32), 144), jnp.zeros(32)),
        "hidden": (weights(keys[2], (4 * 4 * 32, 64), 512), jnp.zeros(64)),
        "output": (weights(keys[3], (64, 10), 64), jnp.zeros(10)),
    }


def convolve(x, layer):
    kernel, bias = layer
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + bias


def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def scores(parameters, images):
    x = jax.nn.relu(convolve(images, parameters["conv1"]))
    x = max_pool(jax.nn.relu(convolve(x, parameters["conv2"])))
    x = x.reshape(x.shape[0], -1)
    x = jax.nn.relu(x @ parameters["hidden"][0] + parameters["hidden"][1])
    return x @ parameters["output"][0] + parameters["output"][1]


def loss(parameters, images, labels):
    log_chances = jax.nn.log_softmax(scores(parameters, images))
    return -jnp.take_along_axis(log_chances, labels[:, None], axis=1).mean()


# ---- Training -------------------------------------------------------------------------------------------------------


def adam_step(state, images, labels, first_rate=2e-3, decay=(0.9, 0.999), tiny=1e-8):
    parameters, first, second, count = state
    value, gradients = jax.value_and_grad(loss)(parameters, images, labels)
    count = count + 1
    first = jax.tree.map(lambda m, g: decay[0] * m + (1 - decay[0]) * g, first, gradients)
    second = jax.tree.map(lambda v, g: decay[1] * v + (1 - decay[1]) * g * g, second, gradients)
    # The rate falls to nothing over the whole training, so that the last steps settle.
    rate = first_rate * jnp.maximum(1 - count / (ARGUMENTS.epochs * STEPS_PER_EPOCH), 0)
    scale = rate * jnp.sqrt(1 - decay[1] ** count) / (1 - decay[0] ** count)
    parameters = jax.tree.map(lambda p, m, v: p - scale * m / (jnp.sqrt(v) + tiny), parameters, first, second)
    return (parameters, first, second, count), value


def initial_state():
    """Made on the host, so that every device starts from the same bits."""
    with jax.default_device(jax.devices("cpu")[0]):
        parameters = jax.tree.map(np.asarray, init_parameters(jax.random.key(0)))
    zeros = jax.tree.map(np.zeros_like, parameters)
    return parameters, zeros, jax.tree.map(np.copy, zeros), np.float32(0)


def first_losses(device, data):
    """The losses of the first steps on a device."""
    step = jax.jit(adam_step)
    state, losses = jax.device_put(initial_state(), device), []
    for images, labels in list(batches(*data, epoch=0))[:COMPARED_STEPS]:
        state, value = step(state, jax.device_put(images, device), jax.device_put(labels, device))
        losses.append(float(value))
    return np.array(losses)


def compare_first_losses(data):
    ours = first_losses(jax.devices(ARGUMENTS.platform)[0], data)
    xla = first_losses(jax.devices("cpu")[0], data)
    differences = abs(ours - xla) / abs(xla)
    print("step   millrace      XLA:CPU       relative difference")
    for step, (a, b, difference) in enumerate(zip(ours, xla, differences)):
        print(f"{step:4}   {a:.7f}     {b:.7f}     {difference:.1e}")
    print(f"largest relative difference of {len(ours)} losses: {differences.max():.1e} (wanted at most {LOSS_TOLERANCE:g})")
    return differences.max() <= LOSS_TOLERANCE


def train(device, data, held_back):
    step = jax.jit(adam_step, donate_argnums=0)
    accuracy = jax.jit(lambda p, x, y: (scores(p, x).argmax(1) == y).mean())
    state = jax.device_put(initial_state(), device)
    held_back = jax.device_put(held_back, device)
    started, steps = time.monotonic(), 0
    for epoch in range(ARGUMENTS.epochs):
        for images, labels in batches(*data, epoch):
            state, value = step(state, jax.device_put(images, device), jax.device_put(labels, device))
            steps += 1
        reached = float(accuracy(state[0], *held_back))
        print(f"epoch {epoch + 1:2}: loss {float(value):.4f}, {reached:.2%} of the held-back digits right", flush=True)
    seconds = time.monotonic() - started
    print(f"{steps} steps in {seconds:.1f} s on {device.device_kind}, compiling included")
    return state[0], reached


# ---- Export ---------------------------------------------------------------------------------------------------------


def export_and_check(parameters, images):
    """Writes the model with its weights inside, runs it with bin/millrace, compares with what JAX answers."""
    out = ARGUMENTS.out
    out.mkdir(parents=True, exist_ok=True)
    frozen = jax.tree.map(np.asarray, parameters)
    model = jax.jit(lambda x: jax.nn.softmax(scores(frozen, x)))
    exported = export.export(model, platforms=["cpu"])(jax.ShapeDtypeStruct(images.shape, images.dtype))
    (out / "model.mlirbc").write_bytes(exported.mlir_module_serialized)
    np.save(out / "x.npy", images)
    subprocess.run(
        [ARGUMENTS.tool, "run", out / "model.mlirbc", "--input", out / "x.npy", "--output", out], check=True, timeout=120
    )
    answers, wanted = np.load(out / "out0.npy"), np.asarray(model(images))
    difference = abs(answers - wanted).max()
    same = (answers.argmax(1) == wanted.argmax(1)).all()
    print(f"exported to {out / 'model.mlirbc'}; {len(images)} answers of bin/millrace differ from JAX's by at most {difference:.1e}")
    return same and difference <= 1e-4


def main():
    data, held_back = load_data()
    device = jax.devices(ARGUMENTS.platform)[0]
    print(f"JAX {jax.__version__} on {ARGUMENTS.platform}: {device} ({device.device_kind})")
    agrees = compare_first_losses(data)
    parameters, reached = train(device, data, held_back)
    exported = export_and_check(parameters, held_back[0][:100])
    checks = {
        f"first losses agree within {LOSS_TOLERANCE:g}": agrees,
        f"accuracy of at least {WANTED_ACCURACY:.0%}": reached >= WANTED_ACCURACY,
        "the exported model answers alike": exported,
    }
    for check, passed in checks.items():
        print(f"{'ok  ' if passed else 'FAIL'} {check}")
    return 0 if all(checks.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
