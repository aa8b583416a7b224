#!/usr/bin/env python3
"""Holds what a client's tests said against the list of exceptions.

    compare.py EXCEPTIONS OUTPUT...

OUTPUT is what `cargo test`, `go test -v` or this folder's scripts printed ("PASS name", "FAIL name"). EXCEPTIONS has lines
`test | where it stops | why`; a line that starts with # is a comment. It is an error when a test fails that is not listed,
stops elsewhere than the list says, or is listed and passes; when a program of tests ends without one that fails; or when no test ran
at all. `program NAME | place | why` lets a program of tests end so after all of its tests, where what it printed names the place.
"""

import pathlib
import re
import sys

RUST = re.compile(r"^test (\S+)(?: - should panic)? \.\.\. (ok|FAILED|ignored)")
PANIC = re.compile(r"thread '([^']+)'.* panicked at (\S+?:\d+)")
GO = re.compile(r"^\s*--- (PASS|FAIL|SKIP): (\S+)")
GO_RUN = re.compile(r"^=== RUN\s+(\S+)")
GO_PLACE = re.compile(r"(\w+_test\.go:\d+)")
ENDED = re.compile(r"^(?:FAIL\t(\S+)|.*process didn't exit successfully: `(\S+)[^`]*` \(signal: .*)")
OWN = re.compile(r"^(PASS|FAIL|SKIP) (\S+)$")
STATES = {"ok": "PASS", "FAILED": "FAIL", "ignored": "SKIP"}


def read_output(text):
    """{test: state} and {test: place}."""
    states, places, running = {}, {}, None
    for line in text.splitlines():
        if match := RUST.match(line):
            states[match[1]] = STATES[match[2]]
        elif match := GO.match(line):
            states[match[2]] = match[1]
        elif match := OWN.match(line):
            states[match[2]] = match[1]
        elif match := GO_RUN.match(line):
            running = match[1]
        if match := PANIC.search(line):
            places.setdefault(match[1], match[2])
        elif running and (match := GO_PLACE.search(line)):
            places.setdefault(running, match[1])
    return states, places


def read_ends(paths):
    """The programs of tests that did not end well though no test of theirs says that it failed."""
    ends = []
    for path in paths:
        text = pathlib.Path(path).read_text(errors="replace")
        fails = "FAIL" in read_output(text)[0].values()
        for match in filter(None, map(ENDED.match, text.splitlines())):
            if match[2] or not fails:
                ends.append(match[1] or match[2])
    return ends


def read_exceptions(path):
    exceptions = {}
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, place, reason = (part.strip() for part in line.split("|", 2))
            exceptions[name] = (place, reason)
    return exceptions


def main():
    exceptions = read_exceptions(pathlib.Path(sys.argv[1]))
    states, places = {}, {}
    for path in sys.argv[2:]:
        more_states, more_places = read_output(pathlib.Path(path).read_text(errors="replace"))
        states.update(more_states)
        places.update(more_places)
    printed = "".join(pathlib.Path(path).read_text(errors="replace") for path in sys.argv[2:])
    programs = {name: exceptions.pop(f"program {name}", ("", "")) for name in read_ends(sys.argv[2:])}
    wrong = [f"{name} ended before its tests did" for name, (place, _) in programs.items() if not place or place not in printed]
    exceptions = {name: why for name, why in exceptions.items() if not name.startswith("program ")}
    for name, state in sorted(states.items()):
        place, reason = exceptions.get(name, ("", ""))
        if state == "FAIL" and not reason:
            wrong.append(f"{name} fails at {places.get(name, 'an unknown place')}")
        elif state == "FAIL" and place and places.get(name) != place:
            wrong.append(f"{name} fails at {places.get(name)}, expected at {place}")
        elif state != "FAIL" and reason:
            wrong.append(f"{name} is listed as an exception and does not fail")
    wrong += [f"{name} is listed as an exception and did not run" for name in exceptions if name not in states]
    for line in wrong:
        print(line)
    counts = [sum(state == wanted for state in states.values()) for wanted in ("PASS", "FAIL", "SKIP")]
    print(f"{counts[0]} tests passed, {counts[1]} failed ({len(exceptions)} exceptions), {counts[2]} skipped themselves")
    sys.exit(bool(wrong) or not states)


if __name__ == "__main__":
    main()
