"""docs/coming-from-xla-cpu.md says what settings for XLA:CPU do here: every row of its tables is tried in a process of its own."""

import json
import os
import re
import subprocess
import sys

import pytest

PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "coming-from-xla-cpu.md")
SETTINGS = re.compile(r"XLA_FLAGS|NPROC|JAX_.*|MILLRACE_(NUM_DEVICES|THREADS|DEVICES)")
SECONDS = 120

# Tells how many devices there are, whether results are there when calls return, how many workers there are, what the bits of
# some numbers are, what a sum in bf16 is as an f32, and whether a callback has run when its call returns.
PROGRAM = """
import json, os, sys, time
import jax
for name, value in json.loads(sys.argv[1]).items():
    jax.config.update(name, value)
import jax.numpy as jnp
import numpy as np
facts = {"devices": jax.device_count(), "platform": jax.devices()[0].device_kind.split()[0]}
if "," in (jax.config.jax_platforms or ""):
    facts["others"] = len(jax.devices("cpu"))
heavy = jax.jit(lambda a: (a @ a) @ (a @ a) * 1e-3, compiler_options=json.loads(sys.argv[2]))
a = jax.block_until_ready(jnp.ones((700, 700)))
facts["ready"] = [heavy(a).is_ready() for _ in range(4)]
names = [open(f"/proc/self/task/{task}/comm").read() for task in os.listdir("/proc/self/task")]
facts["workers"] = sum(name.startswith("millrace-") and name.strip()[9:].isdigit() for name in names)
x = jnp.asarray(np.random.default_rng(1).standard_normal(1000), jnp.bfloat16)
y = x.astype(jnp.float32)
numbers = jax.jit(lambda x, y: (x * 3 + x, jnp.tanh(y) / 7, y.sum(), jnp.minimum(y / 0, jnp.nan)))(x, y)
facts["bits"] = [np.asarray(n).tobytes().hex() for n in numbers]
wide = jax.jit(lambda x: (x + 1).astype(jnp.float32), compiler_options=json.loads(sys.argv[2]))
facts["wide"] = float(wide(jnp.bfloat16(2**-9)))
ran = []
def callback(v):
    time.sleep(0.005)
    ran.append(v)
call = jax.jit(lambda v: (jax.debug.callback(callback, v), v)[1])
call(x)
facts["ran"] = len(ran)
print(json.dumps(facts))
"""


def _rows():
    with open(PAGE) as page:
        cells = [line.strip().strip("|").split(" | ") for line in page if line.startswith("| ")]
    return [row[0].strip() for row in cells if row[0].strip() not in ("setting", "---")]


def _child(environment, config=None, options=None):
    """As a user's: what this process is set to does not count."""
    clean = {name: value for name, value in os.environ.items() if not SETTINGS.fullmatch(name)}
    clean = {**clean, "JAX_PLATFORMS": "millrace", "MILLRACE_CACHE_DIR": "", **environment}
    command = [sys.executable, "-c", PROGRAM, json.dumps(config or {}), json.dumps(options or {})]
    return subprocess.run(command, env=clean, capture_output=True, text=True, timeout=SECONDS)


def _facts(environment, config=None, options=None):
    child = _child(environment, config, options)
    assert child.returncode == 0, child.stderr
    facts = json.loads(child.stdout.splitlines()[-1])
    assert facts["platform"] == "millrace"
    return facts


@pytest.fixture(scope="module")
def plain():
    return _facts({})


def _environment(row):
    """NAME=value NAME=value; a value goes on until the next name in capitals."""
    return dict(re.findall(r"([A-Z_]+)=(.*?)(?= [A-Z_]+=|$)", row.strip("`")))


def _has_devices(count):
    def check(row, plain, folder):
        assert plain["devices"] == 1 and _facts(_environment(row))["devices"] == count

    return check


def _config_has_devices(row, plain, folder):
    assert _facts({}, {"jax_num_cpu_devices": 4})["devices"] == 4
    # What JAX is told in words comes before its environment, and that before XLA_FLAGS.
    more = {"JAX_NUM_CPU_DEVICES": "3", "XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
    assert _facts(more, {"jax_num_cpu_devices": 4})["devices"] == 4
    assert _facts(more)["devices"] == 3


def _file_has_devices(row, plain, folder):
    (folder / "flags").write_text("--xla_force_host_platform_device_count='7'\n--xla_force_host_platform_device_count=3\n")
    assert _facts({"XLA_FLAGS": str(folder / "flags")})["devices"] == 3


def _both_have_devices(row, plain, folder):
    facts = _facts(_environment(row))
    assert (facts["devices"], facts["others"]) == (4, 4)


def _is_an_error(words):
    def check(row, plain, folder):
        child = _child(_environment(row))
        assert child.returncode != 0 and re.search(words, child.stderr)

    return check


def _has_one_worker(row, plain, folder):
    assert plain["workers"] >= 1 and _facts(_environment(row))["workers"] == 1
    overridden = _facts({**_environment(row), "MILLRACE_THREADS": "2"})
    assert overridden["workers"] == min(2, plain["workers"])


def _bound_has_one_worker(row, plain, folder):
    units = os.sched_getaffinity(0)
    os.sched_setaffinity(0, [min(units)])  # this thread, and the process that it starts
    try:
        assert _facts({})["workers"] == 1
    finally:
        os.sched_setaffinity(0, units)


def _flag_has_one_worker(row, plain, folder):
    assert _facts(_environment(row))["workers"] == 1


def _config_waits(row, plain, folder):
    assert all(_facts({}, {"jax_cpu_enable_async_dispatch": False})["ready"])


def _callbacks_ran(row, plain, folder):
    assert plain["ran"] == 1


def _check_dumps(folder, also):
    before, after = sorted(file.name for file in folder.glob("*.jit__lambda.*") if also in file.read_text())[:2]
    assert re.fullmatch(r"module_\d{4}\.jit__lambda\.before_optimizations\.txt", before)
    assert after == before.replace("before", "cpu_after")


def _flag_dumps(row, plain, folder):
    _facts({"XLA_FLAGS": f"--xla_dump_to={folder}/new/dumps"})
    _check_dumps(folder / "new" / "dumps", "dot_general")
    _check_dumps(folder / "new" / "dumps", "tanh")


def _option_dumps(row, plain, folder):
    _facts({}, options={"xla_dump_to": f"{folder}/dumps"})
    _check_dumps(folder / "dumps", "dot_general")
    assert len(list((folder / "dumps").iterdir())) == 4  # of two programs


def _flag_rounds(row, plain, folder):
    assert (plain["wide"], _facts(_environment(row))["wide"]) == (1 + 2**-9, 1)


def _option_rounds(row, plain, folder):
    assert (plain["wide"], _facts({}, options={"xla_allow_excess_precision": False})["wide"]) == (1 + 2**-9, 1)


def _check_printed(environment, options=None):
    output = _child(environment, options=options).stdout
    printed = re.findall(r"^\*\*\* Begin (\S+) \*\*\*\n(.*?)\n\*\*\* End \1 \*\*\*$", output, re.M | re.S)
    texts = {name: text for name, text in printed if ".jit__lambda." in name}
    before, after = sorted(name for name, text in texts.items() if "dot_general" in text)[:2]
    assert re.fullmatch(r"module_\d{4}\.jit__lambda\.before_optimizations\.txt", before)
    assert after == before.replace("before", "cpu_after")


def _flag_prints(row, plain, folder):
    _check_printed(_environment(row))
    assert not os.path.exists("-")


def _option_prints(row, plain, folder):
    _check_printed({}, {"xla_dump_hlo_as_text": True})


def _protos_are_not_printed(row, plain, folder):
    assert "***" not in _child(_environment(row)).stdout


def _chosen_are_dumped(row, plain, folder):
    chosen = row.strip("`").removeprefix("XLA_FLAGS=").replace("FOLDER", str(folder / "none"))
    _facts({"XLA_FLAGS": chosen})
    assert not (folder / "none").exists()
    _facts({"XLA_FLAGS": chosen.replace("none", "some").replace("tanh", "'^jit_(b|_l[a]+m)'")})
    _check_dumps(folder / "some", "tanh")
    names = {file.name.split(".")[1] for file in (folder / "some").iterdir()}
    assert names == {"jit__lambda", "jit_broadcast_in_dim"}
    wrong = _child({"XLA_FLAGS": chosen.replace("tanh", "(")})
    assert wrong.returncode != 0 and '--xla_dump_hlo_module_re in XLA_FLAGS is "("' in wrong.stderr


def _stages(folder):
    """Which files there are, but for the programs' numbers and names."""
    return {file.name.split(".", 2)[2] for file in folder.iterdir()}


def _flags_dump_protos(row, plain, folder):
    _facts({"XLA_FLAGS": row.strip("`").removeprefix("XLA_FLAGS=").replace("FOLDER", str(folder / "dumps"))})
    assert _stages(folder / "dumps") == {"before_optimizations.hlo.pb", "cpu_after_optimizations.hlo.pb"}


def _rounds_later(row, plain, folder):
    assert plain["wide"] == 1 + 2**-9


def _proto_dumps(row, plain, folder):
    _facts({}, options={"xla_dump_to": f"{folder}/dumps", "xla_dump_hlo_as_proto": True})
    assert _stages(folder / "dumps") == {"before_optimizations.hlo.pb", "cpu_after_optimizations.hlo.pb"}


def _both_dump(row, plain, folder):
    _facts({}, options={"xla_dump_to": f"{folder}/dumps", "xla_dump_hlo_as_proto": True, "xla_dump_hlo_as_text": True})
    stages = {"before_optimizations", "cpu_after_optimizations"}
    assert _stages(folder / "dumps") == {stage + form for stage in stages for form in (".txt", ".hlo.pb")}


def _cached_dumps(row, plain, folder):
    texts = []
    for run in ["one", "two"]:
        _facts({"XLA_FLAGS": f"--xla_dump_to={folder}/{run}", "JAX_COMPILATION_CACHE_DIR": f"{folder}/cache",
                "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0", "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "0"})
        texts.append({file.name: file.read_text() for file in (folder / run).iterdir()})
        kept = {file: file.stat().st_mtime_ns for file in (folder / "cache").glob("jit__lambda*-cache")}
        assert kept and (run == "one" or kept == before)  # the second process made none
        before = kept
    assert texts[0] == texts[1]


@pytest.fixture(scope="module")
def without_effect():
    """All of them at once."""
    rows = [row for row in _rows() if CHECKS.get(row) is _changes_nothing]
    flags = " ".join(_environment(row).get("XLA_FLAGS", "") for row in rows)
    others = {name: value for row in rows for name, value in _environment(row).items() if name != "XLA_FLAGS"}
    return _facts({**others, "XLA_FLAGS": flags})


def _changes_nothing(row, plain, folder):
    raise AssertionError("is looked at with the others")


CHECKS = {
    '`jax.config.update("jax_num_cpu_devices", 4)`': _config_has_devices,
    "`JAX_NUM_CPU_DEVICES=4`": _has_devices(4),
    "`XLA_FLAGS=--xla_force_host_platform_device_count=4`": _has_devices(4),
    "`XLA_FLAGS=FILE`": _file_has_devices,
    "`JAX_NUM_CPU_DEVICES=4 MILLRACE_NUM_DEVICES=2`": _has_devices(2),
    "`JAX_PLATFORMS=millrace,cpu JAX_NUM_CPU_DEVICES=4`": _both_have_devices,
    "`JAX_NUM_CPU_DEVICES=0`": _is_an_error("option 'cpu_device_count' is 0, wanted 1 to"),
    "`XLA_FLAGS=--xla_force_host_platform_device_count=many`": _is_an_error("xla_force_host_platform_device_count"),
    "`NPROC=1`": _has_one_worker,
    "`taskset -c 0`, before the command": _bound_has_one_worker,
    "`XLA_FLAGS=--xla_cpu_multi_thread_eigen=false`": _has_one_worker,
    "`XLA_FLAGS=--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1`": _flag_has_one_worker,
    '`jax.config.update("jax_cpu_enable_async_dispatch", False)`': _config_waits,
    "no setting: Python callbacks": _callbacks_ran,
    "`XLA_FLAGS=--xla_dump_to=FOLDER`": _flag_dumps,
    '`compiler_options={"xla_dump_to": FOLDER}`': _option_dumps,
    "`XLA_FLAGS=--xla_allow_excess_precision=false`": _flag_rounds,
    '`compiler_options={"xla_allow_excess_precision": False}`': _option_rounds,
    "`XLA_FLAGS=--xla_dump_to=-`": _flag_prints,
    "`XLA_FLAGS=--xla_dump_hlo_as_text`": _flag_prints,
    '`compiler_options={"xla_dump_hlo_as_text": True}`': _option_prints,
    "`XLA_FLAGS=--xla_dump_to=- --xla_dump_hlo_as_proto`": _protos_are_not_printed,
    "`XLA_FLAGS=--xla_dump_to=FOLDER --xla_dump_hlo_module_re=tanh`": _chosen_are_dumped,
    "`XLA_FLAGS=--xla_dump_to=FOLDER --xla_dump_hlo_as_proto --xla_dump_hlo_pass_re=.*`": _flags_dump_protos,
    "`XLA_FLAGS=--xla_dump_to=/proc/none`": _is_an_error("xla_dump_to: cannot make /proc/none"),
    '`compiler_options={"xla_dump_to": FOLDER, "xla_dump_hlo_as_proto": True}`': _proto_dumps,
    '`compiler_options={"xla_dump_to": FOLDER, "xla_dump_hlo_as_proto": True, "xla_dump_hlo_as_text": True}`': _both_dump,
    "`JAX_COMPILATION_CACHE_DIR=FOLDER XLA_FLAGS=--xla_dump_to=FOLDER`": _cached_dumps,
    "no setting: `(x + 1).astype(f32)` of bf16": _rounds_later,
    "`XLA_FLAGS=--xla_no_such_flag=1`": _is_an_error("Unknown flag in XLA_FLAGS: --xla_no_such_flag"),
    "`XLA_FLAGS=--xla_cpu_enable_fast_math=true`": _changes_nothing,
    "`XLA_FLAGS=--xla_cpu_enable_fast_min_max=true`": _changes_nothing,
    "`XLA_FLAGS=--xla_cpu_prefer_vector_width=128`": _changes_nothing,
    "`XLA_FLAGS=--xla_cpu_max_isa=AVX2`": _changes_nothing,
    "`XLA_FLAGS=--xla_cpu_use_onednn=true`": _changes_nothing,
    "`XLA_FLAGS=--xla_cpu_use_thunk_runtime=false`": _changes_nothing,
    "`XLA_FLAGS=--xla_cpu_enable_concurrency_optimized_scheduler=true`": _changes_nothing,
    "`XLA_FLAGS=--xla_cpu_collective_call_terminate_timeout_seconds=600`": _changes_nothing,
    "`XLA_FLAGS=--xla_disable_hlo_passes=fusion`": _changes_nothing,
    "`XLA_FLAGS=--xla_backend_optimization_level=0`": _changes_nothing,
    "`XLA_FLAGS=--xla_cpu_parallel_codegen_split_count=4`": _changes_nothing,
    "`JAX_CPU_COLLECTIVES_IMPLEMENTATION=gloo`": _changes_nothing,
}


@pytest.mark.parametrize("row", _rows())
def test_a_row_of_the_page_is_true(row, request, tmp_path):
    assert row in CHECKS, "nothing tries this row"
    if CHECKS[row] is not _changes_nothing:
        CHECKS[row](row, request.getfixturevalue("plain"), tmp_path)
        return
    facts, plain = request.getfixturevalue("without_effect"), request.getfixturevalue("plain")
    assert {**facts, "ready": None} == {**plain, "ready": None}


def test_every_check_is_of_a_row():
    assert sorted(CHECKS) == sorted(_rows())
