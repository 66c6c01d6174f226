"""A page of a Chromium, through the DevTools protocol: a WebSocket (RFC 6455) of our own, for texts of one client."""
import base64
import json
import os
import pathlib
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request


class Page:
    """The only page of a browser that is started for it."""

    def __init__(self, browser):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--hide-scrollbars",
             "--no-first-run", f"--user-data-dir={self.profile.name}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        file = pathlib.Path(self.profile.name) / "DevToolsActivePort"
        port = wait_for(lambda: file.exists() and file.read_text().split("\n")[0], "the browser", 60)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list") as answer:
            page = next(each for each in json.load(answer) if each["type"] == "page")
        path = page["webSocketDebuggerUrl"].split(f":{port}", 1)[1]
        self.socket = socket.create_connection(("127.0.0.1", int(port)))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            (f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.waiting = b""
        while b"\r\n\r\n" not in self.waiting:
            self.waiting += self.socket.recv(65536)
        self.waiting = self.waiting.split(b"\r\n\r\n", 1)[1]
        self.number = 0
        self.errors = []
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def _take(self, count):
        while len(self.waiting) < count:
            part = self.socket.recv(1 << 20)
            if not part:
                raise ConnectionError("the browser has closed the connection")
            self.waiting += part
        taken, self.waiting = self.waiting[:count], self.waiting[count:]
        return taken

    def _receive(self):
        text = b""
        while True:
            first, second = self._take(2)
            length = second & 127
            if length == 126:
                length = struct.unpack(">H", self._take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self._take(8))[0]
            text += self._take(length)
            if first & 128:
                return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        body = json.dumps({"id": self.number, "method": method, "params": parameters}).encode()
        mask = os.urandom(4)
        size = len(body)
        head = bytes([129, 128 | size]) if size < 126 else \
            struct.pack(">BBH", 129, 254, size) if size < 65536 else struct.pack(">BBQ", 129, 255, size)
        self.socket.sendall(head + mask + bytes(byte ^ mask[index & 3] for index, byte in enumerate(body)))
        while True:
            message = self._receive()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self._note(message)

    def _note(self, message):
        parameters = message.get("params", {})
        if message.get("method") == "Runtime.exceptionThrown":
            self.errors.append(parameters["exceptionDetails"].get("exception", {}).get("description", "an exception"))
        if message.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(parameters["entry"]["text"])

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait_until(self, expression, seconds=30):
        def value():
            try:
                return self.evaluate(expression)
            except RuntimeError as error:
                # A page that is loaded again is gone for a moment, the longer, the more it has to show.
                if "navigated or closed" not in str(error):
                    raise
                return None

        return wait_for(value, expression, seconds)

    def show(self, address, width, height, theme="light", scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        self.call("Page.navigate", url=address)
        self.wait_until("typeof thumbwheel === 'object' && thumbwheel.photos() !== null")

    def press(self, key):
        codes = {" ": 32, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowRight": 39, "ArrowDown": 40, "ArrowUp": 38, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36, "Tab": 9}
        code = codes.get(key, ord(key.upper()[0]))
        text = {" ": " ", "Enter": "\r"}.get(key, key if len(key) == 1 else "")
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code,
                      text=text if kind == "keyDown" else "")

    def click(self, selector):
        x, y = self.evaluate(
            f"(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector({json.dumps(selector)}).getBoundingClientRect())")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def wheel(self, distance):
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=600, y=400, deltaX=0, deltaY=distance)

    def touch(self, is_on):
        """Whether the page has a touch screen."""
        self.call("Emulation.setTouchEmulationEnabled", enabled=is_on, maxTouchPoints=1)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()


def wait_for(condition, name, seconds):
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise TimeoutError(f"nothing has come of {name} in {seconds} s")
        time.sleep(0.02)
