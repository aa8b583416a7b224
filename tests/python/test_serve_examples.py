"""The programs of examples/serve run, and what they say of a display is right."""

import os
import re
import shutil
import subprocess
import sys

import native
import pytest
from millrace import serve

EXAMPLES = native.ROOT / "examples" / "serve"
SETTINGS = {"MILLRACE_LIBRARY": str(native.BUILD / "lib" / "libpjrt_millrace.so"), "PYTHONPATH": str(native.ROOT / "python")}


def run(*command, **settings):
    result = subprocess.run(list(map(str, command)), env={**os.environ, **SETTINGS, **settings}, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-3000:]
    return result.stdout


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    try:
        serve.executable()
    except FileNotFoundError as error:
        pytest.skip(str(error))
    models = tmp_path_factory.mktemp("serve") / "models"
    assert run(sys.executable, EXAMPLES / "export_model.py", models) == f"wrote {models}/digits\n"
    with serve.start(models) as running:
        yield running


def test_python(server):
    said = run(sys.executable, EXAMPLES / "client.py", server.url)
    for who in ["urllib", *(["tritonclient"] if "no tritonclient" not in said else [])]:
        assert re.findall(rf"^{who}: \[.*\] is (\d)", said, re.M) == ["2", "7", "9"], said


def test_python_says_what_is_wrong(server):
    code = f"import client; client.infer({server.url!r}, 'digits', {{'segments': ('FP32', [1, 8], bytes(32))}})"
    result = subprocess.run([sys.executable, "-c", code], cwd=EXAMPLES, capture_output=True, text=True, timeout=60)
    assert "RuntimeError: 400: input 'segments' has shape [1,8], wanted [-1,7]" in result.stderr


def test_c(server, tmp_path):
    run("cc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", EXAMPLES / "client.c", "-o", tmp_path / "client")
    host, port = server.address.split(":")
    assert run(tmp_path / "client", host, port).startswith("2 (0.")
    assert len((EXAMPLES / "client.c").read_text().splitlines()) < 150


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_curl(server):
    said = run("sh", EXAMPLES / "query.sh", server.address)
    for wanted in ('"name":"digits"', ":2:two", '"predictions":[[', '"state":"READY"', "nv_inference_count{"):
        assert wanted in said, said
    floats = [float(word) for line in re.findall(r"^[ \d.e+-]+$", said, re.M) for word in line.split()]
    assert len(floats) == 10 and max(floats) == floats[2]


# The body for h2load is a request, as the parts of it that are lengths say.
def test_bodies_for_load_tools(tmp_path):
    run("sh", EXAMPLES / "query.sh", BODIES=str(tmp_path))
    grpc = (tmp_path / "infer.grpc").read_bytes()
    assert grpc[0] == 0 and int.from_bytes(grpc[1:5], "big") == len(grpc) - 5
    message, fields = grpc[5:], []
    while message:
        fields.append((message[0] >> 3, message[2 : 2 + message[1]]))
        message = message[2 + message[1] :]
    assert [number for number, _ in fields] == [1, 5, 7] and fields[0][1] == b"digits"
    binary = (tmp_path / "infer.bin").read_bytes()
    assert binary.endswith(fields[2][1]) and len(fields[2][1]) == 28
    assert f'"{len(binary) - 28}"' in (tmp_path / "infer.lua").read_text()
