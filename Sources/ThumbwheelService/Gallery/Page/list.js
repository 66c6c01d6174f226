// The list of what an album shows.

// How often in turn each of the lists could not be loaded.
const losses = { albums: 0, photos: 0 };
// Says that a list cannot be loaded, on the page too where it shows nothing else, and tries again after a pause, which is longer each
// time. Who has no token gets nothing by trying again.
function lose(name, answer) {
  const isForbidden = answer && (answer.status === 401 || answer.status === 403);
  const text = isForbidden ? 'A token is needed. Open the address that has it.' : `The ${name} cannot be loaded`;
  say(text);
  if (!photos) grid.note(text);
  if (isForbidden) return;
  const asked = answer && parseInt(answer.headers.get('retry-after')) || 0;
  clearTimeout(lose.timer);
  lose.timer = setTimeout(refresh, 1000 * Math.max(asked, Math.min(60, 2 ** ++losses[name] / 2)));
}

let loading = 0;
async function load() {
  const turn = ++loading, base = photos && load.album === album && load.order === order ? photos : null;
  // Of a list that has changed, only the difference is sent.
  const answer = await (base
    ? fetch(`/api/grid?album=${album}&order=${order}&since=${load.tag.replace(/[^0-9a-z]/g, '')}`, { cache: 'no-store', headers: { 'if-none-match': load.tag } })
    : fetch(`/api/grid?album=${album}&order=${order}`, { cache: 'no-cache' })).catch(() => null);
  if (answer && answer.status === 404 && album) { album = ''; await loadAlbums(); return load(); }
  const tag = answer && answer.headers.get('etag'), buffer = answer && answer.ok && await answer.arrayBuffer().catch(() => null);
  if (turn !== loading) return;
  // The list is there already. Whoever has gone to another album and come back may have a photograph to be viewed.
  if (answer && answer.status === 304 || buffer && tag === load.tag && load.album === album) { losses.photos = 0; markAlbum(); address.settle(); return; }
  let list = null;
  try { list = buffer && new Photos(base ? Photos.changed(base.buffer, buffer) : buffer); } catch { /* These bytes are no grid. */ }
  if (!list) { lose('photos', answer); return; }
  losses.photos = 0;
  const before = photos, isSame = before && load.album === album;
  load.tag = tag; load.album = album; load.order = order;
  if (isSame && list.looksLike(before)) {
    // Favourites and placeholders change nothing else.
    before.buffer = list.buffer; before.flags = list.flags; before.hashes = list.hashes; before.hashStarts = list.hashStarts;
    for (const [i, cell] of grid.cells) grid.placehold(cell, i);
    grid.describeAll(); viewer.describe();
    return;
  }
  let anchor = null;
  photos = list;
  if (isSame && before.count && grid.box.scrollTop > 50) {
    const row = grid.rows[grid.rowAt(grid.box.scrollTop)], index = photos.place(before, row.from);
    if (index >= 0) anchor = { index, offset: grid.box.scrollTop - row.top };
  }
  if (isSame && before.count) grid.focused = Math.max(0, photos.place(before, grid.focused));
  if (before) previews.keep(before);
  days = [];
  for (const [day, count] of photos.sections) for (let i = 0; i < count; i++) days.push(day);
  if (order === 'album') days = [];
  grid.layOut(anchor);
  if (before) viewer.move(before);
  // What has left the whole library cannot be chosen any more.
  if (isSame && albums.length && album === albums[0].album) selection.drop(...selection.order.filter(name => before.find(name) >= 0 && list.find(name) < 0));
  markAlbum(); selection.show(); address.settle();
}
function entitle() {
  const count = selection.order.length, small = document.createElement('small');
  $('title').textContent = count ? `${count.toLocaleString()} selected` : albumTitle;
  small.textContent = count ? '' : photos.count.toLocaleString();
  $('title').append(small);
}
