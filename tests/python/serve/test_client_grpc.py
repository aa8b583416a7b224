"""Every call of tritonclient.grpc, plain and asynchronous, streams, deadlines, and the health service."""

import asyncio
import queue
import threading
import time

import numpy as np
import pytest

grpcclient = pytest.importorskip("tritonclient.grpc", reason="tritonclient[grpc] is not installed")
import grpc  # noqa: E402
import tritonclient.grpc.aio as aioclient  # noqa: E402
from tritonclient.grpc import service_pb2, service_pb2_grpc  # noqa: E402
from tritonclient.utils import InferenceServerException, shared_memory  # noqa: E402

import repository  # noqa: E402


@pytest.fixture
def client(server):
    with grpcclient.InferenceServerClient(server.grpc) as made:
        yield made


@pytest.fixture
def stub(server):
    with grpc.insecure_channel(server.grpc) as channel:
        yield service_pb2_grpc.GRPCInferenceServiceStub(channel)


def tensor(name, array, kind="FP32"):
    made = grpcclient.InferInput(name, list(array.shape), kind)
    made.set_data_from_numpy(array)
    return made


def x(seed=1, rows=1):
    return np.random.default_rng(seed).random((rows, 4), dtype=np.float32)


def is_answer(result, i, rows=1):
    return result.get_response().id == str(i) and np.array_equal(result.as_numpy("y"), 2 * x(i, rows))


def slow(milliseconds):
    return tensor("rounds", np.array([milliseconds * 1_000_000], np.int32), "INT32")


# ---- What there is -----------------------------------------------------------------------------------------------------------


def test_health_and_metadata(client):
    assert client.is_server_live() and client.is_server_ready() and client.is_model_ready("twice") and client.is_model_ready("twice", "1")
    assert not client.is_model_ready("none")
    assert "statistics" in client.get_server_metadata().extensions
    metadata = client.get_model_metadata("pair")
    assert [(i.name, i.datatype, list(i.shape)) for i in metadata.inputs] == [("a", "INT32", [-1, 3]), ("b", "INT32", [-1, 3])]
    assert [o.name for o in metadata.outputs] == ["sum", "difference"] and list(metadata.versions) == ["1"]
    config = client.get_model_config("pair").config
    assert config.name == "pair" and config.max_batch_size == 8 and [(i.name, list(i.dims)) for i in config.input] == [("a", [3]), ("b", [3])]
    assert config.HasField("dynamic_batching")


def test_statistics(client):
    def count():
        entry = client.get_inference_statistics("twice", "1").model_stats[0]
        return entry.inference_count, entry.inference_stats.success.count

    before = count()
    client.infer("twice", [tensor("x", x(1, 3))])
    assert count() == (before[0] + 3, before[1] + 1)


def test_repository(client):
    assert {"twice", "pair"} <= {entry.name for entry in client.get_model_repository_index().models}
    client.unload_model("pair")
    while client.is_model_ready("pair"):
        pass
    client.load_model("pair")
    assert client.is_model_ready("pair")
    with pytest.raises(InferenceServerException):
        client.load_model("none")


def test_health_service(server):
    """grpc.health.v1, by its bytes: an empty request, and {1: "x"}."""
    with grpc.insecure_channel(server.grpc) as channel:
        check = channel.unary_unary("/grpc.health.v1.Health/Check")
        assert check(b"") == b"\x08\x01"
        if not server.is_triton:
            watch = channel.unary_stream("/grpc.health.v1.Health/Watch")(b"")
            assert next(watch) == b"\x08\x01"
            watch.cancel()


def test_unknown(server):
    with grpc.insecure_channel(server.grpc) as channel:
        for path in ("/inference.GRPCInferenceService/None", "/none.Service/ModelInfer", "/x"):
            with pytest.raises(grpc.RpcError) as error:
                channel.unary_unary(path)(b"")
            assert error.value.code() == grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("message", [b"\xff", b"\x0a\x05ab", b"\x2a\xff\xff\xff\xff\x0f", b"\x0a\x05twice\x2a\x80", b"\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"])
def test_not_protobuf(server, message):
    with grpc.insecure_channel(server.grpc) as channel:
        with pytest.raises(grpc.RpcError) as error:
            channel.unary_unary("/inference.GRPCInferenceService/ModelInfer")(message)
        assert error.value.code() in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.INTERNAL)


# ---- Inference ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("compression", [None, "gzip", "deflate"])
def test_infer(client, compression):
    result = client.infer("twice", [tensor("x", x(1, 2))], request_id="1", outputs=[grpcclient.InferRequestedOutput("y")], compression_algorithm=compression)
    assert is_answer(result, 1, 2) and result.get_response().model_version == "1"


def test_parameters(client):
    result = client.infer("twice", [tensor("x", x())], request_id="1", priority=1, timeout=10_000_000, parameters={"mine": 1, "also": "a", "truth": True}, headers={"x-mine": "1"})
    assert is_answer(result, 1)


def test_every_type(client):
    inputs, wanted = [], {}
    for kind, (_, dtype) in repository.TYPES.items():
        array = np.random.default_rng(3).integers(0, 2 if kind == "BOOL" else 100, (2, 4)).astype(dtype)
        inputs.append(tensor(f"in_{kind}", array, kind))
        wanted[f"out_{kind}"] = array
    result = client.infer("same", inputs)
    for name, array in wanted.items():
        assert result.as_numpy(name).dtype == array.dtype and np.array_equal(result.as_numpy(name), array), name




def test_typed_contents(stub):
    """As grpcurl and others send it: numbers in the fields of their types."""
    request = service_pb2.ModelInferRequest(model_name="pair", id="9")
    for name, values in (("a", [5, -6, 7]), ("b", [1, 1, 2**31 - 8])):
        made = request.inputs.add(name=name, datatype="INT32", shape=[1, 3])
        made.contents.int_contents.extend(values)
    answer = stub.ModelInfer(request)
    outputs = dict(zip((o.name for o in answer.outputs), answer.raw_output_contents))
    assert np.frombuffer(outputs["sum"], np.int32).tolist() == [6, -5, 2**31 - 1] and answer.id == "9"
    assert np.frombuffer(outputs["difference"], np.int32).tolist() == [4, -7, 15 - 2**31]


def test_typed_contents_are_checked(stub):
    def request(**contents):
        made = service_pb2.ModelInferRequest(model_name="twice")
        made.inputs.add(name="x", datatype="FP32", shape=[1, 4]).contents.MergeFrom(service_pb2.InferTensorContents(**contents))
        return made

    assert np.frombuffer(stub.ModelInfer(request(fp32_contents=[1, 2, 3, 4])).raw_output_contents[0], np.float32).tolist() == [2, 4, 6, 8]
    both = request(fp32_contents=[1, 2, 3, 4])
    both.raw_input_contents.append(bytes(16))
    for wrong in (request(), request(fp32_contents=[1, 2, 3]), request(fp32_contents=[1] * 5), request(int_contents=[1, 2, 3, 4]), both):
        with pytest.raises(grpc.RpcError) as error:
            stub.ModelInfer(wrong)
        assert error.value.code() == grpc.StatusCode.INVALID_ARGUMENT


def test_errors(client):
    wrong = [("none", tensor("x", x()), "NOT_FOUND"), ("twice", tensor("z", x()), "INVALID_ARGUMENT"), ("twice", tensor("x", x()[:, :3]), "INVALID_ARGUMENT"),
             ("twice", tensor("x", x(1, 9)), "INVALID_ARGUMENT")]  # fmt: skip
    for model, made, status in wrong:
        with pytest.raises(InferenceServerException) as error:
            client.infer(model, [made])
        assert error.value.message() and error.value.status() == f"StatusCode.{status}"


def test_classification(client):
    result = client.infer("named", [tensor("x", np.array([[0, 3, 1, 2, 0]], np.float32))], outputs=[grpcclient.InferRequestedOutput("y", class_count=2)])
    assert result.as_numpy("y").tolist() == [[b"6.000000:1:bee", b"4.000000:3"]]


def test_large(client):
    big = np.random.default_rng(4).random((4, 65536), dtype=np.float32)
    assert np.array_equal(client.infer("large", [tensor("x", big)]).as_numpy("y"), 2 * big)


# ---- Many at once ------------------------------------------------------------------------------------------------------------


def test_async_answers_are_not_mixed_up(client):
    answers = queue.Queue()
    for i in range(200):
        client.async_infer("twice", [tensor("x", x(i, 1 + i % 3))], lambda result, error, i=i: answers.put((i, result, error)), request_id=str(i))
    for _ in range(200):
        i, result, error = answers.get(timeout=60)
        assert error is None and is_answer(result, i, 1 + i % 3)


def test_stream(client):
    answers = queue.Queue()
    client.start_stream(lambda result, error: answers.put((result, error)))
    for i in range(100):
        client.async_stream_infer("twice", [tensor("x", x(i))], request_id=str(i))
    client.async_stream_infer("none", [tensor("x", x())], request_id="none")
    client.async_stream_infer("twice", [tensor("x", x(100))], request_id="100")
    seen, failed = set(), 0
    for _ in range(102):
        result, error = answers.get(timeout=60)
        failed += error is not None
        if result:
            seen.add(int(result.get_response().id))
            assert is_answer(result, int(result.get_response().id))
    client.stop_stream()
    assert seen == set(range(101)) and failed == 1


def test_aio(server):
    async def all_of_them():
        async with aioclient.InferenceServerClient(server.grpc) as client:
            assert await client.is_server_live() and await client.is_model_ready("twice")
            results = await asyncio.gather(*(client.infer("twice", [tensor("x", x(i))], request_id=str(i)) for i in range(100)))
            assert all(is_answer(result, i) for i, result in enumerate(results))

            async def requests():
                for i in range(10):
                    yield {"model_name": "twice", "inputs": [tensor("x", x(i))], "request_id": str(i)}

            got = [result async for result, error in client.stream_infer(requests()) if error is None]
            assert sorted(int(result.get_response().id) for result in got) == list(range(10))

    asyncio.run(all_of_them())


def test_deadline(client):
    begin = time.monotonic()
    with pytest.raises(InferenceServerException) as error:
        client.infer("slow", [slow(2000)], client_timeout=0.2)
    assert "DEADLINE" in error.value.status().upper() or "Deadline" in str(error.value)
    assert time.monotonic() - begin < 2
    assert client.is_server_live()


def test_cancel(client):
    ended = threading.Event()
    call = client.async_infer("slow", [slow(500)], lambda result, error: ended.set())
    call.cancel()
    assert ended.wait(30)
    assert client.is_server_live()


# ---- Shared memory -----------------------------------------------------------------------------------------------------------


def test_shared_memory(client, request):
    key = "/millrace_test_grpc"
    made = shared_memory.create_shared_memory_region("grpc", key, 64)
    try:
        client.register_system_shared_memory("grpc", key, 64)
        assert client.get_system_shared_memory_status().regions["grpc"].byte_size == 64
        shared_memory.set_shared_memory_region(made, [x(5, 2)])
        sent = grpcclient.InferInput("x", [2, 4], "FP32")
        sent.set_shared_memory("grpc", 32)
        asked = grpcclient.InferRequestedOutput("y")
        asked.set_shared_memory("grpc", 32, 32)
        client.infer("twice", [sent], outputs=[asked])
        assert np.array_equal(shared_memory.get_contents_as_numpy(made, np.float32, [2, 4], 32), 2 * x(5, 2))
    finally:
        client.unregister_system_shared_memory("grpc")
        shared_memory.destroy_shared_memory_region(made)
    client.unregister_cuda_shared_memory()
