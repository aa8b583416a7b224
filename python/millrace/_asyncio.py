"""Calls that asyncio waits for: each event loop has one descriptor, which tells of the ends of all calls."""

import asyncio
import collections
import weakref

from . import Model, _core
from ._arrays import Error


class _Call(asyncio.Future):
    """Of a call that takes its time; cancelling it ends the call."""

    stop = None  # set when the engine has the call

    def cancel(self, *message):
        cancelled = super().cancel(*message)
        if cancelled and self.stop is not None:
            self.stop()
        return cancelled


class _Ends:
    """The calls of one loop that are under way, and those that wait for room on their device, in their order."""

    def __init__(self, loop):
        self.completions = _core.completions()
        self.waiting = {}  # device: deque of (future, call)
        self.descriptor = self.completions.fd()
        loop.add_reader(self.descriptor, self.take)

    def take(self):
        for future, result, error, again in self.completions.take():
            if isinstance(future, _core.Device):
                self.go_on(future)
            elif future.done():
                pass  # cancelled: nobody wants the result
            elif error is not None:
                future.set_exception(error)
            elif again is not None:
                self.start(future, again)
            else:
                future.set_result(result)

    def start(self, future, call):
        model, arguments, keywords = call
        queue = self.waiting.get(model.device)
        if queue:
            queue.append((future, call))
            return
        try:
            result = model._start(self.completions, future, arguments, keywords)
        except Error as error:
            if error.code != "RESOURCE_EXHAUSTED" or not self.wait_for_room(future, call):
                future.set_exception(error)
        else:
            if result is not None:
                future.set_result(result)

    def wait_for_room(self, future, call):
        """False: there is room, so that something else was meant."""
        device = call[0].device
        if self.completions.room(device, device):
            return False
        self.waiting.setdefault(device, collections.deque()).append((future, call))
        return True

    def go_on(self, device):
        queue = self.waiting.pop(device, ())
        while queue:
            future, call = queue.popleft()
            if not future.done():
                self.start(future, call)
            if device in self.waiting:  # no room for this one: those behind it come after it
                self.waiting[device].extend(queue)
                return


_ends = weakref.WeakKeyDictionary()
_last = (None, None)  # a weak reference to the loop of the call before, and its ends


def _ends_of(loop):
    global _last
    if _last[0] is not None and _last[0]() is loop:
        return _last[1]
    found = _ends.get(loop)
    if found is None:
        for other in [other for other in _ends if other.is_closed()]:
            del _ends[other]
        found = _ends[loop] = _Ends(loop)
    _last = (weakref.ref(loop), found)
    return found


def call(self, *arguments, **keywords):
    loop = asyncio.get_running_loop()
    ends = _ends_of(loop)
    future = _Call(loop=loop)
    if ends.waiting:
        ends.start(future, (self, arguments, keywords))
        return future
    try:
        result = self._start(ends.completions, future, arguments, keywords)
    except Error as error:
        if error.code != "RESOURCE_EXHAUSTED" or not ends.wait_for_room(future, (self, arguments, keywords)):
            raise
    else:
        if result is not None:
            future.set_result(result)
    return future


call.__doc__ = Model.call.__doc__
