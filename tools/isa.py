#!/usr/bin/env python3
"""The C tests and tests/programs as on x86-64-v2, -v3 and -v4, whatever this machine is.

tools/isa.py BUILD [--level v2|v3|v4]... [--part] [--c REGEX] [--programs WORDS] [--jobs N] [--results FILE]

v2 and v3 run in qemu-user, as a processor that has no more than the level: an instruction too many ends the test with SIGILL, there
as on such a machine. That reaches all that chooses by the processor: our kernels, LLVM's code, oneDNN, OpenBLAS. v4 needs AVX-512,
which qemu-user has not: it runs as it is where the machine has it, told by MILLRACE_CPU and MILLRACE_LIBRARY_ISA to use no more, and
is skipped elsewhere. What is skipped is counted, and it is said why; the exit status says whether the rest passes.

--part: a few tests and programs of each level, as `./dev test` runs them. --c: C tests whose name matches (empty: none).
--programs: which of tests/programs, as pytest's -k ("none": none). --results: a file of JUnit's form.
"""
import argparse, concurrent.futures, json, os, re, shutil, subprocess, sys, tempfile, time
import xml.etree.ElementTree as tree

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What qemu-user is told to be. What it warns that it cannot do is taken away, since tests read what a program says.
LEVELS = {
    "v2": "Nehalem",
    "v3": "Haswell,-pcid,-x2apic,-tsc-deadline,-hle,-invpcid,-rtm",
    "v4": None,
}
V4_FLAGS = {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
V4_SETTINGS = {"MILLRACE_CPU": "x86-64-v4", "MILLRACE_LIBRARY_ISA": "avx512"}
SLOWER = 10  # how many times as long a test may take in the emulator

# Tests that say nothing of a processor or nothing in an emulator, and why: the first that matches.
LEFT_OUT = [
    (r"^(tools|model|fuzz)/", "has nothing to do with the processor"),
    (r"(_fenced|_alloc)$", "is another test again, with the same kernels"),
]
EMULATED_LEFT_OUT = [
    (r"^(compiler/(cache|code_pages|disk_cache|hostile)|core/table|devices/(admission|fake_icd.*|fenced|pool|probe)|faults/.*|graph/node_memory"
     r"|ops/library_(first|version)|pjrt/(coverage|cross_host)|scheduler/(loop|scheduler)|stress/engine)$",
     "forks a process of several threads, which qemu-user does not survive"),
    (r"^(compiler/(clc.*|target)|devices/(conformance|opencl_times)|programs/check_opencl)$", "is compiled by an OpenCL runtime"),
    (r"^ops/library_fft$", "takes hours there"),
    (r"^compiler/growth$", "measures times"),
]
# Something of each that chooses by the processor: our kernels, generated loops, half precision, oneDNN and OpenBLAS.
PART = (r"^ops/library_(kernels|packed)$", ["convs", "dots", "dots_lowp", "linalg_basic", "reductions", "rng_bits", "unary_half"])


class Test:
    def __init__(self, level, name, outcome, text="", seconds=0.0):
        self.level, self.name, self.outcome, self.text, self.seconds = level, name, outcome, text, seconds


def machine_flags():
    found = re.search(r"^flags\s*:(.*)$", open("/proc/cpuinfo").read(), re.MULTILINE)
    return set(found.group(1).split()) if found else set()


def missing(level):
    """Why a level cannot be run at all; empty: it can."""
    if os.uname().machine != "x86_64":
        return "this machine is no x86-64"
    if LEVELS[level]:
        return "" if shutil.which("qemu-x86_64") else "there is no qemu-x86_64 (package qemu-user)"
    lacking = sorted(V4_FLAGS - machine_flags())
    return f"this machine lacks {', '.join(lacking)}, and qemu-user has none of them" if lacking else ""


def emulator(level):
    return ["qemu-x86_64", "-cpu", LEVELS[level]] if LEVELS[level] else []


def left_out(level, name):
    rules = LEFT_OUT + (EMULATED_LEFT_OUT if LEVELS[level] else [])
    return next((why for pattern, why in rules if re.search(pattern, name)), "")


# ---- C tests ----------------------------------------------------------------------------------------------------------


def c_tests(build):
    shown = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    return [test for test in json.loads(shown.stdout)["tests"] if test.get("command")]


def outcome_of(properties, code, said):
    """As ctest decides it."""
    if any(re.search(p, said) for p in properties.get("SKIP_REGULAR_EXPRESSION", [])) or code == properties.get("SKIP_RETURN_CODE"):
        return "skipped"
    wanted = properties.get("PASS_REGULAR_EXPRESSION")
    right = any(re.search(p, said, re.DOTALL) for p in wanted) if wanted else code == 0
    return "passed" if right != bool(properties.get("WILL_FAIL")) else "failed"


def run_c_test(level, test):
    properties = {p["name"]: p["value"] for p in test.get("properties", [])}
    environment = {**os.environ, **dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", []))}
    environment.update({} if LEVELS[level] else V4_SETTINGS)
    limit = properties.get("TIMEOUT", 300) * (SLOWER if LEVELS[level] else 1)
    began = time.monotonic()
    try:
        run = subprocess.run(emulator(level) + test["command"], capture_output=True, text=True, errors="replace", timeout=limit,
                             env=environment, cwd=properties.get("WORKING_DIRECTORY", ROOT))
        code, said = run.returncode, run.stdout + run.stderr
        outcome = outcome_of(properties, code, said)
    except subprocess.TimeoutExpired:
        code, said, outcome = "none", f"not over after {limit} s", "failed"
    text = ""
    if outcome == "failed":
        ill = "SIGILL: an instruction that this level has not\n" if code in (-4, 132) or "Illegal instruction" in said else ""
        text = f"{ill}{said[-3000:]}\nexit status {code}"
    elif outcome == "skipped":
        text = "says so itself"
    return Test(level, test["name"], outcome, text, time.monotonic() - began)


def each_c_test(level, tests, pattern, jobs):
    if not pattern:
        return
    wanted = [test for test in tests if re.search(pattern, test["name"])]
    run = []
    for test in wanted:
        why = left_out(level, test["name"])
        if why:
            yield Test(level, test["name"], "skipped", why)
        else:
            run.append(test)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(run_c_test, level, test) for test in run]):
            yield done.result()


# ---- Programs ---------------------------------------------------------------------------------------------------------


def write_tool(folder, level, build):
    """bin/millrace in the emulator, as one program."""
    path = os.path.join(folder, f"millrace-{level}")
    command = " ".join(f"'{word}'" for word in emulator(level) + [os.path.join(build, "bin", "millrace")])
    with open(path, "w") as file:
        file.write(f'#!/bin/sh\nexec {command} "$@"\n')
    os.chmod(path, 0o755)
    return path


def each_program(level, build, words, folder):
    if words == "none":
        return
    results = os.path.join(folder, f"programs-{level}.xml")
    environment = {**os.environ, "MILLRACE_TOOL": write_tool(folder, level, build), "MILLRACE_CACHE_DIR": "", "MILLRACE_BUILD": build}
    if LEVELS[level]:
        environment.update(MILLRACE_TOOL_LEVEL=level, MILLRACE_TOOL_SLOWER=str(SLOWER))
    else:
        environment.update(V4_SETTINGS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={results}", "tests/programs/test_programs.py"]
    run = subprocess.run(command + (["-k", words] if words else []), cwd=ROOT, env=environment, capture_output=True, text=True)
    if not os.path.exists(results):
        yield Test(level, "programs", "failed", run.stdout[-3000:] + run.stderr[-3000:])
        return
    for case in tree.parse(results).getroot().iter("testcase"):
        told = next((child for child in case if child.tag in ("failure", "error", "skipped")), None)
        outcome = "passed" if told is None else "skipped" if told.tag == "skipped" else "failed"
        text = "" if told is None else told.get("message", "") if outcome == "skipped" else (told.text or "")[-3000:]
        yield Test(level, f"programs/{case.get('name')}", outcome, text, float(case.get("time", 0)))


# ---- What is said -----------------------------------------------------------------------------------------------------


def write_results(path, tests):
    suite = tree.Element("testsuite", name="isa", tests=str(len(tests)))
    for test in tests:
        case = tree.SubElement(suite, "testcase", classname=f"isa.{test.level}", name=test.name, time=f"{test.seconds:.1f}")
        if test.outcome != "passed":
            # What XML has no place for is left out.
            text = re.sub(r"[^\t\n\x20-\ud7ff]", "", test.text)
            tree.SubElement(case, "failure" if test.outcome == "failed" else "skipped", message=text[:300]).text = text
    tree.ElementTree(suite).write(path)


def summary(level, tests):
    count = {outcome: sum(test.outcome == outcome for test in tests) for outcome in ("passed", "failed", "skipped")}
    how = f"qemu-user as {LEVELS[level].split(',')[0]}" if LEVELS[level] else "this machine"
    lines = [f"x86-64-{level}, {how}: {count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped"]
    reasons = {}
    for test in tests:
        if test.outcome == "skipped":
            reasons.setdefault(test.text.splitlines()[0] if test.text else "no reason is given", []).append(test.name)
    lines += [f"  skipped, {why}: {len(names)} ({', '.join(names[:4])}{', ...' if len(names) > 4 else ''})"
              for why, names in reasons.items()]
    return "\n".join(lines)


def run_level(level, build, tests, options, folder):
    found = []
    why = missing(level)
    if why:
        found = [Test(level, "all of it", "skipped", why)]
    else:
        both = [each_c_test(level, tests, options.c, options.jobs), each_program(level, build, options.programs, folder)]
        for test in (test for each in both for test in each):
            found.append(test)
            if test.outcome == "failed":
                print(f"FAILED {level} {test.name}\n{test.text}\n", flush=True)
            elif options.loud:
                print(f"{level} {test.name}: {test.outcome}, {test.seconds:.0f} s", flush=True)
    print(summary(level, found), flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--level", action="append", choices=LEVELS)
    parser.add_argument("--part", action="store_true")
    parser.add_argument("--c", default=".")
    parser.add_argument("--programs", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--results")
    parser.add_argument("--loud", action="store_true", help="each test when it is over")
    options = parser.parse_args()
    if options.part:
        options.c, options.programs = PART[0], " or ".join(f"test_program[{name}-mlir]" for name in PART[1])
    build = os.path.abspath(options.build)
    tests = c_tests(build)
    with tempfile.TemporaryDirectory() as folder:
        found = [test for level in options.level or LEVELS for test in run_level(level, build, tests, options, folder)]
    if options.results:
        write_results(options.results, found)
    sys.exit(any(test.outcome == "failed" for test in found) or not found)


if __name__ == "__main__":
    main()
