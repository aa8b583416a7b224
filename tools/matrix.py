#!/usr/bin/env python3
"""Every version of JAX that millrace is for, each in an environment of its own: does it do what XLA:CPU of the same jaxlib does?

tools/matrix.py BUILD [--versions V,V..] [--page FILE]

BUILD has the plugin and the tool. The environments are made below build/matrix with pip, where they are not there yet. For each version
tests/matrix/features.py runs twice, on XLA:CPU alone and on millrace, and the numbers are compared; printed is a line for each version and
one for each feature that differs. The exit status says whether those that differ are the ones that EXPECTED lists with their reasons, no
more and no fewer. A feature that XLA:CPU of a version has not is not counted there.
--page writes docs/versions.md.
"""
import argparse, glob, os, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# By Python: what is tried with it.
VERSIONS = {
    "3.10": ["0.4.35", "0.4.36", "0.4.38", "0.5.0", "0.5.1", "0.5.3", "0.6.0", "0.6.1", "0.6.2"],
    "3.11": ["0.7.0", "0.7.1", "0.7.2", "0.8.0", "0.8.1", "0.8.2", "0.8.3", "0.9.0", "0.9.1", "0.9.2", "0.10.0", "0.10.1", "0.10.2"],
    "3.12": ["0.11.0", "0.11.1", "0.11.2", "0.12.0"],
    "3.13": ["0.10.2", "0.12.0"],
}
NEEDED = ["numpy", "scipy", "ml_dtypes", "opt_einsum", "flatbuffers", "absl-py"]
TOLERANCE = 2e-5  # of the largest number, as sums are in another order
# What differs up to which version, and why; None: whatever is compiled, which is nearly all.
EXPECTED = []
PROCESS = "the process"  # a feature of its own, which nothing explains


def number(version):
    return tuple(int(n) for n in version.split("."))


def python_of(series):
    found = sorted(glob.glob(os.path.expanduser(f"~/.pyenv/versions/{series}.*/bin/python"))) + [f"/usr/bin/python{series}"]
    return next((p for p in found if os.path.exists(p)), None)


def pip(python, *arguments):
    subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *arguments], check=True)


def prepare(series, version):
    """The interpreter and the folder of the version's packages; None: that Python is not there."""
    base = os.path.join(ROOT, "build", "matrix")
    python, folder = os.path.join(base, f"python{series}", "bin", "python"), os.path.join(base, f"{version}-{series}")
    if not os.path.exists(python):
        if python_of(series) is None:
            return None
        subprocess.run([python_of(series), "-m", "venv", os.path.dirname(os.path.dirname(python))], check=True)
        pip(python, *NEEDED)
    if not os.path.isdir(folder):
        pip(python, "--no-deps", "--target", folder, f"jax=={version}", f"jaxlib=={version}")
    return python, folder


def run(python, folder, build, platform):
    import numpy as np

    ours = platform == "millrace"
    env = {k: v for k, v in os.environ.items() if not k.startswith(("MILLRACE_", "JAX_", "XLA_"))}
    env |= {"PYTHONPATH": folder + (f":{ROOT}/python" if ours else ""), "JAX_PLATFORMS": "millrace,cpu" if ours else "cpu"}
    env |= {"XLA_FLAGS": "--xla_force_host_platform_device_count=8", "MILLRACE_NUM_DEVICES": "8", "MILLRACE_CACHE_DIR": ""}
    env |= {"MILLRACE_LIBRARY": f"{build}/lib/libpjrt_millrace.so", "MILLRACE_TOOL": f"{build}/bin/millrace"}
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "answers.npz")
        done = subprocess.run([python, os.path.join(ROOT, "tests/matrix/features.py"), platform, path], env=env, cwd=scratch,
                              capture_output=True, text=True, timeout=900)
        answers = dict(np.load(path)) if os.path.exists(path) else {}
    return answers, f"the process ended with {done.returncode}" if done.returncode else ""


def answered(theirs):
    """The features that XLA:CPU has."""
    return [f for f in dict.fromkeys(key.split("/")[0] for key in theirs) if f"{f}/error" not in theirs]


def verdict(ours, theirs, feature):
    """'': as on XLA:CPU."""
    import numpy as np

    ours, theirs = ({k: v for k, v in side.items() if k.split("/")[0] == feature} for side in (ours, theirs))
    if f"{feature}/error" in ours or not ours:
        return str(ours.get(f"{feature}/error", "nothing was answered"))
    if {k: v.shape for k, v in ours.items()} != {k: v.shape for k, v in theirs.items()}:
        return "other shapes"
    for key, value in theirs.items():
        value, got = value.astype(np.float64), ours[key].astype(np.float64)
        bound = TOLERANCE * max(1.0, float(np.max(np.abs(value), initial=0)))
        if value.size and not np.all(np.abs(got - value) <= bound):
            return f"differs by {np.max(np.abs(got - value)):.2g}"
    return ""


def explained(version, feature):
    for last, features, why in EXPECTED:
        if number(version) <= last and (feature in features if features else feature != PROCESS):
            return why
    return ""


def unexpected(version, features, bad):
    """What is not as EXPECTED says: what differs unlisted, and what is listed and does not differ."""
    listed = [f for last, names, _ in EXPECTED if names and number(version) <= last for f in names if f in features]
    return [f for f in bad if not explained(version, f)] + [f"{f}: listed, and as XLA:CPU" for f in listed if f not in bad]


def page(rows):
    lines = ["# Versions of JAX", "", "Made by `./dev matrix --page docs/versions.md`: `tests/matrix/features.py` on millrace and on XLA:CPU of the same jaxlib.", ""]
    lines += ["| JAX and jaxlib | Python | as XLA:CPU | not, and why |", "| --- | --- | --- | --- |"]
    for version, series, good, count, bad in rows:
        reasons = {}
        for feature, told in bad.items():
            reasons.setdefault(explained(version, feature) or told, []).append(feature)
        why = "; ".join(f"{', '.join(features)}: {reason}" for reason, features in reasons.items())
        lines.append(f"| {version} | {series} | {good} of {count} | {why} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--versions", default="")
    parser.add_argument("--page")
    args = parser.parse_args()
    wanted, rows, wrong, skipped = [v for v in args.versions.split(",") if v], [], 0, 0
    for series, versions in VERSIONS.items():
        for version in [v for v in versions if not wanted or v in wanted]:
            place = prepare(series, version)
            if place is None:
                print(f"{version}: skipped, there is no Python {series}", flush=True)
                skipped += 1
                continue
            theirs, _ = run(*place, os.path.abspath(args.build), "cpu")
            ours, ended = run(*place, os.path.abspath(args.build), "millrace")
            features = answered(theirs)
            bad = {feature: told for feature in features if (told := verdict(ours, theirs, feature))}
            bad |= {PROCESS: ended} if ended else {}
            new = unexpected(version, features, bad)
            wrong += len(new)
            rows.append((version, series, len(features) - len([f for f in bad if f in features]), len(features), bad))
            print(f"{version} on Python {series}: {rows[-1][2]} of {len(features)} as XLA:CPU, {len(new)} unexplained", flush=True)
            for feature, told in bad.items():
                print(f"  {feature}: {told}", flush=True)
            for what in new:
                print(f"  unexplained: {what}", flush=True)
    print(f"{len(rows)} versions, {wrong} unexplained, {skipped} skipped")
    if args.page:
        with open(args.page, "w") as file:
            file.write(page(rows))
    return 1 if wrong or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
