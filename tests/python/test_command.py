"""bin/millrace on programs with names, open sizes and weights, and its manual pages, beside what the library's own rules say."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import jax
import jax.numpy as jnp
import numpy
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = pathlib.Path(os.environ.get("MILLRACE_BUILD", ROOT / "build" / "release")) / "bin" / "millrace"
PAGES = ROOT / "docs" / "man"
COMMANDS = ["devices", "show", "run", "bench", "graph", "trace", "simulate", "check", "serve"]


def tool(*arguments, status=0, **environment):
    result = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True, timeout=120, env={**os.environ, **environment})
    assert result.returncode == status, result.stderr + result.stdout
    return result.stdout if status == 0 else result.stderr


def network(params, x):
    return {"sum": x.sum(), "y": jnp.tanh(x @ params["w"] + params["c"])}


@pytest.fixture
def arrays():
    rng = numpy.random.default_rng(7)
    return {name: rng.normal(size=shape).astype("f4") for name, shape in (("c", 3), ("w", (5, 3)), ("x", (4, 5)))}


@pytest.fixture
def exported(tmp_path):
    """The network with an open batch, without weights beside."""
    b, = jax.export.symbolic_shape("b")
    shape = jax.ShapeDtypeStruct
    params = {"c": shape((3,), jnp.float32), "w": shape((5, 3), jnp.float32)}
    program = jax.export.export(jax.jit(network), platforms=["cpu"])(params, shape((b, 5), jnp.float32))
    (tmp_path / "net.mlirbc").write_bytes(program.mlir_module_serialized)
    return tmp_path / "net.mlirbc"


def save_weights(path, arrays):
    numpy.savez(path, **{f"params['{name}']": arrays[name] for name in ("c", "w")})


# ---- show -----------------------------------------------------------------------------------------------------------


def test_show_open_sizes(exported):
    text = tool("show", exported)
    assert text.startswith(f"program {exported}, which leaves sizes open\n3 parameters\n")
    assert "  parameter 0: 3xf32, params['c']\n  parameter 1: 5x3xf32, params['w']\n  parameter 2: bx5xf32, x\n2 results\n" in text
    assert "  result 0: f32, result['sum']\n  result 1: bx3xf32, result['y']\nsizes that are open: b\n" in text
    assert "costs" not in text and "\nweights " not in text  # nothing was compiled


def test_show_of_one_size(exported):
    for option in (("--size", "b=8"), ("--shape", "x=8x5")):
        text = tool("show", *option, exported)
        assert "  parameter 2: 8x5xf32, 160 B, x\n" in text and "  result 1: 8x3xf32, 96 B, result['y']\n" in text
        assert "time on one core: " in text
    plan = tool("show", "--plan", "--size", "b=64", exported)
    assert "  parameter 2: 64x5xf32, " in plan and "  kernel fusion " in plan
    assert "leaves the size b open (of x): --size b=N says it" in tool("show", "--plan", exported, status=1)
    assert "the program has no size q; it leaves open b" in tool("show", "--size", "q=8", exported, status=1)


def test_show_weights(exported, arrays):
    save_weights(exported.with_suffix(".npz"), arrays)
    text = tool("show", exported)
    assert text.endswith(f"weights {exported.with_suffix('.npz')}\n  parameter 0, params['c']\n  parameter 1, params['w']\n")
    assert "\nweights " not in tool("show", "--weights", "", exported)
    numpy.savez(exported.parent / "more.npz", x=arrays["x"], unused=arrays["w"])
    assert tool("show", "--weights", exported.parent / "more.npz", "--size", "b=4", exported).endswith(
        f"weights {exported.parent / 'more.npz'}\n  parameter 2, x\n  of no parameter: unused\n")


def test_show_donated(tmp_path):
    b, = jax.export.symbolic_shape("b")
    program = jax.export.export(jax.jit(lambda state: state + 1, donate_argnums=0), platforms=["cpu"])(
        jax.ShapeDtypeStruct((b,), jnp.float32))
    (tmp_path / "step.mlirbc").write_bytes(program.mlir_module_serialized)
    assert "  parameter 0: bxf32, state, donated\n" in tool("show", tmp_path / "step.mlirbc")


# ---- run ------------------------------------------------------------------------------------------------------------


def check_answers(folder, arrays, names=("out0", "out1")):
    wanted = network(arrays, arrays["x"])
    numpy.testing.assert_allclose(numpy.load(folder / f"{names[0]}.npy"), wanted["sum"], rtol=1e-5)
    numpy.testing.assert_allclose(numpy.load(folder / f"{names[1]}.npy"), wanted["y"], rtol=1e-5)


def test_run_by_position_and_by_name(exported, arrays, tmp_path):
    for name, array in arrays.items():
        numpy.save(tmp_path / f"{name}.npy", array)
    c, w, x = (tmp_path / f"{name}.npy" for name in "cwx")
    numpy.savez(tmp_path / "some.npz", **{"x": arrays["x"], "params['w']": arrays["w"]})
    ways = [[c, w, x], [f"x={x}", c, w], [f"x={x}", f"params['w']={w}", f"params['c']={c}"], [tmp_path / "some.npz", c], [c, tmp_path / "some.npz"]]
    for i, way in enumerate(ways):
        tool("run", exported, *[part for value in way for part in ("--input", value)], "--output", tmp_path / str(i))
        check_answers(tmp_path / str(i), arrays)


def test_run_with_weights(exported, arrays, tmp_path):
    numpy.save(tmp_path / "x.npy", arrays["x"])
    save_weights(tmp_path / "weights.npz", arrays)
    tool("run", exported, "--weights", tmp_path / "weights.npz", "--input", tmp_path / "x.npy", "--output", tmp_path / "a")
    check_answers(tmp_path / "a", arrays)
    save_weights(exported.with_suffix(".npz"), arrays)
    tool("run", exported, "--input", tmp_path / "x.npy", "--output", tmp_path / "b", "--names")
    check_answers(tmp_path / "b", arrays, ("result['sum']", "result['y']"))
    text = tool("run", exported, "--weights", "", "--input", tmp_path / "x.npy", status=1)
    assert "parameter 0 is a 3xf32, the input a NumPy array of rank 2" in text
    # Who gives all of them by position means no weights that lie beside.
    numpy.savez(tmp_path / "all.npz", numpy.zeros(3, "f4"), arrays["w"], arrays["x"])
    tool("run", exported, "--input", tmp_path / "all.npz", "--output", tmp_path / "all")
    check_answers(tmp_path / "all", {**arrays, "c": numpy.zeros(3, "f4")})
    # What is given by name comes before what the file has.
    numpy.save(tmp_path / "c.npy", numpy.zeros(3, "f4"))
    tool("run", exported, "--input", f"params['c']={tmp_path / 'c.npy'}", "--input", tmp_path / "x.npy", "--output", tmp_path / "c")
    check_answers(tmp_path / "c", {**arrays, "c": numpy.zeros(3, "f4")})


# A file of safetensors: the size of a header in JSON, the header, the arrays.
def test_run_with_safetensors(exported, arrays, tmp_path):
    header, content = {}, b""
    for name in ("w", "c"):
        begin, content = len(content), content + arrays[name].tobytes()
        header[f"params['{name}']"] = {"dtype": "F32", "shape": arrays[name].shape, "data_offsets": [begin, len(content)]}
    text = json.dumps(header).encode()
    exported.with_suffix(".safetensors").write_bytes(len(text).to_bytes(8, "little") + text + content)
    save_weights(exported.with_suffix(".npz"), {**arrays, "c": numpy.zeros(3, "f4")})  # comes after it
    numpy.save(tmp_path / "x.npy", arrays["x"])
    assert f"weights {exported.with_suffix('.safetensors')}\n" in tool("show", exported)
    tool("run", exported, "--input", tmp_path / "x.npy", "--output", tmp_path / "a", "--repeat", 3)
    check_answers(tmp_path / "a", arrays)


def test_run_names_what_is_missing(exported, arrays, tmp_path):
    assert tool("run", exported, status=1).endswith(
        "the program has 3 parameters, the inputs are 0 arrays; wanted are\n  in0: 3xf32, a NumPy array of type f4, params['c']\n"
        "  in1: 5x3xf32, a NumPy array of type f4, params['w']\n  in2: bx5xf32, a NumPy array of type f4, x\n")
    save_weights(exported.with_suffix(".npz"), arrays)
    assert tool("run", exported, status=1).endswith(
        "has 1 parameters that are no weights, the inputs are 0 arrays; wanted are\n  in2: bx5xf32, a NumPy array of type f4, x\n")
    # What lies beside a program and cannot be weights is told only where something is missing.
    exported.with_suffix(".npz").write_bytes(b"nothing")
    assert f"{exported.with_suffix('.npz')}, beside the program, has no weights: " in tool("run", exported, status=1)


def test_run_refuses(exported, arrays, tmp_path):
    numpy.save(tmp_path / "x.npy", arrays["x"])
    save_weights(tmp_path / "weights.npz", arrays)
    weights = ("--weights", tmp_path / "weights.npz")
    x = tmp_path / "x.npy"
    assert "no input is called z; the program's are params['c'], params['w'], x" in tool("run", exported, "--input", f"z={x}", status=1)
    assert "the input x was given twice" in tool("run", exported, *weights, "--input", f"x={x}", "--input", f"x={x}", status=1)
    assert "the size b of x is 4, and 5 by --size" in tool("run", exported, *weights, "--input", x, "--size", "b=5", status=1)
    assert "cannot use --size b: wanted SYMBOL=N, as b=8" in tool("run", exported, "--size", "b", status=1)
    assert "weights.npz has 2 arrays" in tool("run", exported, "--input", f"x={tmp_path / 'weights.npz'}", status=1)
    numpy.savez(tmp_path / "wrong.npz", **{"params['w']": numpy.ascontiguousarray(arrays["w"].T)})
    assert "wrong.npz has params['w'] as 3x5xf32, the program as 5x3xf32" in tool(
        "run", exported, "--weights", tmp_path / "wrong.npz", status=1)
    numpy.savez(tmp_path / "other.npz", **{"v": arrays["w"]})
    assert "other.npz has no array of the name of a parameter; it has 1, the first is v, the program 3, the first is params['c']" in tool(
        "run", exported, "--weights", tmp_path / "other.npz", status=1)
    assert "none.npz: " in tool("run", exported, "--weights", tmp_path / "none.npz", status=1)
    assert tool("run", status=1).startswith("millrace: no program is named\nusage: millrace run")


def test_run_on_several_devices(exported, arrays, tmp_path):
    numpy.save(tmp_path / "x.npy", arrays["x"])
    save_weights(exported.with_suffix(".npz"), arrays)
    tool("run", exported, "--devices", 2, "--input", tmp_path / "x.npy", "--output", tmp_path)
    check_answers(tmp_path, arrays)


# Arrays beside a program that are called otherwise, and which a library of weights does not read, are left alone.
def test_arrays_beside_that_are_no_weights(arrays, tmp_path):
    lowered = jax.jit(network).lower({name: arrays[name] for name in "cw"}, arrays["x"])
    (tmp_path / "net.mlir").write_text(lowered.as_text())
    numpy.savez_compressed(tmp_path / "net.npz", in0=arrays["c"], in1=arrays["w"], in2=arrays["x"])
    tool("run", tmp_path / "net.mlir", "--input", tmp_path / "net.npz", "--output", tmp_path / "o")
    check_answers(tmp_path / "o", arrays)


# ---- Manual pages ---------------------------------------------------------------------------------------------------


def options_of_help(text):
    return set(re.findall(r"(?<![\w-])(--[a-z][a-z-]*|-[a-z])(?![\w-])", text))


# What mdoc's `Fl` has behind it, with the dash that it puts there.
def options_of_page(text):
    return {"-" + name.replace("\\-", "-") for name in re.findall(r"\bFl (\\-[a-z][a-z-]*|[a-z])\b", text)}


@pytest.mark.parametrize("command", COMMANDS)
def test_each_option_is_in_the_page(command):
    if command == "serve" and not (TOOL.parent / "millrace-serve").exists():
        pytest.skip("millrace-serve is not built: nghttp2, OpenSSL and zlib are needed")
    page = (PAGES / f"millrace-{command}.1").read_text()
    assert options_of_page(page) == options_of_help(tool(command, "--help"))
    assert ".Nd " in page and f".Nm millrace-{command}\n" in page


def test_each_command_has_a_page():
    page, text = (PAGES / "millrace.1").read_text(), tool("--help")
    assert sorted(path.name for path in PAGES.iterdir()) == sorted(["millrace.1", *(f"millrace-{command}.1" for command in COMMANDS)])
    assert re.findall(r"^\.It Cm (\w+)$", page, re.M) == COMMANDS
    assert [name for name in re.findall(r"millrace (\w+)", text) if name in COMMANDS] == COMMANDS
    assert options_of_page(page) == {"--help"}
    for path in PAGES.iterdir():
        for name in re.findall(r"^\.Xr (\S+) 1", path.read_text(), re.M):
            assert (PAGES / f"{name}.1").exists(), f"{path.name} refers to {name}"


@pytest.mark.skipif(not (shutil.which("groff") or shutil.which("mandoc")), reason="neither groff nor mandoc is installed")
@pytest.mark.parametrize("page", sorted(path.name for path in PAGES.iterdir()))
def test_pages_are_clean(page):
    if shutil.which("mandoc"):
        result = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", PAGES / page], capture_output=True, text=True, timeout=60)
        assert (result.stdout, result.returncode) == ("", 0)
    if shutil.which("groff"):
        result = subprocess.run(["groff", "-ww", "-mandoc", "-Tutf8", "-z", PAGES / page], capture_output=True, text=True, timeout=60)
        assert (result.stderr, result.returncode) == ("", 0)


# The fields of --json that the page has are those that bench_json.c writes.
def test_the_page_has_the_fields():
    page = (PAGES / "millrace-bench.1").read_text()
    source = (ROOT / "tools" / "bench_json.c").read_text()
    written = set(re.findall(r'\\"([\w.]+)\\": ?', source)) | set(re.findall(r'{"(\w+)", row->', source))
    written |= set(re.findall(r'put_histogram\(file, "(\w+)"', source))
    told = {name for line in re.findall(r"^\.(?:It )?Va (.*)$", page, re.M) for name in line.split() if name not in ",:;"}
    assert written - {"name"} <= told, written - told
    assert told <= written | {"p50", "p90", "p95", "p99", "p99.9"} | {"name"}, told - written
