"""tools/isa.py on made-up tests: what an instruction too many is, and what is skipped is counted with its reason."""

import importlib.util
import pathlib
import shutil
import subprocess
import xml.etree.ElementTree as tree

import pytest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "isa.py"
spec = importlib.util.spec_from_file_location("isa", TOOL)
isa = importlib.util.module_from_spec(spec)
spec.loader.exec_module(isa)

PROGRAMS = {
    "plain": "int main(void) { return 0; }",
    "wrong": "int main(void) { return 3; }",
    "avx2": 'int main(void) { __asm__ volatile("vpaddd %%ymm0, %%ymm0, %%ymm0" ::: "xmm0"); return 0; }',
    "avx512": 'int main(void) { __asm__ volatile("vpaddd %%zmm0, %%zmm0, %%zmm0" ::: "xmm0"); return 0; }',
}


def made(folder, name):
    source = folder / f"{name}.c"
    source.write_text(PROGRAMS[name])
    subprocess.run(["cc", source, "-o", folder / name], check=True)
    return {"name": f"ops/{name}", "command": [str(folder / name)], "properties": []}


@pytest.mark.skipif(shutil.which("qemu-x86_64") is None, reason="there is no qemu-x86_64 (package qemu-user)")
def test_an_instruction_too_many_fails(tmp_path):
    tests = [made(tmp_path, name) for name in PROGRAMS]
    for level, wanted in {"v2": ["plain"], "v3": ["plain", "avx2"]}.items():
        found = {test.name[4:]: test for test in isa.each_c_test(level, tests, ".", 2)}
        assert [name for name in PROGRAMS if found[name].outcome == "passed"] == wanted
        for name in PROGRAMS:
            ends = name.startswith("avx") and name not in wanted
            assert ("SIGILL" in found[name].text) == ends, found[name].text


def test_results_are_ctests(tmp_path):
    """What a test of ctest may say beside its exit status."""
    assert isa.outcome_of({}, 0, "") == "passed" and isa.outcome_of({}, 1, "") == "failed"
    assert isa.outcome_of({"WILL_FAIL": True}, 1, "") == "passed"
    assert isa.outcome_of({"PASS_REGULAR_EXPRESSION": ["two.*three"]}, 1, "one two\nthree") == "passed"
    assert isa.outcome_of({"PASS_REGULAR_EXPRESSION": ["two"]}, 0, "one") == "failed"
    assert isa.outcome_of({"SKIP_REGULAR_EXPRESSION": ["no OpenCL"]}, 0, "no OpenCL device") == "skipped"


def test_what_is_left_out_is_counted(tmp_path):
    tests = [{"name": name, "command": ["true"]} for name in ("model/units", "pjrt/alloc_fenced", "ops/none")]
    found = list(isa.each_c_test("v4", tests, "^(model|pjrt)/", 1))
    assert [(test.name, test.outcome) for test in found] == [("model/units", "skipped"), ("pjrt/alloc_fenced", "skipped")]
    assert "0 passed, 0 failed, 2 skipped" in isa.summary("v4", found)
    assert "nothing to do with the processor: 1 (model/units)" in isa.summary("v4", found)
    isa.write_results(tmp_path / "results.xml", found)
    cases = list(tree.parse(tmp_path / "results.xml").getroot().iter("testcase"))
    assert [case.find("skipped") is not None for case in cases] == [True, True]


def test_a_level_that_cannot_be_run_says_why(monkeypatch):
    monkeypatch.setattr(isa, "machine_flags", lambda: {"avx2", "avx512f", "avx512vl"})
    assert "lacks avx512bw, avx512cd, avx512dq" in isa.missing("v4")
    monkeypatch.setattr(isa, "machine_flags", lambda: isa.V4_FLAGS)
    assert isa.missing("v4") == ""
    monkeypatch.setattr(isa.shutil, "which", lambda name: None)
    assert "qemu-user" in isa.missing("v2")
