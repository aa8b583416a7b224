"""The same requests to a real Triton and to millrace-serve: statuses, answers, shapes of errors. Slow, and by itself:

    pytest tests/python/serve/compare_triton.py        with TRITON, TRITON_BACKENDS and MILLRACE_SERVE as servers.py says

Triton runs the same models through our backend. Where the two differ the table says why; a difference that is not in it, and one that is and
does not show any more, fail.
"""

import gzip
import json
import os
import struct
import zlib

import pytest

import repository
import servers
from test_rest import WRONG, X, binary, floats

if "TRITON" not in os.environ:
    pytest.skip("TRITON names no Triton (servers.py)", allow_module_level=True)

# Case: what Triton answers, what we do, and why. The words are those of `summary`.
READER = "Triton's reader of JSON reports what it finds as INTERNAL; it is the client's mistake"
EXPLAINED = {
    "json, floats for integers": ("500", "400", READER),
    "json, integers out of range": ("200 wrapped", "400", "Triton takes the low bits; a number that is not the one that was sent is no answer"),
    "wrong: no inputs": ("500", "400", READER),
    "wrong: a negative size": ("500", "400", READER),
    "wrong: too few numbers": ("500", "400", READER),
    "wrong: too many numbers": ("500", "400", READER),
    "wrong: a text": ("500", "400", READER),
    "wrong: a truth": ("500", "400", READER),
    "text: '{'": ("500", "400", READER),
    "text: '[]'": ("500", "400", READER),
    "text: 'null'": ("500", "400", READER),
    "text: '{\"inputs\":7}'": ("500", "400", READER),
    "text: '[[[[[[[[[[[[[[[[[[[['": ("500", "400", READER),
    "text: '{\"inputs\":[]} x'": ("500", "400", READER),
    "not ready: unknown model": ("400", "404", "what is not there is not asked for wrongly"),
    "not ready: unknown version": ("400", "404", "as above"),
    "stats: unknown model": ("400", "404", "as above"),
    "coding br": ("501", "415", "415 is HTTP's status for it"),
    "cut gzip": ("500", "400", "the body is wrong, and not the server"),
    "load: unknown": ("500", "404", "it is not there"),
    "HEAD": ("405", "200 empty", "some probes use HEAD; it costs nothing"),
    "region: no object": ("500", "404", "it is not there"),
}


# ---- What is asked ---------------------------------------------------------------------------------------------------------------


def infer_cases():
    def case(name, model, body, headers=None):
        return name, "POST", f"/v2/models/{model}/infer", body if isinstance(body, bytes) else json.dumps(body).encode(), headers or {}

    bx = {"name": "x", "shape": [1, 4], "datatype": "FP32", "parameters": {"binary_data_size": 16}}
    pair = [{"name": "a", "shape": [2, 3], "datatype": "INT32", "data": [1, 2, 3, 4, 5, 6]}, {"name": "b", "shape": [2, 3], "datatype": "INT32", "data": [[9, 9, 9], [1, 1, 1]]}]
    yield case("json", "twice", {"id": "1", "inputs": [X]})
    yield case("json, version", "twice/versions/1", {"inputs": [X]})
    yield case("json, empty id", "twice", {"id": "", "inputs": [X]})
    yield case("json, nested oddly", "twice", {"inputs": [{**X, "data": [[[1], [2]], [3, 4]]}]})
    yield case("json, integers for floats", "twice", {"inputs": [{**X, "data": [1, 2, 3, 4]}]})
    yield case("json, NaN", "twice", b'{"inputs":[{"name":"x","shape":[1,4],"datatype":"FP32","data":[NaN,Infinity,-Infinity,1]}]}')
    yield case("json, exponents", "twice", b'{"inputs":[{"name":"x","shape":[1,4],"datatype":"FP32","data":[1e3,1E-3,1.5e+2,-0.0]}]}')
    yield case("json, unknown members", "twice", {"mine": {"a": [1]}, "model_name": "q", "inputs": [{**X, "mine": 3}]})
    yield case("json, floats for integers", "pair", {"inputs": [{**pair[0], "data": [1.5] * 6}, pair[1]]})
    yield case("json, integers out of range", "pair", {"inputs": [{**pair[0], "data": [1 << 40] * 6}, pair[1]]})
    yield case("pair", "pair", {"inputs": pair})
    yield case("pair, turned", "pair", {"inputs": pair[::-1]})
    yield case("pair, one output", "pair", {"inputs": pair, "outputs": [{"name": "difference"}]})
    yield case("pair, an output twice", "pair", {"inputs": pair, "outputs": [{"name": "sum"}, {"name": "sum"}]})
    yield case("pair, one input", "pair", {"inputs": pair[:1]})
    yield case("pair, different rows", "pair", {"inputs": [pair[0], {**pair[1], "shape": [1, 3], "data": [1, 2, 3]}]})
    yield case("fixed", "fixed", {"inputs": [{"name": "x", "shape": [2, 3], "datatype": "FP32", "data": [1] * 6}]})
    yield case("fixed, another shape", "fixed", {"inputs": [{"name": "x", "shape": [3, 3], "datatype": "FP32", "data": [1] * 9}]})
    yield case("binary", "twice", *binary({"inputs": [bx], "parameters": {"binary_data_output": True}}, floats(1, 2, 3, 4)))
    yield case("binary in", "twice", *binary({"inputs": [bx]}, floats(1, 2, 3, 4)))
    yield case("binary out", "twice", {"inputs": [X], "outputs": [{"name": "y", "parameters": {"binary_data": True}}]})
    yield case("binary, raw", "twice", floats(1, 2, 3, 4), {"Inference-Header-Content-Length": "0"})
    yield case("binary, raw, too short", "twice", floats(1, 2, 3), {"Inference-Header-Content-Length": "0"})
    yield case("binary, too short", "twice", *binary({"inputs": [bx]}, floats(1, 2, 3)))
    yield case("binary, too long", "twice", *binary({"inputs": [bx]}, floats(1, 2, 3, 4, 5)))
    yield case("binary and data", "twice", *binary({"inputs": [{**bx, "data": [1, 2, 3, 4]}]}, floats(1, 2, 3, 4)))
    yield case("classification", "named", {"inputs": [{"name": "x", "shape": [2, 5], "datatype": "FP32", "data": [0, 3, 1, 2, 0, 9, 9, 9, 9, 9]}], "outputs": [{"name": "y", "parameters": {"classification": 3}}]})
    yield case("classification, more than there are", "named", {"inputs": [{"name": "x", "shape": [1, 5], "datatype": "FP32", "data": [0, 3, 1, 2, 0]}], "outputs": [{"name": "y", "parameters": {"classification": 9}}]})
    yield case("parameters", "twice", {"inputs": [X], "parameters": {"priority": 1, "timeout": 1000000, "mine": "a", "sequence_id": 0}})
    yield case("parameters of Triton's", "twice", {"inputs": [X], "parameters": {"triton_x": 1}})
    yield case("coding gzip", "twice", gzip.compress(json.dumps({"inputs": [X]}).encode()), {"Content-Encoding": "gzip"})
    yield case("coding deflate", "twice", zlib.compress(json.dumps({"inputs": [X]}).encode()), {"Content-Encoding": "deflate"})
    yield case("coding br", "twice", {"inputs": [X]}, {"Content-Encoding": "br"})
    yield case("cut gzip", "twice", gzip.compress(json.dumps({"inputs": [X]}).encode())[:-12], {"Content-Encoding": "gzip"})
    yield case("unknown model", "none", {"inputs": [X]})
    yield case("unknown version", "twice/versions/9", {"inputs": [X]})
    yield case("version 0", "twice/versions/0", {"inputs": [X]})
    yield case("version x", "twice/versions/x", {"inputs": [X]})
    for what, body in WRONG.items():
        yield case(f"wrong: {what}", "twice", body)
    for text in ("", "{", "[]", "null", '{"inputs":7}', '{"inputs":[7]}', '{"inputs":[{"name":"x"}]}', "[" * 1000, '{"inputs":[]} x'):
        yield case(f"text: {text[:20]!r}", "twice", text.encode())


def other_cases():
    def get(name, path, method="GET", body=None):
        return name, method, path, json.dumps(body).encode() if body is not None else b"", {}

    yield get("live", "/v2/health/live")
    yield get("ready", "/v2/health/ready")
    yield get("HEAD", "/v2/health/live", "HEAD")
    yield get("POST live", "/v2/health/live", "POST")
    yield get("GET infer", "/v2/models/twice/infer")
    yield get("slash", "/v2/")
    yield get("query", "/v2/health/live?a=b")
    yield get("not there", "/none")
    yield get("metadata", "/v2/models/pair")
    yield get("metadata, version", "/v2/models/pair/versions/1")
    yield get("metadata: unknown model", "/v2/models/none")
    yield get("metadata: unknown version", "/v2/models/pair/versions/7")
    yield get("percent", "/v2/models/p%61ir")
    yield get("ready model", "/v2/models/pair/ready")
    yield get("not ready: unknown model", "/v2/models/none/ready")
    yield get("not ready: unknown version", "/v2/models/pair/versions/7/ready")
    yield get("config: unknown model", "/v2/models/none/config")
    yield get("stats: unknown model", "/v2/models/none/stats")
    yield get("load: unknown", "/v2/repository/models/none/load", "POST", {})
    yield get("unload: unknown", "/v2/repository/models/none/unload", "POST", {})
    yield get("region: status of none", "/v2/systemsharedmemory/region/none/status")
    yield get("region: all", "/v2/systemsharedmemory/status")
    yield get("region: no object", "/v2/systemsharedmemory/region/r/register", "POST", {"key": "/millrace_none", "offset": 0, "byte_size": 64})
    yield get("region: no key", "/v2/systemsharedmemory/region/r/register", "POST", {"offset": 0, "byte_size": 64})
    yield get("region: unregister none", "/v2/systemsharedmemory/region/none/unregister", "POST")
    yield get("region: unregister all", "/v2/systemsharedmemory/unregister", "POST")
    yield get("cuda: unregister all", "/v2/cudasharedmemory/unregister", "POST")


# ---- How answers are compared ------------------------------------------------------------------------------------------------


def as_floats(value):
    """Numbers as f32, so that 17 digits and the shortest text are the same."""
    if isinstance(value, dict):
        return {key: as_floats(v) for key, v in value.items() if key != "platform"}
    if isinstance(value, list):
        return [as_floats(v) for v in value]
    if isinstance(value, float) and abs(value) < 3e38:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    return value


def summary(server, method, path, body, headers):
    status, got, text = server.request(method, path, body, headers)
    if not 200 <= status < 300:
        says = sorted(json.loads(text)) if text[:1] == b"{" else []
        return str(status) if says == ["error"] or not text or status == 405 else f"{status} with {text[:60]!r}"
    size = got.get("inference-header-content-length")
    if not text:
        return f"{status} empty"
    head = as_floats(json.loads(text[: int(size)] if size else text))
    if isinstance(head, dict) and "outputs" in head:
        head["outputs"] = sorted(map(str, head["outputs"]))
    return f"{status} {got.get('content-type')} {'binary' if size else 'json'} {json.dumps(head, sort_keys=True)} {text[int(size):].hex() if size else ''}"


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compare")
    root = repository.write(folder / "models")
    with servers.triton(root, folder / "triton.log", "--model-control-mode=explicit", "--load-model=*") as theirs:
        with servers.millrace(root, folder / "millrace.log", "--control", "--shared-memory") as ours:
            yield theirs, ours


def test_rest(both):
    unexplained = []
    for name, *request in [*infer_cases(), *other_cases()]:
        theirs, ours = (summary(server, *request) for server in both)
        said = EXPLAINED.get(name)
        if said and said[0] == "200 wrapped":
            theirs = "200 wrapped" if theirs.startswith("200") else theirs
        if said and (theirs, ours) != said[:2] or not said and theirs != ours:
            unexplained.append(f"{name}\n  Triton   {theirs[:300]}\n  millrace {ours[:300]}")
    assert not unexplained, "\n" + "\n".join(unexplained)


def test_config(both):
    """Every key that we give has Triton's value."""
    for model in repository.MODELS:
        theirs, ours = (server.json("GET", f"/v2/models/{model}/config")[1] for server in both)
        for key in ("name", "max_batch_size"):
            assert theirs[key] == ours[key]
        for key in ("input", "output"):
            for a, b in zip(theirs[key], ours[key], strict=True):
                assert {k: a[k] for k in ("name", "data_type", "dims")} == {k: b[k] for k in ("name", "data_type", "dims")}
        assert ("dynamic_batching" in theirs) == ("dynamic_batching" in ours)


def test_statistics(both):
    for server in both:
        server.json("POST", "/v2/models/twice/infer", {"inputs": [X]})
    theirs, ours = (server.json("GET", "/v2/models/twice/stats")[1]["model_stats"][0] for server in both)
    assert sorted(theirs) == sorted(ours)
    assert sorted(theirs["inference_stats"]) == sorted(ours["inference_stats"])
    assert sorted(theirs["batch_stats"][0]) == sorted(ours["batch_stats"][0])


def grpc_cases(pb):
    def infer(model="twice", version="", shape=(1, 4), datatype="FP32", name="x", raw=(floats(1, 2, 3, 4),), **more):
        request = pb.ModelInferRequest(model_name=model, model_version=version, raw_input_contents=raw, **more)
        request.inputs.add(name=name, datatype=datatype, shape=shape)
        return request

    yield "infer", "ModelInfer", infer(id="1")
    yield "version", "ModelInfer", infer(version="1")
    yield "unknown model", "ModelInfer", infer("none")
    yield "unknown version", "ModelInfer", infer(version="9")
    yield "version x", "ModelInfer", infer(version="x")
    yield "unknown input", "ModelInfer", infer(name="z")
    yield "another type", "ModelInfer", infer(datatype="INT32")
    yield "unknown type", "ModelInfer", infer(datatype="FP33")
    yield "another shape", "ModelInfer", infer(shape=(1, 5))
    yield "negative size", "ModelInfer", infer(shape=(-1, 4))
    yield "no rows", "ModelInfer", infer(shape=(0, 4), raw=(b"",))
    yield "too many rows", "ModelInfer", infer(shape=(9, 4), raw=(bytes(144),))
    yield "too short", "ModelInfer", infer(raw=(bytes(12),))
    yield "too long", "ModelInfer", infer(raw=(bytes(20),))
    yield "two raw", "ModelInfer", infer(raw=(bytes(16), bytes(16)))
    yield "no raw", "ModelInfer", infer(raw=())
    yield "unknown output", "ModelInfer", infer(outputs=[pb.ModelInferRequest.InferRequestedOutputTensor(name="z")])
    yield "no inputs", "ModelInfer", pb.ModelInferRequest(model_name="twice")
    yield "parameters of Triton's", "ModelInfer", infer(parameters={"triton_enable_empty_final_response": pb.InferParameter(bool_param=True)})
    yield "live", "ServerLive", pb.ServerLiveRequest()
    yield "ready", "ServerReady", pb.ServerReadyRequest()
    yield "model ready", "ModelReady", pb.ModelReadyRequest(name="twice")
    yield "unknown model ready", "ModelReady", pb.ModelReadyRequest(name="none")
    yield "metadata", "ModelMetadata", pb.ModelMetadataRequest(name="pair")
    yield "metadata of none", "ModelMetadata", pb.ModelMetadataRequest(name="none")
    yield "config of none", "ModelConfig", pb.ModelConfigRequest(name="none")
    yield "statistics of none", "ModelStatistics", pb.ModelStatisticsRequest(name="none")
    yield "unload none", "RepositoryModelUnload", pb.RepositoryModelUnloadRequest(model_name="none")
    yield "load none", "RepositoryModelLoad", pb.RepositoryModelLoadRequest(model_name="none")
    yield "regions", "SystemSharedMemoryStatus", pb.SystemSharedMemoryStatusRequest()
    yield "a region that is not there", "SystemSharedMemoryStatus", pb.SystemSharedMemoryStatusRequest(name="none")
    yield "unregister all", "SystemSharedMemoryUnregister", pb.SystemSharedMemoryUnregisterRequest()
    yield "unregister all of CUDA", "CudaSharedMemoryUnregister", pb.CudaSharedMemoryUnregisterRequest()


GRPC_EXPLAINED = {
    "two raw": ("answer", "INVALID_ARGUMENT", "one of the two is not looked at"),
    "statistics of none": ("INVALID_ARGUMENT", "NOT_FOUND", "it is not there"),
    "load none": ("INTERNAL", "NOT_FOUND", "it is not there"),
}


def test_grpc(both):
    grpc = pytest.importorskip("grpc")
    pb = pytest.importorskip("tritonclient.grpc.service_pb2")
    from google.protobuf import json_format
    from tritonclient.grpc import service_pb2_grpc

    def answer(server, method, request):
        with grpc.insecure_channel(server.grpc) as channel:
            try:
                said = json_format.MessageToDict(getattr(service_pb2_grpc.GRPCInferenceServiceStub(channel), method)(request, timeout=30))
                said.pop("platform", None)
                return json.dumps(said, sort_keys=True)
            except grpc.RpcError as error:
                return error.code().name if error.details() else f"{error.code().name} without a word"

    unexplained = []
    for name, method, request in grpc_cases(pb):
        theirs, ours = (answer(server, method, request) for server in both)
        said = GRPC_EXPLAINED.get(name)
        if said and said[0] == "answer":
            theirs = "answer" if theirs.startswith("{") else theirs
        if said and (theirs, ours) != said[:2] or not said and theirs != ours:
            unexplained.append(f"{name}\n  Triton   {theirs[:300]}\n  millrace {ours[:300]}")
    assert not unexplained, "\n" + "\n".join(unexplained)
