"""What the gallery must do with answers that fail or break off, and with photographs that the shown list does not have."""

STATUS = "document.querySelector('#status').textContent"


def run(page, check, settled):
    """The page shows the grid, from its top. There are favourites, and photographs 5 to 7 are none."""
    thumbnails(page, check, settled)
    selection(page, check)
    page.evaluate("window.covers = [...document.querySelectorAll('nav button')]; 0")
    page.evaluate("loadAlbums()")
    check(page.evaluate("covers.length > 1 && covers.every((each, i) => each === document.querySelectorAll('nav button')[i])"),
          "albums that have not changed keep their covers")
    page.evaluate("thumbwheel.grid.box.scrollTop = 0")
    page.wait_until(settled)


def thumbnails(page, check, settled):
    page.evaluate("""{ window.realFetch = window.fetch; window.broken = 0;
      window.fetch = (url, options) => {
        if (!String(url).startsWith('/a/') || broken >= 3) return realFetch(url, options);
        broken++;
        return Promise.resolve(new Response(new ReadableStream({ pull(body) { body.error(new TypeError('broken off')); } })));
      }; } 0""")
    hopeless = page.evaluate("thumbwheel.stats.hopeless")
    page.evaluate("thumbwheel.grid.box.scrollTop = thumbwheel.grid.height * .4; 0")
    page.wait_until("window.broken === 3")
    page.wait_until(settled)
    check(page.evaluate("thumbwheel.stats.hopeless") == hopeless, "a thumbnail whose answer broke off is asked for again, and not given up")
    page.evaluate("window.fetch = (url, options) => String(url).startsWith('/a/') ? Promise.resolve(new Response('', { status: 422 })) : realFetch(url, options); 0")
    page.evaluate("thumbwheel.viewer.open(900); 0")
    page.wait_until(STATUS + " === 'This photo cannot be shown'")
    check(True, "a photograph that cannot be shown is told of")
    page.evaluate("window.fetch = realFetch; 0")
    page.press("Escape")


def selection(page, check):
    """What was selected in one album is made favourites in another."""
    page.evaluate("""for (const cell of thumbwheel.grid.cells.values()) cell.isHopeless = false;
      thumbwheel.selection.set(true); for (const i of [5, 6, 7]) thumbwheel.selection.toggle(i);
      [...document.querySelectorAll('nav button')].find(each => each.textContent.startsWith('Favorites')).click(); 0""")
    page.wait_until("load.album === album && album !== albums[0].album")
    page.click("#like")
    page.wait_until(STATUS + " === '3 favourites'")
    page.wait_until("[5, 6, 7].length + 2 <= thumbwheel.photos().count")
    check(True, "what was selected in another album becomes a favourite")
    # One that has gone meanwhile.
    page.evaluate("""{ const gone = 'AAAAAAAAAAAAAAAAAAAAAA';
      thumbwheel.selection.order.push(gone); thumbwheel.selection.wasFavorite.set(gone, true);
      window.fetch = (url, options) => options && String(options.body).includes(gone) ? Promise.resolve(new Response('', { status: 404 })) : realFetch(url, options);
      } 0""")
    page.click("#like")
    page.wait_until(STATUS + " === 'No favourites any more'")
    check(page.evaluate("thumbwheel.selection.order.length") == 3, "what is gone is not selected any more")
    page.evaluate("window.fetch = realFetch; choose(albums[0]); 0")
    page.wait_until("load.album === album && album === albums[0].album")
    flags = page.evaluate("thumbwheel.selection.order.map(name => thumbwheel.photos().flags[thumbwheel.photos().find(name)] & 2)")
    check(flags == [0, 0, 0], f"what was selected in another album is a favourite no more: {flags}")
    page.click("#select")


def long_recording(page, check, address):
    """A scroll of many minutes is recorded as several traces."""
    page.show(address + "?record", 1280, 800)
    page.evaluate("""{ const real = window.fetch; window.traces = [];
      window.fetch = (url, options) => {
        if (url !== '/api/trace') return real(url, options);
        traces.push(options.body.split('\\n').length - 1);
        return Promise.resolve(new Response('', { status: traces.length > 1 ? 413 : 200 }));
      };
      for (let top = 0; top < 30000; top++) recording.push(top); recording.send(); } 0""")
    page.wait_until(STATUS + " === 'The scroll could not be recorded'")
    lines = page.evaluate("window.traces")
    check(lines == [20001, 10001], f"a long scroll is sent in parts: {lines}")
