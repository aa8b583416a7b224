"""Processes that end with work queued: a part of what `./dev endings` runs (tools/endings.py says how each is judged).

Every kind of work ends with its script, and every way to end is gone with products queued, some with callbacks.
"""

import concurrent.futures
import importlib.util
import os
import pathlib

import pytest

PATH = pathlib.Path(__file__).parents[2] / "tools" / "endings.py"
spec = importlib.util.spec_from_file_location("endings", PATH)
endings = importlib.util.module_from_spec(spec)
spec.loader.exec_module(endings)

CALLS = 100


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    library = endings.handlers(tmp_path_factory.mktemp("endings"))
    return {"ENDINGS_HANDLERS": str(library)} if library else {}


def wrong(cases, environment):
    """What is wrong, by case. As many children at once as there are processors."""
    with concurrent.futures.ThreadPoolExecutor(min(8, len(os.sched_getaffinity(0)))) as pool:
        tasks = {case: pool.submit(endings.run, *case, environment) for case in cases}
        return {case: task.result() for case, task in tasks.items() if task.result()}


@pytest.mark.sampled
def test_kinds_of_work(environment):
    kinds = [kind for kind in endings.KINDS if not endings.missing(kind, environment)]
    assert len(kinds) >= len(endings.KINDS) - 2
    assert wrong([(kind, "end", CALLS) for kind in kinds], environment) == {}


@pytest.mark.sampled
def test_ways_to_end(environment):
    ways = [("product", way) for way in endings.WAYS if way != "end"]
    ways += [("callback", way) for way in ("raise", "interrupt", "interrupted", "delete")]
    assert wrong([(*case, CALLS) for case in ways], environment) == {}
