"""docs/models.md: each row of its tables names tests that are there, or says why it is impossible, and each test of tests/models has a row."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "models.md"
TESTS = ROOT / "tests" / "models"
NAMED = re.compile(r"`(tests/models/test_\w+\.py): ([\w, ]+)`")


def rows(page):
    """The cells of each row of the tables whose last column is how a row was tried."""
    found, inside = [], False
    for line in page.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not cells:
            inside = False
        elif cells[-1] == "tried":
            inside = True
        elif inside and not set(cells[0]) <= set("- "):
            found.append(cells)
    return found


def problem(tried):
    """What is wrong with a row's last cell, or None."""
    if tried.startswith("impossible: "):
        return None if len(tried.split()) > 4 else "no reason is given"
    named = NAMED.findall(tried)
    if not named:
        return "neither tests nor a reason"
    for path, names in named:
        if not (ROOT / path).is_file():
            return f"there is no {path}"
        defined = re.findall(r"(?m)^def (test_\w+)\(", (ROOT / path).read_text())
        for name in names.split(", "):
            if name not in defined:
                return f"{path} has no {name}"
    return None


ROWS = rows(PAGE.read_text())


def test_the_page_has_rows():
    assert len(ROWS) >= 25 and all(row[0] for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: re.sub(r"\W+", " ", row[0])[:40])
def test_a_row_was_tried(row):
    assert problem(row[-1]) is None


def test_a_test_has_a_row():
    named = {(path, name) for row in ROWS for path, names in NAMED.findall(row[-1]) for name in names.split(", ")}
    there = {(f"tests/models/{file.name}", name) for file in TESTS.glob("test_*.py")
             for name in re.findall(r"(?m)^def (test_\w+)\(", file.read_text())}
    assert there == named


def test_a_file_of_tests_has_an_environment():
    (names,) = re.findall(r"(?m)^  for name in (jax .*); do$", (ROOT / "dev").read_text())
    for file in TESTS.glob("test_*.py"):
        assert len([name for name in names.split() if file.name.startswith(f"test_{name}_")]) == 1, file.name


@pytest.mark.parametrize("tried, wrong", [
    ("", "neither tests nor a reason"),
    ("impossible: so", "no reason is given"),
    ("`tests/models/test_nothing.py: test_a`", "there is no"),
    ("`tests/models/test_jax_plain.py: test_text, test_nothing`", "has no test_nothing"),
])
def test_a_wrong_row_is_found(tried, wrong):
    assert wrong in problem(tried)


def test_versions_are_those_of_the_tests():
    """A package that the page names with a version is pinned at it."""
    pins = {}
    for file in [*TESTS.glob("requirements-*.txt"), ROOT / "tests/pytorch/requirements.txt"]:
        for package, version in re.findall(r"(?m)^([\w-]+)==(\S+)$", file.read_text()):
            pins.setdefault(package.lower().replace("_", "-"), set()).add(version)
    named = re.findall(r"([A-Za-z][\w-]*) (\d+\.\d+(?:\.\d+)?)\b", "\n".join(" ".join(row[:-1]) for row in ROWS))
    assert named
    for package, version in named:
        package = {"PyTorch": "torch"}.get(package, package).lower().replace("_", "-")
        assert any(f"{pin}.".startswith(f"{version}.") for pin in pins[package]), f"{package} {version}"
