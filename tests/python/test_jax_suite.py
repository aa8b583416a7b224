"""tools/jax_suite.py on a checkout of a few tests: each outcome is counted as what it is."""

import json
import pathlib
import subprocess
import sys

import pytest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "jax_suite.py"

TESTS = """
import os, time, unittest

HERE = os.environ["JAX_PLATFORMS"] != "cpu"

class T(unittest.TestCase):
    def test_alike(self):
        self.assertIn("SUITE_JOURNAL", os.environ)

    def test_crashes(self):
        if HERE: os.abort()

    def test_fails(self):
        self.assertFalse(HERE, "the platform")

    def test_hangs(self):
        if HERE: time.sleep(600)

    def test_skipped_everywhere(self):
        self.skipTest("not now")

    def test_withheld(self):
        if HERE: self.skipTest("not here")

    def test_zebra(self):
        pass
"""


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    checkout, out = tmp_path_factory.mktemp("checkout"), tmp_path_factory.mktemp("out")
    (checkout / "tests").mkdir()
    (checkout / "jax" / "_src").mkdir(parents=True)
    for name in ("conftest.py", "pyproject.toml", "tests/lax_test.py", "jax/_src/hypothesis_test_util.py"):
        (checkout / name).write_text("")
    (checkout / "tests" / "device_test.py").write_text(TESTS)
    command = [sys.executable, str(TOOL), str(checkout), "--only", "device_test", "--limit", "4", "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=400)
    return done, json.loads((out / "millrace.5.json").read_text())["device_test"], out


# A test that crashes or hangs costs itself alone: those before and after it have their own outcomes.
def test_each_outcome(ran):
    outcomes = {name.removeprefix("T::test_"): result["how"] for name, result in ran[1].items()}
    assert outcomes == {"alike": "passed", "crashes": "crashed", "fails": "failed", "hangs": "hung",
                        "skipped_everywhere": "skipped", "withheld": "skipped", "zebra": "passed"}


# What XLA:CPU skips is not counted, what is skipped only here is; a loss is an exit status.
def test_comparison(ran):
    done = ran[0]
    assert done.returncode == 1, done.stderr
    assert "| device_test | 6 | 2 |" in done.stdout
    assert "hung, not in the page: device_test: T::test_hangs" in done.stdout
    assert "failed, not in the page: device_test: T::test_fails: AssertionError: True is not false : the platform" in done.stdout


# Results are kept, and a report of them needs no checkout.
def test_report(ran):
    done = subprocess.run([sys.executable, str(TOOL), "--report", "--only", "device_test", "--out", str(ran[2])],
                          capture_output=True, text=True, timeout=60)
    assert "| device_test | 6 | 2 |" in done.stdout and done.returncode == 1


# A folder without JAX's tests is refused by name.
def test_wrong_folder(tmp_path):
    done = subprocess.run([sys.executable, str(TOOL), str(tmp_path), "--out", str(tmp_path / "out")],
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "no checkout of JAX" in done.stderr
