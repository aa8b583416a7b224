"""Lets JAX find millrace: `pip install jax-millrace`, then JAX_PLATFORMS=millrace (or nothing: it is the default).

JAX imports this module and calls initialize() when it first needs a device. Environment:

MILLRACE_LIBRARY      the libpjrt_millrace.so to load instead of the one in the package or the build tree
MILLRACE_NUM_DEVICES  how many devices the client shows (as many as JAX would ask XLA:CPU for)
"""

import os

__version__ = "0.2.0"
PLATFORM = "millrace"


def _options():
    from . import callbacks, errors

    # JAX asks for these when it makes the client, and hands them to it; what the environment says is read by the library
    # itself. A stream, when there is one, goes from JAX to the library that an array comes from, and those of host memory
    # (numpy, PyTorch) want none.
    found = errors.table()
    errors_of = {"ffi_errors": found} if found else {}
    return {"streams": 0, "run_in_call": ",".join(callbacks.TARGETS), **errors_of, **_cpu_options()}


def _cpu_options():
    """What JAX's configuration says of its client for CPUs, in whose place this one is. Versions of JAX differ in what
    there is."""
    import jax
    from jax._src import xla_bridge

    options = {}
    devices = getattr(jax.config, "jax_num_cpu_devices", -1)
    if devices >= 0:
        options["cpu_device_count"] = devices
    asynchronous = getattr(xla_bridge, "_CPU_ENABLE_ASYNC_DISPATCH", None)
    if asynchronous is not None and not asynchronous.value:
        options["asynchronous"] = 0
    return options


def _keep_cpu_for_callbacks(config, xla_bridge):
    # JAX places the arguments of Python callbacks on a client that is registered as "cpu". When the user asks for
    # millrace alone, the name stands for both: the default stays millrace, and callbacks find what they want. (Changing
    # the setting instead would be seen by code that compares the configuration before and after.)
    if config.jax_platforms == PLATFORM:
        xla_bridge._alias_to_platforms[PLATFORM] = [PLATFORM, "cpu"]


def __getattr__(name):
    # What JAX does not need to find devices is imported when it is first asked for.
    if name == "export":
        from .exporting import export

        globals()[name] = export
        return export
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def initialize():
    import jax
    from jax._src import xla_bridge

    from . import arrays, callbacks, ending, handlers, library, versions

    try:
        path = library.path()
    except FileNotFoundError:
        # Installed without its library and not asked for: leave JAX as it is.
        if PLATFORM not in (jax.config.jax_platforms or "").split(","):
            return
        raise
    library.check(path)
    if not versions.has("the older of two StableHLO versions"):
        os.environ.setdefault("MILLRACE_STABLEHLO_VERSION", versions.STABLEHLO_OF_OLDEST)
    # JAX prints a warning for every plugin it has not heard of.
    xla_bridge._nonexperimental_plugins.add(PLATFORM)
    options = _options if versions.has("options from a function") else _options()
    xla_bridge.register_plugin(PLATFORM, priority=400, library_path=path, options=options)
    _keep_cpu_for_callbacks(jax.config, xla_bridge)
    ending.register(path)
    handlers.register(path)
    callbacks.use_dense_results()
    arrays.use_default_for_dlpack()
