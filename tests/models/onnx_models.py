"""ONNX models with random weights, made node by node, and what ONNX Runtime says of them."""

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from as_files import CHANNELS, CLASSES, FEATURES, HEADS, HIDDEN, IMAGE, LENGTH, LETTERS, MAPS, WIDTH, inputs

BATCH = 3


class Graph:
    """Nodes and weights in the order in which they are named."""

    def __init__(self):
        self.nodes, self.weights, self.random = [], [], np.random.default_rng(1)

    def weight(self, *shape, summed=1):
        """The name of a new array of normal numbers over the root of how many are summed."""
        return self.constant((self.random.normal(size=shape) / summed**0.5).astype(np.float32))

    def constant(self, array):
        self.weights.append(numpy_helper.from_array(np.asarray(array), f"w{len(self.weights)}"))
        return self.weights[-1].name

    def __call__(self, op, *operands, **attributes):
        """The name of a new node's result."""
        self.nodes.append(helper.make_node(op, list(operands), [f"v{len(self.nodes)}"], **attributes))
        return self.nodes[-1].output[0]


def mlp(g, x):
    hidden = g("Tanh", g("Gemm", x, g.weight(FEATURES, HIDDEN, summed=FEATURES), g.weight(HIDDEN)))
    return g("Gemm", hidden, g.weight(CLASSES, HIDDEN, summed=HIDDEN), g.weight(CLASSES), transB=1)


def cnn(g, x):
    x = g("Conv", x, g.weight(MAPS, CHANNELS, 3, 3, summed=9 * CHANNELS), g.weight(MAPS), pads=[1, 1, 1, 1], kernel_shape=[3, 3])
    around = g.constant(g.random.uniform(0.5, 1.5, MAPS).astype(np.float32))
    x = g("BatchNormalization", x, g.weight(MAPS), g.weight(MAPS), g.weight(MAPS), around)
    x = g("Flatten", g("MaxPool", g("Relu", x), kernel_shape=[2, 2], strides=[2, 2]))
    size = MAPS * (IMAGE // 2) ** 2
    return g("Gemm", x, g.weight(size, CLASSES, summed=size), g.weight(CLASSES))


def normal(g, x):
    return g("LayerNormalization", x, g.constant(np.ones(WIDTH, np.float32)), g.weight(WIDTH), axis=-1, epsilon=1e-5)


def gelu(g, x):
    """As exporters spell it."""
    root, one, half = (g.constant(np.float32(value)) for value in (2**0.5, 1, 0.5))
    return g("Mul", g("Mul", x, g("Add", g("Erf", g("Div", x, root)), one)), half)


def transformer(g, letters):
    def product(x, width, out):
        return g("MatMul", x, g.weight(width, out, summed=width))

    def heads(x, order):
        parts = g.constant(np.array([BATCH, LENGTH, HEADS, WIDTH // HEADS]))
        return g("Transpose", g("Reshape", product(x, WIDTH, WIDTH), parts), perm=order)

    x = g("Add", g("Gather", g.weight(LETTERS, WIDTH), letters), g.weight(LENGTH, WIDTH))
    y = normal(g, x)
    scores = g("MatMul", heads(y, [0, 2, 1, 3]), heads(y, [0, 2, 3, 1]))
    shares = g("Softmax", g("Mul", scores, g.constant(np.float32((WIDTH // HEADS) ** -0.5))), axis=-1)
    mixed = g("Transpose", g("MatMul", shares, heads(y, [0, 2, 1, 3])), perm=[0, 2, 1, 3])
    x = g("Add", x, product(g("Reshape", mixed, g.constant(np.array([BATCH, LENGTH, WIDTH]))), WIDTH, WIDTH))
    x = g("Add", x, product(gelu(g, product(normal(g, x), WIDTH, 4 * WIDTH)), 4 * WIDTH, WIDTH))
    return product(normal(g, x), WIDTH, LETTERS)


MODELS = {"mlp": mlp, "cnn": cnn, "transformer": transformer}


def made(kind, opset=17):
    """A model that ONNX's checker takes, an input, and ONNX Runtime's answer."""
    g, x = Graph(), inputs(kind, layout="NCHW")
    x = x.astype(np.int64) if kind == "transformer" else x
    answer = MODELS[kind](g, "x")
    shape = [BATCH, LENGTH, LETTERS] if kind == "transformer" else [BATCH, CLASSES]
    graph = helper.make_graph(g.nodes, kind, [helper.make_tensor_value_info("x", helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)],
                              [helper.make_tensor_value_info(answer, TensorProto.FLOAT, shape)], g.weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8 if opset < 19 else 10)
    onnx.checker.check_model(model, full_check=True)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return model, x, session.run(None, {"x": x})[0]
