"""`python -m jax_plugins.millrace` (or `jax-millrace`): what is installed here, and whether it runs."""

import os
import pathlib
import sys

from . import PLATFORM, __version__, library


def facts():
    """(what, how it is) line by line; each is printed before the next is found out, which may fail."""
    yield "millrace", __version__
    file = pathlib.Path(library.path())
    bundled = sorted(other.name for other in file.parent.glob("libmillrace-*.so*"))
    yield "library", f"{file}, {file.stat().st_size / 1e6:.1f} MB for {library.machine(file)}"
    yield "beside it", f"{len(bundled)} libraries" if bundled else "nothing: LLVM, oneDNN, OpenBLAS are the system's"
    library.check(str(file))
    # Both, as where nothing is set: what is there beside millrace is part of the answer.
    os.environ["JAX_PLATFORMS"] = f"{PLATFORM},cpu"
    import jax
    import jaxlib

    yield "jax", f"{jax.__version__}, jaxlib {jaxlib.__version__}, Python {sys.version.split()[0]}"
    yield "platform", jax.devices()[0].client.platform_version.replace("\n", ", ")
    yield "devices", ", ".join(str(device) for device in jax.devices())
    yield "1 + 1", str(jax.jit(lambda x: x + 1)(1))


def main():
    try:
        for what, how in facts():
            print(f"{what:10} {how}", flush=True)
    except (ImportError, OSError, RuntimeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
