"""A server of a line protocol on one asyncio loop, with a model behind it: each connection awaits its own calls, and nothing blocks.

    python examples/asyncio_model.py                 starts a server, asks it over a hundred connections, and ends
    python examples/asyncio_model.py --port 7777     goes on until it is ended:  printf '1 2 3 4\n' | nc -N localhost 7777

A line has four numbers, and so has its answer, or `error` and what was wrong. Numpy and millrace alone are imported.
"""

import argparse
import asyncio

import numpy as np

import millrace

# What jax.export() writes is read in the same way, millrace.load("model.mlirbc"); text is for an example that needs no file.
PROGRAM = b"""
func.func @main(%x: tensor<4xf32> loc("x")) -> (tensor<4xf32> {jax.result_info = "y"}) {
  %0 = stablehlo.multiply %x, %x : tensor<4xf32>
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""


class Server:
    def __init__(self, model):
        self.model = model
        self.answered = 0

    async def answer(self, line):
        try:
            x = np.array(line.split(), np.float32)
            y = await self.model.call(x)
        except (millrace.Error, ValueError) as error:
            return f"error {error}"
        self.answered += 1
        return " ".join(f"{value:.6f}" for value in y)

    async def serve(self, reader, writer):
        async for line in reader:
            writer.write((await self.answer(line.decode()) + "\n").encode())
            await writer.drain()
        writer.close()


async def ask(port, number):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for times in range(10):
        x = np.full(4, number / 100 + times, np.float32)
        writer.write((" ".join(map(str, x)) + "\n").encode())
        y = np.array((await reader.readline()).split(), np.float32)
        assert np.allclose(y, np.tanh(x * x), atol=1e-5), (x, y)
    writer.write(b"1 2\n")
    said = await reader.readline()
    assert said.startswith(b"error x is f32[2], wanted f32[4]"), said
    writer.close()
    await writer.wait_closed()


async def main(port):
    server = Server(millrace.load(PROGRAM))
    listener = await asyncio.start_server(server.serve, "127.0.0.1", port or 0)
    async with listener:
        if port:
            await listener.serve_forever()
        port = listener.sockets[0].getsockname()[1]
        await asyncio.gather(*[ask(port, number) for number in range(100)])
    print(f"{server.answered} answers")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int)
    asyncio.run(main(parser.parse_args().port))
