"""ONNX models as jaxonnxruntime 0.3.0 takes them. Its ops are those of opset 17 and before, without functions such as LayerNormalization."""

import onnx
import onnx.inliner
import onnx.version_converter
import onnxruntime

LACKING = ["Gelu", "GroupNormalization", "HardSwish", "LayerNormalization", "Mish", "RMSNormalization", "Swish"]
FUSIONS = ["GeluFusionL1", "LayerNormFusionL1"]  # which would put them back

def folded(model, path):
    """What does not depend on the input is computed, by ONNX Runtime."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(path)
    onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"], disabled_optimizers=FUSIONS)
    return onnx.load(path)


def spelt_out(model, folder):
    """The model in ops, and versions of them, that jaxonnxruntime has: what it lacks as what it is defined as, which ONNX's inliner knows, without
    the arithmetic with shapes in that; of opset 17; a sum of two as Add; and no word for a default that it does not know."""
    for weight in model.graph.initializer:
        model.graph.value_info.append(onnx.helper.make_tensor_value_info(weight.name, weight.data_type, weight.dims))
    model = onnx.inliner.inline_selected_functions(onnx.shape_inference.infer_shapes(model), [("", name) for name in LACKING],
                                                   inline_schema_functions=True)
    for _ in range(2):  # the first leaves casts of what it has computed
        model = folded(model, folder / "folded.onnx")
    model = onnx.version_converter.convert_version(model, 17)
    for node in model.graph.node:
        if node.op_type == "Sum" and len(node.input) == 2:
            node.op_type = "Add"  # its Sum does not broadcast
        for attribute in [a for a in node.attribute if a.name == "auto_pad" and a.s == b"NOTSET"]:
            node.attribute.remove(attribute)
    return model
