"""Lets PyTorch/XLA find millrace: `PJRT_DEVICE=MILLRACE`, by the entry point `torch_xla.plugins`. Imports torch_xla, and no JAX.

MILLRACE_LIBRARY      the libpjrt_millrace.so to load instead of the one in the package or the build tree
MILLRACE_NUM_DEVICES  how many devices a process has (CPU_NUM_DEVICES, as for torch_xla's own CPU device, or one)
"""

import os

from torch_xla.experimental import plugins

from . import library


class Plugin(plugins.DevicePlugin):
    """One process with all devices; several are for torch_xla's SPMD."""

    def library_path(self):
        path = library.path()
        library.check(path)
        return path

    def client_create_options(self):
        devices = os.environ.get("CPU_NUM_DEVICES")
        return {"cpu_device_count": int(devices)} if devices else {}

    def configure_single_process(self):
        os.environ["CPU_NUM_DEVICES"] = "1"
