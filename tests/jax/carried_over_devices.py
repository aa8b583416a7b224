"""Loops that carry arrays, cut over eight devices. Run by test_eight_devices.py, in a process that has so many.

Each form has the numbers of one device, and a round touches on each what it changes there, whichever dimension is cut: a row that another
device has is told from one's own by the place alone.
"""

import jax
import numpy as np
import pytest
from carried_loops import CONTROLS, FORMS, PROGRAMS
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
from test_touched import GROWTH, bytes_a_round

MESH = Mesh(np.array(jax.devices("millrace")), ("x",))
# A device's part of the smaller one has 32 rows, more than a round of any form reads.
SMALL, LARGE = 256, 1024


def cut(x, what):
    """Rows or columns over all devices, where there are as many."""
    dimension = {"rows": x.ndim - 2, "columns": x.ndim - 1}[what]
    spec = [None] * x.ndim
    if dimension >= 0 and x.shape[dimension] % MESH.size == 0:
        spec[dimension] = "x"
    return NamedSharding(MESH, P(*spec))


def is_cut(name, what):
    return any("x" in cut(x, what).spec for x in jax.tree.leaves(FORMS[name](16)[1]))


# Whatever a round changes is cut along its rows, where there are some at the beginning, and some of it along its columns.
CUTS = [(what, name) for what, names in (("rows", FORMS), ("columns", [*PROGRAMS, *(f"two rows, {c}" for c in CONTROLS)])) for name in names]
CUTS = [(what, name) for what, name in CUTS if is_cut(name, what)]


def cut_loop(name, what, n):
    f, args = FORMS[name](n)
    return jax.jit(f, in_shardings=jax.tree.map(lambda x: cut(x, what), tuple(args))), f, args


@pytest.mark.parametrize("what, name", CUTS)
def test_numbers_are_those_of_one_device(what, name):
    over_devices, f, args = cut_loop(name, what, 16)
    args = jax.tree.map(np.asarray, args)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-5), over_devices(*args), jax.jit(f)(*args))


@pytest.mark.parametrize("what, name", CUTS)
def test_a_round_touches_what_it_changes(what, name, tmp_path):
    small, large = (bytes_a_round(f, args, tmp_path) for f, _, args in (cut_loop(name, what, n) for n in (SMALL, LARGE)))
    assert small > 0
    assert large <= GROWTH * small, f"{small} bytes a round of {SMALL} rows, {large} of {LARGE}"
