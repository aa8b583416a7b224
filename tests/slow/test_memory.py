"""A process that builds many models needs at most a quarter more memory than with XLA:CPU: ./dev test-slow memory.

One is the test suite of haiku's ResNets, of 18 to 200 layers, which is inside its wheel and runs op by op; the other trains models of many
sizes. Each is one process on either, some minutes of processor time; what counts is the most that was resident."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST = 1.25

SUITE = """
import json, pathlib, resource, sys
import haiku, pytest
path = pathlib.Path(haiku.__file__).parent / "_src/nets/resnet_test.py"
code = pytest.main(["-q", "-p", "no:cacheprovider", "-W", "ignore", str(path)])
print(json.dumps({"peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10}))
sys.exit(int(code))
"""


def peak(platform, *arguments):
    environment = dict(os.environ, JAX_PLATFORMS=platform)
    result = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return json.loads(result.stdout.splitlines()[-1])["peak_mib"]


@pytest.mark.parametrize(
    "arguments", [("-c", SUITE), (str(ROOT / "tests/jax/many_models.py"), "--more")], ids=["haiku", "many_models"]
)
def test_peak_beside_xla(arguments):
    ours, theirs = peak("millrace", *arguments), peak("cpu", *arguments)
    print(f"\n{ours} MiB on millrace, {theirs} MiB on XLA:CPU: {ours / theirs:.2f}")
    assert ours <= MOST * theirs
