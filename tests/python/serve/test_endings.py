"""How a server ends, and what it begins with afterwards."""

import http.client
import json
import os
import signal
import threading
import time

import pytest

import repository
import servers

BODY = json.dumps({"inputs": [{"name": "x", "shape": [1, 4], "datatype": "FP32", "data": [1, 2, 3, 4]}]})


class Load(threading.Thread):
    """Asks over one connection until that ends. `answered` counts right answers, `lost` requests that were sent whole and got none, although the
    connection had answered before and was not said to be closed."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.address, self.answered, self.lost, self.other = server.http, 0, 0, []
        self.over = False

    def run(self):
        while not self.over:
            connection = http.client.HTTPConnection(self.address, timeout=60)
            try:
                connection.connect()
            except OSError:
                return  # the door is closed
            try:
                self.ask(connection)
            finally:
                connection.close()

    def ask(self, connection):
        """Until the server says that it closes the connection. An idle one may be closed at any time: only a request that was read counts."""
        while not self.over:
            try:
                connection.request("POST", "/v2/models/twice/infer", BODY)
                response = connection.getresponse()
                text = response.read()
            except http.client.RemoteDisconnected:
                return  # closed without a byte of an answer: the request was not accepted, and may be sent again
            except (ConnectionResetError, BrokenPipeError):
                return
            except (OSError, http.client.HTTPException):
                self.lost += 1  # part of an answer
                return
            if response.status == 200 and json.loads(text)["outputs"][0]["data"] == [2, 4, 6, 8]:
                self.answered += 1
            else:
                self.other.append((response.status, text))
            if response.will_close:
                return


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_end_under_load(own, tmp_path, number):
    """Every request that the access log has was answered, every answer is whole, and the server says that it went well."""
    log = tmp_path / "access.log"
    server = own(repository.write(tmp_path / "models", "twice"), "--access-log", log)
    loads = [Load(server) for _ in range(16)]
    for load in loads:
        load.start()
    server.wait_until(lambda: all(load.answered > 20 for load in loads), "no answers")
    assert server.stop(number) == 0
    for load in loads:
        load.over = True
        load.join(60)
    assert sum(load.lost for load in loads) == 0
    assert all(status == 503 for load in loads for status, _ in load.other)
    said = sum('"status":200' in line and "/infer" in line for line in log.read_text().splitlines())
    assert sum(load.answered for load in loads) == said


def test_what_is_under_way_is_finished(own, tmp_path):
    server = own(repository.write(tmp_path / "models", "slow"))
    answers = []
    body = json.dumps({"inputs": [{"name": "rounds", "shape": [1], "datatype": "INT32", "data": [1_000_000_000]}]})
    threads = [threading.Thread(target=lambda: answers.append(server.request("POST", "/v2/models/slow/infer", body)[0])) for _ in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(0.2)
    assert server.stop() == 0
    for thread in threads:
        thread.join(60)
    assert answers == [200] * 3


def test_readiness_goes_first(own, tmp_path):
    server = own(repository.write(tmp_path / "models", "twice"), "--drain-delay", "2")
    os.kill(server.pid, signal.SIGTERM)
    server.wait_until(lambda: server.get("/v2/health/ready")[0] == 503, "still ready")
    assert server.get("/v2/health/live")[0] == 200
    assert server.request("POST", "/v2/models/twice/infer", BODY)[0] == 200
    assert server.process.wait(servers.SECONDS) == 0  # no second signal, which would end it at once


def test_a_start_after_a_crash(own, tmp_path):
    """Files that were half copied are named, and what is whole is served."""
    root = repository.write(tmp_path / "models", "twice", "fixed")
    server = own(root)
    program = (root / "twice" / "1" / "model.mlir").read_bytes()
    (root / "twice" / "2").mkdir()
    (root / "twice" / "2" / "model.mlir").write_bytes(program[: len(program) // 2])
    (root / "pair" / "1").mkdir(parents=True)
    (root / "pair" / "config.pbtxt").write_text(repository.CONFIG.format(batch=8)[:40])
    server.stop(signal.SIGKILL)
    server = own(root, wait=False)
    server.wait_until(lambda: server.get("/v2/models/fixed/ready")[0] == 200 and server.get("/v2/models/twice/ready")[0] in (200, 404), "nothing is served")
    states = {}

    def settled():
        states.update({(e["name"], e["version"]): e for e in server.json("POST", "/v2/repository/index")[1]})
        return all(e.get("state") != "LOADING" for e in states.values())

    server.wait_until(settled, "still loading")
    broken = [e for e in states.values() if e["name"] in ("twice", "pair") and e.get("state") == "UNAVAILABLE"]
    assert any(e["name"] == "twice" and e["reason"] for e in broken), states
    assert any(e["name"] == "pair" and e["reason"] for e in broken), states
    assert "twice" in server.text() and "pair" in server.text()


def test_reload_under_load(own, tmp_path):
    """A model that is loaded again and again loses no request."""
    server = own(repository.write(tmp_path / "models", "twice"), "--control")
    loads = [Load(server) for _ in range(8)]
    for load in loads:
        load.start()
    for _ in range(20):
        assert server.request("POST", "/v2/repository/models/twice/load")[0] == 200
    for load in loads:
        load.over = True
        load.join(60)
    assert sum(load.answered for load in loads) > 0
    assert not any(load.lost or load.other for load in loads), [load.other[:1] for load in loads]


def test_a_bad_version_leaves_the_old_one(own, tmp_path):
    root = repository.write(tmp_path / "models", "twice")
    server = own(root, "--control")
    (root / "twice" / "1" / "model.mlir").write_text("no program")
    assert server.request("POST", "/v2/repository/models/twice/load")[0] >= 400
    assert server.json("POST", "/v2/models/twice/infer", json.loads(BODY))[1]["outputs"][0]["data"] == [2, 4, 6, 8]
    repository.write(root, "twice")
    assert server.request("POST", "/v2/repository/models/twice/load")[0] == 200


def test_hangup_looks_again(own, tmp_path):
    root = repository.write(tmp_path / "models", "twice")
    server = own(root)
    repository.write(root, "fixed")
    os.kill(server.pid, signal.SIGHUP)
    server.wait_until(lambda: server.get("/v2/models/fixed/ready")[0] == 200, "not loaded")


def test_control_is_asked_for(own, tmp_path):
    server = own(repository.write(tmp_path / "models", "twice"))
    for call in ("load", "unload"):
        assert server.request("POST", f"/v2/repository/models/twice/{call}")[0] in (400, 403, 503)
    assert server.request("POST", "/v2/systemsharedmemory/region/a/register", json.dumps({"key": "/a", "byte_size": 8}))[0] in (400, 403, 503)
    assert server.get("/v2/models/twice/ready")[0] == 200


def test_no_such_folder(tmp_path):
    with pytest.raises(RuntimeError, match="none"), servers.millrace(tmp_path / "none", tmp_path / "log"):
        pass
