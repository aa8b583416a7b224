"""Why the extension cannot be loaded, in a sentence."""

import glob
import os
import sys


def why(error):
    if sys.version_info < (3, 10):
        return f"millrace wants Python 3.10 or later, and this is {sys.version.split()[0]}"
    if sys.implementation.name != "cpython":
        return f"millrace has an extension for CPython, and this is {sys.implementation.name}"
    import millrace  # as far as it has come

    found = [file for folder in millrace.__path__ for file in glob.glob(os.path.join(folder, "_core*.so"))]
    if not found:
        return (
            f"the extension of millrace is not at {', '.join(millrace.__path__)}: a wheel has it, and in a checkout ./dev build makes it "
            f"where Python's headers are (python3-dev)"
        )
    try:
        from jax_plugins.millrace import diagnosis
    except ImportError:
        return f"{found[0]} cannot be loaded: {error}"
    return diagnosis.why_not_loaded(found[0], error)
