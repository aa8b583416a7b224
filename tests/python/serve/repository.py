"""Small models for the server's tests, as text: nothing but the server is needed to run them. Triton with our backend takes the same folders."""

import pathlib

CONFIG = 'backend: "millrace"\ndefault_model_filename: "model.mlir"\ninstance_group {{ kind: KIND_CPU count: 1 }}\nmax_batch_size: {batch}\n'

# The protocol's names, StableHLO's and numpy's.
TYPES = {
    "BOOL": ("i1", "bool"), "UINT8": ("ui8", "uint8"), "UINT16": ("ui16", "uint16"), "UINT32": ("ui32", "uint32"), "UINT64": ("ui64", "uint64"),
    "INT8": ("i8", "int8"), "INT16": ("i16", "int16"), "INT32": ("i32", "int32"), "INT64": ("i64", "int64"), "FP16": ("f16", "float16"),
    "FP32": ("f32", "float32"), "FP64": ("f64", "float64")}  # fmt: skip


def function(inputs, outputs, body):
    """A program: {name: type} of its inputs and outputs. Its results are the lines of body that are named like the outputs."""
    arguments = ", ".join(f'%{name}: tensor<{kind}> loc("{name}")' for name, kind in inputs.items())
    results = ", ".join(f"tensor<{kind}> {{jax.result_info = \"result['{name}']\"}}" for name, kind in outputs.items())
    end = ", ".join(f"%{name}" for name in outputs) + " : " + ", ".join(f"tensor<{kind}>" for kind in outputs.values())
    return f"func.func @main({arguments}) -> ({results}) {{\n{body}\n  return {end}\n}}\n"


def twice(shape):
    return function({"x": shape}, {"y": shape}, f"  %y = stablehlo.add %x, %x : tensor<{shape}>")


PAIR = function(
    {"a": "?x3xi32", "b": "?x3xi32"},
    {"sum": "?x3xi32", "difference": "?x3xi32"},
    "  %sum = stablehlo.add %a, %b : tensor<?x3xi32>\n  %difference = stablehlo.subtract %a, %b : tensor<?x3xi32>",
)

# Gives back what it gets, of every type that the protocol has a name for.
SAME = function(
    {f"in_{name}": f"?x4x{kind}" for name, (kind, _) in TYPES.items()},
    {f"out_{name}": f"?x4x{kind}" for name, (kind, _) in TYPES.items()},
    "\n".join(f"  %out_{name} = stablehlo.maximum %in_{name}, %in_{name} : tensor<?x4x{kind}>" for name, (kind, _) in TYPES.items()),
)

# Counts to what it is told, so that it takes as long as a test wants.
SLOW = function(
    {"rounds": "1xi32"},
    {"y": "1xi32"},
    """  %n = stablehlo.reshape %rounds : (tensor<1xi32>) -> tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %s = %zero) : tensor<i32>, tensor<i32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.xor %s, %1 : tensor<i32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<i32>
    }
  %y = stablehlo.reshape %0#1 : (tensor<i32>) -> tensor<1xi32>""",
)

# Name: program, largest batch, further configuration.
MODELS = {
    "twice": (twice("?x4xf32"), 8, "dynamic_batching { }\n"),
    "pair": (PAIR, 8, "dynamic_batching { }\n"),
    "same": (SAME, 8, ""),
    "fixed": (twice("2x3xf32"), 0, ""),
    "large": (twice("?x65536xf32"), 4, ""),
    "slow": (SLOW, 0, ""),
    "named": (twice("?x5xf32"), 8, 'output { name: "y" data_type: TYPE_FP32 dims: 5 label_filename: "labels.txt" }\n'),
}
LABELS = "ant\nbee\ncat\n"  # the others have none


def write(root, *names, version=1):
    """Folders of these models, or of all, under root, which is returned."""
    root = pathlib.Path(root)
    for name in names or MODELS:
        program, batch, more = MODELS[name]
        (root / name / str(version)).mkdir(parents=True, exist_ok=True)
        (root / name / "config.pbtxt").write_text(CONFIG.format(batch=batch) + more)
        (root / name / str(version) / "model.mlir").write_text(program)
        if "labels.txt" in more:
            (root / name / "labels.txt").write_text(LABELS)
    return root
