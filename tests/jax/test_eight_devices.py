"""Programs over eight devices, in processes that have so many: eight_devices.py, carried_over_devices.py."""

import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent


@pytest.mark.sampled
@pytest.mark.parametrize("file", ["eight_devices.py", "carried_over_devices.py"])
def test_in_a_process_with_eight_devices(file):
    environment = {**os.environ, "MILLRACE_NUM_DEVICES": "8"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE / file]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=1200)
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]
