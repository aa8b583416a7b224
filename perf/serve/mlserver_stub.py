"""A model of MLServer's that answers at once: its front end alone. `mlserver start FOLDER` with the files that bench.py writes."""

from mlserver import MLModel
from mlserver.types import InferenceResponse, ResponseOutput


class Stub(MLModel):
    async def load(self):
        return True

    async def predict(self, payload):
        rows = payload.inputs[0].shape[0]
        output = ResponseOutput(name="y", shape=[rows, 10], datatype="FP32", data=[0.0] * (10 * rows))
        return InferenceResponse(model_name=self.name, model_version="1", id=payload.id, outputs=[output])
