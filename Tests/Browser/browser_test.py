"""What the gallery must do in a real browser."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

import losses
import scrolls
import viewing
from devtools import Page, wait_for

executable, browser, folder, count = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), int(sys.argv[4])
failures = []

# The share of the cell-frames of a fling that may show nothing, with placeholders switched off.
BLANK_SHARE = float(os.environ.get("BLANK", "0.01"))
# A visible cell may be without a picture for so long after a fling has come to rest.
BOUND_IN_SECONDS = float(os.environ.get("BOUND", "5"))
# Cells of photographs that are known to be unreadable; the generated ones are not.
UNREADABLE = int(os.environ.get("UNREADABLE", "0"))
# How long the page is looked at before it is scrolled.
REST_IN_SECONDS = float(os.environ.get("REST", "3"))


def check(is_right, text):
    print(("passed: " if is_right else "FAILED: ") + text, flush=True)
    if not is_right:
        failures.append(text)


def metrics(address):
    with urllib.request.urlopen(address + "metrics") as answer:
        return answer.read().decode()


def metric(address, name):
    return sum(float(value) for value in re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)$", metrics(address), re.M))


SETTLED = """(() => {
  const g = thumbwheel.grid, top = g.box.scrollTop, bottom = top + g.box.clientHeight;
  let seen = 0, waiting = 0;
  for (const [i, cell] of g.cells) {
    const row = g.rows[g.rowOf(i)];
    if (row.top + row.height <= top || row.top >= bottom) continue;
    seen++; if (!cell.isShown && !cell.isHopeless) waiting++;
  }
  return seen > 0 && waiting === 0;
})()"""

# Each control has a role and a name, nothing is focusable and hidden, and identifiers are there once.
NAMES = """(() => {
  const wrong = [];
  for (const e of document.querySelectorAll('button, a, input, video, [role=gridcell], [role=grid], [role=dialog], nav')) {
    const hidden = e.closest('[hidden]');
    const name = (e.getAttribute('aria-label') || e.textContent || '').trim();
    if (!hidden && !name && e.tagName !== 'VIDEO') wrong.push('no name: ' + e.outerHTML.slice(0, 90));
  }
  for (const e of document.querySelectorAll('[role=gridcell]')) if (!e.closest('[role=row]')) wrong.push('a cell outside a row');
  for (const e of document.querySelectorAll('[role=row]')) if (!e.closest('[role=grid]')) wrong.push('a row outside a grid');
  for (const e of document.querySelectorAll('img')) if (!e.hasAttribute('alt')) wrong.push('an image without alt');
  const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
  if (new Set(ids).size !== ids.length) wrong.push('an identifier is there twice');
  if (document.querySelectorAll('[role=gridcell][tabindex="0"]').length !== 1) wrong.push('not one cell takes the focus');
  if (!document.documentElement.lang || !document.title) wrong.push('no language or no title');
  return wrong;
})()"""


def fling(page, name, blank_share=BLANK_SHARE, drag_share=None):
    """Flings as hands make them on a touchpad, and a drag of the scrollbar: what the page itself counts.

    In the library's own order: by date, hundreds of names of one photograph would stand side by side.
    """
    page.evaluate("order = 'album'; load()")
    page.wait_until("thumbwheel.photos().sections.length === 1")
    page.wait_until(SETTLED)
    time.sleep(REST_IN_SECONDS)
    for kind, speeds, pause in (("brisk flings", (4, 4, -4, 4, 4), 1.2), ("hard flings", (9,) * 8, 0.4)):
        def make():
            for speed in speeds:
                scrolls.wheel_fling(page, speed, pause)
            scrolls.wheel_fling(page, speeds[-1])

        stats = scrolls.counted(page, make)
        print(scrolls.line(f"{name}, {kind}", stats))
        # A page that gives cells up, or shows none, has no blank ones.
        check(stats["cellFrames"] > 1000, f"{name}, {kind}: {stats['cellFrames']} cell-frames are enough to judge by")
        check(stats["blank"] <= blank_share * stats["cellFrames"], f"{name}, {kind} show blank cells for at most {blank_share:.0%}")
        page.screenshot(folder / f"{name}-{kind}.png".replace(" ", "-"))
        if stats["shown"] == 0:
            page.wait_until(SETTLED, BOUND_IN_SECONDS)
        shown, hopeless = page.evaluate("[thumbwheel.stats.shown, thumbwheel.stats.hopeless]")
        check(shown > 0, f"{name}, {kind}: {shown} thumbnails were shown")
        check(hopeless <= UNREADABLE, f"{name}, {kind}: {hopeless} cells were given up")
    page.wait_until(SETTLED, BOUND_IN_SECONDS)
    drag = scrolls.counted(page, lambda: scrolls.drag_scrollbar(page, (0.5, 0.2, 0.9)))
    print(scrolls.line(f"{name}, a drag of the scrollbar", drag))
    check(drag["cellFrames"] > 500, f"{name}, a drag of the scrollbar: {drag['cellFrames']} cell-frames are enough to judge by")
    if drag_share is not None:
        # Slow frames weigh more than quick ones.
        check(drag["blankTime"] <= drag_share * drag["cellTime"] and drag["blank"] <= drag_share * drag["cellFrames"],
              f"{name}, a drag of the scrollbar shows blank cells for at most {drag_share:.0%} of the frames and of the time")
    page.screenshot(folder / f"{name}-drag.png".replace(" ", "-"))
    page.wait_until(SETTLED, BOUND_IN_SECONDS)
    hopeless = page.evaluate("thumbwheel.stats.hopeless")
    check(hopeless <= UNREADABLE, f"{name}, a drag of the scrollbar: {hopeless} cells were given up")
    page.evaluate("order = 'newest'; load()")
    page.wait_until("thumbwheel.photos().sections.length > 1")
    page.evaluate("thumbwheel.grid.box.scrollTop = 0")
    page.wait_until(SETTLED)


def run(page, address):
    page.show(address, 1280, 800)
    check(page.evaluate("thumbwheel.photos().count") == count, f"the grid has all {count} photographs")
    page.wait_until(SETTLED)
    page.screenshot(folder / "wide-light.png")
    check(page.evaluate("document.querySelectorAll('.cell').length") < 400, "only the cells near the screen exist")
    check(page.evaluate(NAMES) == [], f"roles and names {page.evaluate(NAMES)}")
    check(page.evaluate("document.querySelectorAll('nav button').length") > 0, "albums are listed")

    fling(page, "first visit")

    # As fast as the page takes it, by the wheel; then far jumps, as a drag of the scrollbar makes them.
    page.evaluate("for (const name in thumbwheel.stats) thumbwheel.stats[name] = 0")
    for turn in range(40):
        page.wheel(1500)
    for part in (0.3, 0.7, 0.5, 0.9, 0.2):
        page.evaluate(f"thumbwheel.grid.box.scrollTop = {part} * thumbwheel.grid.height")
        for turn in range(5):
            page.wheel(-900)
    page.wait_until(SETTLED, BOUND_IN_SECONDS)
    stats = page.evaluate("({...thumbwheel.stats})")
    share = stats["blank"] / max(1, stats["cellFrames"])
    check(True, f"no visible cell is without a picture {BOUND_IN_SECONDS} s after a fling")
    hopeless = page.evaluate("thumbwheel.stats.hopeless")
    check(hopeless <= UNREADABLE, f"the fastest scroll: {hopeless} cells were given up")
    print(f"the fastest scroll: cell-frames {stats['cellFrames']}, without a thumbnail {stats['waiting']}, blank {stats['blank']} ({share:.1%})")
    page.screenshot(folder / "after-fling.png")
    check(stats["cancelled"] > 0, f"the page cancels what has left: {stats['cancelled']} of {stats['begun']}")
    page.wait_until("thumbwheel.loader.running.size + thumbwheel.loader.waiting.size === 0", 120)
    wait_for(lambda: metric(address, "thumbwheel_service_running") == 0, "the requests that were cancelled", 30)
    check(metric(address, "thumbwheel_service_abandoned_total") > 0, "the server stops the work of cancelled requests")
    check(metric(address, "thumbwheel_requests_live") == 0, "no request of the manager stays behind")
    started, wasted = metric(address, "thumbwheel_renders_started_total"), metric(address, "thumbwheel_renders_wasted_total")
    print(f"renders: {started:.0f} begun, {wasted:.0f} for nobody ({wasted / max(1, started):.1%})")

    # The viewer: opened, paged, zoomed, closed.
    page.evaluate("thumbwheel.grid.box.scrollTop = 0")
    page.wait_until(SETTLED)
    page.click(".row .cell")
    page.wait_until("document.querySelector('#stage img.full') !== null")
    page.screenshot(folder / "viewer.png")
    page.press("ArrowRight")
    page.wait_until("thumbwheel.viewer.index === 1 && document.querySelector('#stage img.full') !== null")
    page.press("+")
    check(page.evaluate("thumbwheel.viewer.scale") > 1, "the viewer zooms")
    page.wait_until("thumbwheel.viewer.kept.has(thumbwheel.photos().path(2))")
    page.press("f")
    page.wait_until("document.querySelector('#favorite').getAttribute('aria-pressed') === 'true'")
    page.press("Escape")
    check(page.evaluate("document.activeElement.dataset.index") == "1", "the focus returns to the photograph that was viewed")
    page.wait_until("[...document.querySelectorAll('nav button')].some(b => b.textContent.startsWith('Favorites'))")
    check(True, "a favourite makes its album appear")

    viewing.run(page, check, SETTLED)

    # A service that is busy, and one that is away for a moment: the viewer asks again.
    page.click(".row .cell")
    page.wait_until("document.querySelector('#stage img.full') !== null")
    page.evaluate("""{ const real = window.fetch; let count = 0; window.failed = 0;
      window.fetch = (url, options) => {
        if (!String(url).startsWith('/a/') || ++count > 2) return real(url, options);
        failed++;
        return count === 1 ? Promise.resolve(new Response('', { status: 503, headers: { 'retry-after': '1' } })) : Promise.reject(new TypeError('away'));
      }; } 0""")
    page.evaluate("thumbwheel.viewer.go(700); 0")
    page.wait_until("document.querySelector('#stage img.full') !== null")
    check(page.evaluate("window.failed") == 2, "the viewer asks again for what has failed")
    page.press("Escape")
    page.evaluate("thumbwheel.grid.box.scrollTop = 0")
    page.evaluate("thumbwheel.grid.focus(1)")
    page.wait_until(SETTLED)

    # Selection by keyboard, and the picker.
    page.press(" ")
    page.press("ArrowRight")
    page.press(" ")
    marks = page.evaluate("[...document.querySelectorAll('[aria-selected=true] .mark')].map(m => m.textContent)")
    check(marks == ["1", "2"], f"selected photographs are numbered: {marks}")
    check(page.evaluate("document.querySelector('#title').textContent") == "2 selected", "the title counts what is selected")
    check(page.evaluate("document.querySelector('#select').textContent") == "Cancel", "the button that began the selection ends it")
    page.screenshot(folder / "selection.png")
    chosen = "thumbwheel.selection.order.map(name => thumbwheel.photos().flags[thumbwheel.photos().find(name)] & 2)"
    page.click("#like")
    page.wait_until(f"{chosen}.join() === '2,2'")
    page.click("#like")
    page.wait_until(f"{chosen}.join() === '0,0'")
    page.click("#like")
    page.wait_until(f"{chosen}.join() === '2,2'")
    check(True, "all that is selected becomes a favourite, none again, and all again")
    page.click("#select")
    check(page.evaluate("document.querySelector('#title').textContent.startsWith('All Photos')"), "the title is the album's again")
    check(page.evaluate("document.querySelector('#like').hidden"), "nothing is offered for what is not selected")
    losses.run(page, check, SETTLED)
    page.show(address + "?picker=2", 390, 844, "dark", 2)
    page.wait_until(SETTLED)
    page.evaluate("for (const i of [0, 1, 2]) thumbwheel.selection.toggle(i)")
    page.screenshot(folder / "phone-dark-picker.png")
    page.click("#done")
    check(len(page.evaluate("window.picked")) == 2, "the picker hands over what was chosen, and no more than it may")
    check(page.evaluate("document.documentElement.scrollWidth") <= 390, "nothing is wider than a phone")
    page.click("#menu")
    page.screenshot(folder / "phone-dark-albums.png")

    viewing.lists_that_fail(page, check, address)
    losses.long_recording(page, check, address)

    # What is added to the folder appears, and nothing that is looked at begins anew.
    page.show(address, 1280, 800, "dark")
    page.wait_until(SETTLED)
    page.evaluate("""window.seen = [...document.querySelectorAll('.cell img')].filter(each => {
      const box = each.getBoundingClientRect(); return box.bottom > 0 && box.top < innerHeight - 250; }); 0""")
    begun = page.evaluate("thumbwheel.stats.begun")
    some = next(path for path in sorted((folder / "photos" / "000").iterdir()) if path.suffix == ".jpg")
    shutil.copy(some, folder / "photos" / "added.jpg")
    page.wait_until(f"thumbwheel.photos().count === {count + 1}", 60)
    page.wait_until(SETTLED)
    check(True, "a photograph that is added appears")
    kept = page.evaluate("[window.seen.length, window.seen.filter(each => each.isConnected).length]")
    check(kept[0] > 5 and kept[0] == kept[1], f"thumbnails that were seen stay: {kept[1]} of {kept[0]}")
    begun = page.evaluate("thumbwheel.stats.begun") - begun
    print(f"{begun} requests for pictures after a photograph was added")
    page.evaluate("thumbwheel.grid.box.scrollTop = 0")
    page.click(".row .cell")
    page.wait_until("document.querySelector('#stage img.full') !== null")
    page.press("+")
    path = page.evaluate("window.viewed = document.querySelector('#stage').firstChild; thumbwheel.photos().path(thumbwheel.viewer.index)")
    shutil.copy(some, folder / "photos" / "added-too.jpg")
    page.wait_until(f"thumbwheel.photos().count === {count + 2}", 60)
    check(page.evaluate("thumbwheel.viewer.scale") > 1, "the viewer stays as it is when photographs are added")
    check(page.evaluate("window.viewed.isConnected && window.viewed === document.querySelector('#stage').firstChild"), "the viewer keeps its element")
    check(page.evaluate("thumbwheel.photos().path(thumbwheel.viewer.index)") == path, "the viewer knows the place of its photograph")
    page.press("Escape")
    page.screenshot(folder / "wide-dark.png")
    check(page.errors == [], f"no errors in the page {page.errors[:3]}")
    for name in ("added.jpg", "added-too.jpg"):
        (folder / "photos" / name).unlink()


class Service:
    """A server, and a browser that has nothing yet."""

    def __init__(self, *options):
        self.page = None
        self.server = subprocess.Popen(
            [executable, "serve", str(folder / "photos"), "--listen", "127.0.0.1:0", "--workers", "2",
             "--library", str(folder / "library"), "--json", str(folder / "access.jsonl"), *options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def __enter__(self):
        self.address = self.server.stdout.readline().removeprefix("listening on ").strip()

        def is_ready():
            try:
                return urllib.request.urlopen(self.address + "readyz").status == 200
            except OSError:
                return False

        wait_for(is_ready, "the import", 300)
        self.page = Page(browser)
        return self

    def __exit__(self, kind, error, trace):
        if kind in (TimeoutError, RuntimeError, ConnectionError):
            if self.page:
                try:
                    self.page.screenshot(folder / "failure.png")
                except (RuntimeError, ConnectionError) as other:
                    # A browser that shows nothing is closed all the same, and the server is.
                    print(other)
                print(self.page.errors[:5])
            check(False, str(error))
        if self.page:
            self.page.close()
        self.server.send_signal(signal.SIGTERM)
        check(self.server.wait(timeout=60) == 0, "the server ends by itself")
        return kind in (TimeoutError, RuntimeError, ConnectionError)


# Without a store, each name of a photograph is rendered for itself. With one, they share what has been made of its bytes.
with Service("--no-placeholders") as service:
    run(service.page, service.address)
store = ("--no-placeholders", "--store", str(folder / "store"))
with Service(*store) as service:
    service.page.show(service.address, 1280, 800)
    scrolls.counted(service.page, lambda: scrolls.wheel_fling(service.page, 9))
# The server has its store, and the browser nothing.
with Service(*store) as service:
    service.page.show(service.address, 1280, 800)
    favorites = "[...document.querySelectorAll('nav button')].some(b => b.textContent.startsWith('Favorites'))"
    check(service.page.evaluate(favorites), "a favourite outlives the server")
    service.page.wait_until(SETTLED)
    fling(service.page, "second visit")
# Placeholders are made while the page is open, and reach it without a fetch of its own.
with Service() as service:
    page, start = service.page, time.monotonic()
    page.show(service.address, 1280, 800)
    page.wait_until(SETTLED)
    page.wait_until("{ const p = thumbwheel.photos(); let n = 0; for (let i = 0; i < p.count; i++) if (p.hashStarts[i + 1] - p.hashStarts[i] < 6) n++; n === 0 }", 600)
    print(f"{count} placeholders were in the page after {time.monotonic() - start:.0f} s")
    fling(page, "placeholders", 0, BLANK_SHARE)
    check(page.errors == [], f"no errors in the page {page.errors[:3]}")
print(f"Screenshots are in {folder}.")
sys.exit(1 if failures else 0)
