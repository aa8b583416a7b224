"""What a round of a loop touches of the arrays that it carries, as `millrace show --plan` tells it.

Each form of loop is compiled at two sizes: four times the rounds over an array of four times the rows. A round changes as much in both, so it
reads and writes as many bytes in both, unless something copies or goes through the whole array. Nothing is run and no time is taken.
"""

import os
import re
import subprocess
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest
from carried_loops import FORMS, STENCILS
from jax import lax

ROOT = Path(__file__).resolve().parents[2]
MILLRACE = os.environ.get("MILLRACE_TOOL", str(ROOT / "build" / "release" / "bin" / "millrace"))
SMALL, LARGE = 64, 256
GUESSED = int(re.search(r"MR_PLAN_LOOP_ROUNDS (\d+)", (ROOT / "compiler/plan/tuning.h").read_text())[1])
GROWTH = 1.25  # four times the rows are four times the bytes where a round goes through them


def bytes_a_round(f, args, folder):
    """Of all loops that are no part of another, together."""
    path = folder / "loop.mlir"
    path.write_text((f if hasattr(f, "lower") else jax.jit(f)).lower(*args).as_text())
    plan = subprocess.run([MILLRACE, "show", "--plan", str(path)], capture_output=True, text=True, check=True).stdout
    loops = re.findall(r"^  (while|kernel) while .* (\d+) bytes", plan, re.MULTILINE)
    assert loops, f"no loop in {plan}"
    # A loop that became a kernel says what so many rounds touch as a plan takes every loop to make.
    return sum(int(count) if kind == "while" else int(count) / GUESSED for kind, count in loops)


@pytest.mark.sampled
@pytest.mark.parametrize("name", FORMS)
def test_a_round_touches_what_it_changes(name, tmp_path):
    small, large = (bytes_a_round(*FORMS[name](n), tmp_path) for n in (SMALL, LARGE))
    assert small > 0
    assert large <= GROWTH * small, f"{small} bytes a round of {SMALL} rows, {large} of {LARGE}"


@pytest.mark.parametrize("name", STENCILS)
def test_a_stencil_reads_its_neighbours_in_place(name, tmp_path):
    make, most = STENCILS[name]
    f, args = make(128, 24)
    assert bytes_a_round(f, args, tmp_path) <= most * sum(x.nbytes for x in args)


def test_only_a_branch_that_exchanges_arrays_copies_them(tmp_path):
    """Four copies, each of which reads and writes an array, in that branch; where it is not taken there are none."""

    def f(a, b, v):
        def body(i, s):
            a, b, v = s
            a, b, v = lax.cond(i >= 4, lambda a, b, v: (a, b, v * a[i]), lambda a, b, v: (b, a, v), a, b, v)
            return a, b, v + b[i]

        return lax.fori_loop(0, 128, body, (a, b, v))

    a, b = jnp.ones((128, 512)), jnp.zeros((128, 512))
    assert bytes_a_round(f, (a, b, jnp.ones(512)), tmp_path) <= 4.2 * 2 * a.nbytes
