"""docs/serving.md: its programs and configurations work as they stand there, and its options, limits, keys, metrics and fields are the server's."""

import json
import os
import pathlib
import re
import shlex
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import native
import pytest
from millrace import serve

ROOT = native.ROOT
PAGE = (ROOT / "docs" / "serving.md").read_text()
MAN = (ROOT / "docs" / "man" / "millrace-serve.1").read_text()
SETTINGS = {"MILLRACE_LIBRARY": str(native.BUILD / "lib" / "libpjrt_millrace.so"), "PYTHONPATH": str(ROOT / "python")}
OPTIONS = (ROOT / "serve" / "app" / "options.c").read_text()


def source(path):
    return (ROOT / "serve" / path).read_text()


def section(title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)[1]


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


# ---- What it says -----------------------------------------------------------------------------------------------------------


def test_every_option_is_in_the_page_and_the_manual():
    options = {name for name in re.findall(r'\{"(--[a-z-]+)"', OPTIONS)} - {"--help", "--version"}
    assert options <= set(re.findall(r"--[a-z-]+", PAGE)), options - set(re.findall(r"--[a-z-]+", PAGE))
    assert options <= {"--" + name for name in re.findall(r"Fl \\-([a-z-]+)", MAN)}


def test_defaults_are_those_of_the_help():
    said = dict(re.findall(r'\{"(--[a-z-]+)",\s*"[A-Z]+",\s*"[^"]*\((\d+)\)"', OPTIONS))
    assert len(said) > 10
    units = {"MiB": 1 << 20, "GiB": 1 << 30, "s": 1}
    told = {}
    for name, value, unit in re.findall(r"^\| `(--[a-z-]+) [A-Z]+` \|.*\| (\d+)(?: (MiB|GiB|s))? \|$", section("Limits"), re.M):
        told[name] = str(int(value) * units.get(unit, 1))
    assert told == {name: said[name] for name in told} and len(told) >= 9
    entries = re.findall(r"^\.It Fl \\-([a-z-]+) .*\n((?:(?!\.It|\.El).*\n)*)", MAN, re.M)
    assert {"--" + name: text.split()[-2] for name, text in entries if re.search(r"^\.Pq \d+ \.$", text, re.M)} == said


def test_limits_are_those_of_the_sources():
    limits = section("Limits")
    assert "| 8 KiB, 64 KiB, 100 |" in limits
    parser = source("http/parser.h")
    assert "LINE_BYTES ((size_t)8192)" in parser and "FIELDS_BYTES ((size_t)65536)" in parser and "FIELDS ((size_t)100)" in parser
    assert "| 100, 16 |" in limits and "SV_JSON_DEPTH 100" in source("json/json.h") and "SV_MAX_RANK 16" in source("base/base.h")
    assert "| 64; 64 |" in limits and "SV_MOST_SIZES 64u" in source("batch/internal.h") and "MOST_BUCKETS = 64" in source("batch/queue.c")
    assert "| 1024; 10000 |" in limits and "MOST_REGIONS = 1024" in source("service/regions.c") and "MOST_KEYS = 10000" in source("service/keys.c")
    assert "4096 at most" in PAGE and "SV_MOST_BATCH 4096u" in source("batch/internal.h")
    assert "(32 where the program" in PAGE and "SV_DEFAULT_BATCH 32u" in source("batch/internal.h")


def test_keys_of_configurations_are_the_servers():
    known = set(re.findall(r'^    \{"(\w+)",|keys\[\] = \{\{"(\w+)"', source("config/keys.c"), re.M))
    known = {a or b for a, b in known} | {"versions", "num_versions", "all", "specific", "step", "decoupled", "enable", "string_value", "batch_sizes", "weights"}
    rows = re.findall(r"^\| ([^|]*`[^|]*) \|", section("The configuration"), re.M)
    for name in (name for row in rows for name in re.findall(r"`\.?([a-z_]+(?:\.[a-z_]+)?)`", row)):
        assert all(part in known for part in name.split(".")), name


# ---- What it has people do ------------------------------------------------------------------------------------------------------


def is_built():
    try:
        serve.executable()
    except FileNotFoundError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """The folder that the first program writes."""
    is_built()
    folder = tmp_path_factory.mktemp("page")
    subprocess.run([sys.executable, "-c", blocks("python")[0]], cwd=folder, env={**os.environ, **SETTINGS}, check=True, timeout=300)
    assert sorted(path.name for path in (folder / "models").iterdir()) == ["digits.mlirbc", "digits.safetensors"]
    return folder / "models"


@pytest.fixture(scope="module")
def server(models):
    with serve.start(models) as running:
        yield running


def ask(url, body=None, **headers):
    request = urllib.request.Request(url, json.dumps(body).encode() if body is not None else None, headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        return response.read()


def test_the_first_questions(server):
    commands = [shlex.split(line) for line in re.findall(r"^    \$ (curl .*)$", section("From a model to an answer"), re.M)]
    assert len(commands) == 2
    for words in commands:
        url = words[1].replace("localhost:8000", server.address)
        answer = json.loads(ask(f"http://{url}", json.loads(words[3]) if "-d" in words else None))
    digits = answer["outputs"][0]["data"]
    assert len(digits) == 10 and max(digits) == digits[2]


def test_the_first_client(server):
    pytest.importorskip("gevent")
    pytest.importorskip("tritonclient.http")
    code = blocks("python")[1].replace("localhost:8000", server.address)
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout == "2\n"


def test_a_server_in_a_program(models):
    code = blocks("python")[2].replace('"models"', repr(str(models)))
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+\n", native.fresh(code))


def test_metrics_are_the_servers(server):
    names = set(re.findall(r"`((?:nv|millrace)_\w+)`", section("What can be seen")))
    there = set(re.findall(r"^# TYPE (\w+) ", ask(f"{server.url}/metrics").decode(), re.M))
    assert names == there, names ^ there


def test_fields_of_the_log_are_the_servers(models, tmp_path):
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", section("What can be seen").split("**Metrics.**")[0], re.M)
    names = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    body = {"id": "7", "inputs": [{"name": "segments", "datatype": "FP32", "shape": [1, 7], "data": [1] * 7}]}
    with serve.start(models, access_log=tmp_path / "log") as running:
        ask(f"{running.url}/v2/models/digits/infer", body, traceparent=f"00-{'ab' * 16}-{'cd' * 8}-01")
    line = json.loads((tmp_path / "log").read_text().splitlines()[-1])
    assert set(line) == names, set(line) ^ names
    assert line["trace_id"] == "ab" * 16 and line["request_id"] == "7" and line["batch_size"] == 1


TWICE = """func.func @main(%x: tensor<?x{0}xf32> loc("x")) -> (tensor<?x{0}xf32> {{jax.result_info = "result['y']"}}) {{
  %y = stablehlo.add %x, %x : tensor<?x{0}xf32>
  return %y : tensor<?x{0}xf32>
}}
"""

# The two configurations of the page: of a model, and of an ensemble of two.
def test_configurations_are_taken(tmp_path):
    is_built()
    one, ensemble = blocks("json")
    model = tmp_path / "models" / "one"
    model.mkdir(parents=True)
    (model / "model.mlir").write_text(TWICE.format(10))
    (model / "config.json").write_text(one)
    (model / "labels.txt").write_text("a\nb\n")
    # The ensemble's second model gives ten numbers in the page; here it keeps their number.
    for name in ("embed", "classify"):
        (tmp_path / "models" / f"{name}.mlir").write_text(TWICE.format(784))
    (tmp_path / "models" / "both").mkdir()
    (tmp_path / "models" / "both" / "config.json").write_text(ensemble.replace('"dims": [10]', '"dims": [784]'))
    with serve.start(tmp_path / "models") as running:
        body = {"inputs": [{"name": "x", "datatype": "FP32", "shape": [1, 10], "data": list(range(10))}], "outputs": [{"name": "y", "parameters": {"classification": 2}}]}
        assert json.loads(ask(f"{running.url}/v2/models/one/infer", body))["outputs"][0]["data"] == ["18.000000:9", "16.000000:8"]
        body = {"inputs": [{"name": "image", "datatype": "FP32", "shape": [2, 784], "data": [1] * 1568}]}
        assert json.loads(ask(f"{running.url}/v2/models/both/infer", body))["outputs"][0] == {"name": "label", "datatype": "FP32", "shape": [2, 784], "data": [4] * 1568}
        config = json.loads(ask(f"{running.url}/v2/models/one/config"))
        assert config["max_batch_size"] == 16 and config["dynamic_batching"]["max_queue_delay_microseconds"] == 500


def test_keys(models, tmp_path):
    text = "\n".join(line.strip() for line in re.search(r"(    # KEY .*?)\n\n", PAGE, re.S)[1].splitlines())
    keys = tmp_path / "keys"
    keys.touch(0o600)
    keys.write_text(text + "\n")
    shop, operator = (re.search(rf"^(\S+) .* {name}$", text, re.M)[1] for name in ("shop", "operator"))
    with serve.start(models, keys=keys, control=True) as running:
        ask(f"{running.url}/v2/health/ready")
        for headers in ({"Authorization": f"Bearer {shop}"}, {"X-API-Key": operator}):
            ask(f"{running.url}/v2/models/digits", **headers)
        for headers, status in (({}, 401), ({"X-API-Key": "wrong"}, 401), ({"X-API-Key": shop}, 403)):
            with pytest.raises(urllib.error.HTTPError) as error:
                ask(f"{running.url}/v2/repository/models/digits/load", {}, **headers)
            assert error.value.code == status
        ask(f"{running.url}/v2/repository/models/digits/load", {}, **{"X-API-Key": operator})
    keys.chmod(0o644)
    with pytest.raises(RuntimeError, match="wanted 600 or 640"):
        serve.start(models, keys=keys)


# A unix socket is an address too.
def test_a_unix_socket(models, tmp_path):
    with serve.start(models, listen=f"unix:{tmp_path}/s") as running, socket.socket(socket.AF_UNIX) as connection:
        assert running.url == f"unix:{tmp_path}/s"
        connection.connect(str(pathlib.Path(tmp_path) / "s"))
        connection.sendall(b"GET /v2/health/live HTTP/1.1\r\nHost: a\r\n\r\n")
        assert connection.recv(4096).startswith(b"HTTP/1.1 200 ")
