"""Partitioners of the host, inspections, groups, and programs in GSPMD's form, in processes with eight devices."""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def run(*arguments):
    environment = {**os.environ, "MILLRACE_NUM_DEVICES": "8", "JAX_PLATFORMS": "millrace"}
    command = [sys.executable, HERE / "shardings.py", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return [line.split()[1] for line in done.stdout.splitlines() if line.startswith("right:")]


def test_what_a_host_asks():
    assert run() == ["inspected", "partitioned", "alike", "constrained", "manual", "partly_manual"]


def test_gspmd():
    assert run("gspmd") == ["constrained", "manual", "partly_manual"]
