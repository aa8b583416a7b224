"""Programs over eight devices as a host sees them, in a process that has so many (eight_devices.py)."""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def test_in_a_process_with_eight_devices():
    environment = {**os.environ, "MILLRACE_NUM_DEVICES": "8"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE / "eight_devices.py"]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]
