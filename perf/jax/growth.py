"""How XLA:CPU, or this plugin through JAX, compiles the growing programs of perf/compiler/growth.c.

    ./dev python perf/jax/growth.py [--platform cpu] [--seconds 60] [form[,form...] [n ...]]

Each program in a process of its own: seconds of processor time to compile, and the most memory that the process had, in MB. Of the
sizes, which grow, the first that takes longer than the limit of seconds (of the clock) is the last one of its form.
"""
import argparse
import pathlib
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "build/release/perf/perf_compiler_growth"
FORMS = ["chain", "dots", "library", "reductions", "cases", "ifs", "whiles", "whiles_kept", "calls", "nested", "params",
         "results", "donated", "constants", "joined"]


def compile_one(platform):
    import jax

    jax.config.update("jax_platforms", platform)
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from jaxlib.mlir import ir

    device = jax.devices()[0]
    with mlir.make_ir_context():
        module = ir.Module.parse(sys.stdin.read())
        start, clock = time.process_time(), time.perf_counter()
        device.client.compile_and_load(module, xla_client.DeviceList((device,)), xla_client.CompileOptions())
        print(f"{time.process_time() - start:9.3f} {time.perf_counter() - clock:9.3f}", end=" ")
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f}")


def measure(platform, form, n, seconds):
    text = subprocess.run([PROGRAMS, "--text", form, str(n)], check=True, capture_output=True).stdout
    command = [sys.executable, __file__, "--platform", platform, "--one"]
    try:
        # What is made before the compilation is part of the limit: some seconds.
        done = subprocess.run(command, input=text, capture_output=True, timeout=seconds + 10)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        return f"ended with {done.returncode}: {lines[-1][:100] if lines else ''}"
    return done.stdout.decode().rstrip("\n")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--platform", default="cpu")
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--one", action="store_true", help="compile the program that stands on standard input")
    arguments.add_argument("forms", nargs="?", default=",".join(FORMS))
    arguments.add_argument("sizes", nargs="*", type=int)
    options = arguments.parse_args()
    if options.one:
        compile_one(options.platform)
        return
    print(f"{'form':13} {'n':>7} {'cpu':>9} {'compile':>9} {'MB':>8}")
    for form in options.forms.split(","):
        for n in options.sizes or [100, 1000, 10000]:
            figures = measure(options.platform, form, n, options.seconds)
            print(f"{form:13} {n:7} {figures or f'more than {options.seconds:.0f} s'}", flush=True)
            if figures is None:
                break


if __name__ == "__main__":
    main()
