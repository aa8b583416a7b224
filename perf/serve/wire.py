"""Requests for a model with one f32 input x and one output y, as bytes."""

import json
import struct

import numpy as np

BINARY = "Inference-Header-Content-Length"


def rows(shape, seed, count=1):
    return np.random.default_rng(seed).random((count, *shape), dtype=np.float32)


def binary(x):
    """(body, size of its JSON)"""
    inputs = [{"name": "x", "shape": list(x.shape), "datatype": "FP32", "parameters": {"binary_data_size": x.nbytes}}]
    head = json.dumps({"inputs": inputs, "parameters": {"binary_data_output": True}}, separators=(",", ":")).encode()
    return head + x.tobytes(), len(head)


def as_json(x):
    data = [float(f"{value:.6g}") for value in x.ravel()]
    return json.dumps({"inputs": [{"name": "x", "shape": list(x.shape), "datatype": "FP32", "data": data}]}, separators=(",", ":")).encode()


def _varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def _field(number, data):
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def grpc(model, x):
    """A ModelInferRequest with gRPC's five bytes in front."""
    tensor = _field(1, b"x") + _field(2, b"FP32") + _field(3, b"".join(map(_varint, x.shape)))
    message = _field(1, model.encode()) + _field(5, tensor) + _field(7, x.tobytes())
    return b"\0" + struct.pack(">I", len(message)) + message
