"""The examples of docs/python.md run, and what they write is what they say."""

import os
import subprocess
import sys

import native

EXAMPLES = native.ROOT / "examples"


def run(name, *arguments):
    settings = {"MILLRACE_LIBRARY": str(native.BUILD / "lib" / "libpjrt_millrace.so"), "PYTHONPATH": str(native.ROOT / "python")}
    result = subprocess.run([sys.executable, EXAMPLES / name, *map(str, arguments)], env={**os.environ, **settings}, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr[-3000:]
    return result.stdout


def test_a_server_on_asyncio():
    assert run("asyncio_model.py") == "1000 answers\n"


def test_a_gpt_writes_without_jax_what_it_writes_with_it(tmp_path):
    written = run("export_gpt.py", "--out", tmp_path)
    assert written.startswith("The river turns") and len(written) == len("The river turns") + 32 + 1
    assert run("gpt.py", tmp_path) == written
    flags = ["-I", native.ROOT, f"-L{native.BUILD / 'lib'}", f"-Wl,-rpath,{native.BUILD / 'lib'}", "-lmillrace"]
    subprocess.run(["cc", EXAMPLES / "gpt.c", *flags, "-o", tmp_path / "gpt"], check=True)
    in_c = subprocess.run([tmp_path / "gpt", tmp_path, "The river turns", "32"], capture_output=True, text=True, check=True, timeout=300)
    assert in_c.stdout == written
    a, b = (tmp_path / f"gpt_{part}.safetensors" for part in ("prefill", "step"))
    assert a.read_bytes() == b.read_bytes()
