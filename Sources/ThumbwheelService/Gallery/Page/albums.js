// Albums.

let albums = [], album = '', albumTitle = 'All Photos', order = 'newest';
async function loadAlbums() {
  const answer = await fetch('/api/albums').catch(() => null);
  const list = answer && answer.ok ? await answer.json().catch(() => null) : null;
  if (!list) { lose('albums', answer); return; }
  albums = list; losses.albums = 0;
  const focusedAlbum = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.album : undefined;
  const old = [...$('albums').children], buttons = list.map(each => albumButton(each, old.find(button => button.dataset.album === each.album)));
  if (!album && list.length) {
    const wanted = address.read();
    address.awaited = wanted.photo;
    take(list.find(each => each.album === wanted.album) || list[0]);
  }
  // Buttons that are taken out and put in again would lose the focus, and what a screen reader is reading.
  if (old.length !== buttons.length || old.some((button, i) => button !== buttons[i])) $('albums').replaceChildren(...buttons);
  // Covers that are not shown any more would go on loading beside the grid's pictures.
  for (const button of old) if (!button.isConnected) { const image = button.querySelector('img'); if (image) image.src = ''; }
  markAlbum();
  if (focusedAlbum) { const again = buttons.find(each => each.dataset.album === focusedAlbum); if (again) again.focus(); }
}
// The button of an album: the one that there is, if that shows the same cover.
function albumButton(each, old) {
  const cover = each.cover ? `/a/${each.cover.asset}/${each.cover.version}/128x128.jpg` : '', isSame = old && old.dataset.cover === cover;
  const button = isSame ? old : document.createElement('button'), label = isSame ? old.lastChild : document.createElement('span');
  if (!isSame) {
    const image = document.createElement(cover ? 'img' : 'canvas');
    button.dataset.album = each.album; button.dataset.cover = cover;
    // One that has failed is tried again with the next list.
    image.onerror = () => { delete button.dataset.cover; };
    if (cover) { image.width = image.height = 44; image.alt = ''; image.loading = 'lazy'; image.src = cover; }
    button.append(image, label);
  }
  const count = document.createElement('small'), title = each.title || 'Untitled';
  count.textContent = each.count.toLocaleString(); label.replaceChildren(title, count);
  button.setAttribute('aria-label', `${title}, ${each.count} photos`);
  button.onclick = () => { closeMenu(); choose(each); address.enterAlbum(); };
  return button;
}
function take(each) { album = each.album; albumTitle = each.title; order = each.kind === 'album' ? 'album' : 'newest'; }
function choose(each) { take(each); grid.box.scrollTop = 0; grid.focused = 0; load(); }
function markAlbum() { for (const button of $('albums').children) button.setAttribute('aria-current', button.dataset.album === album); }
function closeMenu() { $('albums').classList.remove('open'); $('menu').setAttribute('aria-expanded', 'false'); }
$('menu').onclick = () => { const isOpen = $('albums').classList.toggle('open'); $('menu').setAttribute('aria-expanded', isOpen); if (isOpen && $('albums').firstChild) $('albums').firstChild.focus(); };
$('albums').addEventListener('keydown', event => { if (event.key === 'Escape') { closeMenu(); $('menu').focus(); } });
