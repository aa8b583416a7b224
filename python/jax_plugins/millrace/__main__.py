"""`python -m jax_plugins.millrace` (or `jax-millrace`): what is installed here, whether it runs, and what is in its way.

The exit status is 1 when it does not run. What only costs time (a cache that cannot be written) is told and leaves it 0.
"""

import os
import pathlib
import platform
import sys

from . import PLATFORM, __version__, diagnosis, library


def facts():
    """(what, how it is) line by line; each is printed before the next is found out, which may fail."""
    yield "millrace", f"{__version__} at {pathlib.Path(__file__).resolve().parent}"
    yield "python", f"{platform.python_version()}, {diagnosis.libc() or 'a libc that is not glibc'}"
    for trouble in diagnosis.troubles():
        yield "but", trouble
    yield "kernels", f"kept in {diagnosis.cache_folder() or 'no folder'}"
    file = pathlib.Path(library.path())
    bundled = sorted(other.name for other in file.parent.glob("libmillrace-*.so*"))
    yield "library", f"{file}, {file.stat().st_size / 1e6:.1f} MB for {library.machine(file)}"
    yield "beside it", f"{len(bundled)} libraries" if bundled else "nothing: LLVM, oneDNN, OpenBLAS are the system's"
    library.check(str(file))
    # Both, as where nothing is set: what is there beside millrace is part of the answer.
    os.environ["JAX_PLATFORMS"] = f"{PLATFORM},cpu"
    import jax
    import jaxlib

    yield "jax", f"{jax.__version__}, jaxlib {jaxlib.__version__}"
    version = jax.devices()[0].client.platform_version
    yield "platform", version.replace("\n", ", ")
    for trouble in diagnosis.troubles_of(version):
        yield "but", trouble
    yield "devices", ", ".join(str(device) for device in jax.devices())
    yield "1 + 1", str(jax.jit(lambda x: x + 1)(1))


def main():
    try:
        for what, how in facts():
            print(f"{what:10} {how}", flush=True)
    except ModuleNotFoundError as error:
        if error.name not in ("jax", "jaxlib"):
            raise
        print(f"error: {error.name} is not installed in this environment: pip install jax", file=sys.stderr)
        return 1
    except (ImportError, OSError, RuntimeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
