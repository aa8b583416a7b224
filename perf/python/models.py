"""Models with an open batch beside the same models exported for one size, and loading beside onnxruntime.

    models.py export DIR     with JAX: an MLP, a transformer block and a ResNet-50, each open and for batches of 1, 3, 8 and 32, with weights beside
                             (one file for all of a model's); and the ResNet-50 as ONNX, where `onnx` is installed
    models.py sizes DIR      without JAX: whether the open one's answers are the fixed one's, and how long both take, in turns, for each batch
    models.py shared DIR     the memory that the weights take in two processes that have the same model, in three sizes
    models.py load DIR       how long it takes until the ResNet-50 is ready and has answered, each in a process of its own, beside onnxruntime's
                             session where that is installed

`--json FILE` writes what was measured.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

import numpy as np

BATCHES = 1, 3, 8, 32
SHAPES = {"mlp": (784,), "block": (64, 256), "resnet50": (224, 224, 3)}
STAGES = (3, 64), (4, 128), (6, 256), (3, 512)


def normal(random, *shape, scale=None):
    return (random.normal(size=shape) * (scale or 1 / np.sqrt(np.prod(shape[:-1])))).astype(np.float32)


# ---- The models --------------------------------------------------------------------------------------------------------------


def mlp(jax):
    random, jnp = np.random.default_rng(1), jax.numpy
    params = [{"w": normal(random, a, b), "b": normal(random, b, scale=0.1)} for a, b in ((784, 512), (512, 512), (512, 10))]

    def forward(params, x):
        for layer in params[:-1]:
            x = jax.nn.relu(x @ layer["w"] + layer["b"])
        return jax.nn.softmax(x @ params[-1]["w"] + params[-1]["b"])

    return forward, params


def block(jax):
    random, jnp = np.random.default_rng(2), jax.numpy
    width, heads = 256, 8
    params = {"qkv": normal(random, width, 3 * width), "out": normal(random, width, width), "up": normal(random, width, 4 * width), "down": normal(random, 4 * width, width)}

    def norm(x):
        return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)

    def forward(params, x):
        q, k, v = (part.reshape(*x.shape[:2], heads, -1) for part in jnp.split(norm(x) @ params["qkv"], 3, axis=-1))
        weights = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(width // heads))
        x = x + jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(x.shape) @ params["out"]
        return x + jax.nn.gelu(norm(x) @ params["up"]) @ params["down"]

    return forward, params


def resnet_params():
    """Batch norms are folded into the convolutions, as for inference. Names in the order of use."""
    random = np.random.default_rng(3)
    params = {}

    def conv(name, size, inputs, outputs):
        params[name] = {"w": normal(random, size, size, inputs, outputs), "b": normal(random, outputs, scale=0.1)}

    conv("stem", 7, 3, 64)
    inputs = 64
    for stage, (count, width) in enumerate(STAGES):
        for number in range(count):
            name = f"s{stage}b{number}"
            conv(f"{name}.1", 1, inputs, width)
            conv(f"{name}.2", 3, width, width)
            conv(f"{name}.3", 1, width, 4 * width)
            if number == 0:
                conv(f"{name}.down", 1, inputs, 4 * width)
            inputs = 4 * width
    params["head"] = {"w": normal(random, inputs, 1000), "b": normal(random, 1000, scale=0.1)}
    return params


def resnet50(jax):
    lax, jnp = jax.lax, jax.numpy

    def conv(params, name, x, stride=1):
        out = lax.conv_general_dilated(x, params[name]["w"], (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return out + params[name]["b"]

    def forward(params, x):
        x = jax.nn.relu(conv(params, "stem", x, 2))
        x = lax.reduce_window(x, -np.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        for stage, (count, _) in enumerate(STAGES):
            for number in range(count):
                name, stride = f"s{stage}b{number}", 2 if stage and number == 0 else 1
                y = jax.nn.relu(conv(params, f"{name}.1", x))
                y = jax.nn.relu(conv(params, f"{name}.2", y, stride))
                y = conv(params, f"{name}.3", y) * 0.25
                x = jax.nn.relu(y + (conv(params, f"{name}.down", x, stride) if number == 0 else x))
        return x.mean((1, 2)) @ params["head"]["w"] + params["head"]["b"]

    return forward, resnet_params()


MODELS = {"mlp": mlp, "block": block, "resnet50": resnet50}


def write_onnx(path):
    """The same network and weights, as ONNX lays them out."""
    import onnx
    from onnx import helper, numpy_helper

    params, nodes, weights = resnet_params(), [], []

    def constant(name, array):
        weights.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(kind, inputs, output, **attributes):
        nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def conv(name, x, stride=1):
        p = params[name]
        inputs = [x, constant(f"{name}.w", p["w"].transpose(3, 2, 0, 1)), constant(f"{name}.b", p["b"])]
        return node("Conv", inputs, f"{name}.y", strides=[stride] * 2, auto_pad="SAME_UPPER")

    x = node("Relu", [conv("stem", "x", 2)], "stem.r")
    x = node("MaxPool", [x], "pool", kernel_shape=[3, 3], strides=[2, 2], auto_pad="SAME_UPPER")
    quarter = constant("quarter", np.float32(0.25))
    for stage, (count, _) in enumerate(STAGES):
        for number in range(count):
            name, stride = f"s{stage}b{number}", 2 if stage and number == 0 else 1
            y = node("Relu", [conv(f"{name}.1", x)], f"{name}.r1")
            y = node("Relu", [conv(f"{name}.2", y, stride)], f"{name}.r2")
            y = node("Mul", [conv(f"{name}.3", y), quarter], f"{name}.q")
            x = node("Relu", [node("Add", [y, conv(f"{name}.down", x, stride) if number == 0 else x], f"{name}.s")], f"{name}.r3")
    x = node("Flatten", [node("GlobalAveragePool", [x], "mean")], "flat")
    node("Gemm", [x, constant("head.w", params["head"]["w"]), constant("head.b", params["head"]["b"])], "y")
    ends = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name, shape in (("x", ["b", 3, 224, 224]), ("y", ["b", 1000]))]
    graph = helper.make_graph(nodes, "resnet50", ends[:1], ends[1:], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)


def export_all(folder):
    import jax

    from jax_plugins.millrace import export

    folder.mkdir(parents=True, exist_ok=True)
    for name, make in MODELS.items():
        forward, params = make(jax)
        for batch in (None, *BATCHES):
            stem = f"{name}{batch or ''}"
            x = jax.ShapeDtypeStruct((batch or 1, *SHAPES[name]), np.float32)
            export(forward, (params, x), folder / f"{stem}.mlirbc", weights="params", batch=None if batch else {"x": 0})
            if batch:  # the open one's file is all that is needed
                (folder / f"{stem}.safetensors").unlink()
    try:
        write_onnx(folder / "resnet50.onnx")
    except ImportError:
        print("onnx is not installed: no resnet50.onnx")


# ---- Sizes ---------------------------------------------------------------------------------------------------------------------


def fastest(call, seconds):
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def measure_sizes(folder):
    import millrace

    rows = []
    for name, shape in SHAPES.items():
        weights = millrace.Weights(folder / f"{name}.safetensors")
        opened = millrace.load(folder / f"{name}.mlirbc", weights=weights)
        for batch in BATCHES:
            fixed = millrace.load(folder / f"{name}{batch}.mlirbc", weights=weights)
            x = np.random.default_rng(batch).normal(size=(batch, *shape)).astype(np.float32)
            same = bool(np.array_equal(opened(x), fixed(x)))
            times = {"open": float("inf"), "fixed": float("inf")}
            for turn in range(8):  # in turns, and whoever begins takes turns as well
                for side in ("open", "fixed") if turn % 2 else ("fixed", "open"):
                    model = opened if side == "open" else fixed
                    times[side] = min(times[side], fastest(lambda: model(x), 0.5))
            rows.append({"model": name, "batch": batch, "same": same, **times})
            print(f"{name:9} {batch:3}  open {times['open'] * 1e3:9.3f} ms  fixed {times['fixed'] * 1e3:9.3f} ms  "
                  f"{times['open'] / times['fixed']:.3f}  {'the same bits' if same else 'OTHER BITS'}", flush=True)
    return rows


# ---- Memory --------------------------------------------------------------------------------------------------------------------

HOLD = """
import sys, numpy as np, millrace
m = millrace.load(sys.argv[1])
for batch in (1, 2, 4):
    m(np.zeros((batch, *{shape}), np.float32))
print("ready", flush=True)
sys.stdin.read()
"""


def proportional(pid, name=None):
    """KiB of a process's memory, shared pages divided among those who have them; of the mappings of a file alone where one is named."""
    sum_kb, counts = 0, name is None
    for line in open(f"/proc/{pid}/smaps"):
        words = line.split()
        if not words[0].endswith(":"):
            counts = name is None or (len(words) > 5 and words[5].endswith(name))
        elif words[0] == "Pss:" and counts:
            sum_kb += int(words[1])
    return sum_kb


def measure_shared(folder):
    name = "resnet50"
    command = [sys.executable, "-c", HOLD.replace("{shape}", repr(SHAPES[name])), str(folder / f"{name}.mlirbc")]
    processes, rows = [], []
    for count in (1, 2):
        processes.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        assert processes[-1].stdout.readline() == "ready\n"
        row = {"processes": count, "all_kb": sum(proportional(p.pid) for p in processes),
               "weights_kb": sum(proportional(p.pid, ".safetensors") for p in processes)}
        rows.append(row)
        print(f"{count} processes, 3 sizes each: {row['all_kb'] / 1024:.0f} MiB in all, {row['weights_kb'] / 1024:.0f} MiB of them the weights' file "
              f"of {(folder / f'{name}.safetensors').stat().st_size / 2**20:.0f} MiB")
    for process in processes:
        process.communicate()
    return rows


# ---- Loading -------------------------------------------------------------------------------------------------------------------

OURS = """
import sys, time, numpy as np, millrace
x = np.ones((1, 224, 224, 3), np.float32)
start = time.perf_counter()
m = millrace.load(sys.argv[1] + "/resnet50.mlirbc")
m.prepare(x=x.shape)
ready = time.perf_counter() - start
y = m(x)
print(ready, time.perf_counter() - start, float(y.sum()))
"""
THEIRS = """
import sys, time, numpy as np, onnxruntime
x = np.ones((1, 3, 224, 224), np.float32)
start = time.perf_counter()
m = onnxruntime.InferenceSession(sys.argv[1] + "/resnet50.onnx", providers=["CPUExecutionProvider"])
ready = time.perf_counter() - start
y, = m.run(None, {"x": x})
print(ready, time.perf_counter() - start, float(y.sum()))
"""


def measure_load(folder, peer):
    sides = {"millrace": (sys.executable, OURS)} | ({"onnxruntime": (peer, THEIRS)} if peer else {})
    best = {side: [float("inf")] * 2 + [0] for side in sides}
    for _ in range(5):
        for side, (python, code) in sides.items():
            out = subprocess.run([python, "-c", code, str(folder)], check=True, capture_output=True, text=True).stdout.split()
            ready, answered, answer = map(float, out)
            best[side] = [min(best[side][0], ready), min(best[side][1], answered), answer]
    for side, (ready, answered, answer) in best.items():
        print(f"{side:12} ready after {ready * 1e3:7.1f} ms, has answered after {answered * 1e3:7.1f} ms ({answer:.3f})")
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("export", "sizes", "shared", "load"))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--peer", help="a Python that has onnxruntime, for load")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    run = {"export": export_all, "sizes": measure_sizes, "shared": measure_shared, "load": lambda folder: measure_load(folder, arguments.peer)}
    rows = run[arguments.what](arguments.folder)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
