"""Every function that a file gives to others is called by another. A test.

Of the functions of the engine's folders that are not static: each is named in the code of some other source than its own, or of its
own if a test calls it by itself; else it should be static, or go. The same of inline functions in headers, whose own header counts.
What is there for a reason that this cannot see is listed below, and what is listed must need it.

usage: check_unused.py ROOT
"""

import pathlib
import re
import sys

FOLDERS = "core futures graph scheduler devices collective ops compiler pjrt millrace serve tools".split()
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
FUNCTION = re.compile(r"^(?!static|typedef|return|else|#)[A-Za-z_][\w ]*[ *]\(?\*?\b(\w+)\((?=[^;{}]*\)\s*\{)", re.M)
# A function told of and not written: what is left of a header without these calls what it names.
PROTOTYPE = re.compile(r"^[A-Za-z_][^;{}#=]*\([^;{}#]*\)[^;{}#]*;", re.M)
INLINE = re.compile(r"^static inline [\w ]*[ *](\w+)\((?=[^;{}]*\)\s*\{)", re.M)
# By the beginning of the name: who calls them.
CALLED_BY_NAME = {
    "millrace_": "programs, through millrace/millrace.h and millrace/engine.h",
    "mr_rule_": "ops/ops.def makes the table of rules",
    "mr_factors_": "likewise",
    "mr_local_": "likewise",
    "mr_simplify_": "likewise",
    "mr_decompose_": "likewise",
    "mr_lw_of_": "likewise",
    "mr_root_": "likewise",
    "mr_choose_wants_": "likewise",
    "mr_choose_make_": "likewise",
    "mr_el_": "generated code",
    "mr_pjrt_": "pjrt/abi/api.def makes the table, where the rest of the name is a slot's",
    "__wrap_": "the linker",
    "_gfortran_": "LAPACK, in the archive of OpenBLAS",
    "GetPjrtApi": "hosts",
    "TRITONBACKEND_": "Triton",
    "__assert_fail": "assert of <assert.h>",
    "main": "the system",
}
# Called by tests alone, or not yet, and why it stays.
FOR_TESTS = {
    "mr_alloc_fail_by_thread": "makes allocations fail",
    "mr_alloc_fail_from": "makes allocations fail",
    "mr_alloc_fail_here": "makes allocations fail",
    "mr_alloc_fail_nth": "makes allocations fail",
    "mr_alloc_fail_unseen": "makes allocations fail",
    "mr_alloc_failed": "says whether one did",
    "mr_alloc_failed_last": "says whether one did",
    "mr_alloc_live": "counts what was not given back",
    "mr_alloc_spare_errors": "makes allocations fail",
    "mr_buffer_is_ready_now": "looks at a buffer without waiting",
    "mr_codegen_stats_now": "counts what was compiled and what was found",
    "mr_executable_print": "a plan as text for people in a debugger",
    "mr_faulty_count": "counts what a faulty device was asked for",
    "mr_faulty_set": "says what is to go wrong",
    "mr_op_print": "an op as text for people in a debugger",
    "mr_party_set_kind": "puts another kind of party below programs",
    "mr_plan_create_uniform": "graphs of nodes that are all alike, for the benchmarks",
    "mr_plan_node_count": "likewise",
    "mr_ref_is_unique": "looks at a count",
    "mr_sharding_tiles_print": "a sharding as text for people in a debugger",
    "mr_status_file": "looks into a status",
    "mr_status_line": "looks into a status",
    "mr_storage_copy": "between devices, which no program spans yet",
    "mr_table_destroy": "the engine's one table lives as long as the process",
    "mr_tidy_is_running": "looks at a thread that comes and goes",
}


def code_of(path):
    return TEXT.sub('""', COMMENT.sub(" ", path.read_text(errors="replace")))


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    slots = set(re.findall(r"^(?:VOID_)?SLOT\(\d+, (\w+),", (root / "pjrt/abi/api.def").read_text(), re.M))
    product, tests, given = {}, set(), {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in {".c", ".h", ".def", ".inc", ".S", ".in"}:
                name, code = path.relative_to(root).as_posix(), code_of(path)
                product[name] = PROTOTYPE.sub("", code) if path.suffix == ".h" else code
                if name.startswith("ops/element/"):
                    continue  # a text that OpenCL takes as well, which has no static
                for function in (FUNCTION if path.suffix == ".c" else INLINE).findall(code):
                    given.setdefault(function, name)
    for folder in ("tests", "perf", "examples"):
        for path in (root / folder).rglob("*.[ch]"):
            tests.update(re.findall(r"\w+", code_of(path)))
    words = {name: re.findall(r"\w+", code) for name, code in product.items()}
    sources = {}
    for name, found in words.items():
        for word in set(found):
            sources.setdefault(word, set()).add(name)
    problems = []
    for function, home in sorted(given.items(), key=lambda item: (item[1], item[0])):
        prefix = next((p for p in CALLED_BY_NAME if function.startswith(p)), None)
        if prefix and (prefix != "mr_pjrt_" or function[len(prefix) :] in slots):
            continue
        users = sources.get(function, set()) - {home}
        inside = words[home].count(function) > 1
        if users or (home.endswith(".h") and inside):
            problems += [f"{home}: {function} is listed in FOR_TESTS, and {min(users)} calls it"] if function in FOR_TESTS and users else []
        elif function in FOR_TESTS or (inside and function in tests):
            continue
        elif inside:
            problems.append(f"{home}: {function} is called by its own file alone: static")
        else:
            problems.append(f"{home}: {function} is called by {'tests alone' if function in tests else 'nobody'}")
    problems += [f"FOR_TESTS: there is no {function}" for function in FOR_TESTS if function not in given]
    print("\n".join(problems) or "everything is called")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
