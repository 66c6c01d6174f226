"""Scrolls as people make them, for a page of the gallery: by wheel, touch, keyboard and scrollbar."""
import math
import time

# A fling loses this share of its speed in a millisecond, as the replays' flings do.
DECAY = 0.998


def _paced(seconds, step):
    """Calls `step` with the milliseconds since the start, about sixty times a second, as long as it returns true."""
    start = time.monotonic()
    while True:
        elapsed = time.monotonic() - start
        if elapsed > seconds or not step(elapsed * 1000):
            return
        time.sleep(max(0, 0.016 - (time.monotonic() - start - elapsed)))


def wheel_fling(page, speed, seconds=6):
    """A fling on a touchpad: `speed` pixels a millisecond at first, decaying. Ends before its time only at rest."""
    scale, sent = -1 / math.log(DECAY), 0

    def step(milliseconds):
        nonlocal sent
        rest = DECAY ** milliseconds
        distance = round(speed * scale * (1 - rest)) - sent
        if distance:
            page.wheel(distance)
            sent += distance
        return abs(speed) * rest > 0.05

    _paced(seconds, step)


def wheel_notches(page, count, pause=0.12):
    """A mouse's wheel, notch by notch."""
    for _ in range(abs(count)):
        page.wheel(120 if count > 0 else -120)
        time.sleep(pause)


def touch_fling(page, speed, width, height):
    """A finger that draws the page with `speed` pixels a millisecond and lets go. What follows is the browser's own."""
    x, start = width / 2, height * (0.85 if speed > 0 else 0.15)
    span, y = height * 0.7, start
    page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])

    def step(milliseconds):
        nonlocal y
        y = start - math.copysign(min(span, abs(speed) * milliseconds), speed)
        page.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x, "y": y}])
        return abs(speed) * milliseconds < span

    _paced(2, step)
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def keys(page, key, count, pause=0.08):
    """A key that is held down."""
    for _ in range(count):
        page.press(key)
        time.sleep(pause)


def drag_scrollbar(page, parts, seconds=0.5):
    """A drag of the scrollbar from where it is to each of some places (fractions of the whole), with a rest at each."""
    for part in parts:
        start = page.evaluate("thumbwheel.grid.box.scrollTop / thumbwheel.grid.height")

        def step(milliseconds):
            at = start + (part - start) * min(1, milliseconds / seconds / 1000)
            page.evaluate(f"thumbwheel.grid.box.scrollTop = {at} * thumbwheel.grid.height; 0")
            return milliseconds < seconds * 1000

        _paced(seconds + 1, step)
        time.sleep(0.6)


# How the grid moves, sampled by the page itself in each frame.
SAMPLE = """(() => { const list = window.motion = []; const step = () => {
  if (window.motion !== list) return;
  list.push([performance.now(), thumbwheel.grid.box.scrollTop]); requestAnimationFrame(step); }; step(); })()"""


def counted(page, scroll):
    """Runs a scroll, and returns what the page counted of it, with its fastest tenth of a second in pixels a millisecond."""
    page.evaluate("for (const name in thumbwheel.stats) thumbwheel.stats[name] = 0")
    page.evaluate(SAMPLE)
    scroll()
    time.sleep(0.7)
    motion = page.evaluate("{ const list = window.motion; window.motion = null; list }")
    stats = page.evaluate("({...thumbwheel.stats})")
    fastest, first = 0, 0
    for last, (moment, top) in enumerate(motion):
        while moment - motion[first + 1][0] >= 100 and first + 1 < last:
            first += 1
        if moment - motion[first][0] >= 100:
            fastest = max(fastest, abs(top - motion[first][1]) / (moment - motion[first][0]))
    stats["fastest"] = round(fastest, 1)
    stats["distance"] = round(sum(abs(after[1] - before[1]) for before, after in zip(motion, motion[1:])))
    return stats


def line(name, stats):
    """The counts of a scroll in one line."""
    cells = max(1, stats["cellFrames"])

    def share(key):
        return f"{stats[key] / cells:.1%}"

    return (f"{name}: {stats['distance']} px at up to {stats['fastest']} px/ms, {stats['frames']} frames, {cells} cell-frames: "
            f"blank {stats['blank'] / cells:.2%} (of the time {stats['blankTime'] / max(1, stats['cellTime']):.2%}, "
            f"of which nobody could have asked for {stats['leaptTime'] / max(1, stats['cellTime']):.2%}), "
            f"placeholders {share('placeholders')}, previews {share('previews')}, "
            f"thumbnails {(cells - stats['waiting']) / cells:.1%}")
