"""JAX's persistent compilation cache: what is in it is found, in this process and in another; what is damaged is not run."""

import json
import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax._src import compilation_cache as entries
from jax.experimental.compilation_cache import compilation_cache

SETTINGS = {"jax_persistent_cache_min_compile_time_secs": 0, "jax_persistent_cache_min_entry_size_bytes": 0}


@pytest.fixture
def cache(tmp_path):
    """An empty cache in a folder, and what JAX says about it: the last words of its events."""
    settings = {"jax_compilation_cache_dir": str(tmp_path), **SETTINGS}
    before = {name: getattr(jax.config, name) for name in settings}
    events = []

    def listen(event, **_):
        if event.startswith("/jax/compilation_cache/cache_"):
            events.append(event.rsplit("_", 1)[1])

    for name, value in settings.items():
        jax.config.update(name, value)
    compilation_cache.reset_cache()
    jax.monitoring.register_event_listener(listen)
    yield tmp_path, events
    jax.monitoring.unregister_event_listener(listen)
    for name, value in before.items():
        jax.config.update(name, value)
    compilation_cache.reset_cache()
    jax.clear_caches()


def program(v):
    return jnp.cos(v) * 3 + v[0]


host = np.arange(11, dtype=np.float32)
answer = np.cos(host) * 3


def run():
    jax.clear_caches()
    np.testing.assert_allclose(np.asarray(jax.jit(program)(host)), answer, rtol=5e-7)


def entries_in(folder):
    return [path for path in folder.iterdir() if path.name.startswith("jit_program") and path.name.endswith("-cache")]


def test_the_second_compile_is_a_hit(cache):
    folder, events = cache
    run()
    assert events == ["misses"] and len(entries_in(folder)) == 1
    run()
    assert events == ["misses", "hits"] and len(entries_in(folder)) == 1


def test_a_damaged_entry_is_refused_and_compiled_again(cache):
    folder, events = cache
    run()
    (path,) = entries_in(folder)
    serialized, seconds = entries.extract_executable_and_time(entries.decompress_executable(path.read_bytes()))
    at = serialized.index(b"MILLRACE") + 400  # among our bytes; JAX puts its own in front
    damaged = serialized[:at] + bytes([serialized[at] ^ 1]) + serialized[at + 1 :]
    path.write_bytes(entries.compress_executable(entries.combine_executable_and_time(damaged, seconds)))
    compilation_cache.reset_cache()
    with pytest.warns(UserWarning, match="Error reading persistent compilation cache.*jit_program.*DATA_LOSS: serialized executable: checksum differs"):
        run()
    assert "hits" not in events


PROCESS = """
import json, sys
import jax, jax.numpy as jnp, numpy as np
events = []
jax.monitoring.register_event_listener(lambda event, **_: events.append(event.rsplit("/", 1)[1]))
program = jax.jit(lambda v: jnp.sin(v) * 5)
result = np.asarray(program(np.arange(4, dtype=np.float32))).tolist()
print(json.dumps([[e for e in events if e in ("cache_hits", "cache_misses")], result]))
"""


def in_a_process(folder, **more):
    environment = {**os.environ, "MILLRACE_NUM_DEVICES": "1", "JAX_COMPILATION_CACHE_DIR": str(folder), **more}
    environment.update({name.upper(): str(value) for name, value in SETTINGS.items()})
    done = subprocess.run([sys.executable, "-c", PROCESS], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    events, result = json.loads(done.stdout)
    np.testing.assert_allclose(result, np.sin(np.arange(4.0)) * 5, rtol=5e-7)
    return events


def test_another_process_hits_and_another_processor_does_not(tmp_path):
    assert in_a_process(tmp_path) == ["cache_misses"]
    assert in_a_process(tmp_path) == ["cache_hits"]
    assert in_a_process(tmp_path, MILLRACE_CPU="x86-64-v2") == ["cache_misses"]
