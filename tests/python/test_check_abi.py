"""tools/check_abi.py finds what would break a program that was compiled against an earlier header, and lets through what would not."""

import importlib.util
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("check_abi", ROOT / "tools" / "check_abi.py")
check_abi = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_abi)

OLD = {
    ("struct", "options"): "16 struct_size@0:8 count@8:4",
    ("struct", "pair"): "16 a@0:8 b@8:8",
    ("constant", "ONE"): "1",
    ("function", "f"): "int f(int x)",
}


@pytest.mark.parametrize(
    "change, told",
    [
        ({}, []),
        ({("constant", "ONE"): "2"}, ["constant ONE was 1, is 2"]),
        ({("function", "f"): "int f(long x)"}, ["function f was int f(int x), is int f(long x)"]),
        ({("function", "f"): None}, ["function f is gone"]),
        ({("function", "g"): "void g(void)"}, ["function g is new"]),
        ({("struct", "options"): "24 struct_size@0:8 count@8:4 more@16:8"}, ["struct options has grown"]),
        ({("struct", "options"): "16 struct_size@0:8 count@8:4 more@12:4"}, ["more@12:4 is inside the 16 bytes"]),
        ({("struct", "options"): "16 struct_size@0:8 count@12:4"}, ["count@8:4 is not there any more"]),
        ({("struct", "pair"): "24 a@0:8 b@8:8 c@16:8"}, ["does not begin with struct_size"]),
    ],
)
def test_changes(change, told):
    now = {key: value for key, value in {**OLD, **change}.items() if value}
    found = list(check_abi.complaints(OLD, now))
    assert len(found) == len(told), found
    for complaint, words in zip(found, told):
        assert words in complaint


def test_headers_are_read():
    functions, structs, constants = check_abi.read_headers(ROOT)
    assert {"millrace_execute_with", "millrace_graph_run", "millrace_event_on_done"} <= functions.keys()
    assert "options" in structs["millrace_call"] and "elsewhere" in structs["millrace_execute_options"]
    assert "run" in structs["millrace_work"]  # a pointer to a function
    assert {"MILLRACE_OK", "MILLRACE_NO_WORKERS", "MILLRACE_WHEN_FULL_FAIL"} <= set(constants)
