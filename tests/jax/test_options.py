"""Options: the tables of pjrt/proto have the messages of this jaxlib, and what XLA_FLAGS and compiler_options say arrives."""

import os
import pathlib
import subprocess
import sys

import jax
import jax.numpy as jnp
import jaxlib
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = pathlib.Path(jaxlib.__file__).parent / "libjax_common.so"
# A sum in bf16 that becomes an f32 at once.
ROUNDS = """
import jax, jax.numpy as jnp
print(float(jax.jit(lambda x: (x + 1).astype(jnp.float32))(jnp.bfloat16(2**-9))))
"""


# What a program over eight devices says of one argument in GSPMD's form is propagated, whether XLA is to partition by itself or not.
PARTITIONS = """
import sys
import jax, jax.numpy as jnp, numpy as np
from jax._src import compiler
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
jax.config.update("jax_use_shardy_partitioner", False)
plain_options = compiler.get_compile_options
def automatic(*arguments, **words):
    options = plain_options(*arguments, **words)
    options.executable_build_options.use_auto_spmd_partitioning = True
    options.executable_build_options.auto_spmd_partitioning_mesh_shape = [4, 2]
    options.executable_build_options.auto_spmd_partitioning_mesh_ids = list(range(8))
    return options
if sys.argv[1] == "automatic":
    compiler.get_compile_options = automatic
mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))
x = jax.ShapeDtypeStruct((8, 8), jnp.float32)
f = jax.jit(lambda a, b: (a @ b, jnp.sin(a)), in_shardings=(NamedSharding(mesh, P("x", None)), None))
c = f.lower(x, x).compile()
print([s.spec for s in jax.tree.leaves((c.input_shardings, c.output_shardings))])
"""


def test_tables_have_the_fields_of_jaxlib():
    """Each field, number, kind and value; a newer jaxlib that has more, or others, says so here."""
    found = subprocess.run([sys.executable, ROOT / "tools/xla_fields.py", LIBRARY, ROOT], capture_output=True, text=True)
    assert found.stdout == "" and found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("platform", ["millrace", "cpu"])
@pytest.mark.parametrize("flag, wanted", [("true", 1 + 2**-9), ("false", 1)])
def test_flags_of_xla_arrive(platform, flag, wanted):
    """jaxlib puts what XLA_FLAGS say into the compile options of every program."""
    env = os.environ | {"JAX_PLATFORMS": platform, "XLA_FLAGS": f"--xla_allow_excess_precision={flag}"}
    done = subprocess.run([sys.executable, "-c", ROUNDS], env=env, capture_output=True, text=True)
    assert done.returncode == 0 and float(done.stdout) == wanted, done.stdout + done.stderr


def test_automatic_partitioning_is_propagation():
    """On XLA:CPU too, which has no partitioner of that kind. (With Shardy it aborts.)"""
    found = set()
    for platform in ("millrace", "cpu"):
        for how in ("automatic", "plain"):
            env = os.environ | {"JAX_PLATFORMS": platform, "JAX_NUM_CPU_DEVICES": "8"}
            env.pop("MILLRACE_NUM_DEVICES", None)
            done = subprocess.run([sys.executable, "-c", PARTITIONS, how], env=env, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            found.add(done.stdout)
    assert len(found) == 1 and "'x'" in found.pop()


@pytest.mark.parametrize("name, value, words", [
    ("xla_cpu_enable_fast_math", True, None),
    ("xla_cpu_enable_fast_math", "True", None),
    ("xla_cpu_enable_fast_math", "true", "While setting option xla_cpu_enable_fast_math, 'true' is not a valid bool value."),
    ("xla_backend_optimization_level", 1 << 40, "'1099511627776' is not a valid int32 value."),
    ("xla_step_marker_location", "STEP_X", "'STEP_X' is not a valid enum value."),
    ("xla_no_such_thing", 1, "No such compile option: 'xla_no_such_thing'"),
    ("optimization_level", 9, None),
    ("exec_time_optimization_effort", 0.5, None),
])
def test_compiler_options(name, value, words):
    """The answers of XLA:CPU, for an option of each kind."""
    function = jax.jit(lambda x: x + 1, compiler_options={name: value})
    if words is None:
        assert function(jnp.float32(1)) == 2
        return
    with pytest.raises(jax.errors.JaxRuntimeError) as caught:
        function(jnp.float32(1))
    assert words in str(caught.value)
