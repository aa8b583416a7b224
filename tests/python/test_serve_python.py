"""python -m millrace.serve and millrace.serve.start(): a server from Python, and what they say where there is none."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import urllib.request

import native
import pytest
from millrace import serve

MODEL = """func.func @main(%x: tensor<?x4xf32> loc("x")) -> (tensor<?x4xf32> {jax.result_info = "result['y']"}) {
  %y = stablehlo.add %x, %x : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
"""


@pytest.fixture
def is_built():
    try:
        serve.executable()
    except FileNotFoundError as error:
        pytest.skip(str(error))


@pytest.fixture
def models(tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "twice.mlir").write_text(MODEL)
    return tmp_path / "models"


def get(url):
    with urllib.request.urlopen(url, timeout=60) as response:
        return response.read()


def test_a_server_for_as_long_as_it_is_wanted(is_built, models):
    with serve.start(models, max_body=4096) as server:
        assert server.url == f"http://127.0.0.1:{server.port}" and server.address == f"127.0.0.1:{server.port}"
        body = json.dumps({"inputs": [{"name": "x", "datatype": "FP32", "shape": [1, 4], "data": [1, 2, 3, 4]}]}).encode()
        answer = json.loads(get(urllib.request.Request(f"{server.url}/v2/models/twice/infer", body)))
        assert answer["outputs"][0]["data"] == [2, 4, 6, 8]
        with pytest.raises(urllib.error.HTTPError, match="413"):
            get(urllib.request.Request(f"{server.url}/v2/models/twice/infer", bytes(5000)))
    assert server.stop() == 0  # and again is no error
    with pytest.raises(urllib.error.URLError):
        get(server.url + "/v2")


def test_options_are_the_commands(is_built, models, tmp_path):
    log = tmp_path / "access"
    with serve.start([models], listen=["127.0.0.1:0", f"unix:{tmp_path}/socket"], model="twice", watch=True, control=False, access_log=log) as server:
        get(server.url + "/v2/health/ready")
        assert (tmp_path / "socket").exists()
    assert json.loads(log.read_text().splitlines()[0])["path"] == "/v2/health/ready"


def test_what_cannot_be_served_says_why(is_built, models):
    (models / "half.mlir").write_text(MODEL[:100])
    with pytest.raises(RuntimeError, match="(?s)some models could not be loaded.*'half'"):
        serve.start(models)
    with pytest.raises(RuntimeError, match="'--no-such-option' is no option"):
        serve.start(models, no_such_option=True)
    with pytest.raises(RuntimeError, match="(?i)no such file"):
        serve.start(models / "nowhere")


# A process that ends with a server takes it along.
def test_it_ends_with_its_process(is_built, models):
    code = f"from millrace import serve; server = serve.start({str(models)!r}); print(server.pid, flush=True)"
    pid = int(native.fresh(code))
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_the_command(is_built, models):
    settings = {"MILLRACE_LIBRARY": str(native.BUILD / "lib" / "libpjrt_millrace.so"), "PYTHONPATH": str(native.ROOT / "python")}
    command = [sys.executable, "-m", "millrace.serve", "--listen", "127.0.0.1:0", models]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, **settings})
    said = ""
    while "ready" not in said and (line := process.stderr.readline()):
        said += line
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0, said
    assert "listening on 127.0.0.1:" in said
    process.stderr.close()
    assert subprocess.run([*command[:3], "--version"], env={**os.environ, **settings}, capture_output=True, text=True).stdout.startswith("millrace serve ")


def test_where_there_is_none(monkeypatch, tmp_path):
    monkeypatch.setenv("MILLRACE_SERVE", str(tmp_path / "none"))
    with pytest.raises(FileNotFoundError, match="MILLRACE_SERVE names no program"):
        serve.start(tmp_path)
    monkeypatch.delenv("MILLRACE_SERVE")
    monkeypatch.setenv("MILLRACE_LIBRARY", str(tmp_path / "libpjrt_millrace.so"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="nor on the PATH"):
        serve.executable()
    (tmp_path / "libpjrt_millrace.so").touch()
    program = pathlib.Path(tmp_path) / "millrace-serve"
    program.touch()
    with pytest.raises(FileNotFoundError, match="millrace-serve is not at"):
        serve.executable()
    program.chmod(0o755)
    assert serve.executable() == str(program)
