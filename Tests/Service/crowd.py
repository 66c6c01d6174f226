"""Connections that come and go, slow readers and half-sent requests: nothing leaks, and others are served as before. A tenant
with ten thousand requests holds up another's little."""
import concurrent.futures
import itertools
import json
import math
import os
import pathlib
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

failures = []

# A cached thumbnail of a server with a crowd may take so many times as long, at the 99th percentile, as one beside a crowd at another server of
# the same processors, which that crowd's clients and its server keep as busy, or so many milliseconds: two ticks of a scheduler of 250 Hz, for
# which a thread waits whose turn is over. A measurement is so many crowds at each of them in turn.
CROWD_RATIO, CROWD_FLOOR, CROWD_ROUNDS = 1.5, float(os.environ.get("FLOOR", "8")), 3
# The same for a tenant's thumbnails that have to be made, beside a tenant with ten thousand requests.
GREEDY_RATIO, GREEDY_COUNT = float(os.environ.get("GREEDY_RATIO", "1.25")), 10_000
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)


def check(is_right, text):
    print(("passed: " if is_right else "FAILED: ") + text, flush=True)
    if not is_right:
        failures.append(text)


class Server:
    def __init__(self, *options, limit=None):
        command = [executable, "serve", photos, "--listen", "127.0.0.1:0", "--no-placeholders", *options]

        def lower():
            if limit:
                resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))

        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=lower)
        self.address = self.process.stdout.readline().removeprefix("listening on ").strip()
        self.port = int(re.search(r":(\d+)/", self.address)[1])
        until(lambda: self.status("readyz") == 200, "the first import", 120)

    def status(self, path):
        try:
            return urllib.request.urlopen(self.address + path, timeout=30).status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def get(self, path, token=None):
        fields = {"authorization": f"Bearer {token}"} if token else {}
        with urllib.request.urlopen(urllib.request.Request(self.address + path, headers=fields), timeout=30) as answer:
            return answer.read()

    def metric(self, name, labels=r"(?:{[^}]*})?", token=None):
        return sum(float(value) for value in re.findall(rf"^{name}{labels} (\S+)$", self.get("metrics", token).decode(), re.M))

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def memory(self):
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())[1]) / 1024

    def connect(self):
        client = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        return client

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        check(self.process.wait(timeout=60) == 0, "the server ends by itself")


def until(condition, name, seconds):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"nothing has come of {name} in {seconds} s")
        time.sleep(0.05)


def addresses(server, token=None):
    """The addresses of all photographs, as the grid names them."""
    import base64
    grid = server.get("api/grid", token)
    number, sections = struct.unpack_from("<II", grid, 4)
    at = 12 + 8 * sections

    def text(part):
        return base64.urlsafe_b64encode(part).decode().rstrip("=")

    names = [text(grid[at + 16 * i:at + 16 * i + 16]) for i in range(number)]
    at += 16 * number
    return [f"{name}/{text(grid[at + 6 * i:at + 6 * i + 6])}" for i, name in enumerate(names)]


def receive(client, limit=65536):
    """Some bytes that the server sends; an error if it has closed the connection instead."""
    received = client.recv(limit)
    if not received:
        raise ConnectionError("the server has closed the connection")
    return received


def request(target, more=""):
    return f"GET /{target} HTTP/1.1\r\nhost: x\r\n{more}\r\n".encode()


def times(port, targets, seconds, more=""):
    """Moments and milliseconds of one request after another on a connection that stays."""
    client, list = socket.create_connection(("127.0.0.1", port), timeout=60), []
    end = time.monotonic() + seconds
    for target in targets:
        if time.monotonic() > end:
            break
        start = time.monotonic()
        client.sendall(request(target, more))
        received = b""
        while b"\r\n\r\n" not in received:
            received += receive(client)
        head, body = received.split(b"\r\n\r\n", 1)
        length = int(re.search(rb"content-length: (\d+)", head, re.I)[1])
        while len(body) < length:
            body += receive(client)
        assert head.startswith(b"HTTP/1.1 200"), head
        list.append((start, (time.monotonic() - start) * 1000))
        time.sleep(0.001)
    client.close()
    return list


def probe(port, targets, seconds, more=""):
    """Begins such a measurement in a process of its own: the threads of this one wait for one another."""
    process = subprocess.Popen([sys.executable, __file__, "probe", str(port), str(seconds), more], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    process.stdin.write(json.dumps(targets))
    process.stdin.close()
    return process


def result(process, start=0.0, end=math.inf):
    """The times of the requests that were sent between two moments, in order."""
    text = process.stdout.read()
    if process.wait() != 0:
        raise RuntimeError("the measurement has failed")
    return sorted(milliseconds for moment, milliseconds in json.loads(text) if start <= moment <= end)


def come_and_go(server, total, thumbnails):
    """Connections that are closed at every point of a request, many of them by a reset. Returns how many answers were read."""
    answers = 0
    for number in range(total):
        client = server.connect()
        kind = number % 6
        if kind == 1:
            client.sendall(b"GET /api/gr")
        elif kind == 2:
            client.sendall(request(f"a/{thumbnails[number % len(thumbnails)]}/{192 + number % 300}x64.jpg"))
        elif kind == 3:
            client.sendall(request("healthz"))
            assert receive(client).startswith(b"HTTP/1.1 200"), "no 200 in the crowd"
            answers += 1
        elif kind == 4:
            client.sendall(request("api/previews?of=" + ",".join(each.replace("/", ".") for each in thumbnails[:16])))
        elif kind == 5:
            client.sendall(request("api/events"))
        if number % 2:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
    return answers


def percentile(list, share):
    return list[min(len(list) - 1, int(len(list) * share))]


def crowd():
    server = Server()
    thumbnails = addresses(server)
    target = f"a/{thumbnails[0]}/256x256.jpg"
    server.get(target)
    come_and_go(server, 600, thumbnails)  # what is made once is made before anything is measured
    until(lambda: server.metric("thumbwheel_service_open") <= 1, "what has begun", 60)
    time.sleep(1)
    before = result(probe(server.port, [target] * 100_000, 5))
    descriptors, memory = server.descriptors(), server.memory()
    original = max(range(min(40, len(thumbnails))), key=lambda i: len(server.get("o/" + thumbnails[i])))
    slow, half = [], []

    def burden():
        """Adds those that take nothing of a file, and those that never send the rest."""
        for _ in range(100):
            slow.append(server.connect())
            slow[-1].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow[-1].sendall(request("o/" + thumbnails[original]))
            half.append(server.connect())
            half[-1].sendall(b"GET /a/abc")

    other = Server()
    others = addresses(other)
    come_and_go(other, 600, others)
    during, elsewhere = [], []
    for round in range(CROWD_ROUNDS):
        for place, names, list in [(other, others, elsewhere), (server, thumbnails, during)]:
            counted = place.metric("thumbwheel_service_responses_total")
            burden()
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                measurement = probe(server.port, [target] * 100_000, 5)
                time.sleep(1)
                start = time.monotonic()
                # What a thread raises is raised again by its result.
                answers = sum(each.result() for each in [pool.submit(come_and_go, place, count // 4, names) for _ in range(4)])
                end = time.monotonic()
                part = result(measurement, start, end)
            list += part
            counted = place.metric("thumbwheel_service_responses_total") - counted
            print(f"{4 * (count // 4)} connections came and went in {end - start:.1f} s {'here' if place is server else 'elsewhere'}; {answers} answers were read")
            check(answers == 4 * sum(number % 6 == 3 for number in range(count // 4)), f"each of {answers} connections that wait for an answer had one")
            least = answers + (len(part) if place is server else 0)
            check(counted >= least, f"the server counts {counted:.0f} answers, no fewer than were read")
            until(lambda: place.metric("thumbwheel_service_open") <= 1, "what has begun", 60)
    other.stop()
    during, elsewhere = sorted(during), sorted(elsewhere)
    check(min(map(len, (before, during, elsewhere))) > 100, f"{len(before)} requests alone, {len(elsewhere)} and {len(during)} in the crowds are enough to judge by")
    print("a cached thumbnail: " + "; ".join(
        f"{name} p50 {percentile(list, .5):.2f} ms, p99 {percentile(list, .99):.2f} ms"
        for name, list in [("alone", before), ("beside a crowd at another server", elsewhere), ("in the crowd", during)]))
    bound = max(CROWD_RATIO * percentile(elsewhere, .99), CROWD_FLOOR)
    ratio = percentile(during, .99) / percentile(elsewhere, .99)
    check(percentile(during, .99) <= bound, f"the 99th percentile in the crowd, {ratio:.2f} times that beside a crowd elsewhere, is at most {bound:.1f} ms")
    for client in half:
        client.settimeout(60)
    check(all(client.recv(100) == b"" for client in half), f"all {len(half)} clients that send half a request are sent away")
    for client in slow:
        client.close()
    until(lambda: server.metric("thumbwheel_service_open") <= 1 and server.metric("thumbwheel_requests_live") == 0, "the requests", 60)
    check(server.metric("thumbwheel_service_waiting") + server.metric("thumbwheel_service_running") == 0, "all slots are free")
    until(lambda: server.descriptors() <= descriptors, "the descriptors", 60)
    check(True, f"as many descriptors as before: {server.descriptors()} of {descriptors}")
    growth = server.memory() - memory
    # Thumbnails of hundreds of sizes were asked for; what was made of them stays in the cache.
    check(growth < 64, f"memory has grown by {growth:.1f} MiB")
    server.stop()


def few_descriptors():
    """With few descriptors, connections wait or are refused, and what is answered is never 404."""
    server = Server(limit=96)
    thumbnails = addresses(server)
    statuses = {}
    clients = [server.connect() for _ in range(200)]
    for number, client in enumerate(clients):
        target = f"o/{thumbnails[number % len(thumbnails)]}" if number % 2 else f"a/{thumbnails[number % len(thumbnails)]}/128x128.jpg"
        try:
            client.sendall(request(target))
        except OSError:
            pass
    for client in clients:
        client.settimeout(3)
        try:
            status = receive(client, 12)[9:12].decode()
        except OSError:
            status = "none"
        statuses[status] = statuses.get(status, 0) + 1
        client.close()
    check(sum(statuses.values()) == len(clients), f"{len(clients)} clients have an answer or none")
    check(set(statuses) <= {"200", "503", "none"} and statuses.get("200", 0) > 0, f"with 96 descriptors and 200 connections: {statuses}")
    until(lambda: server.status("healthz") == 200, "the server's recovery", 60)
    check(all(server.status(f"o/{each}") == 200 for each in thumbnails[:20]), "all is as before once they have gone")
    server.stop()


def greedy_tenant():
    """One tenant has ten thousand requests, and another some, one after another. All have to be made."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="thumbwheel-tenants-"))
    tokens = {name: f"token-of-{name}-1234" for name in ("greedy", "modest")}
    (folder / "tenants.json").write_text(json.dumps([{"name": name, "tokens": [tokens[name]], "waiting": 2 * GREEDY_COUNT} for name in tokens]))
    (folder / "secret").write_bytes(os.urandom(32))
    server = Server("--tenants", str(folder / "tenants.json"), "--secret", str(folder / "secret"), "--workers", "2", "--connections", "12000",
                    "--metrics-token", "metrics", "--grace", "1")
    parts = [f"{left / 16},{top / 16},{width / 16},{height / 16}" for left, top, width, height in itertools.product(range(8), range(8), range(1, 9), range(1, 9))]
    # A crop costs the more, the further down in its photograph it lies. In this order any piece of the list is as dear as another.
    random.Random(23).shuffle(parts)

    def targets(name, first, number):
        """Crops that nobody has asked for before, each of all photographs in turn."""
        own = [each for each in addresses(server, tokens[name])]
        return [f"a/{own[i % len(own)]}/128x128.jpg?crop={parts[(first + i) // len(own)]}" for i in range(number)]

    more = f"authorization: Bearer {tokens['modest']}\r\n"
    count = 1200
    alone = result(probe(server.port, targets("modest", 0, count // 2), 120, more))
    greedy = [server.connect() for _ in range(GREEDY_COUNT)]
    field = f"authorization: Bearer {tokens['greedy']}\r\n"
    for client, target in zip(greedy, targets("greedy", 100_000, GREEDY_COUNT)):
        client.sendall(request(target, field))
    waiting = lambda: server.metric("thumbwheel_service_waiting", '{tenant="greedy"}', "metrics")
    until(lambda: waiting() > GREEDY_COUNT / 2, "the requests of the greedy one", 30)
    during = result(probe(server.port, targets("modest", 50_000, count), 120, more))
    left = waiting()
    check(left > 0, f"{left:.0f} of {GREEDY_COUNT} requests still wait at the end")
    for client in greedy:
        client.close()
    until(lambda: waiting() == 0, "the end of the greedy one's requests", 60)
    # Before and after, so that a machine that gets slower or faster meanwhile does not count.
    alone = sorted(alone + result(probe(server.port, targets("modest", 150_000, count // 2), 120, more)))
    check(len(alone) == count and len(during) == count, f"{len(alone)} and {len(during)} thumbnails are enough to judge by")
    ratio = percentile(during, .99) / percentile(alone, .99)
    print(f"a thumbnail that is made, alone: p50 {percentile(alone, .5):.1f} ms, p99 {percentile(alone, .99):.1f} ms; beside a tenant with "
          f"{GREEDY_COUNT} requests: p50 {percentile(during, .5):.1f} ms, p99 {percentile(during, .99):.1f} ms, {ratio:.2f} times as long")
    check(ratio <= GREEDY_RATIO, f"the 99th percentile is at most {GREEDY_RATIO} times as long")
    server.stop()


if sys.argv[1] == "probe":
    print(json.dumps(times(int(sys.argv[2]), json.load(sys.stdin), float(sys.argv[3]), sys.argv[4])))
    sys.exit(0)
executable, photos, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
PARTS = {"crowd": crowd, "greedy": greedy_tenant, "descriptors": few_descriptors}
for part in [PARTS[name] for name in sys.argv[4:] or PARTS]:
    try:
        part()
    except Exception as error:
        check(False, f"{part.__name__}: {error!r}")
sys.exit(1 if failures else 0)
