"""What keeps millrace from running here, or from running well, each with the cause and the way out.

Nothing here loads the library or imports JAX, so that it can be said where either cannot be done.
"""

import importlib.metadata
import os
import pathlib
import platform
import re
import stat
import sys

DISTRIBUTION = "jax-millrace"
LEAST_PYTHON = (3, 10)


def libc():
    """"glibc 2.36", or None where the C library is another one."""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION")
    except (OSError, ValueError):
        return None


def why_not_loaded(file, error):
    """A sentence for what the dynamic linker says of the library at `file`, with what can be done."""
    said = str(error)
    too_new = re.search(r"version [`']GLIBC_([\d.]+)' not found \(required by ([^)]*)\)", said)
    if too_new:
        return (
            f"{too_new[2]} wants glibc {too_new[1]} and this machine has {libc() or 'another libc'}: "
            f"install the wheel, which wants an older one, or build millrace on this machine (./dev wheel)"
        )
    missing = re.search(r"(\S+\.so[.\d]*): cannot open shared object file: No such file", said)
    if missing and missing[1] != str(file):
        return (
            f"{file} needs {missing[1]}, which is not installed: install the package of this system that has it, "
            f"or the wheel, which brings its own"
        )
    if "Error relocating" in said or "libc.musl" in said or "ld-linux" in said:
        return f"{file} is for glibc, and this Python runs on another libc (musl?): use a Python of a distribution with glibc"
    return f"{file} cannot be loaded: {said}"


def _python():
    if sys.version_info < LEAST_PYTHON:
        wanted = ".".join(map(str, LEAST_PYTHON))
        yield f"Python {platform.python_version()} is too old: install millrace for Python {wanted} or later"


def _copies():
    """The package is a part of the namespace jax_plugins: the first of several folders counts, in the order of sys.path."""
    import jax_plugins

    from . import __version__

    places = dict.fromkeys(os.path.realpath(os.path.join(folder, "millrace")) for folder in jax_plugins.__path__)
    places = [place for place in places if os.path.isfile(os.path.join(place, "__init__.py"))]
    if len(places) > 1:
        yield f"millrace is installed {len(places)} times, the first is used: {', '.join(places)}; remove the others"
    try:
        installed = importlib.metadata.version(DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:  # a checkout
        return
    if installed != __version__:
        yield (
            f"this is millrace {__version__} at {pathlib.Path(__file__).parent}, and pip has installed {DISTRIBUTION} {installed}: "
            f"`pip uninstall {DISTRIBUTION}`, or take the other one off PYTHONPATH"
        )


def cache_folder():
    """Where compiled kernels are kept: a path, or None where they are kept nowhere. As core/kept.c finds it."""
    own = os.environ.get("MILLRACE_CACHE_DIR")
    if own is not None:
        return pathlib.Path(own) if own else None
    for variable, below in (("XDG_CACHE_HOME", "millrace"), ("HOME", ".cache/millrace")):
        folder = os.environ.get(variable, "")
        if folder.startswith("/"):
            return pathlib.Path(folder) / below
    return None


def _cache():
    folder = cache_folder()
    if folder is None:
        if os.environ.get("MILLRACE_CACHE_DIR") is None:
            yield "kernels are compiled anew in each process: neither MILLRACE_CACHE_DIR nor XDG_CACHE_HOME nor HOME names a folder"
        return
    anew, way_out = "kernels are compiled anew in each process", "name another folder with MILLRACE_CACHE_DIR"
    # os.path's answer False where a folder above may not be looked into; pathlib's raise.
    if os.path.exists(folder) and not os.path.isdir(folder):
        yield f"{anew}: {folder} is no folder; {way_out}"
        return
    for place in sorted(place for place in folder.glob("*") if os.path.isdir(place)):
        status = place.stat()
        if place.is_symlink():
            yield f"{anew}: {place} is a link, which is not followed; {way_out}"
        elif status.st_uid not in (os.geteuid(), 0) or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            yield f"{anew}: others may write to {place}, and what they write would run here; `chmod go-w {place}`, or {way_out}"
    nearest = next(place for place in (folder, *folder.absolute().parents) if os.path.exists(place))
    if not os.access(nearest, os.W_OK | os.X_OK):
        yield f"{anew}: {nearest} cannot be written by this user; {way_out}"


def troubles():
    """What can be told before the library is loaded, a sentence each."""
    yield from _python()
    yield from _copies()
    yield from _cache()


def troubles_of(platform_version):
    """What can be told once there is a client. Of the client's platform version, "millrace 0.2.0 (build ..)"; the package and the library it loads are of one version."""
    from . import __version__

    found = re.search(r"millrace (\d[\w.]*)", platform_version)
    if found and found[1] != __version__:
        yield (
            f"the library is millrace {found[1]} and the package {__version__}: "
            f"{'unset MILLRACE_LIBRARY' if os.environ.get('MILLRACE_LIBRARY') else 'install both anew'}"
        )
