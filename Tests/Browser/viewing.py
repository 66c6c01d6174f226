"""What the gallery must do for a keyboard, for the browser's own ways back and forth, and where it gets nothing."""

FULL = "document.querySelector('#stage img.full') !== null"

# How many cells Tab leads to, and whether they are seen.
ENTRIES = """[...document.querySelectorAll('[role=gridcell][tabindex="0"]')].map(cell => {
  const box = cell.getBoundingClientRect(); return box.bottom > 0 && box.top < innerHeight; })"""

# The shown picture's own ratio and that of its place, and the most that it may be wide and high.
SHAPE = """(() => { const image = document.querySelector('#stage img.full'), box = image.getBoundingClientRect();
  return [image.naturalWidth / image.naturalHeight, box.width / box.height, box.width / innerWidth, box.height / innerHeight]; })()"""


def keeps_its_shape(page):
    own, shown, across, down = page.evaluate(SHAPE)
    return abs(own / shown - 1) < 0.02 and max(across, down) <= 1.001 and max(across, down) > 0.99


def run(page, check, settled):
    """The page shows the grid, from its top, in a window of 1280 by 800."""
    page.click(".row .cell")
    page.wait_until(FULL)
    check(keeps_its_shape(page), "the viewer fills the window with the whole picture")
    page.call("Emulation.setDeviceMetricsOverride", width=500, height=800, deviceScaleFactor=1, mobile=False)
    page.wait_until("innerWidth === 500")
    check(keeps_its_shape(page), "the picture keeps its shape when the window changes")
    page.call("Emulation.setDeviceMetricsOverride", width=1280, height=800, deviceScaleFactor=1, mobile=False)
    page.wait_until("innerWidth === 1280")

    page.click("#stage img.full")
    page.press("ArrowRight")
    check(page.evaluate("thumbwheel.viewer.index") == 1, "the keyboard leads on after a click on the picture")
    page.evaluate("document.querySelector('#before').focus(); 0")
    page.press("Enter")
    page.press("Enter")
    check(page.evaluate("thumbwheel.viewer.index") == 0, "the button leads back to the first photograph, and no further")
    page.press("ArrowRight")
    check(page.evaluate("thumbwheel.viewer.index") == 1, "the keyboard leads on from the first photograph")
    check(page.evaluate("document.querySelector('main').inert"), "the grid behind the viewer takes no focus")

    # The browser's own ways, and a reload.
    name = page.evaluate("thumbwheel.photos().name(1)")
    check(name in page.evaluate("location.hash"), "the address names the photograph that is viewed")
    page.evaluate("history.back(); 0")
    page.wait_until("thumbwheel.viewer.index === -1 && location.hash === ''")
    check(not page.evaluate("document.querySelector('main').inert"), "the way back leads from the viewer to the grid")
    page.evaluate("history.forward(); 0")
    page.wait_until("thumbwheel.viewer.index === 1")
    check(True, "the way forth leads to the photograph again")
    page.evaluate("window.isOld = true; location.reload(); 0")
    page.wait_until("typeof thumbwheel === 'object' && !window.isOld && thumbwheel.viewer.index === 1")
    check(True, "a reload shows the same photograph")
    page.wait_until(FULL)
    page.press("Escape")
    page.wait_until("location.hash === ''")

    # Albums are steps on the way.
    page.click("nav button:nth-child(2)")
    page.wait_until("location.hash.includes('album=') && load.album === album")
    page.evaluate("history.back(); 0")
    page.wait_until("location.hash === '' && album === albums[0].album && load.album === album")
    check(True, "the way back leads to the album before")
    # The list of the first album is there still when the way leads back to it.
    page.evaluate("""{ const photo = thumbwheel.photos().name(3); history.pushState(null, '', address.text(photo));
      choose(albums[1]); address.follow(); } 0""")
    page.wait_until("thumbwheel.viewer.index === 3")
    check(True, "the way back to a photograph of an album whose list has not changed leads to the photograph")
    page.press("Escape")

    # A video has its pointers for itself.
    page.evaluate("""thumbwheel.photos().flags[2] |= 1; thumbwheel.viewer.open(2); window.clicked = '';
      document.addEventListener('click', event => { window.clicked = event.target.tagName; }, { capture: true, once: true }); 0""")
    page.click("#stage video")
    check(page.evaluate("window.clicked") == "VIDEO", "a video gets the clicks on its controls")
    page.wait_until("document.querySelector('#status').textContent === 'This video cannot be shown'")
    check(True, "a video that is none is told of")
    page.evaluate("window.films = [document.querySelector('#stage video')]; thumbwheel.viewer.go(2); films.push(document.querySelector('#stage video')); 0")
    page.press("Escape")
    # Without a source, an element comes to this state a moment later.
    page.wait_until("films.every(each => !each.isConnected && !each.hasAttribute('src') && each.networkState === HTMLMediaElement.NETWORK_EMPTY)")
    check(True, "a video that was left lets go of its connection")
    page.evaluate("thumbwheel.photos().flags[2] &= ~1; 0")

    # Far from the cell that had the focus, Tab leads to one that is seen.
    page.evaluate("thumbwheel.grid.focus(0); document.activeElement.blur(); thumbwheel.grid.box.scrollTop = 12000; 0")
    page.wait_until(settled)
    check(page.evaluate(ENTRIES) == [True], "Tab leads to a cell that is seen after a scroll")
    page.evaluate("document.querySelector('[role=gridcell][tabindex=\"0\"]').focus(); 0")
    first = page.evaluate("+document.activeElement.dataset.index")
    page.press("ArrowRight")
    check(page.evaluate("+document.activeElement.dataset.index") == first + 1, "the arrows lead on from that cell")
    page.evaluate("thumbwheel.grid.focus(0)")
    page.wait_until(settled)


def lists_that_fail(page, check, address):
    """A page whose first lists fail says so, and loads them by itself when it can."""
    script = """{ const real = window.fetch; window.failures = 2;
      window.fetch = (url, options) => String(url).startsWith('/api/grid') && failures-- > 0
        ? Promise.resolve(new Response('', { status: 503 })) : real(url, options); }"""
    identifier = page.call("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
    page.call("Page.navigate", url=address + "?lists")
    page.wait_until("window.failures < 2 && (document.querySelector('#grid .empty') || {}).textContent === 'The photos cannot be loaded'")
    check(True, "a page without a list says so")
    page.wait_until("typeof thumbwheel === 'object' && thumbwheel.photos() !== null")
    check(page.evaluate("document.querySelector('#grid .empty') === null"), "a list that could not be loaded is loaded later")
    page.call("Page.removeScriptToEvaluateOnNewDocument", identifier=identifier)
    script = "window.fetch = url => Promise.resolve(new Response('', { status: 401 }));"
    identifier = page.call("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
    page.call("Page.navigate", url=address + "?token-is-missing")
    page.wait_until("(document.querySelector('#grid .empty') || {}).textContent === 'A token is needed. Open the address that has it.'")
    check(True, "a page without a token says so")
    page.call("Page.removeScriptToEvaluateOnNewDocument", identifier=identifier)
