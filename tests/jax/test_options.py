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
