"""What the tests of `import millrace` share: programs as text, and fresh processes."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MILLRACE_LIBRARY", ROOT / "build" / "release" / "lib" / "libpjrt_millrace.so")).parents[1]
if not (BUILD / "python" / "millrace" / "_core.abi3.so").exists():
    pytest.skip("the extension is built where Python's headers are (python3-dev)", allow_module_level=True)

PLUS_ONE = b"""
func.func @main(%x: tensor<128xf32> loc("x")) -> (tensor<128xf32> {jax.result_info = "result"}) {
  %one = stablehlo.constant dense<1.0> : tensor<128xf32>
  %0 = stablehlo.add %x, %one : tensor<128xf32>
  return %0 : tensor<128xf32>
}
"""

TWO = b"""
func.func @main(%a: tensor<3xf32> loc("a"), %b: tensor<3xi32> loc("b"))
    -> (tensor<3xf32> {jax.result_info = "result['sum']"}, tensor<3xi32> {jax.result_info = "result['twice']"}) {
  %0 = stablehlo.convert %b : (tensor<3xi32>) -> tensor<3xf32>
  %1 = stablehlo.add %a, %0 : tensor<3xf32>
  %2 = stablehlo.add %b, %b : tensor<3xi32>
  return %1, %2 : tensor<3xf32>, tensor<3xi32>
}
"""

# Takes some milliseconds: never on the thread that calls.
SLOW = b"""
func.func @main(%x: tensor<150x150xf32> loc("x")) -> tensor<150x150xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<8> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c, %y = %x) : tensor<i32>, tensor<150x150xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.dot_general %y, %x, contracting_dims = [1] x [0] : (tensor<150x150xf32>, tensor<150x150xf32>) -> tensor<150x150xf32>
      %2 = stablehlo.tanh %1 : tensor<150x150xf32>
      %3 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %3, %2 : tensor<i32>, tensor<150x150xf32>
    }
  return %0#1 : tensor<150x150xf32>
}
"""

# Ends when somebody stops it.
ENDLESS = b"""
func.func @main(%x: tensor<i32> loc("x")) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.while(%i = %x) : tensor<i32>
    cond {
      %1 = stablehlo.compare NE, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.subtract %1, %one : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }
  return %0 : tensor<i32>
}
"""

COUNTER = b"""
func.func @main(%s: tensor<4xf32> {tf.aliasing_output = 0 : i32} loc("state"), %x: tensor<4xf32> loc("x"))
    -> (tensor<4xf32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}) {
  %0 = stablehlo.add %s, %x : tensor<4xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
"""


def same_type(dtype):
    """A program that gives what it gets, of some element type."""
    return f'func.func @main(%x: tensor<5x{dtype}> loc("x")) -> tensor<5x{dtype}> {{\n  return %x : tensor<5x{dtype}>\n}}\n'.encode()


def fresh(code, status=0, **settings):
    """Runs code in a Python of its own and gives what it printed."""
    environment = {**os.environ, "MILLRACE_LIBRARY": str(BUILD / "lib" / "libpjrt_millrace.so"), "PYTHONPATH": str(ROOT / "python"), **settings}
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120, cwd=ROOT / "tests" / "python")
    assert result.returncode == status, result.stdout[-3000:] + result.stderr[-3000:]
    return result.stdout
