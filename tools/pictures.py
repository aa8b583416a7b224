#!/usr/bin/env python3
"""Pictures of docs/pictures/, drawn from what the checks of the source hold.

    tools/pictures.py          draw them
    tools/pictures.py --check  exit with 1 when one is not what would be drawn (a test)

layers.svg: the folders, each above those that it may include (tools/check_layers.py), with its rooms, and what docs/architecture.md says is in it.
"""
import html
import pathlib
import re
import sys

import check_layers

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "pictures"
WIDTH, LEFT, HEIGHT, GAP, ROOM = 980, 130, 44, 8, 26
ROW = re.compile(r"^\| `(\w+)/` \| ([^|]+) \|$", re.M)


def text(x, y, words, **more):
    style = " ".join(f'{key.replace("_", "-")}="{value}"' for key, value in more.items())
    return f'<text x="{x}" y="{y}" {style}>{html.escape(words)}</text>'


def box(x, y, width, height, fill):
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" fill="{fill}" stroke="#667"/>'


def put_rooms(out, y, rooms):
    """From left to right, each including itself and those before it; of those that do not know one another, one below the other."""
    most = max(len(entry) if isinstance(entry, list) else 1 for entry in rooms)
    width = (WIDTH - LEFT - 2 * GAP) / len(rooms)
    for column, entry in enumerate(rooms):
        for row, name in enumerate(entry if isinstance(entry, list) else [entry]):
            x, top = LEFT + GAP + column * width, y + HEIGHT + row * ROOM
            out += [box(f"{x:.0f}", top, f"{width - GAP:.0f}", ROOM - 5, "#ffffff"),
                    text(f"{x + (width - GAP) / 2:.0f}", top + 15, name, text_anchor="middle", font_size="12")]
    return most * ROOM + 4


def layers():
    says = dict(ROW.findall((ROOT / "docs" / "architecture.md").read_text()))
    stack = [["pjrt"], ["millrace"]] + [[name] for name in reversed(check_layers.LAYERS) if name != "pjrt"]
    out, y = [], GAP
    for (name,) in stack:
        rooms = check_layers.ROOMS.get(name)
        at, inside = len(out), []
        extra = put_rooms(inside, y, rooms) if rooms else 0
        out.insert(at, box(GAP, y, WIDTH - 2 * GAP, HEIGHT + extra - 4, "#e8eef6" if rooms else "#f4f6f9"))
        out += [text(2 * GAP, y + 25, name, font_weight="bold", font_size="15"),
                text(LEFT + GAP, y + 25, says[name].replace("`", ""), font_size="12")] + inside
        y += HEIGHT + extra + 4
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + GAP}" font-family="sans-serif">'
    note = "A folder includes itself and what is below it; pjrt and millrace do not know one another. In a folder a room includes those at its left."
    return "\n".join([head, f"<title>{note}</title>", f'<rect width="{WIDTH}" height="{y + GAP}" fill="#ffffff"/>', *out, "</svg>", ""])


PICTURES = {"layers.svg": layers}


def main():
    wrong = []
    for name, draw in PICTURES.items():
        path, drawn = FOLDER / name, draw()
        if "--check" not in sys.argv:
            path.write_text(drawn)
        elif not path.exists() or path.read_text() != drawn:
            wrong.append(f"docs/pictures/{name} differs: run tools/pictures.py")
    print("\n".join(wrong) or f"{len(PICTURES)} pictures are up to date")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
