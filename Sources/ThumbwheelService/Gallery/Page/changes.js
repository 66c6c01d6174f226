// Changes.

// Changes that come in a burst are loaded together, and none waits for the burst to end. Without an album there is no list yet.
const refresh = () => {
  refresh.timer ??= setTimeout(async () => {
    refresh.timer = undefined;
    const isKnown = Boolean(album);
    if (isKnown) load();
    await loadAlbums();
    if (!isKnown) load();
  }, 150);
};
// The stream has come back: what failed while the server was away is asked for again.
const back = () => {
  for (const cell of grid.cells.values()) { cell.isHopeless = false; cell.againAt = 0; }
  for (const block of previews.blocks.values()) block.againAt = 0;
  for (const job of loader.waiting.values()) job.againAt = 0;
  refresh(); grid.plan(); viewer.fetch();
};
// A stream keeps one of the browser's six connections to a host, for all its tabs: only a tab that is seen has one.
let events = null;
const listen = () => {
  if (events || document.hidden) return;
  clearTimeout(listen.timer);
  events = new EventSource('/api/events');
  events.addEventListener('hello', back);
  events.addEventListener('change', refresh);
  events.addEventListener('placeholders', load);
  // After an answer that is an error, a browser does not come back by itself.
  events.onerror = () => { if (events && events.readyState === EventSource.CLOSED) { events = null; listen.timer = setTimeout(listen, 5000); } };
};
const unlisten = () => { clearTimeout(listen.timer); if (events) events.close(); events = null; };
document.addEventListener('visibilitychange', () => { if (document.hidden) unlisten(); else listen(); });
addEventListener('pagehide', unlisten);
addEventListener('pageshow', listen);
listen();
