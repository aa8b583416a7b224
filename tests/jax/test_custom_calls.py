"""Custom calls: docs/custom-calls.md names every target that JAX's files do, and what it says of them is so."""

import ast
import concurrent.futures
import pathlib
import re
import threading
import time

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gated import gated

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "custom-calls.md"
# Functions whose first argument (or call_target_name) is a target, and variables that hold one.
NOT_TARGETS = {"lapack_{..}", "cu", "hip", "{target_name_prefix}", "{platform}"}
EMITTERS = {"custom_call", "ffi_lowering", "_linalg_ffi_lowering", "ffi_call", "CustomCallOp", "_wrap_with_spmd_op",
            "prepare_lapack_call"}
HOLDERS = {"call_target_name", "target_name", "_CUSTOM_PARTITIONING_CALL_NAME", "_INSPECT_SHARDING_CALL_NAME"}
# A user's own, and those of GPUs, whose prefix is theirs.
OTHERS = re.compile(r"^\{[^{}]*\}$|^\{(target_name_prefix|platform)\}")


def _literal(node):
    """The text of a string or f-string, also inside ir.StringAttr.get(..); None for anything else."""
    if isinstance(node, ast.Call) and node.args and ast.unparse(node.func).endswith("StringAttr.get"):
        node = node.args[0]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "{%s}" % ast.unparse(part.value)
                       for part in node.values)
    return None


def _target_of(call):
    function, args = call.func, list(call.args)
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name == "partial" and args and isinstance(args[0], ast.Name):
        name, args = args[0].id, args[1:]
    if name not in EMITTERS:
        return None
    for keyword in call.keywords:
        if keyword.arg == "call_target_name":
            return _literal(keyword.value)
    return _literal(args[0]) if args and name != "CustomCallOp" else None


def targets_in(tree):
    for node in ast.walk(tree):
        found = None
        if isinstance(node, ast.Call):
            found = _target_of(node)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in HOLDERS:
            found = _literal(node.value)
        elif isinstance(node, ast.Dict):  # by platform
            found = next((_literal(v).replace("_cpu_", "_{device}_") for k, v in zip(node.keys, node.values)
                          if k and _literal(k) == "cpu" and (_literal(v) or "").endswith("_callback")), None)
        if found and not OTHERS.match(found):
            yield found


def targets_of_jax():
    root = pathlib.Path(jax.__file__).parent
    found = set()
    for file in root.rglob("*.py"):
        if "test" not in file.name and "test_data" not in str(file):
            found.update(targets_in(ast.parse(file.read_text())))
    return found


def named_under(heading):
    """The targets in the table below a heading of the page."""
    section = PAGE.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return {name for line in section.splitlines() if line.startswith("| ")
            for name in re.findall(r"`([^`]+)`", line.split("|")[1])}


def test_no_target_is_both_taken_and_refused():
    assert named_under("Taken") & named_under("Refused") == set()


def _compile(text):
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from jax._src.lib.mlir import ir

    with mlir.make_ir_context():
        return jax.devices()[0].client.compile_and_load(
            ir.Module.parse(text), xla_client.DeviceList((jax.devices()[0],)), xla_client.CompileOptions())


# As calls in a program: the page says of these that JAX itself makes something else of them.
BEFORE_IT_IS_COMPILED = {"stablehlo.dynamic_approx_top_k", "stablehlo.dynamic_top_k", "stablehlo.dynamic_rng_bit_generator",
                         "stablehlo.dynamic_reduce_window"}
OF_BUFFERS = {"CreateBuffer", "Pin", "Unpin"}  # these have results that no other text can have


@pytest.mark.parametrize("target", sorted(
    (named_under("Refused") | BEFORE_IT_IS_COMPILED) - OF_BUFFERS - NOT_TARGETS))
def test_refused_targets_are_refused_by_name(target):
    text = (f'module @m {{ func.func public @main(%a: tensor<3xf32>) -> tensor<3xf32> {{'
            f'%0 = stablehlo.custom_call @"{target}"(%a) : (tensor<3xf32>) -> tensor<3xf32>'
            f' return %0 : tensor<3xf32> }} }}')
    with pytest.raises(jax.errors.JaxRuntimeError, match=f"UNIMPLEMENTED.*{re.escape(target)}"):
        _compile(text)


def test_the_page_names_every_target():
    named = named_under("Taken") | named_under("Refused")
    found = targets_of_jax()
    assert len(found) >= 40
    assert sorted(found - named) == [], "JAX emits these, and docs/custom-calls.md does not say what becomes of them"
    assert sorted(named - found - NOT_TARGETS) == [], "the page names these, and JAX does not"


def test_jaxlib_has_no_handler_that_the_page_does_not_name():
    from jaxlib import _jax, lapack

    page = PAGE.read_text()
    for name, *_ in lapack.registrations()["cpu"]:
        routine = re.sub(r"^lapack_[sdcz]", "", name)
        routine = re.sub(r"^(or|un)(?=[gm]qr)|^(sy|he)(?=evd|trd)", "{prefix}", routine)
        routine = routine.replace("ungqr", "{prefix}gqr").replace("ormqr", "{prefix}mqr")
        assert f"`{routine}`" in page, name
    for name, stages in _jax.custom_call_targets("Host").items():
        python = re.sub(r"^xla_ffi(_partitioned)?_python_cpu", "xla_ffi{partition}_python_{device}", name)
        python = python.replace("buffer_python_cpu", "buffer_python_{device}")
        assert f"`{python}`" in page or not name.startswith(("xla_", "dce_")), name


@pytest.mark.parametrize("first", ["slow", "quick"])
def test_control_dependencies_order_callbacks(first):
    from jax.experimental import control_deps, io_callback

    seen = []

    def call(name, delay, x):
        def note(value):
            time.sleep(delay)
            seen.append(name)
            return value

        return io_callback(note, jax.ShapeDtypeStruct((), np.float32), x)

    def program(x):
        # The one that is to come second is first in the program.
        if first == "slow":
            quick, slow = call("quick", 0, x), call("slow", 0.02, x + 1)
            control_deps.control_dep(slow, quick)
        else:
            slow, quick = call("slow", 0.02, x + 1), call("quick", 0, x)
            control_deps.control_dep(quick, slow)
        return quick, slow

    run = jax.jit(program)
    for _ in range(3):
        quick, slow = jax.block_until_ready(run(1.0))
        assert (quick, slow) == (1, 2)
    assert seen == [first, "quick" if first == "slow" else "slow"] * 3


def test_control_dependencies_in_a_circle_are_refused():
    from jax.experimental import control_deps

    def program(x):
        a = jnp.sin(x)
        b = jnp.cos(a)
        control_deps.control_dep(b, a)
        return b

    with pytest.raises(jax.errors.JaxRuntimeError, match="FAILED_PRECONDITION.*wait for each other"):
        jax.jit(program)(1.0)


def test_schedule_of_what_nothing_orders():
    from jax.experimental import control_deps

    def program(x):
        a, b, c = jnp.sin(x), jnp.cos(x), x @ x
        control_deps.schedule([c, b, a])
        return a, b, c

    x = np.linspace(0, 1, 9, dtype=np.float32).reshape(3, 3)
    for got, want in zip(jax.jit(program)(x), (np.sin(x), np.cos(x), x @ x)):
        np.testing.assert_allclose(got, want, rtol=5e-7)


@pytest.mark.parametrize("dtype", [jnp.float16, jnp.bfloat16])
@pytest.mark.parametrize("left", [True, False])
def test_triangular_solve_of_small_floats(dtype, left):
    rng = np.random.default_rng(0)
    a = (np.tril(rng.standard_normal((2, 24, 24))) / 5 + 2 * np.eye(24)).astype(dtype)
    b = rng.standard_normal((2, 24, 24)).astype(dtype)
    solve = jax.jit(lambda a, b: jax.lax.linalg.triangular_solve(a, b, left_side=left, lower=True))
    got = solve(a, b)
    assert got.dtype == dtype
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    want = np.linalg.solve(wide_a, wide_b) if left else np.linalg.solve(wide_a.mT, wide_b.mT).mT
    # Rounded once: half a unit in the last place, and what f32 leaves.
    np.testing.assert_allclose(np.asarray(got, np.float64), want, rtol=0.51 * float(jnp.finfo(dtype).eps), atol=1e-6)
    # Sixteen units, for XLA:CPU rounds to the narrow type after each step.
    cpu = jax.devices("cpu")[0]
    theirs = solve(jax.device_put(a, cpu), jax.device_put(b, cpu))
    np.testing.assert_allclose(np.asarray(got, np.float64), np.asarray(theirs, np.float64),
                               atol=16 * float(jnp.finfo(dtype).eps))


def _meeting(count, device):
    """A program and its argument: none of its calls ends before `count` of them have begun."""
    everybody, meets = threading.Barrier(count, timeout=60), threading.Event()

    def callback(x):
        if meets.is_set():
            everybody.wait()
        else:
            time.sleep(0.01)  # from here on the program is known to take its time
        return x

    function = jax.jit(lambda x: jax.pure_callback(callback, jax.ShapeDtypeStruct((8,), np.float32), x))
    x = jax.device_put(np.ones(8, np.float32), device)
    function(x).block_until_ready()  # JAX makes others wait for a first call
    meets.set()
    return function, x


def test_callbacks_that_wait_for_one_another_are_all_in():
    """Whoever is inside a callback that takes its time holds up nobody. The calls wait for their argument, else each would
    have run when it returns."""
    (function, ones), gate = _meeting(64, jax.devices("millrace")[0]), threading.Event()
    pending = gated(gate).addressable_shards[0].data
    results = [function(pending) for _ in range(64)]
    gate.set()
    for result in results:
        np.testing.assert_array_equal(result, ones)


def test_callbacks_of_calls_on_many_threads_are_all_in(oracle):
    """Calls that have run when they return, as on XLA:CPU, do not wait for one another either."""
    for device in (jax.devices("millrace")[0], oracle):
        function, x = _meeting(16, device)
        with concurrent.futures.ThreadPoolExecutor(16) as threads:
            for result in threads.map(function, [x] * 16):
                np.testing.assert_array_equal(result, x)


def test_a_barrier_waits_for_the_callbacks_of_all_calls():
    from jax.experimental import io_callback

    seen = []

    @jax.jit
    def f(x):
        io_callback(lambda v: seen.append(int(v[0])), None, x, ordered=False)
        io_callback(lambda v: seen.append(int(v[0])), None, x + 1, ordered=False)
        return x

    for _ in range(100):  # of two calls at once, the second was over first now and then
        seen.clear()
        f(jnp.arange(8))
        f(jnp.arange(8) + 10)
        jax.effects_barrier()
        assert sorted(seen) == [0, 1, 10, 11]
