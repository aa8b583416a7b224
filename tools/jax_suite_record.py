"""pytest plugin of tools/jax_suite.py: a line of JSON into $SUITE_JOURNAL before and after each test.

What is written before a test is how the parent knows where a process was that died or hung. Further environment:

SUITE_SETTLED  a file of test names, one a line, that are left out
SUITE_CHOSEN   a file of test names; all others are left out
SUITE_EXTRA    a folder of modules that the tests import from jax._src and that JAX's package leaves out
SUITE_DEVICES  set: how many devices there are is the parent's decision, not a test file's
"""

import json
import os

_reports = {}


def _note(**line):
    with open(os.environ["SUITE_JOURNAL"], "a") as journal:
        journal.write(json.dumps(line) + "\n")


def _name(nodeid):
    return nodeid.partition("::")[2] or nodeid


def _names_in(variable):
    path = os.environ.get(variable)
    if not path:
        return None
    with open(path) as lines:
        return set(lines.read().split("\n"))


def pytest_configure(config):
    import jax._src

    jax._src.__path__.append(os.environ["SUITE_EXTRA"])
    if os.environ.get("SUITE_DEVICES"):
        from jax._src import test_util

        test_util.request_cpu_devices = lambda count: None


def pytest_collection_modifyitems(config, items):
    chosen, settled = _names_in("SUITE_CHOSEN"), _names_in("SUITE_SETTLED") or set()
    wanted = [item for item in items if chosen is None or _name(item.nodeid) in chosen]
    _note(collected=[_name(item.nodeid) for item in wanted])
    items[:] = [item for item in wanted if _name(item.nodeid) not in settled]


def pytest_collectreport(report):
    if report.failed:
        _note(broken=str(report.longrepr)[-1000:])


def pytest_runtest_logstart(nodeid, location):
    _note(starts=_name(nodeid))


def pytest_runtest_logreport(report):
    worst = _reports.setdefault(report.nodeid, {"how": "passed", "why": "", "seconds": 0.0})
    worst["seconds"] += report.duration
    if report.failed and worst["how"] != "failed":
        crash = getattr(report.longrepr, "reprcrash", None)
        worst.update(how="failed", why=(crash.message if crash else str(report.longrepr))[:600])
    elif report.skipped and worst["how"] == "passed":
        where = report.longrepr
        worst.update(how="skipped", why=str(where[2] if isinstance(where, tuple) else where)[:200])


def pytest_runtest_logfinish(nodeid, location):
    worst = _reports.pop(nodeid, {"how": "passed", "why": "", "seconds": 0.0})
    _note(ended=_name(nodeid), **worst)
