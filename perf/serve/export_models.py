"""A repository of models for `millrace serve` and for Triton with our backend, to measure them with.

    PYTHONPATH=python export_models.py DIR [mlp] [front] [block] [resnet50]

The MLP is 784-256-10 in f32; the transformer block and the ResNet-50 are those of perf/python/models.py. All have an open batch and their weights
beside them, random ones with a fixed seed.
"""

import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "perf" / "python"))
import models  # noqa: E402

CONFIG = """backend: "millrace"
max_batch_size: 32
dynamic_batching { }
"""


def mlp(jax):
    random = np.random.default_rng(1)
    params = {"w1": models.normal(random, 784, 256), "b1": models.normal(random, 256, scale=0.1), "w2": models.normal(random, 256, 10), "b2": models.normal(random, 10, scale=0.1)}

    def forward(params, x):
        hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
        return jax.nn.softmax(hidden @ params["w2"] + params["b2"])

    return forward, params


def front(jax):
    """What the MLP takes and gives, and no work: what a server takes for it is the server's own."""
    return lambda params, x: x[:, :10] + params["zero"], {"zero": np.zeros(10, np.float32)}


MODELS = {"mlp": (mlp, (784,)), "front": (front, (784,)), "block": (models.block, models.SHAPES["block"]), "resnet50": (models.resnet50, models.SHAPES["resnet50"])}


def main(folder, *names):
    import jax

    from jax_plugins.millrace import export

    for name in names or MODELS:
        make, shape = MODELS[name]
        forward, params = make(jax)
        target = pathlib.Path(folder) / name
        (target / "1").mkdir(parents=True, exist_ok=True)
        (target / "config.pbtxt").write_text(CONFIG)

        def named(params, x, forward=forward):
            return {"y": forward(params, x)}

        export(named, (params, jax.ShapeDtypeStruct((1, *shape), np.float32)), target / "1" / "model.mlirbc", weights="params", batch={"x": 0})


if __name__ == "__main__":
    main(*sys.argv[1:])
