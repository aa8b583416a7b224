"""What an x86-64 ELF library wants of other libraries, symbol by symbol, and a change of what it wants of glibc.

    library = Library(path)
    library.needed, library.soname, library.symbols
    lower(path, glibc_symbols(map(Library, glibc_files())), limit=(2, 28), ours={"arc4random"})

Other architectures and byte orders, and files whose sections were stripped away, are refused."""

import collections
import pathlib
import re
import struct
import subprocess

SHT_DYNAMIC, SHT_DYNSYM, SHT_VERDEF, SHT_VERNEED, SHT_VERSYM = 6, 11, 0x6FFFFFFD, 0x6FFFFFFE, 0x6FFFFFFF
DT_NULL, DT_NEEDED, DT_SONAME, DT_RELR = 0, 1, 14, 36
LOCAL, WEAK, SHN_ABS, HIDDEN_VERSION, UNVERSIONED = 0, 2, 0xFFF1, 0x8000, 1
KINDS = {0: "none", 1: "object", 2: "function", 6: "tls", 10: "function"}  # 10: chosen when it is loaded
RELR_SINCE = (2, 36)
OLDEST = "GLIBC_2.2.5"  # each of glibc's libraries for x86-64 has it
GLIBC_VERSION = re.compile(r"GLIBC_(\d+)\.(\d+)(?:\.(\d+))?")
GLIBC_LIBRARY = re.compile(r"(ld-linux-x86-64|lib(c|m|mvec|dl|rt|pthread|resolv|util))\.so\.\d+")

# version: of an undefined symbol the one that is wanted, of which library; of a defined one its own; None: without one.
Symbol = collections.namedtuple("Symbol", "index name defined weak kind value size version library")
Need = collections.namedtuple("Need", "library version index entry")  # entry: where it is in the file


class Library:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.data = bytearray(self.path.read_bytes())
        if self.data[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<H", self.data, 18) != (62,):
            raise ValueError(f"{path} is no ELF file for x86-64")
        self._read_sections()
        if SHT_DYNAMIC not in self.sections or SHT_DYNSYM not in self.sections:
            raise ValueError(f"{path} has no dynamic section or no symbols in its section table")
        self._read_dynamic()
        self.needs = list(self._read_needs())
        self.versions = dict(self._read_definitions())  # number -> name, of those that it defines
        self.symbols = list(self._read_symbols())

    def _read_sections(self):
        (table,) = struct.unpack_from("<Q", self.data, 40)
        size, count = struct.unpack_from("<HH", self.data, 58)
        headers = [struct.unpack_from("<IIQQQQIIQQ", self.data, table + i * size) for i in range(count)]
        # Kind -> (where in the file, bytes, where the strings are, the header's number of entries).
        self.sections = {h[1]: (h[4], h[5], headers[h[6]][4], h[7]) for h in headers if h[1] >= SHT_DYNSYM or h[1] == SHT_DYNAMIC}

    def text(self, strings, offset):
        begin = strings + offset
        return self.data[begin:self.data.index(0, begin)].decode()

    def _read_dynamic(self):
        start, size, strings, _ = self.sections[SHT_DYNAMIC]
        self.needed, self.soname, self.packed = [], None, False  # packed: its relative relocations are
        for tag, value in struct.iter_unpack("<QQ", self.data[start:start + size]):
            if tag == DT_NULL:
                break
            if tag == DT_NEEDED:
                self.needed.append(self.text(strings, value))
            elif tag == DT_SONAME:
                self.soname = self.text(strings, value)
            elif tag == DT_RELR:
                self.packed = True

    def _read_needs(self):
        at, _, strings, count = self.sections.get(SHT_VERNEED, (0, 0, 0, 0))
        for _ in range(count):
            _, entries, library, first, following = struct.unpack_from("<HHIII", self.data, at)
            entry = at + first
            for _ in range(entries):
                _, _, index, name, step = struct.unpack_from("<IHHII", self.data, entry)
                yield Need(self.text(strings, library), self.text(strings, name), index, entry)
                entry += step
            at += following

    def _read_definitions(self):
        at, _, strings, count = self.sections.get(SHT_VERDEF, (0, 0, 0, 0))
        for _ in range(count):
            _, base, index, _, _, first, following = struct.unpack_from("<HHHHIII", self.data, at)
            (name,) = struct.unpack_from("<I", self.data, at + first)
            if not base & 1:  # that one is the library's own name
                yield index, self.text(strings, name)
            at += following

    def _read_symbols(self):
        start, size, strings, _ = self.sections[SHT_DYNSYM]
        versyms = self.sections.get(SHT_VERSYM)
        wanted = {need.index: need for need in self.needs}
        for index in range(1, size // 24):
            name, info, _, section, value, length = struct.unpack_from("<IBBHQQ", self.data, start + index * 24)
            if info >> 4 == LOCAL or section == SHN_ABS:  # the latter are the names of versions
                continue
            number = 0
            if versyms:
                number = struct.unpack_from("<H", self.data, versyms[0] + 2 * index)[0] & ~HIDDEN_VERSION
            need = wanted.get(number) if section == 0 else None
            version = need.version if need else self.versions.get(number) if section else None
            yield Symbol(index, self.text(strings, name), section != 0, info >> 4 == WEAK, KINDS.get(info & 15, "none"), value,
                         length, version, need and need.library)


def number_of(version):
    """(2, 2, 5) of GLIBC_2.2.5, None of what is no number of glibc's."""
    found = GLIBC_VERSION.fullmatch(version or "")
    return found and tuple(int(part) for part in found.groups() if part)


def allowed(version, limit):
    number = number_of(version)
    return number is not None and number[:2] <= limit


def glibc_files(compiler="gcc"):
    """This machine's glibc, as the compiler links it: all libraries that others are linked to."""
    for name in ("ld-linux-x86-64.so.2", "libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1"):
        command = [compiler, f"-print-file-name={name}"]
        path = pathlib.Path(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())
        if not path.is_absolute():
            raise FileNotFoundError(f"{compiler} finds no {name}, which is a part of glibc")
        yield path


def glibc_symbols(libraries):
    """name -> versions that a glibc defines it in, oldest first."""
    found = collections.defaultdict(set)
    for library in libraries:
        for symbol in library.symbols:
            if symbol.defined and number_of(symbol.version):
                found[symbol.name].add(symbol.version)
    return {name: sorted(versions, key=number_of) for name, versions in found.items()}


def is_plain(versions, limit):
    """Whether a symbol that glibc has in these versions may be wanted in none. Of such a name ld.so takes the version that is as
    old as the library, or else the one that new programs are linked to. That is the newest up to the limit on the
    oldest glibc, and on a newer one what it was linked to or the same."""
    old = [version for version in versions if allowed(version, limit)]
    return len(old) == 1 or bool(old) and OLDEST not in old


def lower(path, glibc, limit, ours):
    """Changes a library that wants symbols of a newer glibc than the limit so that it wants them in no version: then those
    of an older glibc are found too, or ours. glibc: as of glibc_symbols(). ours: names that a library of ours defines, which
    the caller adds to what this one needs. True: something was changed."""
    library = Library(path)
    above = [need for need in library.needs if GLIBC_LIBRARY.fullmatch(need.library) and not allowed(need.version, limit)]
    top = "GLIBC_{}.{}".format(*limit)
    if library.packed and limit < RELR_SINCE:
        raise ValueError(f"{path} has packed relocations (DT_RELR), which {top} does not read; -z nopack-relative-relocs was wanted")
    for need in above:
        if number_of(need.version) is None:
            raise ValueError(f"{path} wants {need.version} of {need.library}, and at most {top} was wanted")
    start = library.sections.get(SHT_VERSYM, (0,))[0]
    gone = {need.index for need in above}
    for symbol in library.symbols:
        if symbol.defined or symbol.version is None or not GLIBC_LIBRARY.fullmatch(symbol.library) or allowed(symbol.version, limit):
            continue
        old = [version for version in glibc.get(symbol.name, []) if allowed(version, limit)]
        if not (is_plain(old, limit) if old else symbol.name in ours or symbol.weak):
            raise ValueError(f"{path} wants {symbol.name} of {symbol.version}; up to {top} glibc has it in {old or 'no version'}, "
                             f"wanted: in one, or that a library of ours defines it")
        struct.pack_into("<H", library.data, start + 2 * symbol.index, UNVERSIONED)
    _drop_needs(library, gone)
    if above:
        library.path.write_bytes(library.data)
    return bool(above)


def _drop_needs(library, gone):
    """Takes the version needs with these numbers out of the lists that each library has."""
    data = library.data
    oldest = next((need.entry for need in library.needs if need.version == OLDEST), None)
    at, _, _, count = library.sections.get(SHT_VERNEED, (0, 0, 0, 0))
    for _ in range(count):
        _, entries, _, first, following = struct.unpack_from("<HHIII", data, at)
        places, entry = [], at + first
        for _ in range(entries):
            places.append(entry)
            entry += struct.unpack_from("<I", data, entry + 12)[0]
        kept = [place for place in places if struct.unpack_from("<H", data, place + 6)[0] not in gone]
        if not kept:
            # No list may be empty: it wants what every glibc has, under a number that no symbol has any more.
            if oldest is None:
                raise ValueError(f"{library.path} wants no {OLDEST} of any library, so its needs cannot be changed into that")
            kept = places[:1]
            data[kept[0]:kept[0] + 4] = data[oldest:oldest + 4]  # the hash
            data[kept[0] + 8:kept[0] + 12] = data[oldest + 8:oldest + 12]  # and the name
        struct.pack_into("<H", data, at + 2, len(kept))
        struct.pack_into("<I", data, at + 8, kept[0] - at)
        for place, after in zip(kept, [*kept[1:], None]):
            struct.pack_into("<I", data, place + 12, after - place if after else 0)
        at += following
