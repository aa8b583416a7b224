#!/usr/bin/env python3
"""clang-tidy over the product's C files, with the list of .clang-tidy; the exit status says whether all are clean.

tools/tidy.py BUILD [--deep] [FILE ...]: BUILD is a build folder, whose compile_commands.json says how each file is
compiled and which has the generated headers. Without --deep the static analyzer (clang-analyzer-*), which takes ten times
as long as all the rest, is left out. FILE: these only.
"""
import concurrent.futures, json, os, re, subprocess, sys

# What is no product, and what a build makes.
OTHER = ("tests", "perf", "examples", "build", "..")
# Of gcc's flags clang knows some by no name.
COMMON = ["clang-tidy-19", "--quiet", "--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-ignored-attributes",
          "--extra-arg=-Wno-gnu-variable-sized-type-not-at-end"]


def files(build, root, named):
    commands = json.load(open(os.path.join(build, "compile_commands.json")))
    found = sorted({os.path.relpath(os.path.join(c["directory"], c["file"]), root) for c in commands})
    return [f for f in found if f.split("/")[0] not in OTHER and (not named or f in named)]


def check(build, deep, file):
    command = COMMON + ["-p", build] + ([] if deep else ["--checks=-clang-analyzer-*"]) + [file]
    run = subprocess.run(command, capture_output=True, text=True)
    # Each finding with the lines that show it; the count of what was left out is on the other channel.
    text = run.stdout.strip()
    if run.returncode and not text:
        text = f"{file}: clang-tidy ended with {run.returncode}: {run.stderr.strip()[-2000:]}"
    return text


def main():
    arguments = [a for a in sys.argv[1:] if a != "--deep"]
    deep = "--deep" in sys.argv
    build, root = os.path.abspath(arguments[0]), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    os.chdir(root)
    todo = files(build, root, set(arguments[1:]))
    if not todo:
        sys.exit("tools/tidy.py: no file of ours in compile_commands.json")
    findings = []
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for text in pool.map(lambda file: check(build, deep, file), todo):
            if text and text not in findings:
                findings.append(text)
                print(text, flush=True)
    count = sum(len(re.findall(r": (?:warning|error): ", text)) or 1 for text in findings)
    print(f"clang-tidy: {len(todo)} files, {count} findings")
    sys.exit(count != 0)


if __name__ == "__main__":
    main()
