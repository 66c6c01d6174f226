"""Thumbnails over HTTP, on loopback and in turn: ours, nginx with the same bytes as files, nginx's image filter, thumbor.

    serve-peers.py THUMBWHEEL PHOTOS ROUNDS [THUMBOR]

Prints a table in Markdown. Each figure is the median of the rounds' ratios.
"""
import base64
import contextlib
import pathlib
import re
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

SIDE, QUALITY, CONNECTIONS, SECONDS = 256, 82, 64, 4
NGINX = """
{module}
daemon off;
worker_processes auto;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    sendfile on;
    keepalive_requests 1000000000;
    default_type image/jpeg;
    client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
    uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
    server {{
        listen 127.0.0.1:{port};
        root {folder};
        location /photos/ {{
            {filter}
        }}
    }}
}}
"""
FILTER = f"image_filter resize {SIDE} {SIDE}; image_filter_buffer 256M; image_filter_jpeg_quality {QUALITY};"
THUMBOR = """
LOADER = 'thumbor.loaders.file_loader'
FILE_LOADER_ROOT_PATH = '{photos}'
STORAGE = 'thumbor.storages.no_storage'
QUALITY = {quality}
ALLOW_UNSAFE_URL = True
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(address):
    with urllib.request.urlopen(address, timeout=60) as answer:
        return answer.read()


@contextlib.contextmanager
def running(command, ready):
    """Runs a server until the block ends. `ready` is an address that answers once the server is ready."""
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            if server.poll() is not None:
                sys.exit(f"{command[0]} ended with {server.returncode}")
            with contextlib.suppress(OSError):
                get(ready)
                break
            time.sleep(0.05)
        yield
    finally:
        server.terminate()
        server.wait()


def thumbnails(base):
    """The addresses of all photographs' thumbnails, from the document that the gallery reads."""
    grid = get(base + "/api/grid?order=newest")
    count, sections = struct.unpack_from("<II", grid, 4)
    names = 12 + 8 * sections
    versions = names + 16 * count
    name = lambda data: base64.urlsafe_b64encode(data).decode().rstrip("=")
    return [
        f"/a/{name(grid[names + 16 * n:names + 16 * n + 16])}/{name(grid[versions + 6 * n:versions + 6 * n + 6])}"
        f"/{SIDE}x{SIDE}.jpg"
        for n in range(count)
    ]


def renders(base):
    return sum(float(value) for value in re.findall(r"^thumbwheel_renders_started_total (\S+)", get(base + "/metrics").decode(), re.M))


def kept(base, paths):
    """The thumbnails that are cached after the first request, with their bytes. Files that are cut short are rendered each time."""
    for path in paths:
        with contextlib.suppress(urllib.error.HTTPError):
            get(base + path)
            before = renders(base)
            data = get(base + path)
            if renders(base) == before:
                yield path, data


def wrk(base, paths, folder, *lines):
    script = folder / "paths.lua"
    script.write_text("\n".join((
        "local paths = {" + ",".join(f'"{path}"' for path in paths) + "}", "local n = 0",
        "request = function() n = n % #paths + 1; return wrk.format('GET', paths[n]) end", *lines)))
    out = subprocess.run(
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "-s", script, base], capture_output=True, text=True).stdout
    if "Non-2xx" in out or "Socket errors" in out:
        sys.exit(out)
    return out


def rate(base, paths, folder):
    """Answers a second with all connections busy."""
    return float(re.search(r"Requests/sec:\s*(\S+)", wrk(base, paths, folder)).group(1))


def percentile(base, paths, folder, per_second):
    """The 99th percentile of latencies in milliseconds, at so many requests a second.

    Each connection pauses after each answer for a random time, so that requests come at any moment. h2load sends in ticks of a
    hundredth of a second instead: all connections are busy after each tick, and idle in front of the next one.
    """
    pause = 1000 * CONNECTIONS / per_second
    out = wrk(
        base, paths, folder, f"local pause, owed = {pause}, 0",
        "delay = function() owed = owed + 2 * pause * math.random(); local whole = math.floor(owed); owed = owed - whole; return whole end",
        "done = function(summary, latency) io.write(string.format('P99 %f\\n', latency:percentile(99) / 1000)) end")
    return float(re.search(r"P99 (\S+)", out).group(1))


def cold(base, paths, folder):
    """The thumbnails that are made, a second, for eight connections."""
    addresses, log = folder / "addresses", folder / "latencies"
    addresses.write_text("".join(f"{base}{path}\n" for path in paths))
    log.unlink(missing_ok=True)
    subprocess.run(
        ["h2load", "--h1", "-t1", "-c", "8", "-i", addresses, "--log-file", log, "-n", str(len(paths))],
        capture_output=True, check=True)
    lines = [line.split("\t") for line in log.read_text().splitlines()]
    starts = [int(line[0]) for line in lines]
    ends = [int(line[0]) + int(line[2]) for line in lines]
    return sum(line[1] == "200" for line in lines) / ((max(ends) - min(starts)) / 1e6)


def main():
    executable, photos, rounds = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3])
    thumbor = sys.argv[4] if len(sys.argv) > 4 else None
    folder = pathlib.Path(tempfile.mkdtemp(prefix="thumbwheel-serve-"))
    folder.chmod(0o755)
    (folder / "photos").symlink_to(photos)
    ours, peer, theirs = free_port(), free_port(), free_port()
    base, nginx, other = (f"http://127.0.0.1:{port}" for port in (ours, peer, theirs))
    modules = list(pathlib.Path("/usr/lib/nginx/modules").glob("ngx_http_image_filter_module.so"))
    conf = folder / "nginx.conf"
    conf.write_text(NGINX.format(
        module=f"load_module {modules[0]};" if modules else "", folder=folder, port=peer, filter=FILTER if modules else ""))
    (folder / "empty").write_text("")
    (folder / "thumbor.conf").write_text(THUMBOR.format(photos=photos, quality=QUALITY))
    serve = [executable, "serve", str(photos), "--port", str(ours), "--quality", str(QUALITY), "--no-placeholders"]
    start_nginx = ["nginx", "-c", str(conf), "-p", str(folder)]
    found = {"cached": [], "p99": [], "peer": [], "filter": [], "thumbor": []}
    rates = []
    try:
        for turn in range(rounds):
            with running(serve, base + "/readyz"), running(start_nginx, nginx + "/empty"):
                paths = thumbnails(base)
                names = sorted(path.name for path in photos.iterdir() if path.suffix.lower() in (".jpg", ".jpeg"))
                mine = cold(base, paths, folder)
                if modules:
                    found["filter"].append(mine / cold(nginx, [f"/photos/{name}" for name in names], folder))
                if thumbor:
                    command = [thumbor, "-c", str(folder / "thumbor.conf"), "-p", str(theirs), "--processes", "2"]
                    with running(command, other + "/healthcheck"):
                        images = [f"/unsafe/{SIDE}x{SIDE}/{name}" for name in names]
                        found["thumbor"].append(mine / cold(other, images, folder))
                whole = []
                for path, data in kept(base, paths):
                    file = folder / path[1:]
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_bytes(data)
                    whole.append(path)
                files, cached = rate(nginx, whole, folder), rate(base, whole, folder)
                rates.append((cached, files))
                found["cached"].append(cached / files)
                found["p99"].append(percentile(base, whole, folder, cached / 2))
                found["peer"].append(percentile(nginx, whole, folder, cached / 2))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    middle = {name: statistics.median(values) for name, values in found.items() if values}
    print("| what | figure | rounds | required |\n| --- | --- | --- | --- |")
    listed = lambda name: ", ".join(f"{value:.2f}" for value in found[name])
    print(f"| cached thumbnails a second, {CONNECTIONS} connections, of nginx's files | {middle['cached']:.2f} | "
          f"{listed('cached')} ({rates[0][0]:.0f} and {rates[0][1]:.0f} in the first) | 0.5 |")
    print(f"| 99th percentile at half that load (nginx's files: {middle['peer']:.2f} ms) | {middle['p99']:.2f} ms | "
          f"{listed('p99')} | 2 ms |")
    for name, text, least in (("filter", "nginx's image filter", 2), ("thumbor", "thumbor", 4)):
        if name in middle:
            print(f"| thumbnails that are made, a second, of {text} | {middle[name]:.2f} | {listed(name)} | {least} |")


main()
