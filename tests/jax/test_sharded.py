"""Programs over eight devices, in a process that has them: values as one device's, shardings as XLA:CPU's partitioner's."""

import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def test_programs_of_all_families():
    families = len(re.findall(r"^@family$", (HERE / "sharded_programs.py").read_text(), re.M))
    environment = {**os.environ, "MILLRACE_NUM_DEVICES": "8"}
    command = [sys.executable, HERE / "sharded_programs.py", "--seeds", f"0:{2 * families}"]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
    tally = {what: int(count) for count, what in re.findall(r"(\d+) ([\w :]+)", run.stdout.splitlines()[-1])}
    assert tally["right"] == 2 * families
    assert tally["other shardings"] <= 0.03 * tally["shardings"], run.stdout
