"""tools/check_words.py: which words need a table of their states, and where it is looked for."""

import importlib.util
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("check_words", ROOT / "tools" / "check_words.py")
check_words = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_words)

HEADER = """
struct thing {
  _Alignas(64) _Atomic(uint32_t) state;
  _Atomic(uint64_t) hits, misses;
  _Atomic(struct thing *) places[4];
};
extern _Atomic(bool) mr_thing_is_on;
"""
SOURCE = """
_Atomic(bool) mr_thing_is_on;
static _Atomic(uint32_t) state;
void mr_thing_count(thing *t) {
  atomic_fetch_add_explicit(&t->hits, 1, memory_order_relaxed);
  atomic_store_explicit(&state, 1, memory_order_relaxed);
}
"""
TABLE = """
// States of {}:
//
//   0 --> 1
//
//   who     operation      order, and with what it pairs  at once
//   setter  swap, 0 -> 1   release                        everybody
"""


@pytest.fixture
def look(tmp_path, monkeypatch):
    def look_at(**files):
        for name, text in files.items():
            (tmp_path / "core").mkdir(exist_ok=True)
            (tmp_path / "core" / (name[:-2] + "." + name[-1])).write_text(text)
        return check_words.look(tmp_path)

    monkeypatch.setattr(check_words, "PLAIN", {})
    monkeypatch.setattr(check_words, "POINTERS", {})
    return look_at


def changes(*expressions):
    return SOURCE + "void mr_thing_change(thing *t) {" + "".join(f"atomic_exchange_explicit({one}, 1, 0);\n" for one in expressions) + "}\n"


def test_counts_and_flags_need_none(look):
    assert look(thing_h=HEADER, thing_c=SOURCE) == ([], 0, 0)


def test_what_is_exchanged_needs_one(look):
    problems, _, _ = look(thing_h=HEADER, other_c=changes("&t->state", "&t->places[t->hits]").replace("static _Atomic(uint32_t) state;", ""))
    assert [problem.split(" is changed")[0] for problem in problems] == ["core/thing.h: thing.state", "core/thing.h: thing.places"]


def test_a_variable_of_the_file_comes_first(look):
    problems, _, _ = look(thing_h=HEADER, thing_c=changes("&state"))
    assert [problem.split(" is changed")[0] for problem in problems] == ["core/thing.c: state"]


def test_a_variable_of_another_file(look):
    problems, _, _ = look(thing_h=HEADER, thing_c=SOURCE, other_c="void f(void) { atomic_exchange_explicit(&mr_thing_is_on, true, 0); }")
    assert [problem.split(" is changed")[0] for problem in problems] == ["core/thing.c: mr_thing_is_on"]


def test_the_table_is_beside_the_word(look):
    header, source = HEADER + TABLE.format("thing.state, thing.places, of all"), changes("&t->places[0]")
    assert look(thing_h=header, thing_c=source) == ([], 1, 0)
    assert look(thing_h=HEADER, thing_c=source + TABLE.format("thing.places")) == ([], 1, 0)
    assert len(look(thing_h=HEADER, thing_c=changes("&state"), other_c=TABLE.format("state"))[0]) == 1  # another's


def test_a_heading_alone_is_none(look):
    assert len(look(thing_h=HEADER + "// States of thing.places: all of them\n", thing_c=changes("&t->places[0]"))[0]) == 1


def test_a_table_of_what_is_not_there(look):
    assert look(thing_h=HEADER + TABLE.format("thing.status"), thing_c=SOURCE)[0] == [
        "core/thing.h: there is a table of thing.status's states, and no such word"]


def test_pointers(look, monkeypatch):
    source = SOURCE + "void f(thing *t, _Atomic(uint32_t) *one) { _Atomic(struct thing *) *slot = &t->places[1]; {} }\n"
    assert "thing.places is changed" in look(thing_h=HEADER, thing_c=source.replace("{}", "atomic_exchange_explicit(slot, NULL, 0);"))[0][0]
    unknown = source.replace("{}", "atomic_exchange_explicit(one, 1, 0);")
    assert "nothing atomic is called one" in look(thing_h=HEADER, thing_c=unknown)[0][0]
    monkeypatch.setattr(check_words, "POINTERS", {"core/thing.c: one": ["hits"]})
    assert "thing.hits is changed" in look(thing_h=HEADER, thing_c=unknown)[0][0]


def test_what_is_listed_must_need_it(look, monkeypatch):
    monkeypatch.setattr(check_words, "PLAIN", {"core/thing.h: thing.places": "a test's"})
    assert look(thing_h=HEADER, thing_c=changes("&t->places[0]")) == ([], 0, 1)
    assert "is none that needs one" in look(thing_h=HEADER, thing_c=SOURCE)[0][0]
