"""What a program of this folder is: a JAX function and its arguments, made from a fixed seed."""

import dataclasses
import zlib
from collections.abc import Callable

import numpy as np

ALL = []  # in the order in which they are declared


@dataclasses.dataclass
class Program:
    name: str
    build: Callable  # () -> (function, arguments)
    tags: list
    # How far a float may be off: units in its last place; units in the last place of its output's largest number, where sums
    # cancel; and at all, where nothing but rounding is left. Integers and floats of eight bits are exact.
    ulp: int = 4
    of_largest: int = 0
    absolute: float = 0
    x64: bool = False
    donate: tuple = ()
    platform: str = "millrace"


def program(tags, name=None, **settings):
    def add(build):
        ALL.append(Program(name or build.__name__, build, tags.split(), **settings))
        return build

    return add


class Draw:
    """Random arguments that depend on the program's name alone."""

    def __init__(self, name):
        self.random = np.random.default_rng(zlib.crc32(name.encode()))

    def floats(self, *shape, low=-3.0, high=3.0, dtype=np.float32):
        return self.random.uniform(low, high, shape).astype(dtype)

    def ints(self, *shape, low=-50, high=50, dtype=np.int32):
        return self.random.integers(low, high, shape).astype(dtype)

    def bools(self, *shape):
        return self.random.integers(0, 2, shape).astype(bool)

    def complexes(self, *shape):
        return (self.floats(*shape) + 1j * self.floats(*shape)).astype(np.complex64)


def pairs(values):
    """Two vectors with every ordered pair of the values."""
    return np.repeat(values, len(values)), np.tile(values, len(values))
