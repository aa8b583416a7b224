"""Nothing is left behind: after every test the plugin has as much alive as there was before.

What JAX keeps for later, compiled functions above all, goes with jax.clear_caches(). Objects on the way out, on threads of
the engine's, are waited for. What was there before a test is no garbage of its: it is frozen (gc.freeze), as looking through all of JAX takes a
fifth of a second, and looked through when something is left.

Tests that take long and whose sources seldom change are marked `sampled`: `./dev test` runs a part of them, another one each day
(MILLRACE_TEST_SAMPLE, as tests/sample.h has it), `./dev nightly` all.
"""

import gc
import os
import sys
import time
import zlib

import pytest

SECONDS = 10


def _running():
    """True once this process has a client. Tests of other processes' clients are not made to have one."""
    bridge = sys.modules.get("jax._src.xla_bridge")
    return bool(bridge and bridge.backends_are_initialized() and "jax_plugins.millrace" in sys.modules)


def _counts():
    from jax_plugins.millrace import census

    return census.counts()


def _left(before):
    return {kind: (before[kind], now) for kind, now in _counts().items() if now > before[kind]}


def _wait_until_gone(before, seconds):
    gc.collect()
    end = time.monotonic() + seconds
    while (left := _left(before)) and time.monotonic() < end:
        time.sleep(0.002)
    return left


def pytest_configure(config):
    config.addinivalue_line("markers", "sampled: takes long, and `./dev test` runs it one day in several")


def pytest_collection_modifyitems(config, items):
    left, _, parts = os.environ.get("MILLRACE_TEST_SAMPLE", "").partition("/")
    if not parts:
        return
    others = [item for item in items if item.get_closest_marker("sampled") and zlib.crc32(item.nodeid.encode()) % int(parts) != int(left) % int(parts)]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in others]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    if call.when == "call":
        item.passed = outcome.get_result().passed


@pytest.fixture(autouse=True)
def nothing_left_behind(request, caplog):
    if "jax" in sys.modules:
        sys.modules["jax"].devices()  # a client is part of what was there before
    before = _counts() if _running() else None
    gc.freeze()
    yield
    # A test that failed is remembered with all its variables.
    if before is None or not getattr(request.node, "passed", False):
        return
    for record in caplog.get_records("call"):
        record.exc_info = None  # the frames of an exception that was logged
    if not _wait_until_gone(before, 0.05):
        return
    gc.unfreeze()
    sys.modules["jax"].clear_caches()
    left = _wait_until_gone(before, SECONDS)
    assert not left, ", ".join(f"{now} {kind}, there were {was}" for kind, (was, now) in left.items())
