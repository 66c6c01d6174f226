"""Records scrolls of the gallery in a real browser, as `replay --trace` plays them."""
import pathlib
import signal
import subprocess
import sys
import time
import urllib.request

import scrolls
from devtools import Page, wait_for

executable, browser, folder, target = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
DESK, PHONE = (1280, 800), (390, 844)


def chained(page, speed, count, pause):
    for _ in range(count):
        scrolls.wheel_fling(page, speed, pause)
    scrolls.wheel_fling(page, speed)


def look(page, speeds, pause):
    for speed in speeds:
        scrolls.wheel_fling(page, speed, pause)


def touches(page, speeds, pause):
    for speed in speeds:
        scrolls.touch_fling(page, speed, *PHONE)
        time.sleep(pause)


def held(page, key, count, pause=0.08):
    page.press("Tab")
    page.evaluate("thumbwheel.grid.focus(thumbwheel.grid.focused)")
    scrolls.keys(page, key, count, pause)


SCROLLS = {
    "wheel-notches": (DESK, lambda page: scrolls.wheel_notches(page, 60)),
    "wheel-reading": (DESK, lambda page: (scrolls.wheel_notches(page, 12, 0.4), scrolls.wheel_notches(page, -6, 0.4))),
    "touchpad-gentle": (DESK, lambda page: look(page, (1.5, 1.2, 1.8, -1, 1.5), 1.6)),
    "touchpad-brisk": (DESK, lambda page: look(page, (4, 4, -4, 4, 4), 1.2)),
    "touchpad-hard": (DESK, lambda page: chained(page, 9, 8, 0.4)),
    "touchpad-boomerang": (DESK, lambda page: (chained(page, 9, 6, 0.4), chained(page, -9, 6, 0.4))),
    "touch-gentle": (PHONE, lambda page: touches(page, (1, 1.5, 1, -1, 1.5), 1.2)),
    "touch-hard": (PHONE, lambda page: touches(page, (4, 4, 4, 4, 4, 4), 0.5)),
    "touch-boomerang": (PHONE, lambda page: touches(page, (4, 4, 4, -4, -4, -4), 0.6)),
    "keyboard-arrows": (DESK, lambda page: held(page, "ArrowDown", 80)),
    "keyboard-pages": (DESK, lambda page: held(page, "PageDown", 25, 0.25)),
    "scrollbar-drag": (DESK, lambda page: scrolls.drag_scrollbar(page, (0.01, 0.03, 0.02, 0.05))),
    "scrollbar-far": (DESK, lambda page: scrolls.drag_scrollbar(page, (0.5, 0.2, 0.9), 1)),
}

traces = folder / "traces"
traces.mkdir(exist_ok=True)
server = subprocess.Popen(
    [executable, "serve", str(folder / "photos"), "--listen", "127.0.0.1:0", "--workers", "2", "--record", str(traces), "--no-placeholders"],
    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
page = None
try:
    address = server.stdout.readline().removeprefix("listening on ").strip()

    def is_ready():
        try:
            return urllib.request.urlopen(address + "readyz").status == 200
        except OSError:
            return False

    wait_for(is_ready, "the first import", 300)
    page = Page(browser)
    for name, (size, scroll) in SCROLLS.items():
        page.touch(size is PHONE)
        page.show(address + "?record", *size)
        time.sleep(1)
        before = set(traces.iterdir())
        scroll(page)
        file = wait_for(lambda: next(iter({each for each in traces.iterdir() if each.suffix == ".jsonl"} - before), None), name, 30)
        text = file.read_text()
        (target / (name + ".jsonl")).write_text(text)
        last = text.strip().split("\n")[-1]
        print(f"{name}: {text.count(chr(10)) - 1} samples, the last {last}", flush=True)
finally:
    if page:
        page.close()
    server.send_signal(signal.SIGTERM)
    server.wait(timeout=60)
