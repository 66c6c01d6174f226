"""Connections that come and go, slow readers and half-sent requests: nothing leaks, and others are served as before."""
import concurrent.futures
import os
import pathlib
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.request

executable, photos, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
failures = []
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)


def check(is_right, text):
    print(("passed: " if is_right else "FAILED: ") + text, flush=True)
    if not is_right:
        failures.append(text)


class Server:
    def __init__(self, *options, limit=None):
        command = [executable, "serve", photos, "--port", "0", "--no-placeholders", *options]

        def lower():
            if limit:
                resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))

        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=lower)
        self.address = self.process.stderr.readline().split(" ", 1)[1].strip()
        self.port = int(re.search(r":(\d+)/", self.address)[1])
        threading.Thread(target=lambda: [None for _ in self.process.stderr], daemon=True).start()
        until(lambda: self.status("readyz") == 200, "the first import", 120)

    def status(self, path):
        try:
            return urllib.request.urlopen(self.address + path, timeout=30).status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def get(self, path):
        with urllib.request.urlopen(self.address + path, timeout=30) as answer:
            return answer.read()

    def metric(self, name):
        return sum(float(value) for value in re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)$", self.get("metrics").decode(), re.M))

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


def addresses(server):
    """The addresses of all photographs, as the grid names them."""
    import base64
    grid = server.get("api/grid")
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


def times(server, target, seconds):
    """Milliseconds of one request after another on a connection that stays."""
    client, list = server.connect(), []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        start = time.monotonic()
        client.sendall(request(target))
        received = b""
        while b"\r\n\r\n" not in received:
            received += receive(client)
        head, body = received.split(b"\r\n\r\n", 1)
        length = int(re.search(rb"content-length: (\d+)", head, re.I)[1])
        while len(body) < length:
            body += receive(client)
        assert head.startswith(b"HTTP/1.1 200"), head
        list.append((time.monotonic() - start) * 1000)
        time.sleep(0.001)
    client.close()
    return sorted(list)


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
    before = times(server, target, 5)
    descriptors, memory = server.descriptors(), server.memory()
    # Those that take nothing of a file, and those that never send the rest.
    original = max(range(min(40, len(thumbnails))), key=lambda i: len(server.get("o/" + thumbnails[i])))
    slow = [server.connect() for _ in range(100)]
    for client in slow:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(request("o/" + thumbnails[original]))
    half = [server.connect() for _ in range(100)]
    for client in half:
        client.sendall(b"GET /a/abc")
    counted = server.metric("thumbwheel_service_responses_total")
    with concurrent.futures.ThreadPoolExecutor(5) as pool:
        probe = pool.submit(times, server, target, 8)
        start = time.monotonic()
        # What a thread raises is raised again by its result.
        answers = sum(each.result() for each in [pool.submit(come_and_go, server, count // 4, thumbnails) for _ in range(4)])
        print(f"{4 * (count // 4)} connections came and went in {time.monotonic() - start:.1f} s; {answers} answers were read")
        during = probe.result()
    counted = server.metric("thumbwheel_service_responses_total") - counted
    check(answers == 4 * sum(number % 6 == 3 for number in range(count // 4)), f"each of {answers} connections that wait for an answer had one")
    check(counted >= len(during) + answers, f"the server counts {counted:.0f} answers, no fewer than were read")
    check(len(before) > 100 and len(during) > 100, f"{len(before)} requests alone and {len(during)} in the crowd are enough to judge by")
    print(f"a cached thumbnail, alone: p50 {percentile(before, .5):.2f} ms, p99 {percentile(before, .99):.2f} ms; "
          f"in the crowd: p50 {percentile(during, .5):.2f} ms, p99 {percentile(during, .99):.2f} ms")
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


for part in (crowd, few_descriptors):
    try:
        part()
    except Exception as error:
        check(False, f"{part.__name__}: {error!r}")
sys.exit(1 if failures else 0)
