"""The examples of docs/python.md run, and what they write is what they say."""

import os
import subprocess
import sys

import native
import numpy as np
import pytest

EXAMPLES = native.ROOT / "examples"


def run(name, *arguments):
    settings = {"MILLRACE_LIBRARY": str(native.BUILD / "lib" / "libpjrt_millrace.so"), "PYTHONPATH": str(native.ROOT / "python")}
    result = subprocess.run([sys.executable, EXAMPLES / name, *map(str, arguments)], env={**os.environ, **settings}, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr[-3000:]
    return result.stdout


def compile_c(name, output):
    flags = ["-I", native.ROOT, f"-L{native.BUILD / 'lib'}", f"-Wl,-rpath,{native.BUILD / 'lib'}", "-lmillrace"]
    subprocess.run(["cc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", EXAMPLES / name, *flags, "-o", output], check=True)


def test_a_server_on_asyncio():
    assert run("asyncio_model.py") == "1000 answers\n"


def test_a_gpt_writes_without_jax_what_it_writes_with_it(tmp_path):
    written = run("export_gpt.py", "--out", tmp_path)
    assert written.startswith("The river turns") and len(written) == len("The river turns") + 32 + 1
    assert run("gpt.py", tmp_path) == written
    compile_c("gpt.c", tmp_path / "gpt")
    in_c = subprocess.run([tmp_path / "gpt", tmp_path, "The river turns", "32"], capture_output=True, text=True, check=True, timeout=300)
    assert in_c.stdout == written
    a, b = (tmp_path / f"gpt_{part}.safetensors" for part in ("prefill", "step"))
    assert a.read_bytes() == b.read_bytes()


ROWS, COLUMNS, CLASSES = 12, 16, 10


def mean_of_parts(gray, greatest):
    """What examples/classify.c gives the model: each of its pixels is the mean of those that it covers, at least one."""
    height, width = gray.shape
    y = [(i * height // ROWS, max((i + 1) * height // ROWS, i * height // ROWS + 1)) for i in range(ROWS)]
    x = [(i * width // COLUMNS, max((i + 1) * width // COLUMNS, i * width // COLUMNS + 1)) for i in range(COLUMNS)]
    return np.array([[gray[a:b, c:d].mean() / greatest for c, d in x] for a, b in y], np.float32)


def picture(pixels, greatest=255, comment=""):
    height, width = pixels.shape[:2]
    return f"P{6 if pixels.ndim == 3 else 5}\n{comment}{width} {height}\n{greatest}\n".encode() + pixels.astype(np.uint8).tobytes()


@pytest.fixture(scope="module")
def classifier(tmp_path_factory):
    """A model of JAX's with weights beside it and an open batch, and the program that feeds it pictures."""
    import jax
    import jax.numpy as jnp
    from jax_plugins.millrace import export

    folder = tmp_path_factory.mktemp("classifier")
    numbers = np.random.default_rng(5)
    params = {"w1": numbers.standard_normal((ROWS * COLUMNS, 64), np.float32), "w2": numbers.standard_normal((64, CLASSES), np.float32)}

    def network(params, x):
        return jnp.tanh((x - 0.5).reshape(x.shape[0], -1) @ params["w1"]) @ params["w2"]

    shape = jax.ShapeDtypeStruct((1, ROWS, COLUMNS), np.float32)
    export(network, (params, shape), folder / "model.mlirbc", weights="params", batch=True)
    compile_c("classify.c", folder / "classify")
    return folder, lambda x: np.tanh((x - 0.5).reshape(len(x), -1) @ params["w1"]) @ params["w2"]


def classify(folder, pictures, *arguments, model="model.mlirbc"):
    """Its result, and the largest memory that it had at once, in bytes."""
    (folder / "in").write_bytes(pictures)
    command = ["/usr/bin/env", "python3", "-c", "import resource, subprocess, sys\n"
               "code = subprocess.run(sys.argv[1:]).returncode\n"
               "print('peak', resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024, file=sys.stderr)\n"
               "sys.exit(code)", folder / "classify", folder / model, *map(str, arguments)]
    with open(folder / "in") as standard_input:
        result = subprocess.run(command, stdin=standard_input, capture_output=True, text=True, timeout=120)
    said, _, peak = result.stderr.rpartition("peak ")
    return result.returncode, result.stdout, said, int(peak)


def test_pictures_become_classes_in_their_order(classifier):
    folder, network = classifier
    numbers = np.random.default_rng(6)
    pictures, inputs = b"", []
    for i in range(50):
        greatest = int(numbers.integers(1, 256))
        pixels = numbers.integers(0, greatest + 1, (*numbers.integers(1, 90, 2), 3)[: 2 + i % 2])
        pictures += picture(pixels, greatest, "# a comment 7\n#\n" if i % 5 == 0 else "")
        inputs.append(mean_of_parts(pixels if pixels.ndim == 2 else (pixels @ [299, 587, 114] + 500) // 1000, greatest))
    scores = network(np.array(inputs))
    code, printed, said, _ = classify(folder, pictures)
    assert (code, said) == (0, "")
    lines = [line.replace(":", "").replace(",", "").split() for line in printed.splitlines()]
    assert [int(line[0]) for line in lines] == list(range(50))
    for line, wanted in zip(lines, scores):
        assert float(line[3]) == pytest.approx(wanted[int(line[2])], rel=1e-3, abs=1e-3)
        assert wanted[int(line[2])] >= wanted.max() - 1e-3


def test_a_picture_that_is_not_well_fails_alone(classifier):
    folder, _ = classifier
    good, torn = picture(np.full((20, 30), 100), 200), picture(np.full((20, 30), 201), 200)
    code, printed, said, _ = classify(folder, good + torn + good)
    assert code == 1 and [line[:2] for line in printed.splitlines()] == ["0:", "2:"]
    assert "picture 1: pixel 0 is 201, and the file says 200 at most" in said
    for rest, message in ((good[:-1], "picture 2: it ends after 599 bytes of pixels, wanted 600"), (b"GIF89a", "picture 2: no header"),
                          (b"P5 0 1 255 ", "picture 2: no header"), (b"P5 16385 1 255 ", "picture 2: no header"), (b"P5 1", "picture 2: no header")):
        code, printed, said, _ = classify(folder, good + good + rest)
        assert code == 1 and len(printed.splitlines()) == 2, printed  # what came before is not lost
        assert message in said
    (folder / "other.mlir").write_text("func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}\n")
    code, printed, said, _ = classify(folder, good, model="other.mlir")
    assert code == 1 and "one input f32[n, height, width]" in said


# Who prints takes 2 ms for each picture, which are read and classified in much less: how many come does not show in the memory.
def test_a_slow_consumer_bounds_the_memory(classifier):
    folder, _ = classifier
    one = picture(np.zeros((1000, 1000)))
    few, many = (classify(folder, one * count, 2) for count in (16, 150))
    assert few[0] == many[0] == 0 and len(many[1].splitlines()) == 150
    assert many[3] < few[3] + 32 * len(one)
