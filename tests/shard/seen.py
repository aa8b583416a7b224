"""What was seen on XLA:CPU of single ops over 4 x 2 devices: rows of three tables, and a file for each in tests/shard/seen.

A file's first lines say which row it is, what XLA:CPU answers for parameters and results, which collectives are in its program (for
comparison only), and which are in ours, with the local types of what our program gives. tests/shard/test_seen.c holds ours against
them, tests/jax/eight_devices.py the values against one device's. The line `ours` of a file stays when files are made again.

usage: python tests/shard/seen.py
"""

import os
import pathlib
import re

if __name__ == "__main__":
    os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"
    os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

FOLDER = pathlib.Path(__file__).parent / "seen"
X, Y, XY, ALL = P("x"), P("y"), P("x", "y"), P(("x", "y"))


def mesh_of(devices):
    return Mesh(np.array(devices[:8]).reshape(4, 2), ("x", "y"))


def f32(*shape):
    return shape, np.float32


def i32(below, *shape):
    return shape, np.int32, below


def conv(padding="SAME", stride=1, **more):
    return lambda x, k: lax.conv_general_dilated(x, k, (stride, 1), padding, dimension_numbers=("NHWC", "HWIO", "NHWC"), **more)


def pool(window, stride, padding):
    return lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, window, 1, 1), (1, stride, 1, 1), padding)


def dot(a, b):
    return a @ b


def scan(a):
    return lax.scan(lambda c, r: (c + r, c * r), jnp.zeros(8), a)


def one_op(mesh):
    """The result's sharding (and the parameters'), one op after the other."""

    def shard_mapped(body, in_specs, out_specs):
        return jax.shard_map(body, mesh=mesh, in_specs=in_specs, out_specs=out_specs, axis_names={"x"}, check_vma=False)

    def add(a, b):
        return a + b

    yield "add_rows_and_columns", add, [(f32(8, 8), X), (f32(8, 8), P(None, "x"))], None
    yield "add_one_dim_twice", add, [(f32(8), X), (f32(8), Y)], None
    yield "add_longer_list", add, [(f32(8), X), (f32(8), ALL)], None
    yield "add_two_dims", add, [(f32(8, 8), Y), (f32(8, 8), P(None, "x"))], None
    yield "dot_both_free_dims", dot, [(f32(8, 8), X), (f32(8, 8), P(None, "x"))], None
    yield "dot_larger_source", dot, [(f32(4, 8), X), (f32(8, 16), P(None, "x"))], None
    yield "dot_contracted_and_free", dot, [(f32(8, 8), P(None, "x")), (f32(8, 8), P(None, "y"))], None
    yield "dot_free_weight", dot, [(f32(8, 8), P(None, "x")), (f32(8, 8), None)], None
    yield "dot_fixed_result", dot, [(f32(8, 8), X), (f32(8, 8), None)], XY
    yield "conv_batch_and_channels", conv(), [(f32(8, 8, 8, 4), P("x", None, None, "y")), (f32(3, 3, 4, 8), None)], None
    yield "outer_product", lambda a, b: a[:, None] * b[None, :], [(f32(8), X), (f32(8), X)], None
    yield "scan_along_the_dim", scan, [(f32(4, 8), X)], None
    yield "sum", lambda a: a.sum(), [(f32(8, 8), XY)], None
    yield "dot_self", lambda a: a @ a, [(f32(8, 8), XY)], None
    yield "dot_self_turned", lambda a: a @ a.T, [(f32(8, 8), XY)], None
    yield "sort", lambda a: jnp.sort(a, 0), [(f32(8, 8), X)], None
    yield "fft", jnp.fft.fft, [((8, 8), np.complex64, P(None, "x"))], None
    yield "cholesky", lambda a: jnp.linalg.cholesky(a @ a.T + 64 * jnp.eye(8)), [(f32(8, 8), XY)], None
    yield "cholesky_of_one", lambda a: lax.linalg.cholesky(a), [(f32(8, 8), XY)], None
    yield "cholesky_batched", lambda a: lax.linalg.cholesky(a), [(f32(8, 4, 4), X)], None
    yield "gather_rows", lambda a, i: a[i], [(f32(8, 8), XY), (i32(8, 4), None)], None
    yield "embedding", lambda e, i: e[i], [(f32(64, 16), None), (i32(64, 16), X)], None
    yield "argmax", lambda a: jnp.argmax(a, 0), [(f32(8, 8), XY)], None
    yield "top_k", lambda a: lax.top_k(a, 3), [(f32(8, 8), XY)], None
    yield "pad", lambda a: jnp.pad(a, ((0, 0), (1, 2))), [(f32(8, 8), XY)], None
    yield "slice", lambda a: a[0:6], [(f32(8, 8), XY)], None
    yield "reshape_64_2x32", lambda a: a.reshape(2, 32), [(f32(64), X)], None
    yield "reshape_8x4_2x16", lambda a: a.reshape(2, 16), [(f32(8, 4), XY)], None
    yield "reshape_12_3x4", lambda a: a.reshape(3, 4), [(f32(12), X)], None
    yield "reshape_12_4x3", lambda a: a.reshape(4, 3), [(f32(12), X)], None
    yield "reshape_4x2_8", lambda a: a.reshape(8), [(f32(4, 2), XY)], None
    yield "reshape_64_4x16", lambda a: a.reshape(4, 16), [(f32(64), ALL)], None
    yield "reshape_8x8_64", lambda a: a.reshape(64), [(f32(8, 8), XY)], None
    yield "split", lambda a: jnp.split(a, 2), [(f32(8, 8), XY)], None
    yield "roll", lambda a: jnp.roll(a, 1, 0), [(f32(8, 8), XY)], None
    yield "cumsum", lambda a: jnp.cumsum(a, 0), [(f32(8, 8), XY)], None
    yield "reverse", lambda a: jnp.flip(a, 0), [(f32(8, 8), XY)], None
    yield "one_hot", lambda i: jax.nn.one_hot(i, 8), [(i32(8, 8), X)], None
    yield "stack", lambda a, b: jnp.stack([a, b]), [(f32(8), X), (f32(8), Y)], None
    yield "constants", lambda: jnp.ones((8, 8)), [], XY
    yield "iota", lambda: lax.broadcasted_iota(jnp.int32, (8, 8), 1), [], XY
    yield "random", lambda: jax.random.bits(jax.random.key(0), (8, 8)), [], XY
    yield "partly_manual", shard_mapped(lambda a: jnp.tanh(a) + 1, X, X), [(f32(8, 8), XY)], None


def local_forms(mesh):
    """How an op is done on parts."""

    def put(a, *spec):
        return lax.with_sharding_constraint(a, NamedSharding(mesh, P(*spec)))

    def shard_mapped(body, in_specs, out_specs):
        return jax.shard_map(body, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=False)

    rows, columns = P("x"), P(None, "x")
    image, kernel = f32(8, 16, 8, 4), f32(3, 3, 4, 8)
    yield "elementwise", lambda a, b: a * b + 1, [(f32(8, 8), rows), (f32(8, 8), XY)], XY
    yield "select", lambda a, b: jnp.where(a > b, a, b), [(f32(8, 8), rows), (f32(8, 8), XY)], XY
    yield "uneven_sum", lambda a: put(a[:6] * 2, "x").sum(0), [(f32(8, 8), rows)], P()
    yield "uneven_max", lambda a: put(a[:6] * 2, "x").max(0), [(f32(8, 8), rows)], P()
    yield "uneven_dot", lambda a, b: put(a[:, :6], None, "x") @ put(b[:6], "x"), [(f32(8, 8), columns), (f32(8, 8), rows)], P()
    yield "uneven_conv", lambda a, k: put(conv()(put(a[:, :14], None, "x"), k), None, "x").sum(), [(image, columns), (kernel, P())], P()
    yield "uneven_sort", lambda a: jnp.sort(put(a[:510], "x"), 0), [(f32(512, 256), rows)], P()
    yield "uneven_argmax", lambda a: jnp.argmax(put(a[:6], "x"), 0), [(f32(8, 8), rows)], P()
    yield "reduce", lambda a: a.sum(0), [(f32(8, 8), XY)], Y
    yield "reduce_both_dims", lambda a: a.max(), [(f32(8, 8), XY)], P()
    yield "argmax", lambda a: jnp.argmax(a, 0), [(f32(8, 8), rows)], P()
    yield "reduce_scatter", lambda a: a.sum(0), [(f32(8, 8, 8), rows)], rows
    yield "dot_contracted_alike", dot, [(f32(8, 8), columns), (f32(8, 8), rows)], P()
    yield "dot_contracted_one_side", dot, [(f32(8, 8), columns), (f32(8, 8), P())], P()
    yield "dot_contracted_apart", dot, [(f32(8, 8), columns), (f32(8, 8), Y)], P()
    yield "dot_rows_and_columns", dot, [(f32(8, 8), rows), (f32(8, 8), P(None, "y"))], XY
    yield "dot_both_on_one_axis", dot, [(f32(8, 8), rows), (f32(8, 8), columns)], rows
    yield "dot_contracted_then_rows", dot, [(f32(8, 8), P("y", "x")), (f32(8, 8), rows)], rows
    yield "dot_contracted_then_rows_free", dot, [(f32(8, 8), Y), (f32(8, 8), rows)], rows
    yield "dot_batch", lambda a, b: a @ b, [(f32(8, 4, 4), rows), (f32(8, 4, 4), rows)], rows
    yield "conv_batch", conv(), [(image, rows), (kernel, P())], rows
    yield "conv_output_feature", conv(), [(image, P()), (kernel, P(None, None, None, "x"))], P(None, None, None, "x")
    yield "conv_input_feature", conv(), [(image, P(None, None, None, "x")), (kernel, P())], P()
    yield "conv_rows", conv(), [(image, columns), (kernel, P())], columns
    yield "conv_rows_by_two", conv(stride=2), [(image, columns), (kernel, P())], columns
    yield "conv_rows_valid", lambda a, k: put(conv("VALID")(a, k), None, "x").sum(), [(image, columns), (kernel, P())], P()
    yield "window_rows", pool(3, 1, "SAME"), [(image, columns)], columns
    yield "pool_gradient_rows", jax.grad(lambda a: (pool(3, 2, "VALID")(a) ** 2).sum()), [(image, columns)], columns
    yield "pool_gradient_padded", jax.grad(lambda a: (pool(3, 2, "SAME")(a) ** 2).sum()), [(image, columns)], columns
    yield "cumsum", lambda a: jnp.cumsum(a, 0), [(f32(8, 8), rows)], rows
    yield "slice_shifted", lambda a: put(a[1:7], "x") * 2, [(f32(8, 8), rows)], P()
    yield "slice_strided", lambda a: a[::2], [(f32(16, 8), rows)], rows
    yield "pad", lambda a: jnp.pad(a, ((3, 5), (0, 0))), [(f32(512, 256), rows)], rows
    yield "pad_interior", lambda a: lax.pad(a, np.float32(0), ((0, 1, 1), (0, 0, 0))), [(f32(512, 256), rows)], rows
    yield "concatenate", lambda a, b: jnp.concatenate([a, b]), [(f32(512, 256), rows), (f32(512, 256), rows)], rows
    yield "roll", lambda a: jnp.roll(a, 1, 0), [(f32(8, 8), rows)], rows
    yield "reverse", lambda a: jnp.flip(a, 0), [(f32(8, 8), rows)], rows
    yield "reverse_uneven", lambda a: put(jnp.flip(put(a[:510], "x"), 0), "x") * 2, [(f32(512, 256), rows)], P()
    yield "transpose", lambda a: a.T, [(f32(8, 8), XY)], P("y", "x")
    yield "broadcast", lambda a: jnp.broadcast_to(a[None], (4, 8, 8)), [(f32(8, 8), XY)], P(None, "x", "y")
    yield "reshape_fits", lambda a: a.reshape(4, 2, 8), [(f32(8, 8), rows)], rows
    yield "reshape_does_not", lambda a: a.reshape(3, 4), [(f32(12), rows)], P(None, "x")
    yield "iota_uneven", lambda a: (put(jnp.arange(6.0), "x") * 2).sum() + a.sum(), [(f32(8), rows)], P()
    yield "dynamic_slice", lambda a, i: lax.dynamic_slice_in_dim(a, i, 2), [(f32(8, 8), rows), (i32(8), None)], P()
    yield "dynamic_update_slice", lambda a, u, i: lax.dynamic_update_slice_in_dim(a, u, i, 0), [(f32(8, 8), rows), (f32(2, 8), P()), (i32(8), None)], rows
    yield "gather_operand", lambda a, i: a[i], [(f32(64, 8), rows), (i32(64, 4), P())], P()
    yield "gather_index", lambda a, i: a[i], [(f32(64, 8), P()), (i32(64, 8), rows)], rows
    yield "gather_operand_and_index", lambda a, i: a[i], [(f32(64, 8), rows), (i32(64, 8), Y)], Y
    yield "gather_offset", lambda a, i: a[i], [(f32(64, 8), columns), (i32(64, 4), P())], columns
    yield "take_along_axis", lambda a, i: jnp.take_along_axis(a, i, 1), [(f32(8, 8), rows), (i32(8, 8, 3), rows)], rows
    yield "scatter_operand", lambda a, i, u: a.at[i].set(u), [(f32(64, 8), rows), (i32(64, 1), P()), (f32(1, 8), P())], rows
    yield "scatter_updates_add", lambda a, i, u: a.at[i].add(u), [(f32(64, 8), P()), (i32(64, 8), rows), (f32(8, 8), rows)], P()
    yield "scatter_updates_set", lambda a, u: a.at[jnp.arange(8) * 3].set(u), [(f32(64, 8), P()), (f32(8, 8), rows)], P()
    yield "sort_turned", lambda a: jnp.sort(a, 0), [(f32(512, 256), rows)], rows
    yield "sort_only_dim", jnp.sort, [(f32(4096), rows)], rows
    yield "sort_only_dim_whole", jnp.sort, [(f32(4096), rows)], P()
    yield "top_k", lambda a: lax.top_k(a, 3)[0], [(f32(4096), rows)], P()
    yield "fft_batch", jnp.fft.fft, [((8, 8), np.complex64, rows)], rows
    yield "fft_dim", jnp.fft.fft, [((512, 256), np.complex64, columns)], columns
    yield "cholesky_batch", lambda a: lax.linalg.cholesky(a), [(f32(8, 4, 4), rows)], rows
    yield "rng_bit_generator", lambda k: lax.rng_bit_generator(k, (8, 8))[1], [((4,), np.uint32)], XY
    yield "threefry", lambda k: jax.random.bits(jax.random.wrap_key_data(k), (8, 8)), [((2,), np.uint32)], XY
    yield "while", lambda a: lax.while_loop(lambda c: c.sum() < 1e6, lambda c: c * 2 + 1, a), [(f32(8, 8), XY)], XY
    yield "case", lambda a, b: lax.cond(a.sum() > 0, lambda c: c + b, lambda c: c * b, a), [(f32(8, 8), XY), (f32(8, 8), XY)], XY
    yield "psum_in_shard_map", shard_mapped(lambda a: lax.psum(a, "x"), XY, P(None, "y")), [(f32(8, 8), XY)], P(None, "y")
    yield "gather_in_shard_map", shard_mapped(lambda a: lax.all_gather(a, ("y", "x"), tiled=True), P(("y", "x")), P()), [(f32(8, 8), P(("y", "x")))], P()

    def host(a):
        return jax.pure_callback(lambda v: np.asarray(v) * 2, jax.ShapeDtypeStruct(a.shape, a.dtype), a)

    yield "callback", lambda a: host(a) + a, [(f32(8, 8), XY)], XY
    yield "callback_without_result", lambda a: (jax.debug.callback(lambda v: None, a), a + 1)[1], [(f32(8, 8), XY)], XY
    yield "callback_in_shard_map", shard_mapped(host, XY, XY), [(f32(8, 8), XY)], XY


def reshards(mesh):
    """From one sharding to another."""

    def copied(a):
        return a * 2

    def put(a, *spec):
        return lax.with_sharding_constraint(a, NamedSharding(mesh, P(*spec)))

    square = f32(512, 512)  # so much that bytes decide
    yield "equal", copied, [(square, XY)], XY
    yield "other_order", copied, [(square, ALL)], P(("y", "x"))
    yield "axis_to_another_dim", copied, [(square, X)], P(None, "x")
    yield "refined", copied, [(square, X)], XY
    yield "minor_end_grows", copied, [(square, X)], ALL
    yield "coarser", copied, [(square, XY)], X
    yield "minor_end_shrinks", copied, [(square, ALL)], X
    yield "major_end_shrinks", copied, [(square, ALL)], Y
    yield "other_axis", copied, [(square, X)], Y
    yield "two_axes_change_places", copied, [(square, XY)], P("y", "x")
    yield "one_dim_stays", copied, [(f32(8, 64, 64), P("y", "x"))], P("y", None, "x")
    yield "both_to_the_other_dim", copied, [(square, ALL)], P(None, ("y", "x"))
    yield "replicated_to_tiled", copied, [(square, P())], XY
    yield "replicated_to_uneven", lambda a: put(a[:510] * 2, "x").sum(1), [(square, P())], P()
    yield "uneven_gathered", lambda a: put(put(a[:510] * 2, "x") * 3), [(square, X)], P()
    yield "uneven_to_another_dim", lambda a: put(put(a[:510, :510] * 2, "x") * 3, None, "x").sum(), [(square, X)], P()


TABLES = {"one_op": one_op, "local": local_forms, "reshard": reshards}


def rows(mesh):
    """(name, function, [(shape, dtype, spec or None, values below or None)], out sharding or None)"""
    for table, of in TABLES.items():
        for name, function, arguments, out in of(mesh):
            flat = []
            for argument in arguments:
                head, spec = (argument[0], argument[1]) if isinstance(argument[0][0], tuple) else (argument[:2], (*argument, None)[2])
                flat.append((head[0], head[1], spec, head[2] if len(head) > 2 else None))
            yield f"{table}_{name}", function, flat, out


# ---- Files ----------------------------------------------------------------------------------------------------------------


def dims_of(sharding, rank):
    """[{"x"}, {}] of a sharding, ? when it is none of axes."""
    if not isinstance(sharding, NamedSharding):
        return "[" + ", ".join(["{}"] * rank) + "]" if sharding.is_fully_replicated else "?"
    spec = (*sharding.spec, *[None] * rank)[:rank]
    axes = [() if part is None else (part,) if isinstance(part, str) else part for part in spec]
    return "[" + ", ".join("{" + ", ".join(f'"{a}"' for a in part) + "}" for part in axes) + "]"


def collectives_of(text):
    kinds = "all-reduce|all-gather|all-to-all|collective-permute|reduce-scatter"
    found = re.findall(rf"= \(?(\w+\[[\d,]*\])[^=]*? ({kinds})(?:-start)?\(", text)
    return " ".join(f"{kind}({shape})" for shape, kind in found) or "no collective"


def write(name, function, arguments, out, mesh):
    shapes = [jax.ShapeDtypeStruct(shape, dtype, sharding=None if spec is None else NamedSharding(mesh, spec))
              for shape, dtype, spec, _ in arguments]
    options = {} if out is None else {"out_shardings": NamedSharding(mesh, out)}
    lowered = jax.jit(function, keep_unused=True, **options).lower(*shapes)
    lines = [f"// row {name}"]
    try:
        compiled = lowered.compile()
        lines.append(f"// xla {collectives_of(compiled.as_text())}")
        taken, given = jax.tree.leaves(compiled.input_shardings[0]), jax.tree.leaves(compiled.output_shardings)
    except Exception as error:
        print(f"{name}: {str(error).splitlines()[0][:150]}")
        return
    path = FOLDER / f"{name}.mlir"
    before = re.search(r"^// ours .*$", path.read_text(), re.M) if path.exists() else None
    lines.append(before.group(0) if before else "// ours ?")
    lines += [f"// parameter {dims_of(s, len(a[0]))}" for s, a in zip(taken, arguments)]
    lines += [f"// result {dims_of(s, len(o.shape))}" for s, o in zip(given, jax.tree.leaves(lowered.out_info))]
    text = lowered.as_text()
    assert "num_partitions = 8" in text, name
    path.write_text("\n".join(lines) + "\n" + text)


def main():
    mesh = mesh_of(jax.devices())
    FOLDER.mkdir(exist_ok=True)
    for row in rows(mesh):
        write(*row, mesh)


if __name__ == "__main__":
    main()
