"""PyTorch/XLA on millrace beside its own CPU device: `./dev torch`, with the environment that that makes."""

import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).with_name("programs.py")
LIBRARY = pathlib.Path(os.environ.get("MILLRACE_LIBRARY", ROOT / "build/release/lib/libpjrt_millrace.so")).resolve()
# A sum in another order, and of bf16 a unit of its eight bits.
TOLERANCES = {"attention_in_bfloat16": 2e-2}
PROGRAMS = re.findall(r"@program\ndef (\w+)", HERE.read_text())


def start(device, *arguments, **more):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PJRT_", "XLA_", "CPU_NUM"))} | more
    env |= {"PJRT_DEVICE": device, "MILLRACE_LIBRARY": str(LIBRARY)}
    done = subprocess.run([sys.executable, HERE, *arguments], env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]


def answers(device, name, folder, **more):
    file = folder / f"{device}.npz"
    start(device, name, str(file), **more)
    with np.load(file) as found:
        return [found[key] for key in found.files]


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, tmp_path):
    ours = answers("MILLRACE", name, tmp_path, **({"CPU_NUM_DEVICES": "8"} if name == "sharded" else {}))
    theirs = answers("CPU", name, tmp_path)
    assert len(ours) == len(theirs) > 0
    for got, want in zip(ours, theirs):
        assert got.shape == want.shape and got.dtype == want.dtype
        scale = max(1.0, float(np.abs(want.astype(np.float64)).max(initial=0)))
        np.testing.assert_allclose(got.astype(np.float64), want.astype(np.float64), rtol=0, atol=TOLERANCES.get(name, 2e-5) * scale)


def test_exported_program_runs_without_python(tmp_path):
    start("CPU", "export", str(tmp_path))
    meta = json.loads((tmp_path / "functions" / "forward.meta").read_text())
    inputs = []
    for place in meta["input_locations"]:
        inputs += ["--input", str(tmp_path / "data" / place["name"] if place["type_"] == "parameter" else tmp_path / "x.npy")]
    tool = LIBRARY.parents[1] / "bin" / "millrace"
    subprocess.run([tool, "run", tmp_path / "functions" / "forward.bytecode", *inputs, "--output", tmp_path], check=True, timeout=60)
    np.testing.assert_allclose(np.load(tmp_path / "out0.npy"), np.load(tmp_path / "wanted.npy"), rtol=0, atol=2e-5)
