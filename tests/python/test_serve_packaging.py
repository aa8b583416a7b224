"""packaging/serve: what people copy is well formed, and names options, ports, paths, metrics and times that the server has. packaging/completion too."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys

import pytest

try:
    import yaml
except ImportError:
    yaml = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "packaging" / "serve"
TABLE = (ROOT / "serve" / "app" / "options.c").read_text()
# Name: whether a value follows.
OPTIONS = {name: what != "NULL" for name, what in re.findall(r'\{"(--[a-z-]+)",\s*(NULL|"[^"]*")', TABLE)}
FILES = sorted(path for path in FOLDER.iterdir() if path.is_file())
TEAR_DOWN_S = 10  # what the server takes to end when all requests are over, and more


def of(name):
    return (FOLDER / name).read_text()


def documents(name):
    """Those of a YAML file."""
    if yaml is None:
        pytest.skip("PyYAML is not installed")
    return list(yaml.safe_load_all(of(name)))


def kind(name, which):
    return next(document for document in documents(name) if document["kind"] == which)


def container(name, which):
    spec = kind(name, which)["spec"]
    return spec.get("template", {"spec": spec})["spec"]["containers"][0]


def seconds(words, option, default=0):
    return next((int(word.split("=")[1]) for word in words if word.startswith(option + "=")), default)


def test_the_table_of_options_is_read():
    assert len(OPTIONS) > 20 and OPTIONS["--listen"] and not OPTIONS["--watch"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_options_are_the_servers(path):
    others = ("useradd", "install", "podman", "systemctl", "HEALTHCHECK")
    lines = [line for line in path.read_text().splitlines() if not any(word in line for word in others)]
    for name, value in re.findall(r"(?<![\w-])(--[a-z][a-z-]*)(=?)", "\n".join(lines)):
        assert name in OPTIONS, f"{path.name} has {name}"
        assert not value or OPTIONS[name], f"{path.name}: {name} takes no value"


# No block may be indented by tabs, and no key stand twice in a row of its block: what a reader of YAML would say, as far as it goes.
@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".yaml"], ids=lambda path: path.name)
def test_yaml_looks_well(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        assert "\t" not in line and line == line.rstrip(), f"{path.name}:{number}"
        bare = re.sub(r'"[^"]*"|#.*', "", line)
        assert all(bare.count(a) == bare.count(b) for a, b in ("{}", "[]")), f"{path.name}:{number}"
        assert (len(line) - len(line.lstrip())) % 2 == 0, f"{path.name}:{number}"


@pytest.mark.parametrize("name, which", [("kubernetes.yaml", "Deployment"), ("kserve-runtime.yaml", "ServingRuntime")])
def test_ports_and_probes_agree(name, which):
    box = container(name, which)
    port = next(int(word.rpartition(":")[2]) for word in box["args"] if word.startswith("--listen="))
    assert [declared["containerPort"] for declared in box["ports"]] == [port]
    names = {port, *(declared.get("name") for declared in box["ports"])}
    for probe, path in (("startupProbe", "ready"), ("readinessProbe", "ready"), ("livenessProbe", "live")):
        assert box[probe]["httpGet"]["path"] == f"/v2/health/{path}" and box[probe]["httpGet"]["port"] in names
    route = (ROOT / "serve" / "rest" / "route.c").read_text()
    assert '{"live", SV_PLACE_LIVE}' in route and '{"ready", SV_PLACE_READY}' in route
    # 127.0.0.1, where the server listens by itself, is nobody's outside of the container.
    assert any(word.startswith("--listen=0.0.0.0:") for word in box["args"])


def test_there_is_time_to_drain():
    deployment, runtime = container("kubernetes.yaml", "Deployment"), container("kserve-runtime.yaml", "ServingRuntime")
    grace = {
        "kubernetes": (deployment["args"], kind("kubernetes.yaml", "Deployment")["spec"]["template"]["spec"]["terminationGracePeriodSeconds"]),
        "kserve": (runtime["args"], kind("kserve-runtime.yaml", "InferenceService")["spec"]["predictor"]["terminationGracePeriodSeconds"]),
    }
    for words, given in grace.values():
        assert given >= seconds(words, "--drain-delay") + seconds(words, "--drain", 30) + TEAR_DOWN_S
    # The readiness that fails is seen, and told on, before the door is closed.
    probe = deployment["readinessProbe"]
    assert seconds(deployment["args"], "--drain-delay") > probe["periodSeconds"] * probe["failureThreshold"]


def test_kubernetes_fits_together():
    deployment, service = kind("kubernetes.yaml", "Deployment"), kind("kubernetes.yaml", "Service")
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    for selector in (deployment["spec"]["selector"]["matchLabels"], service["spec"]["selector"], kind("kubernetes.yaml", "PodDisruptionBudget")["spec"]["selector"]["matchLabels"]):
        assert selector.items() <= labels.items()
    box = container("kubernetes.yaml", "Deployment")
    ports = {port["name"]: port["containerPort"] for port in box["ports"]}
    assert all(port["targetPort"] in ports for port in service["spec"]["ports"])
    assert deployment["spec"]["template"]["metadata"]["annotations"]["prometheus.io/port"] == str(ports["http"])
    scaler = kind("kubernetes.yaml", "HorizontalPodAutoscaler")["spec"]
    assert scaler["scaleTargetRef"]["name"] == deployment["metadata"]["name"] and scaler["minReplicas"] <= scaler["maxReplicas"]
    metric = next(entry["pods"]["metric"]["name"] for entry in scaler["metrics"] if entry["type"] == "Pods")
    assert f'"{metric}"' in (ROOT / "serve" / "service" / "service_metrics.c").read_text()
    volumes = {volume["name"] for volume in deployment["spec"]["template"]["spec"]["volumes"]}
    mounts = {mount["name"]: mount["mountPath"] for mount in box["volumeMounts"]}
    assert volumes == set(mounts) and mounts["models"] in box["args"]
    assert {"name": "MILLRACE_CACHE_DIR", "value": mounts["kernels"]} in box["env"]


def test_kserve_is_given_what_it_asks_for():
    runtime = kind("kserve-runtime.yaml", "ServingRuntime")
    assert set(runtime["spec"]["protocolVersions"]) == {"v1", "v2", "grpc-v2"}
    box = container("kserve-runtime.yaml", "ServingRuntime")
    assert box["name"] == "kserve-container" and "/mnt/models" in box["args"] and 'MOUNTED[] = "/mnt/models"' in TABLE
    model = kind("kserve-runtime.yaml", "InferenceService")["spec"]["predictor"]["model"]
    formats = {(one["name"], one["version"]) for one in runtime["spec"]["supportedModelFormats"]}
    assert model["runtime"] == runtime["metadata"]["name"] and (model["modelFormat"]["name"], model["modelFormat"]["version"]) in formats


def test_the_container_file():
    text = of("Containerfile")
    assert re.search(r"^FROM \S*debian:12-slim$", text, re.M)
    user, exposed = re.search(r"^USER (\d+)", text, re.M)[1], re.search(r"^EXPOSE (\d+)$", text, re.M)[1]
    assert int(user) > 0 and f"--uid {user}" in text
    assert f'"--listen=0.0.0.0:{exposed}"' in text and f"/dev/tcp/127.0.0.1/{exposed}" in text
    assert "GET /v2/health/live " in text and '"millrace-serve"' in text
    cache = re.search(r"MILLRACE_CACHE_DIR=(\S+)", text)[1]
    assert re.search(rf"install -d -o millrace .*{cache}", text)
    image = container("kubernetes.yaml", "Deployment")["image"]
    version = re.search(r"project\(millrace VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    assert image == f"millrace-serve:{version}" == container("kserve-runtime.yaml", "ServingRuntime")["image"]


def test_the_unit(tmp_path):
    unit = of("millrace-serve.service")
    entries = dict(re.findall(r"^(\w+)=(.*)$", unit, re.M))
    words = entries["ExecStart"].split()
    assert entries["Type"] == "notify" and int(entries["WatchdogSec"]) > 1 and entries["Requires"] == "millrace-serve.socket"
    assert "SIGHUP" in (ROOT / "serve" / "app" / "main.c").read_text() and "-HUP $MAINPID" in entries["ExecReload"]
    assert int(entries["TimeoutStopSec"]) >= seconds(words, "--drain-delay") + seconds(words, "--drain", 30) + TEAR_DOWN_S
    assert "--listen" not in unit and re.search(r"^ListenStream=127\.0\.0\.1:\d+$", of("millrace-serve.socket"), re.M)
    connections = re.search(r"\.connections = (\d+)", TABLE)[1]
    assert int(entries["LimitNOFILE"]) > int(connections)
    # Kernels are compiled into memory that is then executed.
    assert "MemoryDenyWriteExecute" not in entries
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed")
    for name in ("millrace-serve.service", "millrace-serve.socket"):
        text = of(name).replace("/usr/bin/millrace-serve", "/bin/true").replace("Documentation=man:millrace-serve(1)\n", "")
        (tmp_path / name).write_text(text)
    result = subprocess.run(["systemd-analyze", "verify", tmp_path / "millrace-serve.service"], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stderr) == (0, "")


def health_check(port):
    """What the container's says of a server at this port."""
    command = json.loads(re.search(r"^HEALTHCHECK .*? CMD (\[.*\])$", of("Containerfile"), re.M)[1])
    return subprocess.run([word.replace("/8000 ", f"/{port} ") for word in command], stderr=subprocess.DEVNULL, timeout=60).returncode


# What the unit promises: the socket is systemd's, and systemd is told of each state, and fed meanwhile.
def test_it_does_what_the_unit_says(tmp_path):
    program = pathlib.Path(os.environ.get("MILLRACE_SERVE", ROOT / "build" / "release" / "bin" / "millrace-serve"))
    if not program.exists():
        pytest.skip(f"{program} is not built: nghttp2, OpenSSL and zlib are needed")
    (tmp_path / "models").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(str(tmp_path / "notify"))
        notify.settimeout(60)
        settings = {"LISTEN_FDS": "1", "NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "100000"}
        # By a process of its own: Python between fork and exec would be one thread of a process of many.
        launch = "import os, sys; os.dup2(int(sys.argv[1]), 3); os.environ['LISTEN_PID'] = str(os.getpid()); os.execv(sys.argv[2], sys.argv[2:])"
        command = [sys.executable, "-c", launch, str(listener.fileno()), program, tmp_path / "models"]
        process = subprocess.Popen(command, env={**os.environ, **settings}, stderr=subprocess.DEVNULL, pass_fds=[listener.fileno()])
        try:
            said = [notify.recv(200)]
            with socket.create_connection(listener.getsockname(), 60) as connection:
                connection.sendall(b"GET /v2/health/ready HTTP/1.1\r\nHost: a\r\n\r\n")
                assert connection.recv(4096).startswith(b"HTTP/1.1 200 ")
            assert health_check(listener.getsockname()[1]) == 0
            for number in (signal.SIGHUP, signal.SIGTERM):
                while b"WATCHDOG=1\n" not in said[-1]:
                    said.append(notify.recv(200))
                process.send_signal(number)
                said.append(notify.recv(200))
            while said[-1] != b"STOPPING=1\n":
                said.append(notify.recv(200))
            assert process.wait(60) == 0
        finally:
            process.kill()
            process.wait()
    assert health_check(1) != 0
    states = [text.split(b"\n")[0].decode() for text in said if not text.startswith(b"WATCHDOG")]
    assert states == ["READY=1", "RELOADING=1", "READY=1", "STOPPING=1"], said


def test_nginx(tmp_path):
    text = of("nginx.conf")
    idle = int(re.search(r"\.idle_timeout_s = (\d+)", TABLE)[1])
    upstreams = dict(re.findall(r"upstream (\w+) \{(.*?)\n  \}", text, re.S))
    # Kept connections are of one protocol.
    assert set(upstreams) == {"millrace", "millrace_grpc"}
    for upstream in upstreams.values():
        assert int(re.search(r"keepalive_timeout (\d+)s", upstream)[1]) < idle and "keepalive " in upstream
        assert set(re.findall(r"server (127\.0\.0\.1:\d+)", upstream)) == set(re.findall(r"--listen (\S+)", text))
    assert "proxy_pass http://millrace;" in text and "grpc_pass grpc://millrace_grpc;" in text
    assert re.search(r'proxy_http_version 1\.1;.*proxy_set_header Connection "";', text, re.S)
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if not nginx:
        pytest.skip("nginx is not installed")
    (tmp_path / "nginx.conf").write_text(text.replace("/tmp/", f"{tmp_path}/"))
    result = subprocess.run([nginx, "-t", "-p", tmp_path, "-c", tmp_path / "nginx.conf"], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_completion(tmp_path):
    command = tmp_path / "millrace"
    command.write_text("""#!/bin/sh
case $1 in
  serve) echo 'usage: millrace serve [OPTION]...'; echo '  --max-body BYTES'; echo '  --max-streams N, not --max-body' ;;
  *) echo 'usage: millrace run PROGRAM'; echo '       millrace serve FOLDER' ;;
esac
""")
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "models").mkdir()

    def complete(*words):
        script = f'. {ROOT}/packaging/completion/millrace.bash\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _millrace; echo "${{COMPREPLY[*]}}"\n'
        environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
        return subprocess.run(["bash", "-c", script, "bash", *words], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=60).stdout.split()

    assert complete("millrace", "") == ["run", "serve", "--help"] and complete("millrace", "s") == ["serve"]
    assert complete("millrace", "serve", "--max") == ["--max-body", "--max-streams"]
    assert complete("millrace", "serve", "mod") == ["models"] == complete("millrace", "serve", "--keys", "=", "mod")
    assert complete("millrace", "serve", "--listen", "127") == ["127.0.0.1:8000"]
    assert complete("millrace", "trace", "--", "tru") != []
