"""Ends processes with work queued, in each way, and looks at how they end: `./dev endings [--kinds a,b] [--ways a,b] [--counts 1,100] [--jobs N]`.

A child for each kind of work, way to end and number of calls. It queues so many calls, says so, and ends. Then its exit status is the one
that its script asks for, nothing but what that script says is on its standard error, it has taken no longer than SECONDS since it said
so, and there is no process and no file of its. Kinds of work are the libraries that are not ours (oneDNN's products and convolutions,
OpenBLAS, LLVM, OpenCL), functions of the host's, and what the scheduler does besides.
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
SECONDS = 60  # from when the last call is queued: what runs then takes milliseconds, and a hang takes for ever
START_SECONDS = 240  # before that: calls are held up while too much is queued
MOST = 10000

BEFORE = """
import os, signal, sys, threading, time
import jax, jax.numpy as jnp, numpy as np
from jax import lax
N = {count}
SIDE = 96 if N > 1000 else 640
"""

# Each makes queue(), which queues N calls and waits for none.
CHAIN = """
def queue():
    global y
    for _ in range(N):
        y = f(y)
f(y)
"""
CALLED = "\nslow = lambda x: (time.sleep(.0002 if N > 1000 else .004), np.asarray(x) + 1)[1]\n"
KINDS = {
    "product": "f = jax.jit(lambda a: a @ a * 1e-3); y = jnp.ones((SIDE, SIDE))" + CHAIN,
    "bf16": "f = jax.jit(lambda a: a @ a * 1e-3); y = jnp.ones((SIDE, SIDE), jnp.bfloat16)" + CHAIN,
    "double": """
jax.config.update("jax_enable_x64", True)
f = jax.jit(lambda a: a @ a * 1e-3); y = jnp.ones((SIDE, SIDE))
""" + CHAIN,
    "loop": "f = jax.jit(lambda a: lax.fori_loop(0, 20, lambda _, a: a @ a * 1e-3, a)); y = jnp.ones((SIDE // 2, SIDE // 2))" + CHAIN,
    "convolution": """
w = jnp.ones((16, 16, 3, 3)) * 1e-2
f = jax.jit(lambda a: lax.conv(a, w, (1, 1), "SAME")); y = jnp.ones((2, 16, SIDE // 10, SIDE // 10))
""" + CHAIN,
    "cholesky": """
f = jax.jit(lambda a: jnp.linalg.cholesky(a @ a.T + SIDE * jnp.eye(a.shape[0]))); y = jnp.eye(SIDE // 2)
""" + CHAIN,
    "svd": "f = jax.jit(lambda a: jnp.linalg.svd(a + jnp.eye(a.shape[0]), compute_uv=True)[0]); y = jnp.ones((SIDE // 8, SIDE // 8))" + CHAIN,
    "callback": CALLED + """
p = jax.jit(lambda a: a @ a * 1e-3 + 1)
f = jax.jit(lambda a: jax.pure_callback(slow, jax.ShapeDtypeStruct((4,), jnp.float32), a)); y = jnp.ones(4)
f(y); x = p(jnp.ones((640, 640)))
def queue():
    global x, y
    for _ in range(10):
        x = p(x)
    y = x[0, :4]  # so that the calls have to wait for an argument
    for _ in range(N):
        y = f(y)
""",
    "ordered": CALLED + """
from jax.experimental import io_callback
f = jax.jit(lambda a: io_callback(slow, jax.ShapeDtypeStruct((4,), jnp.float32), a, ordered=True)); y = jnp.ones(4)
""" + CHAIN,
    "handler": """
import ctypes, pathlib
library = ctypes.CDLL(os.environ["ENDINGS_HANDLERS"])
jax.ffi.register_ffi_target("share", jax.ffi.pycapsule(library.Share), platform="cpu")
jax.ffi.register_ffi_target("increment", jax.ffi.pycapsule(library.Increment), platform="cpu")
like = jax.ShapeDtypeStruct((4096,), np.int32)
f = jax.jit(lambda a: jax.ffi.ffi_call("increment", like, input_output_aliases={{0: 0}})(a)); y = jnp.ones(4096, np.int32)
""" + CHAIN,
    "opencl": "f = jax.jit(lambda a: jnp.tanh(a) @ a * 1e-3); y = jnp.ones((SIDE // 3, SIDE // 3))" + CHAIN,
    "compile": """
def queue():
    def work():
        for i in range(N):
            jax.jit(lambda a: jnp.sin(a) * i + jnp.cumsum(jnp.exp(a)) / (i + 1))(jnp.ones(16 + i))
    threading.Thread(target=work, daemon=True).start()
    time.sleep(.05)
""",
    "daemon": """
f = jax.jit(lambda a: a @ a * 1e-3); y = jnp.ones((SIDE, SIDE)); f(y)
def queue():
    def work():
        x = y
        for _ in range(N * 100):
            x = f(x)
            x.block_until_ready()
    threading.Thread(target=work, daemon=True).start()
    time.sleep(.05)
""",
    "transfer": """
h = np.ones((64, 1024) if N > 1000 else (1024, 1024), np.float32)
y = jnp.ones((1024, 1024)); f = jax.jit(lambda a: a + 1)
def queue():
    global y
    for i in range(N):
        x = jax.device_put(h)
        if i % 10 == 0:
            y = f(y); y.copy_to_host_async()
f(y)
""",
    "collective": """
from jax.sharding import Mesh, NamedSharding, PartitionSpec
cut = NamedSharding(Mesh(np.array(jax.devices()), "d"), PartitionSpec("d"))
f = jax.jit(lambda a: jnp.sin(a) + a.sum() * 1e-6, in_shardings=cut, out_shardings=cut); y = jax.device_put(jnp.ones((8, 1024)), cut)
""" + CHAIN,
    "eager": "f = lambda a: jnp.tanh(a) @ a * 1e-3 + 1; y = jnp.ones((SIDE // 2, SIDE // 2))" + CHAIN,
}
ENVIRONMENT = {
    "collective": {"MILLRACE_NUM_DEVICES": "8"},
    "opencl": {"MILLRACE_DEVICES": "opencl:cpu", "POCL_DEVICES": "pthread"},
}


@dataclasses.dataclass
class Way:
    script: str  # after what was queued
    status: int = 0
    says: str = ""  # the last line of standard error; "" nothing is there


SAY = "\nprint('queued', flush=True)\n"
QUEUED = "queue()" + SAY
WAYS = {
    "end": Way(QUEUED),
    "exit": Way(QUEUED + "sys.exit(3)", 3),
    "raise": Way(QUEUED + "raise ValueError('on purpose')", 1, "ValueError: on purpose"),
    # Python ends in order first, and then by the signal.
    "interrupt": Way(QUEUED + "os.kill(os.getpid(), signal.SIGINT); time.sleep(60)", -signal.SIGINT, "KeyboardInterrupt"),
    "interrupted": Way(
        "try:\n    " + QUEUED.replace("\n", "\n    ") + "os.kill(os.getpid(), signal.SIGINT); time.sleep(60)\nexcept KeyboardInterrupt:\n    pass"
    ),
    "terminate": Way(QUEUED + "os.kill(os.getpid(), signal.SIGTERM); time.sleep(60)", -signal.SIGTERM),
    "delete": Way(
        QUEUED + "for name in ('x', 'y', 'f', 'p', 'w'):\n    globals().pop(name, None)\n"
        "jax.clear_caches()\nimport jax.extend.backend, gc\njax.extend.backend.clear_backends()\ngc.collect()"
    ),
    "thread": Way("t = threading.Thread(target=queue); t.start(); t.join()" + SAY),
    # A function of atexit()'s still computes.
    "atexit": Way("import atexit\natexit.register(lambda: print(float(jax.jit(lambda a: a + 1)(41.0))))\n" + QUEUED),
}


def handlers(folder):
    """The library of FFI handlers, or None where there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    import jax

    path = pathlib.Path(folder) / "handlers.so"
    source = ROOT / "tests" / "jax" / "ffi_handlers.c"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", f"-I{jax.ffi.include_dir()}", source, "-o", path, "-lpthread"], check=True)
    return path


def _session(pid):
    """Processes of the child's session that are still there."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == pid and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def _wrong(child, way, ended_s, out, err, folder):
    """What is wrong with how the child has ended, in words."""
    wrong = []
    if child.returncode != way.status:
        wrong.append(f"status {child.returncode}, wanted {way.status}")
    if "queued" not in out:
        wrong.append("it ended before it had queued")
    elif ended_s > SECONDS:
        wrong.append(f"{ended_s:.0f} s")
    said = err.splitlines()
    if (said[-1] if said else "") != way.says:
        wrong.append(f"says {' | '.join(said[-6:])[-600:]!r}")
    if left := _session(child.pid):
        wrong.append(f"processes {left} are left")
        for pid in left:
            os.kill(pid, signal.SIGKILL)
    if left := sorted(path.name for path in folder.iterdir()):
        wrong.append(f"files {left} are left")
    return ", ".join(wrong)


def run(kind, way, count, environment=None):
    """"" when the child ends as it should, else what is wrong."""
    ending = WAYS[way]
    # A shell has what it starts in the background ignore SIGINT, and so would all that is started by that.
    heeds = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    script = heeds + (BEFORE + KINDS[kind]).format(count=count) + "\n" + ending.script
    settings = {"JAX_PLATFORMS": "millrace", "PYTHONPATH": str(ROOT / "python"), "JAX_ENABLE_COMPILATION_CACHE": "0"}
    with tempfile.TemporaryDirectory() as folder:
        here = os.environ | settings | ENVIRONMENT.get(kind, {}) | (environment or {}) | {"TMPDIR": folder}
        child = subprocess.Popen([sys.executable, "-c", script], cwd=folder, env=here, text=True, start_new_session=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        first = _read_line(child)
        queued = time.monotonic()
        try:
            out, err = child.communicate(timeout=2 * SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            out, err = child.communicate()
            return f"it has not ended {2 * SECONDS} s after {first.strip() or 'nothing'}; {err[-300:]}"
        return _wrong(child, ending, time.monotonic() - queued, first + out, err, pathlib.Path(folder))


def _read_line(child):
    """What it says first, or "" when it has not for long."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        line = pool.submit(child.stdout.readline)
        try:
            return line.result(timeout=START_SECONDS)
        except concurrent.futures.TimeoutError:
            os.killpg(child.pid, signal.SIGKILL)
            return line.result()


def missing(kind, environment):
    """Why this kind cannot be run here; None: it can."""
    if kind == "handler" and "ENDINGS_HANDLERS" not in environment:
        return "no C compiler"
    if kind == "opencl":
        there = subprocess.run([sys.executable, "-c", "import jax; jax.devices()"], capture_output=True,
                               env=os.environ | {"JAX_PLATFORMS": "millrace"} | ENVIRONMENT["opencl"] | environment)
        return "no OpenCL device" if there.returncode else None
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--counts", default=f"1,100,{MOST}")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    wrong = skipped = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        library = handlers(folder)
        environment = {"ENDINGS_HANDLERS": str(library)} if library else {}
        tasks = {}
        for kind in arguments.kinds.split(","):
            if reason := missing(kind, environment):
                print(f"{kind}: skipped, {reason}", flush=True)
                skipped += 1
                continue
            for count in map(int, arguments.counts.split(",")):
                for way in arguments.ways.split(","):
                    tasks[pool.submit(run, kind, way, count, environment)] = f"{kind}, {count} calls, {way}"
        for task in concurrent.futures.as_completed(tasks):
            if task.result():
                wrong += 1
                print(f"{tasks[task]}: {task.result()}", flush=True)
    print(f"{len(tasks)} endings, {wrong} wrong, {skipped} kinds skipped")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
