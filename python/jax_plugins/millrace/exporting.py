"""Files for hosts without JAX: a function as a program with names, sizes that it may leave open, and its weights beside it.

C (`millrace/millrace.h`: models) and `import millrace` read them. docs/python.md has an example.
"""

import inspect
import json
import os
import pathlib
import re
import struct

# By numpy's names. What safetensors has no name for cannot be beside a program.
_SAFETENSORS = {
    "bool": "BOOL", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64", "uint8": "U8", "uint16": "U16", "uint32": "U32",
    "uint64": "U64", "float16": "F16", "bfloat16": "BF16", "float32": "F32", "float64": "F64", "complex64": "C64",
    "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2", "float8_e8m0fnu": "F8_E8M0"}  # fmt: skip
_LINE = 64  # bytes; arrays that begin on as many are used where they lie


def export(fn, args, path, *, kwargs=None, weights=None, batch=None, donate=None):
    """Writes `fn` as a program to `path`, and the arguments that `weights` names beside it. Gives the jax.export.Exported.

    fn       a function of arrays and pytrees of them, or what jax.jit() made of one: its donate_argnums and static arguments are kept
    args     a tuple of its arguments: arrays, or jax.ShapeDtypeStruct where only the type counts. Nothing is computed. A shape
             may have symbols (jax.export.symbolic_shape), which stay open in the file
    path     where the program goes, "model.mlirbc"; what is there is replaced at once, when the new one is complete
    kwargs   a dict of arguments by name
    weights  names or numbers (or one of them) of arguments whose arrays go to STEM.safetensors beside `path`, each under the name
             that the program has for it: "params['w']". Others stay inputs. What the program does not use is in neither file
    batch    True: the first dimension of all other arguments, but for donated ones, is open and called "b". A string: it is called
             that. A dict: {"x": 0, "mask": "b, 1, t"}, by an argument's name or number: the axis that is open, or the shapes of its
             arrays as jax.export writes them
    donate   names or numbers of arguments whose memory the results take (jax.jit's donate_argnums), for an `fn` that is not jitted

    The file is the program's alone: it belongs to nobody's process, and arrays may change afterwards. ValueError and TypeError name
    the argument that is wrong; what JAX cannot export is JAX's error. Both files are written on this thread.
    """
    import jax
    import jax.export  # which older versions import with nothing else

    kwargs = dict(kwargs or {})
    names = _argument_names(fn, args, kwargs)
    beside = _chosen(weights, names, "weights")
    donated = _chosen(donate, names, "donate")
    jitted = _jitted(jax, fn, donated, len(args))
    every = _open_sizes(jax, args, kwargs, names, batch, beside | donated | _donated_by(jax, jitted, args, kwargs, names, batch))
    exported = jax.export.export(jitted, platforms=["cpu"])(*every[0], **every[1])
    path = pathlib.Path(path)
    if beside:
        arrays = _arrays_beside(jax, exported, (tuple(args), kwargs), names, beside)
        _replace(path.with_suffix(".safetensors"), safetensors(arrays))
    _replace(path, [exported.mlir_module_serialized])
    return exported


# ---- Which arguments -----------------------------------------------------------------------------------------------------


def _argument_names(fn, args, kwargs):
    """The name of each argument by its key: a number for those by position. None where the function does not tell."""
    if not isinstance(args, (tuple, list)):
        raise TypeError(f"args is a {type(args).__name__}, wanted a tuple of the function's arguments")
    names = dict.fromkeys(range(len(args)))
    try:
        signature = inspect.signature(fn)
    except ValueError:  # a builtin
        return names | {name: name for name in kwargs}
    signature.bind(*args, **kwargs)  # raises what is missing, and what there is too much of
    parameters = signature.parameters.values()
    positional = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    names |= dict(zip(range(len(args)), positional))
    return names | {name: name for name in kwargs}


def _key(which, names, what):
    """The key of the argument that a name or number means."""
    if which in names and not isinstance(which, bool):
        return which
    for key, name in names.items():
        if name == which:
            return key
    there = ", ".join(f"{key} ({name})" if name not in (key, None) else str(key) for key, name in names.items())
    raise ValueError(f"{what} names {which!r}, which is none of the arguments: {there or 'there are none'}")


def _chosen(which, names, what):
    if which is None:
        return set()
    if isinstance(which, (str, int)):
        which = [which]
    return {_key(one, names, what) for one in which}


def _jitted(jax, fn, donated, num_args):
    if hasattr(fn, "lower"):
        if donated:
            raise ValueError("donate is for a function that is not jitted: give donate_argnums to jax.jit()")
        return fn
    by_number = sorted(key for key in donated if isinstance(key, int))
    return jax.jit(fn, donate_argnums=by_number, donate_argnames=[key for key in donated if isinstance(key, str)] or None)


def _donated_by(jax, jitted, args, kwargs, names, batch):
    """Arguments that jit() was told are donated: state has its own size, which no batch changes. Tracing tells, and costs time."""
    if batch is not True and not isinstance(batch, str):
        return set()
    arguments = jitted.trace(*args, **kwargs).lower(lowering_platforms=("cpu",)).args_info
    return {key for key in names
            if any(leaf.donated for leaf in jax.tree.leaves(arguments[0][key] if isinstance(key, int) else arguments[1][key]))}


# ---- Open sizes ----------------------------------------------------------------------------------------------------------


def _open_sizes(jax, args, kwargs, names, batch, closed):
    """(args, kwargs) with the symbols of `batch` in their shapes."""
    every = (tuple(args), kwargs)
    if batch is None or batch is False:
        return every
    if isinstance(batch, dict):
        wanted = {_key(which, names, "batch"): how for which, how in batch.items()}
    else:
        symbol = "b" if batch is True else batch
        if not isinstance(symbol, str) or not symbol.isidentifier():
            raise ValueError(f"batch is {batch!r}, wanted True, the name of a size, or a dict by argument")
        wanted = {key: f"{symbol}, ..." for key in names if key not in closed}
    scope = jax.export.SymbolicScope()

    def give(key, value):
        how = wanted.get(key)
        return value if how is None else jax.tree.map(lambda leaf: _opened(jax, leaf, how, scope, names[key] or key), value)

    return tuple(give(i, value) for i, value in enumerate(every[0])), {key: give(key, value) for key, value in kwargs.items()}


def _opened(jax, leaf, how, scope, name):
    shape, dtype = jax.numpy.shape(leaf), leaf.dtype if hasattr(leaf, "dtype") else jax.numpy.result_type(leaf)
    if isinstance(how, int) and not isinstance(how, bool):
        if not -len(shape) <= how < len(shape):
            raise ValueError(f"batch opens axis {how} of {name}, which has {len(shape)} dimensions")
        how = ", ".join(["_"] * (how % len(shape)) + ["b", "..."])
    elif not isinstance(how, str):
        raise ValueError(f"batch has {how!r} for {name}, wanted an axis or a shape as jax.export writes it")
    if not shape:
        return leaf
    shape = jax.export.symbolic_shape(how, scope=scope, like=shape)
    return jax.ShapeDtypeStruct(shape, dtype)


# ---- Weights -------------------------------------------------------------------------------------------------------------


def _text(exported):
    """The program with its locations, whatever JAX is told to print."""
    from jax._src.interpreters import mlir

    with mlir.make_ir_context():
        try:
            module = exported.mlir_module(serialized=False)
        except TypeError:  # older versions give the text
            return exported.mlir_module()
        return module.operation.get_asm(enable_debug_info=True, large_elements_limit=16)


def _program_names(exported):
    """What the program calls each of its parameters, as it stands in the file: locations of main's arguments, or where sizes are open
    of the function that main calls, behind its sizes. A function's head is one line."""
    text = _text(exported)
    shared = dict(re.findall(r"^(#loc\d*) = loc\((.*)\)$", text, re.M))
    heads = dict(re.findall(r"^ *func\.func (?:\w+ )?@(\w+)\((.*)$", text, re.M))
    locations = re.findall(r'%arg\d+: .*? loc\((#loc\d*|"(?:[^"\\]|\\.)*"|\w+)', heads.get("_wrapped_jax_export_main", heads["main"]))
    locations = [shared.get(location, location) for location in locations[-len(exported.module_kept_var_idx) :]]
    found = [re.match(r'"((?:[^"\\]|\\.)*)"', location) for location in locations]
    return [_unescaped(match[1]) if match else "" for match in found]


def _unescaped(text):
    return re.sub(r"\\([0-9A-Fa-f]{2}|.)", lambda m: chr(int(m[1], 16)) if len(m[1]) == 2 else m[1], text)


def _arrays_beside(jax, exported, every, names, beside):
    """{name: numpy array} of the leaves that the program has kept, of the arguments that go beside it."""
    import numpy as np

    paths, _ = jax.tree_util.tree_flatten_with_path(every)
    kept = dict(zip(exported.module_kept_var_idx, _program_names(exported)))
    arrays = {}
    for index, (path, leaf) in enumerate(paths):
        key = path[1].idx if path[0].idx == 0 else path[1].key
        if key not in beside or index not in kept:
            continue
        name = kept[index]
        said = f"{names[key] or f'argument {key}'}{jax.tree_util.keystr(path[2:])}"
        if not name or name in arrays:
            raise ValueError(f"the program has {'no name' if not name else 'another parameter of the name'} for {said}: give the function's argument a name of its own")
        if isinstance(leaf, jax.ShapeDtypeStruct):
            raise TypeError(f"{said} is a ShapeDtypeStruct, wanted an array: it is one of the weights")
        arrays[name] = np.asarray(leaf, exported.in_avals[index].dtype)
    return arrays


def safetensors(arrays):
    """The pieces of a file of {name: numpy array}: its head's size, the head, and the arrays. Those of whole lines come first, so that each
    begins on one. TypeError names an array whose type the format does not have."""
    for name, array in arrays.items():
        if array.dtype.name not in _SAFETENSORS:
            raise TypeError(f"{name} has type {array.dtype.name}, which safetensors has not: leave it out of the weights, or convert it")
    order = sorted(arrays.items(), key=lambda item: item[1].nbytes % _LINE != 0)
    head, offset = {}, 0
    for name, array in order:
        head[name] = {"dtype": _SAFETENSORS[array.dtype.name], "shape": list(array.shape), "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
    text = json.dumps(head, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-(8 + len(text)) % _LINE)
    yield struct.pack("<Q", len(text))
    yield text
    for _, array in order:
        yield array.tobytes()


def _replace(path, pieces):
    """Who has the old file open goes on with it."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            for piece in pieces:
                file.write(piece)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
