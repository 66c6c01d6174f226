"""Clients that do what people do with a gallery, for a long time: the memory above the budget, over time.

    mixed.py THUMBWHEEL PHOTOS MINUTES [CLIENTS]
"""
import base64
import pathlib
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.request

executable, photos, minutes = sys.argv[1], sys.argv[2], float(sys.argv[3])
client_count = int(sys.argv[4]) if len(sys.argv) > 4 else 32
BUDGET_IN_MEBIBYTES = 128
BOUND_IN_MEBIBYTES = 32
failures = []


def check(is_right, text):
    print(("passed: " if is_right else "FAILED: ") + text, flush=True)
    if not is_right:
        failures.append(text)


process = subprocess.Popen(
    [executable, "serve", photos, "--listen", "127.0.0.1:0", "--workers", "2", "--no-placeholders", "--budget", f"{BUDGET_IN_MEBIBYTES}MiB"],
    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
address = process.stdout.readline().removeprefix("listening on ").strip()
port = int(re.search(r":(\d+)/", address)[1])


def get(path):
    with urllib.request.urlopen(address + path, timeout=60) as answer:
        return answer.read()


def memory():
    """The memory of the service and of its decoders that is theirs alone, in MiB."""
    total = 0
    for pid in [process.pid] + [int(each) for each in subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()]:
        try:
            text = pathlib.Path(f"/proc/{pid}/status").read_text()
        except OSError:
            continue
        total += int(re.search(r"RssAnon:\s+(\d+)", text)[1])
    return total / 1024


while True:
    try:
        get("readyz")
        break
    except OSError:
        time.sleep(0.1)
grid = get("api/grid")
number, sections = struct.unpack_from("<II", grid, 4)
at = 12 + 8 * sections
text = lambda part: base64.urlsafe_b64encode(part).decode().rstrip("=")
names = [text(grid[at + 16 * i:at + 16 * i + 16]) for i in range(number)]
at += 16 * number
paths = [f"{name}/{text(grid[at + 6 * i:at + 6 * i + 6])}" for i, name in enumerate(names)]
end = time.monotonic() + 60 * minutes
counts = {"answers": 0, "left": 0, "errors": 0}
lock = threading.Lock()


def note(key):
    with lock:
        counts[key] += 1


class Client:
    def __init__(self, seed):
        self.random, self.socket, self.place = random.Random(seed), None, 0

    def ask(self, target, may_leave=False, more=""):
        """Asks for something and reads it; now and then leaves before it has come."""
        if not self.socket:
            self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.sendall(f"GET /{target} HTTP/1.1\r\nhost: x\r\n{more}\r\n".encode())
        if may_leave and self.random.random() < 0.1:
            time.sleep(self.random.random() * 0.02)
            self.leave()
            note("left")
            return
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.receive()
        head, body = data.split(b"\r\n\r\n", 1)
        length = re.search(rb"content-length: (\d+)", head, re.I)
        if length:
            count = len(body)
            while count < int(length[1]):
                count += len(self.receive())
        else:
            while not body.endswith(b"\r\n0\r\n\r\n") and body != b"0\r\n\r\n":
                body = body[-8:] + self.receive()
        note("answers" if head[9:10] in b"23" else "errors")

    def receive(self):
        part = self.socket.recv(1 << 16)
        if not part:
            raise ConnectionError("closed")
        return part

    def leave(self):
        if self.socket:
            self.socket.close()
        self.socket = None

    def act(self):
        kind, choose = self.random.random(), self.random
        if kind < 0.45:  # A fling: small pictures of what passes.
            self.place = (self.place + choose.randrange(16, 400)) % number
            block = [paths[(self.place + i) % number].replace("/", ".") for i in range(16)]
            self.ask("api/previews?of=" + ",".join(block), True)
        elif kind < 0.9:  # A look: thumbnails.
            for i in range(8):
                side = choose.choice((192, 256, 384))
                self.ask(f"a/{paths[(self.place + i) % number]}/{side}x{side}.jpg?mode=fit", True)
        elif kind < 0.95:  # The viewer.
            self.ask(f"a/{paths[self.place]}/1536x1536.jpg?mode=fit", True)
        elif kind < 0.98:
            self.ask("o/" + paths[self.place], True)
        else:
            self.ask("api/grid", False, "accept-encoding: gzip\r\n")
            self.ask("api/albums")

    def run(self):
        while time.monotonic() < end:
            try:
                self.act()
            except (OSError, ConnectionError):
                note("errors")
                self.leave()
            time.sleep(self.random.random() * 0.1)


start, samples = memory(), []
print(f"{number} photographs, {client_count} clients; {start:.0f} MiB at first", flush=True)
for seed in range(client_count):
    threading.Thread(target=Client(seed).run, daemon=True).start()
while time.monotonic() < end:
    time.sleep(min(30, max(0.1, end - time.monotonic())))
    samples.append(memory() - start - BUDGET_IN_MEBIBYTES)
    print(f"{len(samples) / 2:.1f} min: {samples[-1]:.0f} MiB above start and budget, {counts}", flush=True)
half = samples[len(samples) // 2:]
check(counts["answers"] > 1000, f"{counts['answers']} answers are enough to judge by")
check(max(half) <= BOUND_IN_MEBIBYTES, f"at most {max(half):.0f} MiB above start and budget in the second half")
metrics = get("metrics").decode()
value = lambda name: sum(float(each) for each in re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)$", metrics, re.M))
print(f"renders: {value('thumbwheel_renders_started_total'):.0f} begun, {value('thumbwheel_renders_wasted_total'):.0f} for nobody "
      f"({value('thumbwheel_renders_wasted_total') / max(1, value('thumbwheel_renders_started_total')):.1%})")
process.send_signal(signal.SIGTERM)
check(process.wait(timeout=60) == 0, "the server ends by itself")
sys.exit(1 if failures else 0)
