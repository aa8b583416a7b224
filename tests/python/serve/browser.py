"""A headless Chromium by its DevTools protocol over a pipe: nothing but the browser and the standard library."""

import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import time

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome-headless-shell")
SECONDS = 30  # that anything may take


def find():
    """The browser's path (CHROMIUM, or one that is installed), or None."""
    if path := os.environ.get("CHROMIUM"):
        return path
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Failure(Exception):
    pass


class Browser:
    def __init__(self, folder):
        to_browser, from_browser = os.pipe(), os.pipe()
        # Out of the way of 3 and 4, where the browser looks for them.
        theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_browser[0], from_browser[1])]
        os.close(to_browser[0])
        os.close(from_browser[1])
        self.input, self.output = to_browser[1], from_browser[0]

        def arrange():
            for number, end in zip((3, 4), theirs):
                os.dup2(end, number, inheritable=True)

        command = [find(), "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
                   "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--window-size=1280,1000",
                   f"--user-data-dir={folder}", "about:blank"]  # fmt: skip
        with pathlib.Path(folder, "log").open("wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, close_fds=False, preexec_fn=arrange)
        for end in theirs:
            os.close(end)
        self.buffer, self.number, self.events = b"", 0, []

    def read(self, end):
        """One message."""
        while b"\0" not in self.buffer:
            if not select.select([self.output], [], [], max(0, end - time.monotonic()))[0]:
                raise Failure("the browser says nothing")
            if not (more := os.read(self.output, 1 << 20)):
                raise Failure(f"the browser has ended: {self.process.wait()}")
            self.buffer += more
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def send(self, method, session=None, **parameters):
        """What the browser answers; what it says meanwhile goes to events."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters, **({"sessionId": session} if session else {})}
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.input, data) :]
        end = time.monotonic() + SECONDS
        while (answer := self.read(end)).get("id") != self.number:
            self.events.append(answer)
        if "error" in answer:
            raise Failure(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def open(self, url, **media):
        return Page(self, url, **media)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.input)
        os.close(self.output)


class Page:
    """A tab. `scheme`: "light" or "dark"."""

    def __init__(self, browser, url, scheme="light"):
        self.browser = browser
        self.target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.send("Page.navigate", url=url)
        self.wait(f"location.href == {json.dumps(url)} && document.readyState == 'complete'", f"{url} is not loaded")

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def evaluate(self, expression):
        """The value of JavaScript; a promise is awaited."""
        result = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise Failure(details.get("exception", {}).get("description") or details["text"])
        return result["result"].get("value")

    def wait(self, expression, what=None):
        """Until the expression is true; its value."""
        end = time.monotonic() + SECONDS
        while not (value := self.evaluate(expression)):
            if time.monotonic() > end:
                raise Failure(f"{what or expression}\n{self.text()[:2000]}")
            time.sleep(0.05)
        return value

    def text(self, selector="body"):
        return self.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def click(self, selector):
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def fill(self, selector, value):
        self.evaluate(
            f"(field => {{ field.value = {json.dumps(value)}; for (const kind of ['input', 'change'])"
            f" field.dispatchEvent(new Event(kind, {{bubbles: true}})); }})(document.querySelector({json.dumps(selector)}))"
        )

    def said(self, method):
        """The parameters of this page's events of one kind."""
        self.evaluate("0")
        return [event["params"] for event in self.browser.events if event.get("method") == method and event.get("sessionId") == self.session]

    def shoot(self, path):
        import base64

        pathlib.Path(path).write_bytes(base64.b64decode(self.send("Page.captureScreenshot", captureBeyondViewport=True)["data"]))

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)
