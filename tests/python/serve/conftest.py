"""The server that the tests here ask: one for all of them. MILLRACE_SERVE_PEER=triton asks a Triton with our backend instead, to see what is
the server's and what is the test's (servers.py: TRITON, TRITON_BACKENDS)."""

import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import repository  # noqa: E402
import servers  # noqa: E402

TRITON = os.environ.get("MILLRACE_SERVE_PEER") == "triton"


def pytest_collection_modifyitems(items):
    here = pathlib.Path(__file__).parent
    if not TRITON and not servers.BINARY.exists():
        for item in items:
            if here in item.path.parents:
                item.add_marker(pytest.mark.skip(reason=f"{servers.BINARY} is not built: nghttp2, OpenSSL and zlib are needed"))


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    return repository.write(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="session")
def server(models, tmp_path_factory):
    log = tmp_path_factory.mktemp("server") / "log"
    if TRITON:
        running = servers.triton(models, log, "--model-control-mode=explicit", "--load-model=*")
    else:
        running = servers.millrace(models, log, "--control", "--shared-memory")
    with running:
        yield running


@pytest.fixture
def own(tmp_path):
    """A server of the test's own: own(root, *options)."""
    if TRITON:
        pytest.skip("a test of millrace-serve's options")
    running = []

    def start(root, *options, **more):
        running.append(servers.millrace(root, tmp_path / f"log{len(running)}", *options, **more))
        return running[-1]

    yield start
    for server in running:
        server.__exit__()
