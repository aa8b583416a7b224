"""What `./dev matrix` tries with each version of JAX, with the one that is here."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("MILLRACE_LIBRARY", ROOT / "build/release/lib/libpjrt_millrace.so")).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))
import matrix  # noqa: E402


@pytest.fixture(scope="module")
def answers():
    theirs, their_end = matrix.run(sys.executable, "", str(BUILD), "cpu")
    ours, our_end = matrix.run(sys.executable, "", str(BUILD), "millrace")
    assert not their_end and not our_end
    return ours, theirs


@pytest.mark.sampled
def test_every_feature_is_as_on_xla_cpu(answers):
    ours, theirs = answers
    features = matrix.answered(theirs)
    assert len(features) == len({key.split("/")[0] for key in theirs}) >= 21
    assert {f: told for f in features if (told := matrix.verdict(ours, theirs, f))} == {}


def test_a_difference_is_told():
    import numpy as np

    theirs = {"a/0": np.ones(3), "b/0": np.ones(3), "c/0": np.ones(3), "d/error": np.array("not there")}
    ours = {"a/0": np.ones(3), "b/0": np.ones(3) * 1.001, "c/error": np.array("Crash: x")}
    assert matrix.answered(theirs) == ["a", "b", "c"]
    told = {feature: matrix.verdict(ours, theirs, feature) for feature in "abc"}
    assert told["a"] == "" and "differs by 0.001" in told["b"] and told["c"] == "Crash: x"


def test_what_is_listed_must_differ_and_a_crash_is_never_explained(monkeypatch):
    callbacks = ("pure callback", "io callback and debug")
    monkeypatch.setattr(matrix, "EXPECTED", [((0, 5, 3), callbacks, "of an older kind"), ((0, 4, 35), None, "whatever is compiled")])
    features = [*callbacks, "eager"]
    both = {"pure callback": "x", "io callback and debug": "x"}
    assert matrix.unexpected("0.5.3", features, both) == []
    assert matrix.unexpected("0.5.3", features, {"pure callback": "x"}) == ["io callback and debug: listed, and as XLA:CPU"]
    assert matrix.unexpected("0.6.0", features, both) == list(callbacks)
    assert matrix.unexpected("0.4.35", features, {**both, matrix.PROCESS: "ended"}) == [matrix.PROCESS]
    assert matrix.explained("0.4.35", "eager") == "whatever is compiled"
