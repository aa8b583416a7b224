"""Bytes on a connection: what HTTP/1.1 allows comes in any pieces, and what it forbids is refused before it can mean two things."""

import json
import socket
import time

import pytest

BODY = json.dumps({"inputs": [{"name": "x", "shape": [1, 4], "datatype": "FP32", "data": [1, 2, 3, 4]}]}).encode()
LIVE = b"GET /v2/health/live HTTP/1.1\r\nHost: a\r\n\r\n"


def post(*headers, body=BODY, line=b"POST /v2/models/twice/infer HTTP/1.1", host=b"Host: a"):
    length = [b"Content-Length: %d" % len(body)] if not any(h.lower().startswith((b"content-length", b"transfer-encoding")) for h in headers) else []
    return b"\r\n".join([line, *([host] if host else []), *length, *headers, b"", b""]) + body


class Reader:
    """Answers that come on a connection, one after the other."""

    def __init__(self, connection):
        self.connection, self.data = connection, b""

    def more(self):
        piece = self.connection.recv(65536)
        self.data += piece
        return bool(piece)

    def answer(self):
        """(status, body); None when the connection was closed before the first byte."""
        while b"\r\n\r\n" not in self.data:
            if not self.more():
                assert not self.data, self.data
                return None
        head, _, rest = self.data.partition(b"\r\n\r\n")
        lines = head.split(b"\r\n")
        fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines[1:])}
        self.data, status = rest, int(lines[0].split()[1])
        if status == 100:
            return self.answer()
        size = int(fields.get(b"content-length", 0))
        while len(self.data) < size:
            assert self.more(), "the answer ends early"
        body, self.data = self.data[:size], self.data[size:]
        return status, body

    def is_closed(self):
        try:
            return not self.more()
        except ConnectionResetError:
            return True


def ask(server, *pieces, wait=0.0):
    with server.connect() as connection:
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(wait)
        return Reader(connection).answer()


def skip_triton(server, why):
    if server.is_triton:
        pytest.skip(why)


def is_right(answer):
    return answer[0] == 200 and json.loads(answer[1])["outputs"][0]["data"] == [2, 4, 6, 8]


# ---- What is allowed ---------------------------------------------------------------------------------------------------------


def test_byte_by_byte(server):
    skip_triton(server, "Triton answers that it does not parse")
    assert is_right(ask(server, *(bytes([b]) for b in post())))


@pytest.mark.parametrize("pieces", [[BODY], [BODY[:1], BODY[1:]], [bytes([b]) for b in BODY]])
@pytest.mark.parametrize("extension", [b"", b";a=b"])
def test_chunks(server, pieces, extension):
    if extension:
        skip_triton(server, "Triton closes the connection on chunk extensions")
    chunks = b"".join(b"%x%s\r\n%s\r\n" % (len(p), extension, p) for p in pieces)
    assert is_right(ask(server, post(b"Transfer-Encoding: chunked", body=chunks + b"0\r\n\r\n")))


def test_trailers_are_dropped(server):
    skip_triton(server, "Triton does not find the next request behind trailers")
    chunks = b"%x\r\n%s\r\n0\r\nContent-Length: 3\r\n\r\n" % (len(BODY), BODY)
    with server.connect() as connection:
        connection.sendall(post(b"Transfer-Encoding: chunked", body=chunks) + LIVE)
        reader = Reader(connection)
        assert is_right(reader.answer()) and reader.answer()[0] == 200


def test_expect(server):
    with server.connect() as connection:
        connection.sendall(post(b"Expect: 100-continue", b"Content-Length: %d" % len(BODY), body=b""))
        assert connection.recv(65536).startswith(b"HTTP/1.1 100")
        connection.sendall(BODY)
        assert is_right(Reader(connection).answer())


def test_pipeline_comes_back_in_order(server):
    def request(i):
        body = json.dumps({"id": str(i), "inputs": [{"name": "x", "shape": [1, 4], "datatype": "FP32", "data": [i] * 4}]}).encode()
        return post(body=body) if i % 10 else LIVE

    skip_triton(server, "Triton answers the first of several GETs and stalls")
    with server.connect() as connection:
        connection.sendall(b"".join(map(request, range(200))))
        reader = Reader(connection)
        for i in range(200):
            status, body = reader.answer()
            assert status == 200
            assert not i % 10 or (json.loads(body)["id"], json.loads(body)["outputs"][0]["data"]) == (str(i), [2 * i] * 4)


def test_versions(server):
    with server.connect() as connection:
        connection.sendall(b"GET /v2/health/live HTTP/1.0\r\n\r\n")
        reader = Reader(connection)
        assert reader.answer()[0] == 200 and reader.is_closed()
    with server.connect() as connection:
        connection.sendall(b"GET /v2/health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        reader = Reader(connection)
        assert reader.answer()[0] == 200 and reader.is_closed()


def test_half_open(server):
    """Who has sent all and shuts that direction down still gets an answer."""
    with server.connect() as connection:
        connection.sendall(post())
        connection.shutdown(socket.SHUT_WR)
        assert is_right(Reader(connection).answer())


# ---- What is refused ---------------------------------------------------------------------------------------------------------

LENGTH = b"Content-Length: %d" % len(BODY)
SMUGGLED = {
    "length and chunks": post(LENGTH, b"Transfer-Encoding: chunked"),
    "chunks and length": post(b"Transfer-Encoding: chunked", LENGTH),
    "two lengths": post(LENGTH, b"Content-Length: 3"),
    "two lengths in one": post(b"Content-Length: 3, 4"),
    "plus": post(b"Content-Length: +%d" % len(BODY)),
    "minus": post(b"Content-Length: -1"),
    "hexadecimal": post(b"Content-Length: 0x10"),
    "no number": post(b"Content-Length: "),
    "space in a number": post(b"Content-Length: 1 0"),
    "a large number": post(b"Content-Length: 99999999999999999999"),
    "space before the colon": post(b"Content-Length : %d" % len(BODY)),
    "folded": post(LENGTH, b"X-A: b\r\n c"),
    "space before a name": post(LENGTH, b" X-A: b"),
    "bare CR in a value": post(LENGTH, b"X-A: b\rc"),
    "NUL in a value": post(LENGTH, b"X-A: b\0c"),
    "no colon": post(LENGTH, b"X-A"),
    "empty name": post(LENGTH, b": b"),
    "another coding": post(b"Transfer-Encoding: gzip, chunked"),
    "chunked twice": post(b"Transfer-Encoding: chunked, chunked"),
    "chunked in two lines": post(b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked"),
    "nearly chunked": post(b"Transfer-Encoding: xchunked"),
    "chunked with a tab": post(b"Transfer-Encoding: \x0bchunked"),
    "no host": post(host=None),
    "two hosts": post(b"Host: b"),
    "HTTP/1.2": post(line=b"POST /v2/models/twice/infer HTTP/1.2"),
    "HTTP/3.0": post(line=b"POST /v2/models/twice/infer HTTP/3.0"),
    "no version": post(line=b"POST /v2/models/twice/infer"),
    "spaces in the line": post(line=b"POST  /v2/models/twice/infer  HTTP/1.1"),
    "a control in the path": post(line=b"POST /v2/models/tw\x01ice/infer HTTP/1.1"),
    "a method with a slash": post(line=b"PO/ST /v2/models/twice/infer HTTP/1.1"),
    "a chunk of no size": post(b"Transfer-Encoding: chunked", body=b"\r\n" + BODY),
    "a chunk of size 0x5": post(b"Transfer-Encoding: chunked", body=b"0x5\r\nabcde\r\n0\r\n\r\n"),
    "a chunk of size -1": post(b"Transfer-Encoding: chunked", body=b"-1\r\n"),
    "a chunk too large": post(b"Transfer-Encoding: chunked", body=b"ffffffffffffffff\r\n"),
    "a chunk that overflows": post(b"Transfer-Encoding: chunked", body=b"10000000000000001\r\na\r\n0\r\n\r\n"),
    "a chunk without its end": post(b"Transfer-Encoding: chunked", body=b"%x\r\n%sXX0\r\n\r\n" % (len(BODY), BODY)),
    "a chunk line of 10 kB": post(b"Transfer-Encoding: chunked", body=b"1;" + b"a" * 10000 + b"\r\n"),
}


@pytest.mark.parametrize("what", SMUGGLED)
def test_smuggling(server, what):
    """Refused, and the connection is closed, so that nothing behind it is taken for a request."""
    skip_triton(server, "Triton takes many of these")
    with server.connect() as connection:
        connection.sendall(SMUGGLED[what] + LIVE)
        reader = Reader(connection)
        answer = reader.answer()
        assert answer is None or answer[0] in (400, 413, 501, 505), answer
        assert answer is None or not answer[1] or json.loads(answer[1])["error"]
        assert reader.is_closed()


@pytest.mark.parametrize(
    "head,status",
    [
        (b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", (414, 400, 431)),
        (b"GET /v2 HTTP/1.1\r\nHost: a\r\n" + b"X-A: b\r\n" * 1000 + b"\r\n", (431, 400)),
        (b"GET /v2 HTTP/1.1\r\nHost: a\r\nX-A: " + b"b" * 200000 + b"\r\n\r\n", (431, 400)),
        (post(b"Content-Length: 99999999999", body=b""), (413,)),
    ],
)
def test_limits(server, head, status):
    skip_triton(server, "Triton has other limits")
    with server.connect() as connection:
        try:
            connection.sendall(head)
        except (BrokenPipeError, ConnectionResetError):
            pass
        assert Reader(connection).answer()[0] in status


def test_chunks_beyond_the_limit(server):
    """A body in chunks says nothing of its size: it is refused when it gets too large, and not kept."""
    skip_triton(server, "Triton has other limits")
    before = server.usage()["rss_kb"]
    chunk = b"100000\r\n" + bytes(1 << 20) + b"\r\n"
    with server.connect() as connection:
        connection.sendall(post(b"Transfer-Encoding: chunked", body=b""))
        try:
            for _ in range(200):
                connection.sendall(chunk)
        except (BrokenPipeError, ConnectionResetError):
            pass
    assert server.usage()["rss_kb"] < before + 200_000
    assert server.is_ready()


def test_slow_header(own, models):
    """Bytes that drip do not hold a connection: the header's time runs from its first byte."""
    server = own(models, "--header-timeout", "1", "--model", "twice")
    begin = time.monotonic()
    with server.connect() as connection:
        try:
            for byte in LIVE[:-2] * 10:
                connection.sendall(bytes([byte]))
                time.sleep(0.25)
                assert time.monotonic() < begin + 60
        except (BrokenPipeError, ConnectionResetError):
            pass
        else:
            raise AssertionError("it was read to its end")


def test_body_that_does_not_come(own, models):
    server = own(models, "--stall-timeout", "1", "--model", "twice")
    with server.connect() as connection:
        connection.sendall(post()[:-5])
        reader = Reader(connection)
        assert reader.answer()[0] in (400, 408) if reader.more() else True
        assert reader.is_closed()


def test_idle_connections_are_closed(own, models):
    server = own(models, "--idle-timeout", "1", "--model", "twice")
    with server.connect() as connection:
        connection.sendall(LIVE)
        reader = Reader(connection)
        assert reader.answer()[0] == 200 and reader.is_closed()


def test_those_that_go(server):
    """Clients that disappear at any point leave no connection and no request behind."""
    slow = json.dumps({"inputs": [{"name": "rounds", "shape": [1], "datatype": "INT32", "data": [1000000]}]}).encode()
    before = server.usage()["descriptors"]
    whole = post(body=slow, line=b"POST /v2/models/slow/infer HTTP/1.1")
    for cut in [*range(0, len(whole), 7), len(whole)]:
        with server.connect() as connection:
            connection.sendall(whole[:cut])
    server.wait_until(lambda: server.usage()["descriptors"] <= before + 1, "connections stay")
    assert is_right(ask(server, post()))
