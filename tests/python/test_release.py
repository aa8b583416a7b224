"""tools/release.py: one version everywhere, and what a final release refuses."""

import importlib.util
import pathlib
import subprocess
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
    (trouble,) = release.troubles(final=False, root=tmp_path)
    assert "versions differ" in trouble and "CHANGELOG.md 99.0.0" in trouble


def test_a_final_release_has_a_date_and_no_changes(tmp_path):
    for name in release.PLACES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text())
    changelog = tmp_path / "CHANGELOG.md"
    newest = release.versions()["CHANGELOG.md"]
    rest = changelog.read_text().split(f"\n## {newest}, ", 1)[1].split("\n", 1)[1]

    def told(date):
        changelog.write_text(f"# Changes\n\n## {newest}, {date}\n{rest}")
        return list(release.troubles(final=True, root=tmp_path))

    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True)
    assert [trouble[:8] for trouble in told("not yet released")] == ["the tree", "CHANGELO"]
    told("2030-01-02")
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "all"], check=True)
    assert told("2030-01-02") == []


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
