"""From a JAX function to the bytes that `millrace run` takes."""

import jax


def export(function, *examples):
    """The program of a function of arrays, and trees of arrays, like these."""
    likes = jax.tree.map(lambda array: jax.ShapeDtypeStruct(array.shape, array.dtype), examples)
    return jax.export.export(jax.jit(function), platforms=["cpu"])(*likes)


def inside(function, x):
    """With the weights in it, as constants: those that the function has in itself."""
    return export(function, x).mlir_module_serialized


def beside(function, weights, x):
    """With the weights as its first parameters; the program and the arrays for those. What the function does not use is no parameter."""
    made = export(function, weights, x)
    leaves = jax.tree.leaves((weights, x))
    kept = [leaves[index] for index in made.module_kept_var_idx]
    assert kept[-1] is leaves[-1]
    return made.mlir_module_serialized, kept[:-1]
