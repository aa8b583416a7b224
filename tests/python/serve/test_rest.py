"""The protocol over HTTP, as anybody's client would speak it: the standard library alone."""

import gzip
import json
import struct
import zlib

import pytest

X = {"name": "x", "shape": [1, 4], "datatype": "FP32", "data": [1, 2, 3, 4.5]}


def infer(server, model, body, status=200):
    got, answer = server.json("POST", f"/v2/models/{model}/infer", body)
    assert got == status, answer
    if status != 200:
        assert list(answer) == ["error"] and answer["error"]
    return answer


def binary(head, *tensors):
    head = json.dumps(head).encode()
    return head + b"".join(tensors), {"Inference-Header-Content-Length": str(len(head))}


def is_refused(server, status):
    return status in (400, 404, 413, 415) or server.is_triton and status in (500, 501)  # 500: what its reader of JSON finds


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


# ---- What there is -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["live", "ready"])
def test_health(server, path):
    assert server.get(f"/v2/health/{path}")[0] == 200


def test_server_metadata(server):
    status, answer = server.json("GET", "/v2")
    assert status == 200 and answer["name"] and answer["version"]
    assert {"binary_tensor_data", "classification", "statistics", "model_repository", "model_configuration", "system_shared_memory"} <= set(answer["extensions"])


@pytest.mark.parametrize("path", ["twice", "twice/versions/1"])
def test_model_metadata(server, path):
    status, answer = server.json("GET", f"/v2/models/{path}")
    assert status == 200 and answer["name"] == "twice" and answer["versions"] == ["1"] and answer["platform"]
    assert answer["inputs"] == [{"name": "x", "datatype": "FP32", "shape": [-1, 4]}]
    assert answer["outputs"] == [{"name": "y", "datatype": "FP32", "shape": [-1, 4]}]


def test_fixed_model_metadata(server):
    assert server.json("GET", "/v2/models/fixed")[1]["inputs"] == [{"name": "x", "datatype": "FP32", "shape": [2, 3]}]


@pytest.mark.parametrize("path", ["twice/ready", "twice/versions/1/ready"])
def test_model_ready(server, path):
    assert server.get(f"/v2/models/{path}")[0] == 200


def test_model_config(server):
    status, answer = server.json("GET", "/v2/models/pair/config")
    assert status == 200 and answer["name"] == "pair" and answer["max_batch_size"] == 8 and "dynamic_batching" in answer
    assert [(i["name"], i["data_type"], i["dims"]) for i in answer["input"]] == [("a", "TYPE_INT32", [3]), ("b", "TYPE_INT32", [3])]
    assert [(o["name"], o["data_type"], o["dims"]) for o in answer["output"]] == [("sum", "TYPE_INT32", [3]), ("difference", "TYPE_INT32", [3])]


@pytest.mark.parametrize("path", ["/v2/models/stats", "/v2/models/twice/stats", "/v2/models/twice/versions/1/stats"])
def test_statistics_count(server, path):
    def count():
        entry = next(e for e in server.json("GET", path)[1]["model_stats"] if e["name"] == "twice")
        assert entry["version"] == "1" and entry["execution_count"] <= entry["inference_count"]
        return entry["inference_count"], entry["inference_stats"]["success"]["count"]

    before = count()
    infer(server, "twice", {"inputs": [{**X, "shape": [2, 4], "data": [0] * 8}]})
    assert count() == (before[0] + 2, before[1] + 1)


def test_index(server):
    status, answer = server.json("POST", "/v2/repository/index", {})
    assert status == 200
    assert {"name": "twice", "version": "1", "state": "READY"}.items() <= next(e for e in answer if e["name"] == "twice").items()


@pytest.mark.parametrize("path", ["/v2/", "/v2/models/twice/", "/v2/models/tw%69ce", "/v2/models/none", "/v2/models/twice/versions/7", "/none"])
def test_what_is_not_there(server, path):
    assert server.get(path)[0] in (400, 404)


def test_methods(server):
    assert server.get("/v2/models/twice/infer")[0] == 405
    assert server.request("POST", "/v2/health/live")[0] == 405


# ---- JSON ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [[1, 2, 3, 4.5], [[1, 2, 3, 4.5]], [[[1], [2]], [3, 4.5]]])
def test_json(server, data):
    answer = infer(server, "twice", {"id": "a1", "inputs": [{**X, "data": data}]})
    assert answer == {"id": "a1", "model_name": "twice", "model_version": "1", "outputs": [{"name": "y", "datatype": "FP32", "shape": [1, 4], "data": [2, 4, 6, 9]}]}


def test_no_id(server):
    assert "id" not in infer(server, "twice", {"inputs": [X]})


def test_not_numbers(server):
    status, _, text = server.request("POST", "/v2/models/twice/infer", '{"inputs":[{"name":"x","shape":[1,4],"datatype":"FP32","data":[NaN,Infinity,-Infinity,1]}]}')
    data = json.loads(text)["outputs"][0]["data"]
    assert status == 200 and data[0] != data[0] and data[1:] == [float("inf"), -float("inf"), 2]


def test_floats_survive(server):
    import random

    random.seed(1)
    sent = [struct.unpack("<f", struct.pack("<I", random.getrandbits(32) & 0x7EFFFFFF))[0] for _ in range(4)]
    got = infer(server, "twice", {"inputs": [{**X, "data": sent}]})["outputs"][0]["data"]
    assert floats(*got) == floats(*(2 * x for x in sent))


def test_two_inputs_some_outputs(server):
    inputs = [{"name": "b", "shape": [1, 3], "datatype": "INT32", "data": [1, 2, 3]}, {"name": "a", "shape": [1, 3], "datatype": "INT32", "data": [10, 20, 30]}]
    outputs = {o["name"]: o["data"] for o in infer(server, "pair", {"inputs": inputs})["outputs"]}
    assert outputs == {"sum": [11, 22, 33], "difference": [9, 18, 27]}
    outputs = infer(server, "pair", {"inputs": inputs, "outputs": [{"name": "difference"}]})["outputs"]
    assert [(o["name"], o["data"]) for o in outputs] == [("difference", [9, 18, 27])]


WRONG = {
    "an unknown input": {"inputs": [{**X, "name": "z"}]},
    "no input": {"inputs": []},
    "no inputs": {},
    "one twice": {"inputs": [X, X]},
    "an unknown output": {"inputs": [X], "outputs": [{"name": "z"}]},
    "another type": {"inputs": [{**X, "datatype": "INT32", "data": [1, 2, 3, 4]}]},
    "an unknown type": {"inputs": [{**X, "datatype": "FP33"}]},
    "another shape": {"inputs": [{**X, "shape": [1, 5], "data": [1] * 5}]},
    "another rank": {"inputs": [{**X, "shape": [4]}]},
    "a negative size": {"inputs": [{**X, "shape": [-1, 4]}]},
    "no rows": {"inputs": [{**X, "shape": [0, 4], "data": []}]},
    "too many rows": {"inputs": [{**X, "shape": [9, 4], "data": [1] * 36}]},
    "too few numbers": {"inputs": [{**X, "data": [1, 2, 3]}]},
    "too many numbers": {"inputs": [{**X, "data": [1, 2, 3, 4, 5]}]},
    "a text": {"inputs": [{**X, "data": [1, 2, 3, "4"]}]},
    "a truth": {"inputs": [{**X, "data": [1, 2, 3, True]}]},
    "a shape that overflows": {"inputs": [{**X, "shape": [4294967296, 4294967296]}]},
    "an unknown region": {"inputs": [{"name": "x", "shape": [1, 4], "datatype": "FP32", "parameters": {"shared_memory_region": "none", "shared_memory_byte_size": 16}}]},
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_requests(server, what):
    status, answer = server.json("POST", "/v2/models/twice/infer", WRONG[what])
    assert is_refused(server, status), answer
    assert answer["error"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"inputs":7}', '{"inputs":[{"name":"x"}]}', "\0", "[" * 100000, '{"inputs":' + "[" * 1000])
def test_not_json(server, text):
    status, _, body = server.request("POST", "/v2/models/twice/infer", text)
    assert is_refused(server, status) and json.loads(body)["error"]


def test_unknown_model(server):
    infer(server, "none", {"inputs": [X]}, 404)
    infer(server, "twice/versions/9", {"inputs": [X]}, 404)


# ---- Binary ------------------------------------------------------------------------------------------------------------------------


def test_binary_both_ways(server):
    x = {"name": "x", "shape": [1, 4], "datatype": "FP32", "parameters": {"binary_data_size": 16}}
    body, headers = binary({"inputs": [x], "parameters": {"binary_data_output": True}}, floats(1, 2, 3, 4))
    status, headers, text = server.request("POST", "/v2/models/twice/infer", body, headers)
    size = int(headers["inference-header-content-length"])
    answer = json.loads(text[:size])
    assert status == 200 and headers["content-type"] == "application/octet-stream"
    assert answer["outputs"] == [{"name": "y", "datatype": "FP32", "shape": [1, 4], "parameters": {"binary_data_size": 16}}]
    assert text[size:] == floats(2, 4, 6, 8)


def test_binary_beside_json(server):
    a = {"name": "a", "shape": [1, 3], "datatype": "INT32", "parameters": {"binary_data_size": 12}}
    b = {"name": "b", "shape": [1, 3], "datatype": "INT32", "data": [1, 1, 1]}
    asked = [{"name": "sum"}, {"name": "difference", "parameters": {"binary_data": True}}]
    body, headers = binary({"inputs": [b, a], "outputs": asked}, struct.pack("<3i", 5, 6, 7))
    status, headers, text = server.request("POST", "/v2/models/pair/infer", body, headers)
    size = int(headers["inference-header-content-length"])
    outputs = {o["name"]: o for o in json.loads(text[:size])["outputs"]}
    assert status == 200 and outputs["sum"]["data"] == [6, 7, 8] and text[size:] == struct.pack("<3i", 4, 5, 6)


def test_raw_request(server):
    status, headers, text = server.request("POST", "/v2/models/twice/infer", floats(1, 2, 3, 4), {"Inference-Header-Content-Length": "0"})
    assert status == 200 and text[int(headers["inference-header-content-length"]) :] == floats(2, 4, 6, 8)


@pytest.mark.parametrize("size,data", [(16, b""), (16, floats(1, 2, 3)), (16, floats(1, 2, 3, 4, 5)), (12, floats(1, 2, 3)), (-1, b""), (2**63, b"")])
def test_binary_sizes(server, size, data):
    x = {"name": "x", "shape": [1, 4], "datatype": "FP32", "parameters": {"binary_data_size": size}}
    body, headers = binary({"inputs": [x]}, data)
    assert is_refused(server, server.request("POST", "/v2/models/twice/infer", body, headers)[0])


@pytest.mark.parametrize("length", ["999", "-1", "x", "99999999999999999999"])
def test_header_length(server, length):
    assert server.request("POST", "/v2/models/twice/infer", json.dumps({"inputs": [X]}), {"Inference-Header-Content-Length": length})[0] == 400


# ---- Compression -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name,compress", [("gzip", gzip.compress), ("deflate", zlib.compress), ("identity", bytes)])
def test_compressed(server, name, compress):
    body = compress(json.dumps({"inputs": [X]}).encode())
    status, _, text = server.request("POST", "/v2/models/twice/infer", body, {"Content-Encoding": name})
    assert status == 200 and json.loads(text)["outputs"][0]["data"] == [2, 4, 6, 9]


def test_compressed_answer(server):
    x = {"name": "x", "shape": [1, 65536], "datatype": "FP32", "data": [1] * 65536}
    _, headers, text = server.request("POST", "/v2/models/large/infer", json.dumps({"inputs": [x]}), {"Accept-Encoding": "gzip"})
    assert headers["content-encoding"] == "gzip" and json.loads(gzip.decompress(text))["outputs"][0]["data"] == [2] * 65536


def test_wrongly_compressed(server):
    body = json.dumps({"inputs": [X]})
    assert server.request("POST", "/v2/models/twice/infer", body, {"Content-Encoding": "br"})[0] in (415, 501)
    assert server.request("POST", "/v2/models/twice/infer", body, {"Content-Encoding": "gzip"})[0] == 400
    cut = gzip.compress(body.encode())[:-10]
    assert is_refused(server, server.request("POST", "/v2/models/twice/infer", cut, {"Content-Encoding": "gzip"})[0])


def test_bomb(server):
    before = server.usage()["rss_kb"]
    bomb = gzip.compress(bytes(1 << 30), 1)
    assert is_refused(server, server.request("POST", "/v2/models/twice/infer", bomb, {"Content-Encoding": "gzip"})[0])
    assert server.is_triton or server.usage()["rss_kb"] < before + 300_000  # Triton inflates all of it


# ---- Classification ------------------------------------------------------------------------------------------------------------


def test_classification(server):
    x = {"name": "x", "shape": [2, 5], "datatype": "FP32", "data": [0, 3, 1, 2, 0, 9, 9, 9, 9, 9]}
    answer = infer(server, "named", {"inputs": [x], "outputs": [{"name": "y", "parameters": {"classification": 2}}]})
    wanted = ["6.000000:1:bee", "4.000000:3", "18.000000:0:ant", "18.000000:1:bee"]
    assert answer["outputs"] == [{"name": "y", "datatype": "BYTES", "shape": [2, 2], "data": wanted}]


# ---- Repository ------------------------------------------------------------------------------------------------------------------


def test_unload_and_load(server):
    assert server.request("POST", "/v2/repository/models/fixed/unload")[0] == 200
    server.wait_until(lambda: server.get("/v2/models/fixed/ready")[0] != 200, "still there")
    infer(server, "fixed", {"inputs": [{"name": "x", "shape": [2, 3], "datatype": "FP32", "data": [0] * 6}]}, 404)
    assert server.request("POST", "/v2/repository/models/fixed/load")[0] == 200
    assert infer(server, "fixed", {"inputs": [{"name": "x", "shape": [2, 3], "datatype": "FP32", "data": [1] * 6}]})["outputs"][0]["data"] == [2] * 6


def test_load_of_nothing(server):
    for name in ("none", "..", "%2e%2e", "a%2fb"):
        assert server.request("POST", f"/v2/repository/models/{name}/load")[0] >= 400
