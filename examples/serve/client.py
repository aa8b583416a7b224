"""Asks a server for digits: `python client.py [URL]`. What the model is, export_model.py says.

Once by the standard library alone, with tensors as bytes; and where tritonclient is installed (`pip install tritonclient[http]`) by that.
"""

import array
import json
import sys
import urllib.error
import urllib.request

MODEL = "digits"
# A 2 and a 7, and a 9 whose lowest segment is dim.
DISPLAYS = [[1, 1, 0, 1, 1, 0, 1], [1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 0.6, 0, 1, 1]]


def infer(url, model, inputs, api_key=None):
    """{name: (datatype, shape, bytes)} of the outputs, for the same of the inputs."""
    head = json.dumps({
        "inputs": [{"name": name, "datatype": datatype, "shape": shape, "parameters": {"binary_data_size": len(data)}} for name, (datatype, shape, data) in inputs.items()],
        "parameters": {"binary_data_output": True},
    }).encode()  # fmt: skip
    headers = {"Content-Type": "application/octet-stream", "Inference-Header-Content-Length": str(len(head))}
    if api_key:
        headers["Authorization"] = f"Bearer {api_key}"
    body = head + b"".join(data for _, _, data in inputs.values())
    request = urllib.request.Request(f"{url}/v2/models/{model}/infer", body, headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            answer, size = response.read(), int(response.headers["Inference-Header-Content-Length"])
    except urllib.error.HTTPError as error:
        raise RuntimeError(f"{error.code}: {json.load(error)['error']}") from None
    outputs, at = {}, size
    for output in json.loads(answer[:size])["outputs"]:
        end = at + output["parameters"]["binary_data_size"]
        outputs[output["name"]] = output["datatype"], output["shape"], answer[at:end]
        at = end
    return outputs


def by_the_standard_library(url):
    segments = array.array("f", [value for display in DISPLAYS for value in display])
    _, shape, data = infer(url, MODEL, {"segments": ("FP32", [len(DISPLAYS), 7], segments.tobytes())})["digit"]
    digits = array.array("f", data)
    return [list(digits[row * shape[1] : (row + 1) * shape[1]]) for row in range(shape[0])]


def by_tritonclient(url, http):
    import numpy as np

    client = http.InferenceServerClient(url.removeprefix("http://"))
    segments = http.InferInput("segments", [len(DISPLAYS), 7], "FP32")
    segments.set_data_from_numpy(np.array(DISPLAYS, np.float32))
    return client.infer(MODEL, [segments]).as_numpy("digit").tolist()


def tell(who, rows):
    for display, row in zip(DISPLAYS, rows):
        best = max(range(10), key=row.__getitem__)
        print(f"{who}: {display} is {best} ({row[best]:.3f})")


def main(url="http://127.0.0.1:8000"):
    tell("urllib", by_the_standard_library(url))
    try:
        import tritonclient.http as http
    except (ImportError, RuntimeError) as error:  # the latter from one that was installed without [http]
        print(f"no tritonclient: {error}")
    else:
        tell("tritonclient", by_tritonclient(url, http))


if __name__ == "__main__":
    main(*sys.argv[1:])
