"""Every call of tritonclient.http, plain and asynchronous."""

import asyncio
import json

import numpy as np
import pytest

httpclient = pytest.importorskip("tritonclient.http", reason="tritonclient[http] is not installed")
import tritonclient.http.aio as aioclient  # noqa: E402
from tritonclient.utils import InferenceServerException  # noqa: E402
from tritonclient.utils import shared_memory  # noqa: E402

import repository  # noqa: E402


@pytest.fixture
def client(server):
    with httpclient.InferenceServerClient(server.http, concurrency=4) as made:
        yield made


def tensor(name, array, kind=None, binary=True):
    made = httpclient.InferInput(name, list(array.shape), kind or "FP32")
    made.set_data_from_numpy(array, binary_data=binary)
    return made


def x(seed=1, rows=1):
    return np.random.default_rng(seed).random((rows, 4), dtype=np.float32)


# ---- What there is -----------------------------------------------------------------------------------------------------------


def test_health_and_metadata(client):
    assert client.is_server_live() and client.is_server_ready() and client.is_model_ready("twice") and client.is_model_ready("twice", "1")
    assert not client.is_model_ready("none")
    assert client.get_server_metadata()["extensions"]
    assert client.get_model_metadata("twice", "1")["inputs"] == [{"name": "x", "datatype": "FP32", "shape": [-1, 4]}]
    assert client.get_model_config("twice")["max_batch_size"] == 8


def test_statistics(client):
    client.infer("twice", [tensor("x", x())])
    assert client.get_inference_statistics("twice", "1")["model_stats"][0]["inference_stats"]["success"]["count"] > 0
    assert len(client.get_inference_statistics()["model_stats"]) >= len(repository.MODELS) - 1


def test_repository(client):
    assert {"twice", "pair"} <= {entry["name"] for entry in client.get_model_repository_index()}
    client.unload_model("pair")
    while client.is_model_ready("pair"):
        pass
    client.load_model("pair")
    assert client.is_model_ready("pair")
    with pytest.raises(InferenceServerException):
        client.load_model("none")


def test_load_with_a_configuration(client):
    config = client.get_model_config("pair")
    smaller = {"name": "pair", "backend": "millrace", "default_model_filename": "model.mlir", "max_batch_size": 2}
    client.load_model("pair", config=json.dumps(smaller))
    assert client.get_model_config("pair")["max_batch_size"] == 2
    client.load_model("pair", config=json.dumps(config))  # what the server says of itself, it takes
    assert client.get_model_config("pair")["max_batch_size"] == config["max_batch_size"]


# ---- Inference ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("binary_in", [True, False])
@pytest.mark.parametrize("binary_out", [True, False])
@pytest.mark.parametrize("compression", [{}, {"request_compression_algorithm": "gzip", "response_compression_algorithm": "gzip"},
                                         {"request_compression_algorithm": "deflate", "response_compression_algorithm": "deflate"}])  # fmt: skip
def test_infer(client, binary_in, binary_out, compression):
    result = client.infer("twice", [tensor("x", x(), binary=binary_in)], outputs=[httpclient.InferRequestedOutput("y", binary_data=binary_out)], request_id="7", **compression)
    assert result.get_response()["id"] == "7" and result.get_response()["model_version"] == "1"
    assert np.array_equal(result.as_numpy("y"), 2 * x())


def test_without_outputs(client):
    assert np.array_equal(client.infer("twice", [tensor("x", x(2, 8))], model_version="1").as_numpy("y"), 2 * x(2, 8))


def test_parameters(client):
    result = client.infer("twice", [tensor("x", x())], priority=1, timeout=10_000_000, parameters={"mine": 1}, query_params={"a": "b c"}, headers={"X-Mine": "1"})
    assert np.array_equal(result.as_numpy("y"), 2 * x())


@pytest.mark.parametrize("binary", [True, False])
def test_every_type(client, binary):
    """The same bits come back of every type."""
    inputs, wanted = [], {}
    for kind, (_, dtype) in repository.TYPES.items():
        bits = np.random.default_rng(3).integers(0, 2 if kind == "BOOL" else 100, (2, 4))
        array = bits.astype(dtype)
        inputs.append(tensor(f"in_{kind}", array, kind, binary=binary or kind == "FP16"))
        wanted[f"out_{kind}"] = array
    outputs = [httpclient.InferRequestedOutput(name, binary_data=binary or name == "out_FP16") for name in wanted]
    result = client.infer("same", inputs, outputs=outputs)
    for name, array in wanted.items():
        assert result.as_numpy(name).dtype == array.dtype and np.array_equal(result.as_numpy(name), array), name


def test_extreme_integers_in_json(client):
    inputs, wanted = [], {}
    for kind, (_, dtype) in repository.TYPES.items():
        if np.dtype(dtype).kind in "iu":
            array = np.array([[np.iinfo(dtype).min, np.iinfo(dtype).max, 0, 1]], dtype)
        else:
            array = np.zeros((1, 4), dtype)
        wanted[f"out_{kind}"] = array
        inputs.append(tensor(f"in_{kind}", array, kind, binary=kind == "FP16"))
    result = client.infer("same", inputs, outputs=[httpclient.InferRequestedOutput(name, binary_data=name == "out_FP16") for name in wanted])
    assert all(np.array_equal(result.as_numpy(name), array) for name, array in wanted.items())


def test_large(client):
    big = np.random.default_rng(4).random((4, 65536), dtype=np.float32)
    assert np.array_equal(client.infer("large", [tensor("x", big)]).as_numpy("y"), 2 * big)


def test_errors(client):
    for model, made in [("none", tensor("x", x())), ("twice", tensor("z", x())), ("twice", tensor("x", x()[:, :3])), ("twice", tensor("x", x(1, 9)))]:
        with pytest.raises(InferenceServerException) as error:
            client.infer(model, [made])
        assert error.value.message() and error.value.status() in ("400", "404")


def test_classification(client):
    array = np.array([[0, 3, 1, 2, 0]], np.float32)
    result = client.infer("named", [tensor("x", array)], outputs=[httpclient.InferRequestedOutput("y", class_count=3)])
    assert result.as_numpy("y").tolist() == [[b"6.000000:1:bee", b"4.000000:3", b"2.000000:2:cat"]]


# ---- Many at once ------------------------------------------------------------------------------------------------------------


def test_async_answers_are_not_mixed_up(client):
    asked = [(i, client.async_infer("twice", [tensor("x", x(i, 1 + i % 3))], request_id=str(i))) for i in range(100)]
    for i, answer in asked:
        result = answer.get_result()
        assert result.get_response()["id"] == str(i) and np.array_equal(result.as_numpy("y"), 2 * x(i, 1 + i % 3))


def test_aio(server):
    async def one(client, i):
        result = await client.infer("twice", [tensor("x", x(i))], request_id=str(i))
        assert result.get_response()["id"] == str(i) and np.array_equal(result.as_numpy("y"), 2 * x(i))

    async def all_of_them():
        async with aioclient.InferenceServerClient(server.http) as client:
            assert await client.is_server_live() and await client.is_server_ready() and await client.is_model_ready("twice")
            assert (await client.get_model_metadata("twice"))["name"] == "twice" and (await client.get_model_config("twice"))["name"] == "twice"
            assert await client.get_model_repository_index() and (await client.get_inference_statistics("twice"))["model_stats"]
            await asyncio.gather(*(one(client, i) for i in range(100)))
            with pytest.raises(InferenceServerException):
                await client.infer("none", [tensor("x", x())])

    asyncio.run(all_of_them())


# ---- Shared memory -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def region(client, request):
    """Two tensors of [2, 4] f32 in one object: what goes in, and what comes out."""
    made = shared_memory.create_shared_memory_region("region", f"/millrace_test_{request.node.name}"[:60].replace("[", "_").replace("]", ""), 64)
    try:
        client.register_system_shared_memory("region", made.name if hasattr(made, "name") else made._shm_key, 64)
        yield made
    finally:
        client.unregister_system_shared_memory("region")
        shared_memory.destroy_shared_memory_region(made)


def test_shared_memory(client, region):
    for seed in range(3):
        shared_memory.set_shared_memory_region(region, [x(seed, 2)])
        made = httpclient.InferInput("x", [2, 4], "FP32")
        made.set_shared_memory("region", 32)
        asked = httpclient.InferRequestedOutput("y")
        asked.set_shared_memory("region", 32, 32)
        result = client.infer("twice", [made], outputs=[asked])
        assert result.get_output("y")["shape"] == [2, 4] and "data" not in result.get_output("y")
        assert np.array_equal(shared_memory.get_contents_as_numpy(region, np.float32, [2, 4], 32), 2 * x(seed, 2))


def test_shared_memory_calls(client, region):
    key = client.get_system_shared_memory_status()[0]
    assert key["name"] == "region" and key["byte_size"] == 64 and key["offset"] == 0
    assert client.get_system_shared_memory_status("region") == [key]
    with pytest.raises(InferenceServerException):
        client.register_system_shared_memory("region", key["key"], 64)
    for wrong in [("other", "/none_of_this_name", 64), ("other", key["key"], 10**9), ("other", "/../etc/passwd", 64)]:
        with pytest.raises(InferenceServerException):
            client.register_system_shared_memory(*wrong)
    client.unregister_system_shared_memory()
    assert client.get_system_shared_memory_status() == []
    client.register_system_shared_memory("region", key["key"], 64)


@pytest.mark.parametrize("size,offset", [(32, 33), (31, 0), (33, 0), (1 << 40, 0), (32, 1 << 63)])
def test_shared_memory_beyond_its_end(client, region, size, offset):
    made = httpclient.InferInput("x", [2, 4], "FP32")
    made.set_shared_memory("region", size, offset)
    with pytest.raises(InferenceServerException):
        client.infer("twice", [made])
    assert client.is_server_live()
