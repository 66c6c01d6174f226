// Albums.

let albums = [], album = '', albumTitle = 'All Photos', order = 'newest';
async function loadAlbums() {
  const answer = await fetch('/api/albums').catch(() => null);
  const list = answer && answer.ok ? await answer.json().catch(() => null) : null;
  if (!list) { lose('albums', answer); return; }
  albums = list; losses.albums = 0;
  const focusedAlbum = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.album : undefined;
  const buttons = [];
  for (const each of list) {
    const button = document.createElement('button'), label = document.createElement('span'), count = document.createElement('small');
    label.textContent = each.title || 'Untitled'; count.textContent = each.count.toLocaleString(); label.append(count);
    button.dataset.album = each.album; button.setAttribute('aria-label', `${each.title || 'Untitled'}, ${each.count} photos`);
    if (each.cover) {
      const image = new Image(44, 44); image.alt = ''; image.loading = 'lazy'; image.src = `/a/${each.cover.asset}/${each.cover.version}/128x128.jpg`;
      button.append(image);
    } else button.append(document.createElement('canvas'));
    button.append(label);
    button.onclick = () => { closeMenu(); choose(each); address.enterAlbum(); };
    buttons.push(button);
  }
  if (!album && list.length) {
    const wanted = address.read();
    address.awaited = wanted.photo;
    take(list.find(each => each.album === wanted.album) || list[0]);
  }
  $('albums').replaceChildren(...buttons);
  markAlbum();
  if (focusedAlbum) { const again = buttons.find(each => each.dataset.album === focusedAlbum); if (again) again.focus(); }
}
function take(each) { album = each.album; albumTitle = each.title; order = each.kind === 'album' ? 'album' : 'newest'; }
function choose(each) { take(each); grid.box.scrollTop = 0; grid.focused = 0; load(); }
function markAlbum() { for (const button of $('albums').children) button.setAttribute('aria-current', button.dataset.album === album); }
function closeMenu() { $('albums').classList.remove('open'); $('menu').setAttribute('aria-expanded', 'false'); }
$('menu').onclick = () => { const isOpen = $('albums').classList.toggle('open'); $('menu').setAttribute('aria-expanded', isOpen); if (isOpen && $('albums').firstChild) $('albums').firstChild.focus(); };
$('albums').addEventListener('keydown', event => { if (event.key === 'Escape') { closeMenu(); $('menu').focus(); } });
