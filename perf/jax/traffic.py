#!/usr/bin/env python3
"""What the collectives of compiled programs give to a device: counted in the text of millrace's program and of XLA:CPU's.

    ./dev bench traffic [-- --only REGEX] [--json FILE]

Each row is one program over eight devices. Counted are the collective ops of the partitioned program and the bytes of their results on one
device; those in a loop count once, as both have the loop. Nothing is run, so the figures are the same on any machine.
"""

import argparse
import dataclasses
import json
import os
import re

KINDS = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute", "collective-broadcast", "ragged-all-to-all")
CALL = re.compile(r"= (.*?) (" + "|".join(KINDS) + r")(-start)?\(")
TYPE = re.compile(r"\b(pred|[a-z]+(\d+)\w*)\[([\d,]*)\]")


@dataclasses.dataclass
class Traffic:
    bytes: int = 0
    calls: dict = dataclasses.field(default_factory=dict)

    def __str__(self):
        return ", ".join(f"{number} {kind}" for kind, number in sorted(self.calls.items())) or "none"


def bytes_of(types):
    total = 0
    for name, bits, dims in TYPE.findall(types):
        count = 1
        for dim in filter(None, dims.split(",")):
            count *= int(dim)
        total += (count * int(bits or 8) + 7) // 8
    return total


def count(text):
    found = Traffic()
    for line in text.splitlines():
        match = CALL.search(line)
        if match:
            # A start's type has the operands as well.
            found.bytes += bytes_of(match[1]) // (2 if match[3] else 1)
            found.calls[match[2]] = found.calls.get(match[2], 0) + 1
    return found


# ---- Programs ----------------------------------------------------------------------------------------------------------


def programs():
    """name -> (function, [(shape, spec)], specs of what comes out, the axes of the mesh)"""
    import jax
    import jax.numpy as jnp
    from jax import lax
    from jax.sharding import PartitionSpec as P

    def mlp(p, x):
        return jnp.tanh(x @ p["a"]) @ p["b"]

    def train(p, x):
        gradients = jax.grad(lambda p: (mlp(p, x) ** 2).mean())(p)
        return jax.tree.map(lambda p, g: p - 0.1 * g, p, gradients)

    def attention(x, w):
        q, k, v = (part.reshape(8, 64, 8, 16) for part in jnp.split(x @ w, 3, -1))
        scores = jax.nn.softmax(jnp.einsum("bshd,bthd->bhst", q, k))
        return jnp.einsum("bhst,bthd->bshd", scores, v)

    def recurrent(x, w):
        return lax.scan(lambda h, x: (jnp.tanh(x + h @ w),) * 2, jnp.zeros_like(x[0]), x)[1]

    def convolution(x, w):
        return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    weights = {"a": (256, 1024), "b": (1024, 256)}
    whole, rows, columns = P(), P("x"), P(None, "x")
    one = {"x": 8}
    return {
        "data parallel step": (train, [(weights, whole), ((64, 256), rows)], whole, one),
        "tensor parallel step": (train, [(weights, {"a": columns, "b": rows}), ((64, 256), whole)], {"a": columns, "b": rows}, one),
        "fully sharded step": (train, [(weights, rows), ((64, 256), rows)], rows, one),
        "both at once": (train, [(weights, {"a": P(None, "y"), "b": P("y")}), ((64, 256), rows)],
                         {"a": P(None, "y"), "b": P("y")}, {"x": 2, "y": 4}),
        "attention by batch": (attention, [((8, 64, 128), rows), ((128, 384), whole)], rows, one),
        "attention by place": (attention, [((8, 64, 128), columns), ((128, 384), whole)], columns, one),
        "recurrent by batch": (recurrent, [((16, 64, 128), columns), ((128, 128), whole)], columns, one),
        "convolution by rows": (convolution, [((8, 32, 32, 16), columns), ((3, 3, 16, 16), whole)], columns, one),
        "softmax along the cut": (lambda x: jax.nn.softmax(x, 0), [((1024, 512), rows)], rows, one),
        "rows of a cut table": (lambda t, i: t[i.astype(jnp.int32)], [((4096, 64), rows), ((256,), whole)], whole, one),
        "one row": (lambda x: x[3], [((1024, 64), rows)], whole, one),
        "roll": (lambda x: jnp.roll(x, 1, 0), [((1024, 64), rows)], rows, one),
        "concatenate": (lambda x, y: jnp.concatenate([x, y]), [((1024, 64), rows)] * 2, rows, one),
        "sort along the cut": (lambda x: jnp.sort(x, 0), [((1024, 64), rows)], rows, one),
        "rows to columns": (lambda x: x + 1, [((1024, 1024), rows)], columns, one),
        "sum of squares": (lambda x: (x * x).sum(), [((1024, 1024), rows)], whole, one),
    }


def compiled_text(devices, function, arguments, out, axes):
    import jax
    import numpy as np
    from jax.sharding import Mesh, NamedSharding
    from jax.sharding import PartitionSpec as P

    mesh = Mesh(np.array(devices).reshape(tuple(axes.values())), tuple(axes))
    is_spec = lambda x: isinstance(x, P)
    there = lambda specs: jax.tree.map(lambda spec: NamedSharding(mesh, spec), specs, is_leaf=is_spec)
    is_shape = lambda x: isinstance(x, tuple)
    shaped = lambda shape, sharding: jax.ShapeDtypeStruct(shape, np.float32, sharding=sharding)
    values = []
    for shapes, specs in arguments:
        cut = there(specs) if not is_spec(specs) else jax.tree.map(lambda _: there(specs), shapes, is_leaf=is_shape)
        values.append(jax.tree.map(shaped, shapes, cut, is_leaf=is_shape))
    return jax.jit(function, out_shardings=there(out)).lower(*values).compile().as_text()


def main(options):
    import jax

    jax.config.update("jax_num_cpu_devices", 8)
    rows = []
    print("| program | millrace, bytes | XLA:CPU, bytes | millrace | XLA:CPU |\n| --- | --- | --- | --- | --- |")
    for name, program in programs().items():
        if not re.search(options.only, name):
            continue
        ours, theirs = (count(compiled_text(jax.devices(platform)[:8], *program)) for platform in ("millrace", "cpu"))
        more = " more" if ours.bytes > theirs.bytes else ""
        rows.append({"name": name, "ours": ours.bytes, "xla": theirs.bytes})
        print(f"| {name} | {ours.bytes:,}{more} | {theirs.bytes:,} | {ours} | {theirs} |", flush=True)
    print(f"\n{sum(row['ours'] > row['xla'] for row in rows)} of {len(rows)} programs move more")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="rows whose name has this")
    parser.add_argument("--json", help="write the rows there")
    os.environ.setdefault("JAX_PLATFORMS", "millrace,cpu")
    os.environ.setdefault("MILLRACE_NUM_DEVICES", "8")
    main(parser.parse_args())
