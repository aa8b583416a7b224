"""cmake/glibc: libraries and programs that are made here and run on glibc 2.28; tools/check_wheel.py says whether they do."""

import ctypes
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "cmake" / "glibc"), str(ROOT / "tools")]
import check_wheel
import elf

LIMIT = (2, 28)
# Each of these is in a newer version on a glibc of today: moved, made new, with another way to say errors.
USES = """
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
static void *square(void *x) { *(double *)x *= *(double *)x; return x; }
double square_root_of_size(const char *path) {
  struct stat found;
  if (stat(path, &found) || arc4random() == arc4random()) return -1;
  pthread_t thread;
  double x = pow((double)found.st_size, 0.25);
  return pthread_create(&thread, NULL, square, &x) || pthread_join(thread, NULL) ? -2 : x;
}
"""
PROGRAM = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int constructed;
__attribute__((constructor)) static void construct(void) { constructed++; }
static void *count(void *x) { constructed += 10; return x; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
  pthread_join(thread, NULL);
  setenv("ADDED", "1", 1);
  int variables = 0;
  while (environ[variables]) variables++;
  fprintf(stdout, "%d %d %d\\n", constructed, variables, gettid() == getpid());
}
"""


def run(*command, **options):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def compile_library(folder, text, *options, name="libuses.so"):
    (folder / "uses.c").write_text(text)
    run("gcc", "-D_GNU_SOURCE", "-shared", "-fPIC", "-O1", f"-Wl,-soname,{name}", folder / "uses.c", "-o", folder / name, *options)
    return folder / name


@pytest.fixture(scope="module")
def stubs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("glibc")
    run(sys.executable, ROOT / "cmake" / "glibc" / "old_glibc.py", "--limit", "2.28", "--out", folder / "stubs", "--lib", folder)
    return folder / "stubs"


@pytest.fixture(scope="module")
def added(stubs):
    return stubs.parent / "libmillrace-glibc.so"


@pytest.fixture(scope="module")
def glibc():
    return elf.glibc_symbols(map(elf.Library, elf.glibc_files()))


@pytest.fixture
def lower(glibc, added):
    ours = {symbol.name for symbol in elf.Library(added).symbols if symbol.defined}
    return lambda path: elf.lower(path, glibc, LIMIT, ours)


def newest(path):
    return max(elf.number_of(need.version) or (99,) for need in elf.Library(path).needs)


@pytest.fixture
def lowered(tmp_path, lower, added):
    library = compile_library(tmp_path, USES, "-lm")
    if newest(library) <= (2, 28):
        pytest.skip("this machine's glibc is no newer than 2.28")
    assert lower(library)
    run("patchelf", "--add-needed", added.name, library)
    run("patchelf", "--set-rpath", "$ORIGIN", library)
    (tmp_path / added.name).symlink_to(added)
    return library


def test_a_library_that_is_changed_wants_old_versions_alone_and_computes_what_it_did(lowered, lower):
    assert newest(lowered) <= (2, 28)
    assert not lower(lowered)  # nothing is left to change
    run("readelf", "--wide", "-V", lowered)
    function = ctypes.CDLL(str(lowered)).square_root_of_size
    function.restype = ctypes.c_double
    size = pathlib.Path(__file__).stat().st_size
    assert function(__file__.encode()) == pytest.approx(size**0.5)


def test_the_check_passes_what_is_changed_and_finds_what_is_not(tmp_path, lowered, added):
    assert list(check_wheel.check([lowered, added], LIMIT)) == []
    missing = dict(check_wheel.check([lowered], LIMIT))
    assert set(missing) == {"libuses.so"}
    found = [problem for _, problem in check_wheel.check([lowered], LIMIT)]
    assert "needs libmillrace-glibc.so, which is neither in the wheel nor a part of glibc" in found
    assert "wants arc4random, which nothing that is loaded with it defines" in found
    assert "wants pthread_create, which libc.so.6 has not always had, and does not load libdl.so.2, libpthread.so.0, librt.so.1" in found
    other = compile_library(tmp_path, USES, "-lm", name="libother.so")
    assert any(re.match(r"wants GLIBC_2\.\d+ of libc.so.6, at most GLIBC_2.28 is there", problem)
               for _, problem in check_wheel.check([other], LIMIT))


def test_the_check_finds_a_version_that_a_bundled_library_does_not_define(tmp_path):
    (tmp_path / "map").write_text("OURS_1 { one; };\nOURS_2 { two; };\n")
    base = compile_library(tmp_path, "int one(void) { return 1; }\nint two(void) { return 2; }", f"-Wl,--version-script={tmp_path / 'map'}",
                           name="libbase.so")
    user = compile_library(tmp_path, "int one(void); int two(void); int three(void) { return one() + two(); }", base, name="libuser.so")
    assert list(check_wheel.check([base, user], LIMIT)) == []
    (tmp_path / "map").write_text("OURS_1 { one; };\n")
    compile_library(tmp_path, "int one(void) { return 1; }", f"-Wl,--version-script={tmp_path / 'map'}", name="libbase.so")
    assert list(check_wheel.check([base, user], LIMIT)) == [
        ("libuser.so", "wants OURS_2 of libbase.so, which does not define it"),
        ("libuser.so", "wants two@OURS_2 of libbase.so, which does not define it")]


# A name without a version is given the oldest one, which may mean something else.
@pytest.mark.parametrize("name, call, reason", [
    ("closefrom", "closefrom(3)", "no version"),
    ("timer_delete", "timer_delete((void *)0)", r"\['GLIBC_2.2.5', 'GLIBC_2.3.3'\]")])
def test_a_symbol_that_an_old_glibc_cannot_stand_for_is_refused_by_name(tmp_path, lower, glibc, name, call, reason):
    if glibc.get(name, ["GLIBC_2.2.5"])[-1] != "GLIBC_2.34":
        pytest.skip("this machine's glibc is older than 2.34")
    library = compile_library(tmp_path, f"#include <time.h>\n#include <unistd.h>\nvoid f(void) {{ {call}; }}")
    before = library.read_bytes()
    with pytest.raises(ValueError, match=rf"libuses.so wants {name} of GLIBC_2.34; up to GLIBC_2.28 glibc has it in {reason}"):
        lower(library)
    assert library.read_bytes() == before


def test_packed_relocations_are_refused(tmp_path, lower):
    library = compile_library(tmp_path, "static int x; int *places[] = {&x, &x, &x};", "-Wl,-z,pack-relative-relocs")
    if not elf.Library(library).packed:
        pytest.skip("this linker packs no relocations")
    with pytest.raises(ValueError, match=r"libuses.so has packed relocations \(DT_RELR\), which GLIBC_2.28 does not read"):
        lower(library)
    assert ("libuses.so", "has packed relocations (DT_RELR), which glibc reads since 2.36") in list(check_wheel.check([library], LIMIT))


def test_what_is_no_library_is_refused(tmp_path):
    (tmp_path / "text").write_text("a text")
    with pytest.raises(ValueError, match="text is no ELF file for x86-64"):
        elf.Library(tmp_path / "text")


# Its constructors run, as an old glibc would not have it do, and the array that it counts is the one that setenv() changed.
def test_a_program_that_is_linked_to_the_stubs_starts_and_wants_old_versions_alone(tmp_path, stubs):
    (tmp_path / "program.c").write_text(PROGRAM)
    command = ["gcc", "-D_GNU_SOURCE", "-O1", tmp_path / "program.c", ROOT / "cmake" / "glibc" / "start.c", "-o", tmp_path / "program",
               f"-L{stubs}", "-Wl,--wrap=__libc_start_main", "-Wl,--no-as-needed", "-lpthread", "-ldl", "-lrt"]
    run(*command)
    assert newest(tmp_path / "program") <= (2, 28)
    assert run(tmp_path / "program", env={"A": "1", "B": "2"}) == "11 3 1\n"


def test_what_an_old_glibc_lacks_fails_when_it_is_linked(tmp_path, stubs):
    (tmp_path / "new.c").write_text("#include <unistd.h>\nint main(void) { closefrom(3); }")
    result = subprocess.run(["gcc", "-D_GNU_SOURCE", tmp_path / "new.c", "-o", tmp_path / "new", f"-L{stubs}"], capture_output=True, text=True)
    assert result.returncode != 0 and "undefined reference to `closefrom'" in result.stderr


# On this machine both are there: what was added says what glibc says.
def test_what_is_added_does_what_glibc_does(tmp_path, stubs, added):
    text = """
#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <sys/stat.h>
#include <string.h>
#include <unistd.h>
#define ASK(name) dlsym(library, #name)
int compare(void *library, const char *path) {
  int (*our_stat)(const char *, struct stat *) = ASK(stat), (*our_lstat)(const char *, struct stat *) = ASK(lstat64);
  int (*our_fstat)(int, struct stat *) = ASK(fstat), (*our_find)(void *, struct dl_find_object *) = ASK(_dl_find_object);
  int (*our_fstatat)(int, const char *, struct stat *, int) = ASK(fstatat64);
  struct mallinfo2 (*our_mallinfo)(void) = ASK(mallinfo2);
  struct stat a, b;
  if (stat(path, &a) || our_stat(path, &b) || memcmp(&a, &b, sizeof a)) return 1;
  if (lstat(path, &a) || our_lstat(path, &b) || memcmp(&a, &b, sizeof a)) return 2;
  if (fstatat(-100, path, &a, 0) || our_fstatat(-100, path, &b, 0) || memcmp(&a, &b, sizeof a)) return 3;
  if (fstat(0, &a) || our_fstat(0, &b) || a.st_ino != b.st_ino) return 4;
  if (our_stat("/no such file", &b) != -1) return 5;
  struct dl_find_object one, two;
  void *const places[] = {(void *)compare, (void *)strlen, (void *)our_stat};
  for (int i = 0; i < 3; i++) {
    if (_dl_find_object(places[i], &one) || our_find(places[i], &two) || one.dlfo_eh_frame != two.dlfo_eh_frame ||
        one.dlfo_map_start != two.dlfo_map_start) return 6;
  }
  if (our_find(&one, &two) != -1) return 7;
  return our_mallinfo().arena != mallinfo2().arena ? 8 : 0;
}
"""
    (library,) = [compile_library(tmp_path, text, "-Wno-error", name="libcompare.so")]
    handle = ctypes.CDLL(str(added))._handle
    compare = ctypes.CDLL(str(library)).compare
    compare.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    assert compare(handle, __file__.encode()) == 0
