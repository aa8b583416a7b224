"""Compiling twice the program takes twice the instructions; `./dev test-slow growth` counts those of every form."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MILLRACE_BUILD", ROOT / "build" / "release"))


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="there is no valgrind")
@pytest.mark.parametrize("form", ["chain", "updates"])
def test_instructions_are_linear(form):
    binary = BUILD / "tests" / "test_compiler_growth"
    counted = subprocess.run([sys.executable, ROOT / "tools" / "count_growth.py", binary, form], capture_output=True, text=True)
    assert counted.returncode == 0 and "1 forms, 0 not between" in counted.stdout, counted.stdout + counted.stderr
