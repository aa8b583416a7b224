"""Sizes that programs and hosts name are added and multiplied with core/size.h. A test.

In the folders below, what is called bytes or offset stands in no bare sum or product, and what is called size is not added up. A size
that came round to a small one would be a small block, written past its end. Sums with an address, of doubles, and those that are listed
are let be; what is listed must be there.

usage: check_sums.py ROOT
"""

import pathlib
import re
import sys

FOLDERS = ("collective compiler/plan compiler/run compiler/weave devices millrace pjrt/calls pjrt/cross_host pjrt/ext pjrt/ffi "
           "pjrt/layout pjrt/objects").split()
# By file and code: why it cannot come round.
BOUNDED = {
    "collective/call.c": {": m->receivers * bytes": "doubles"},
    "collective/letters.c": {"at += mr_collective_bytes(call, i)": "an address in a letter that was allocated"},
    "collective/move.c": {"begin += bytes": "along an operand that is there"},
    "collective/reduce.c": {"at += n, bytes -= n": "likewise"},
    "compiler/run/admit.c": {"s->donated_bytes += (int64_t)storage->size": "blocks that were allocated"},
    "devices/admission.c": {"memory_order_seq_cst) + bytes": "likewise"},
    "compiler/run/submit.c": {"buffer->offset + (size_t)PLAN_ROW_BYTES *": "inside the plan's constants"},
    "devices/copy.c": {"(size_t)row.size * bytes": "a row of an array that is there"},
    "devices/fenced/device.c": {"->begin + region->offset": "an address in a block"},
    "devices/figures.c": {"table[i].offset": "an address", "f->offset": "an address"},
    "devices/host/account.c": {"bytes_in_use, bytes": "blocks that were allocated"},
    "devices/opencl/enqueue.c": {"work->to.offset + head": "inside a block", "middle.offset + whole": "likewise"},
    "devices/opencl/memory.c": {"device->kept_bytes += block->bytes": "blocks that were allocated",
                                "device->held, bytes": "at most 2^46 each, and blocks that were allocated"},
    "pjrt/ffi/ffi_attrs.c": {"attr->ints.size * bytes": "numbers that were read", "count * bytes": "likewise"},
    "pjrt/ffi/ffi_ports.c": {"(char *)scratch + port->scratch_offset": "an address"},
    "pjrt/layout/placing.c": {"8 * places->element_bytes": "16 at most"},
}
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
# A name with what leads to it, and what it is called or indexed with.
BEFORE = r"(?:\w+(?:\[\w+\])?(?:->|\.))*"
BEHIND = r"(?:\([^()]*\)|\[[^\[\]]*\])*"
ADDED_UP = re.compile(rf"\b{BEFORE}\w*(?:bytes|offset|size){BEHIND} [+*]= [^;]+|[+*]= [^;]*(?:bytes|offset)\b")
LEFT = re.compile(rf"\b{BEFORE}\w*(?:bytes|offset){BEHIND} [+*] [^;]+")
RIGHT = re.compile(rf"[\w)\]] [+*] (?:\w+\()*{BEFORE}\w*(?:bytes|offset)\b[^;]*")
# An address with an offset, or arithmetic of doubles.
OTHER = re.compile(r"\b(?:data|constants|base|buffers)\b(?:\[\w+\])? \+ |\(double\)|sizeof")


def sums(text):
    """Code that adds or multiplies sizes, by line number."""
    code = TEXT.sub('""', COMMENT.sub("", text))
    for number, line in enumerate(code.split("\n"), 1):
        if re.match(r"\s*(?:#|static |const |extern |typedef |mr_status |void |bool )", line):
            line = line.split("=", 1)[1] if "=" in line else ""
        found = ADDED_UP.search(line) or LEFT.search(line) or RIGHT.search(line)
        if found and not OTHER.search(line):
            yield number, line.strip()


def main():
    root = pathlib.Path(sys.argv[1])
    wrong, used = [], set()
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]")):
            name = str(path.relative_to(root))
            for number, line in sums(path.read_text()):
                listed = [code for code in BOUNDED.get(name, {}) if code in line]
                used.update((name, code) for code in listed)
                if not listed:
                    wrong.append(f"{name}:{number}: {line}")
    wrong += [f"{name}: '{code}' is listed and not there" for name, codes in BOUNDED.items() for code in codes
              if (name, code) not in used]
    print("\n".join(wrong) or "no bare sum of sizes")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
