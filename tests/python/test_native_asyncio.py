"""`await m.call(x)`: one descriptor for each event loop, any number of calls."""

import asyncio
import gc

import native
import numpy as np
import pytest

import millrace
from millrace import _asyncio, _core

X = np.arange(128, dtype=np.float32)
SQUARE = np.full((150, 150), 0.001, np.float32)


@pytest.fixture(scope="module")
def slow():
    return millrace.load(native.SLOW)


@pytest.fixture(scope="module")
def wanted(slow):
    return slow(SQUARE)


def test_what_is_quick_and_what_is_not(slow, wanted):
    async def main():
        quick = millrace.load(native.PLUS_ONE)
        np.testing.assert_array_equal(await quick.call(X), X + 1)  # compiled on the engine's threads first
        np.testing.assert_array_equal(await quick.call(x=X), X + 1)
        result = await slow.call(SQUARE)
        assert result.flags.writeable
        np.testing.assert_array_equal(result, wanted)

    asyncio.run(main())


def test_a_thousand_calls_at_once(slow, wanted):
    """More than the device lets be under way: the loop is never held up, and they come in order."""
    ended = []

    async def one(number):
        result = await slow.call(SQUARE)
        ended.append(number)
        return result

    async def main():
        ticks = 0
        calls = asyncio.ensure_future(asyncio.gather(*[one(number) for number in range(1000)]))
        while not calls.done():
            await asyncio.sleep(0.001)
            ticks += 1
        for result in await calls:
            assert (result == wanted).all()
        assert ticks > 1

    asyncio.run(main())
    assert sorted(ended) == list(range(1000))


def test_the_first_calls_of_a_size_compile_once_and_all_end():
    async def main():
        m = millrace.load(native.PLUS_ONE)
        results = await asyncio.gather(*[m.call(X + number) for number in range(50)])
        for number, result in enumerate(results):
            np.testing.assert_array_equal(result, X + number + 1)

    asyncio.run(main())


def test_errors_are_raised_where_they_are_waited_for():
    async def main():
        m = millrace.load(native.PLUS_ONE)
        with pytest.raises(millrace.Error) as caught:
            await m.call(X[:3])
        assert caught.value.code == "INVALID_ARGUMENT"
        endless = millrace.load(native.ENDLESS).options(timeout=0.05)
        with pytest.raises(millrace.Error) as caught:
            await endless.call(np.int32(0))
        assert caught.value.code == "DEADLINE_EXCEEDED"

    asyncio.run(main())


def test_a_call_that_is_cancelled_ends(slow, wanted):
    """Not only for who waits: the device is free for others."""

    async def main():
        endless = millrace.load(native.ENDLESS)
        endless.prepare()
        calls = [endless.call(np.int32(0)) for _ in range(50)]  # more than are let be under way
        await asyncio.sleep(0.01)
        for call in calls:
            call.cancel()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(endless.call(np.int32(0)), 0.05)
        np.testing.assert_array_equal(await slow.call(SQUARE), wanted)

    asyncio.run(main())


def test_state_of_a_session():
    async def main():
        session = millrace.load(native.COUNTER).session()
        for number in range(1, 20):
            result = await session.call(np.ones(4, np.float32))
            np.testing.assert_array_equal(result, np.full(4, number * number))

    asyncio.run(main())


def test_buffers_as_arguments(slow, wanted):
    async def main():
        there = millrace.put(SQUARE)
        for result in await asyncio.gather(*[slow.call(there) for _ in range(5)]):
            np.testing.assert_array_equal(result, wanted)

    asyncio.run(main())


def test_loops_one_after_another_leave_nothing(slow):
    async def left_behind():
        for _ in range(3):
            slow.call(SQUARE)

    for _ in range(5):
        asyncio.run(left_behind())
    assert len([loop for loop in _asyncio._ends if not loop.is_closed()]) == 0

    async def last():
        await slow.call(SQUARE)

    asyncio.run(last())
    asyncio.run(last())
    gc.collect()
    assert _core.live()["pending"] == 0


def test_outside_a_loop_it_says_so(slow):
    with pytest.raises(RuntimeError, match="no running event loop"):
        slow.call(SQUARE)
