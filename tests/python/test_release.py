"""tools/release.py: one version everywhere, and what a final release refuses."""

import importlib.util
import pathlib
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("release", ROOT / "tools" / "release.py")
release = importlib.util.module_from_spec(spec)
spec.loader.exec_module(release)


def test_one_version_everywhere():
    found = release.versions()
    assert set(found) == set(release.PLACES) and None not in found.values()
    assert len(set(found.values())) == 1, found


def test_another_version_is_found(tmp_path):
    for name in release.PLACES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text())
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text(changelog.read_text().replace("\n## ", "\n## 99.0.0, 2030-01-02\n\n## ", 2))
    found = release.versions(tmp_path)
    assert found["CHANGELOG.md"] == "99.0.0" and found["CMakeLists.txt"] == release.versions()["CMakeLists.txt"]
    assert release.dated(changelog.read_text()) == "2030-01-02"


def test_archives_are_the_same_for_the_same_content(tmp_path):
    packed = []
    for turn in range(2):
        folder = tmp_path / f"{turn}" / "lib"
        folder.mkdir(parents=True)
        (folder / "b").write_text("b")
        (folder / "a").symlink_to("b")
        release.pack(folder.parent, "name", tmp_path / f"{turn}.tar.xz")
        packed.append((tmp_path / f"{turn}.tar.xz").read_bytes())
    assert packed[0] == packed[1]
    with tarfile.open(tmp_path / "0.tar.xz") as archive:
        assert archive.getnames() == ["name", "name/lib", "name/lib/a", "name/lib/b"]
