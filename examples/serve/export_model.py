"""Writes a folder that `millrace serve` serves: `python export_model.py FOLDER`, then `millrace serve FOLDER`.

The model reads a seven-segment display. Its input `segments` has seven numbers, which say how bright the segments a to g are; its output `digit` has ten,
which say how likely each digit is. With jax and the wheel, or PYTHONPATH=python in a checkout.
"""

import json
import pathlib
import sys

import jax
import numpy as np
from jax_plugins.millrace import export

# Bits abcdefg of the digits 0 to 9.
DIGITS = ["1111110", "0110000", "1101101", "1111001", "0110011", "1011011", "1011111", "1110000", "1111111", "1111011"]
PATTERNS = np.array([[int(bit) for bit in digit] for digit in DIGITS], np.float32)

CONFIG = {
    "max_batch_size": 32,
    "dynamic_batching": {"default_queue_policy": {"max_queue_size": 1000}},
    "output": [{"name": "digit", "label_filename": "labels.txt"}],
}


def classify(params, segments):
    """The nearer a digit's pattern, the likelier it is: -2 |segments - pattern|^2, but for what all of them have in common."""
    return {"digit": jax.nn.softmax(segments @ params["w"] + params["b"])}


def write(folder):
    model = pathlib.Path(folder) / "digits"
    (model / "1").mkdir(parents=True, exist_ok=True)
    params = {"w": 4 * PATTERNS.T, "b": -2 * PATTERNS.sum(axis=1)}
    export(classify, (params, jax.ShapeDtypeStruct((1, 7), np.float32)), model / "1" / "model.mlirbc", weights="params", batch=True)
    (model / "labels.txt").write_text("zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n")
    (model / "config.json").write_text(json.dumps(CONFIG, indent=2) + "\n")
    return model


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(f"wrote {write(sys.argv[1])}")
