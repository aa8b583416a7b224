#!/usr/bin/env python3
"""Writes some of tests/compiler/reader_data as portable artifacts, the way jaxlib makes them: NAME.mlirbc of the text NAME.mlir
for each of TEXTS, and those of MADE, whose text would be long.

    ./dev python tests/compiler/make_reader_data.py
"""

import pathlib

from jax._src.lib import _jax

FOLDER = pathlib.Path(__file__).resolve().parent / "reader_data"
VERSION = "1.13.0"
TEXTS = ["quantised_forms", "type_forms"]


def deep(start, around, depth=17):
    """What expands to 2^depth of the start, and is stored once for each depth."""
    for _ in range(depth):
        start = around.format(start, start)
    return start


MADE = {
    "deep_type": f"func.func @main(%a: {deep('tensor<f32>', 'tuple<{}, {}>')}) {{\n  return\n}}\n",
    "deep_attribute": 'func.func @main() {\n  stablehlo.custom_call @f() {api_version = 4 : i32, has_side_effect = true, backend_config = {a = '
    + deep("true", "[{}, {}]")
    + "}} : () -> ()\n  return\n}\n",
}


def main():
    texts = {name: (FOLDER / f"{name}.mlir").read_text() for name in TEXTS}
    for name, text in {**texts, **MADE}.items():
        artifact = _jax.mlir.serialize_portable_artifact(text, VERSION, True)
        (FOLDER / f"{name}.mlirbc").write_bytes(artifact)
        print(name, len(artifact))


if __name__ == "__main__":
    main()
