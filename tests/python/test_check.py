"""tools/check.py: which tests a change is likely to break, and how many of them fit into a time."""

import importlib.util
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("check", ROOT / "tools" / "check.py")
check = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check)

TESTS = {
    "compiler/execute": "test_compiler_execute",
    "compiler/ir": "test_compiler_ir",
    "futures/future": "test_futures_future",
    "model/strand": "test_model_strand",
}
SOURCES = {
    "test_compiler_execute": ("tests/compiler/test_execute.c", '#include "compiler/compiler.h"\n'),
    "test_compiler_ir": ("tests/compiler/test_ir.c", '#include "compiler/ir/ir.h"\n'),
    "test_futures_future": ("tests/futures/test_future.c", '#include "futures/futures.h"\n'),
    "test_model_strand": ("tests/model/test_strand.c", '#include "compiler/run/strand.c"\n'),
}


@pytest.fixture
def tree(tmp_path, monkeypatch):
    for path, text in SOURCES.values():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.setattr(check, "ROOT", tmp_path)
    monkeypatch.setattr(check, "tests_by_name", lambda: TESTS)
    monkeypatch.setattr(check.os, "cpu_count", lambda: 1)
    costs = {"compiler/execute": 5.0, "compiler/ir": 2.0, "model/strand": 3.0, "futures/future": 1.0}
    monkeypatch.setattr(check, "seconds_of_last_time", lambda: costs)


def test_who_includes_the_folder_comes_first(tree):
    chosen, _, left_out = check.choose(["compiler/run/machine.c"], seconds=100)
    assert chosen == ["model/strand", "compiler/ir", "compiler/execute"]  # the last two are of the same uppermost folder
    assert left_out == 0


def test_short_ones_fill_the_time(tree):
    chosen, _, left_out = check.choose(["compiler/run/machine.c"], seconds=6)
    assert chosen == ["model/strand", "compiler/ir"]
    assert left_out == 1


def test_a_changed_test_runs_whatever_it_takes(tree):
    chosen, _, left_out = check.choose(["tests/compiler/test_execute.c"], seconds=1)
    assert chosen == ["compiler/execute"]
    assert left_out == 0


def test_documents_want_no_test(tree):
    assert check.choose(["docs/slow.md", "README.md"], seconds=100)[0] == []


def test_what_ctest_says(monkeypatch):
    said = [
        'Test project /tree/build/debug',
        '1: Test command: /usr/bin/python3 "/tree/tools/check_layers.py" "/tree"',
        "  Test   #1: tools/layers",
        '2: Test command: /tree/build/debug/tests/test_core_str',
        "  Test   #2: core/str",
        '3: Test command: /tree/build/debug/tests/random_programs "--shard" "--seed" "4000000"',
        "  Test #303: random/shard",
    ]
    monkeypatch.setattr(check, "lines_of", lambda *command: said)
    tests = check.tests_by_name()
    assert tests["core/str"] == "test_core_str"
    assert tests["random/shard"] == "random_programs"


# In a folder where nothing is built yet ctest has no command to tell.
def test_what_ctest_does_not_say(monkeypatch, tmp_path):
    (tmp_path / "tests" / "compiler").mkdir(parents=True)
    (tmp_path / "tests" / "compiler" / "test_weave.c").write_text("")
    said = """
1: Test command: /usr/bin/python3 "tools/check_layers.py"
  Test   #1: tools/check_layers
2: Test command:
  Test   #2: compiler/weave_fenced
3: Test command:
  Test   #3: compiler/unknown
"""
    monkeypatch.setattr(check, "ROOT", tmp_path)
    monkeypatch.setattr(check, "lines_of", lambda *command: said.splitlines())
    tests = check.tests_by_name()
    assert tests["compiler/weave_fenced"] == "test_compiler_weave"
    assert "compiler/unknown" not in tests
