// The viewer.

const viewer = {
  index: -1, scale: 1, x: 0, y: 0, box: $('viewer'), stage: $('stage'), kept: new Map(), pointers: new Map(),
  // The pictures that are kept stand under the paths of their photographs, which they have in every list.
  url(path) { const side = step(Math.max(innerWidth, innerHeight) * Math.min(2, devicePixelRatio || 1)); return `/a/${path}/${side}x${side}.jpg?mode=fit`; },
  open(i) { address.enter(photos.name(i)); this.reveal(i); },
  reveal(i) { this.box.hidden = false; this.setBehind(true); this.go(i); $('close').focus(); },
  close() { address.leave(); this.hide(); },
  hide() {
    this.box.hidden = true; this.set(); this.setBehind(false);
    this.forget();
    const i = this.index; this.index = -1; grid.focus(i);
  },
  // Shows elements instead of those that are shown. A video that is only taken out of the page goes on loading, and keeps one of the
  // browser's connections to the service.
  set(...items) {
    const hadFocus = this.stage.contains(document.activeElement);
    for (const video of this.stage.querySelectorAll('video')) { video.pause(); video.removeAttribute('src'); video.load(); }
    this.stage.replaceChildren(...items);
    // The keyboard leads nowhere while nothing has the focus.
    if (hadFocus && !this.box.hidden) $('close').focus();
  },
  // The page behind the viewer takes no focus while the viewer is open.
  setBehind(isInert) { for (const part of document.querySelectorAll('header, nav, main')) part.inert = isInert; },
  forget() {
    for (const key of [...loader.waiting.keys(), ...loader.running.keys()]) if (key[0] === 'v') loader.drop(key);
    for (const url of this.kept.values()) URL.revokeObjectURL(url);
    this.kept.clear();
  },
  go(i) {
    if (i < 0 || i >= photos.count) return;
    this.index = i; this.zoom(1);
    const ratio = photos.ratios[i], hash = photos.hash(i), items = [], isVideo = Boolean(photos.flags[i] & 1);
    this.stage.style.setProperty('--ratio', ratio);
    this.box.classList.toggle('film', isVideo);
    if (isVideo) {
      const video = document.createElement('video');
      video.onerror = () => { if (video.isConnected) say('This video cannot be shown'); };
      video.controls = true; video.src = '/o/' + photos.path(i); items.push(video);
    } else {
      const picture = previews.get(i);
      if (picture) { const canvas = document.createElement('canvas'); canvas.width = picture.width; canvas.height = picture.height; canvas.getContext('2d').drawImage(picture, 0, 0); items.push(canvas); }
      else if (hash.length > 5) { const canvas = document.createElement('canvas'); paintHash(canvas, hash, ratio); items.push(canvas); }
      const small = grid.cells.get(i);
      if (small && small.isShown) { const image = new Image(); image.src = small.picture.src; image.alt = ''; items.push(image); }
    }
    this.set(...items);
    address.move(photos.name(i));
    this.fetch(); this.describe();
  },
  // Asks for the picture that is viewed and for its neighbours, and shows it if it is there.
  fetch() {
    const i = this.index, near = new Set(), around = new Set();
    if (i < 0) return;
    for (let k = i - 2; k <= i + 2; k++) if (k >= 0 && k < photos.count) around.add(photos.path(k));
    for (const k of [i, i + 1, i - 1]) if (k >= 0 && k < photos.count && !(photos.flags[k] & 1)) {
      const path = photos.path(k);
      near.add('v' + path);
      if (this.kept.has(path)) { if (k === i && !this.stage.querySelector('.full')) this.show(path); continue; }
      loader.want('v' + path, () => this.url(path), k === i ? -2 : 1, async (answer, isWanted, status) => {
        // What no answer came to is asked for again.
        if (!answer) { if (status && path === photos.path(this.index)) say('This photo cannot be shown'); return; }
        const blob = await answer.blob();
        if (!isWanted()) return;
        this.kept.set(path, URL.createObjectURL(blob)); if (path === photos.path(this.index)) this.show(path);
      });
    }
    for (const key of [...loader.waiting.keys(), ...loader.running.keys()]) if (key[0] === 'v' && !near.has(key)) loader.drop(key);
    for (const [path, url] of this.kept) if (!around.has(path)) { URL.revokeObjectURL(url); this.kept.delete(path); }
    loader.pump();
  },
  show(path) {
    const image = new Image();
    image.alt = $('caption').textContent; image.className = 'full'; image.draggable = false;
    image.onload = () => { if (this.index >= 0 && path === photos.path(this.index)) this.set(image); };
    image.src = this.kept.get(path);
  },
  // The list has changed. What is viewed goes on as it is if its photograph is the same.
  move(old) {
    if (this.index < 0) return;
    const path = old.path(this.index), i = photos.place(old, this.index);
    // Its photograph has gone.
    if (i < 0) { this.index = Math.min(this.index, Math.max(0, photos.count - 1)); this.close(); }
    else if (photos.path(i) !== path) this.go(i);
    else { this.index = i; this.fetch(); this.describe(); }
  },
  describe() {
    const i = this.index; if (i < 0) return;
    const text = (days[i] !== undefined ? dayText(days[i]) + ' · ' : '') + `${i + 1} of ${photos.count}`;
    // Screen readers say it whenever it is set.
    if ($('caption').textContent !== text) $('caption').textContent = text;
    $('favorite').setAttribute('aria-pressed', Boolean(photos.flags[i] & 2));
    // A button that is disabled would lose the focus, and with it the keyboard.
    $('before').setAttribute('aria-disabled', i === 0); $('after').setAttribute('aria-disabled', i === photos.count - 1);
  },
  zoom(scale, x = innerWidth / 2, y = innerHeight / 2) {
    scale = Math.max(1, Math.min(8, scale));
    this.x = scale === 1 ? 0 : x - (x - this.x) * scale / this.scale;
    this.y = scale === 1 ? 0 : y - (y - this.y) * scale / this.scale;
    this.scale = scale; this.place();
  },
  place() {
    this.x = Math.min(0, Math.max(innerWidth * (1 - this.scale), this.x));
    this.y = Math.min(0, Math.max(innerHeight * (1 - this.scale), this.y));
    this.stage.style.transform = this.scale === 1 ? '' : `translate(${this.x}px,${this.y}px) scale(${this.scale})`;
  }
};
$('close').onclick = () => viewer.close();
$('before').onclick = () => viewer.go(viewer.index - 1);
$('after').onclick = () => viewer.go(viewer.index + 1);
$('zoomIn').onclick = () => viewer.zoom(viewer.scale * 1.6);
$('zoomOut').onclick = () => viewer.zoom(viewer.scale / 1.6);
$('favorite').onclick = () => favorite(viewer.index);
viewer.box.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = {
    Escape: () => viewer.close(), ArrowLeft: () => viewer.go(viewer.index - 1), ArrowRight: () => viewer.go(viewer.index + 1),
    '+': () => viewer.zoom(viewer.scale * 1.6), '-': () => viewer.zoom(viewer.scale / 1.6), '0': () => viewer.zoom(1), f: () => favorite(viewer.index)
  };
  if (event.key === 'Tab') {
    // The dialog is modal: focus goes round in it.
    const list = [...viewer.box.querySelectorAll('button, video')].filter(each => each.offsetParent);
    const at = list.indexOf(document.activeElement), last = list.length - 1;
    const next = event.shiftKey ? list[at > 0 ? at - 1 : last] : list[at < last ? at + 1 : 0];
    event.preventDefault(); next.focus(); return;
  }
  // A video that has the focus goes back and forth by its arrows.
  if (isOfVideo(event) && event.key !== 'Escape') return;
  if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
});
viewer.box.addEventListener('wheel', event => { event.preventDefault(); if (!isOfVideo(event)) viewer.zoom(viewer.scale * Math.exp(-event.deltaY / 300), event.clientX, event.clientY); }, { passive: false });
// A video has clicks, double clicks and drags of its own.
const isOfVideo = event => Boolean(event.target.closest('video'));
viewer.stage.addEventListener('dblclick', event => isOfVideo(event) || viewer.zoom(viewer.scale > 1 ? 1 : 2.5, event.clientX, event.clientY));
viewer.stage.addEventListener('pointerdown', event => {
  if (isOfVideo(event)) return;
  viewer.stage.setPointerCapture(event.pointerId);
  viewer.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, startX: event.clientX, startY: event.clientY });
});
viewer.stage.addEventListener('pointermove', event => {
  const pointer = viewer.pointers.get(event.pointerId); if (!pointer) return;
  const all = [...viewer.pointers.values()];
  if (all.length === 2) {
    const other = all.find(each => each !== pointer);
    const before = Math.hypot(pointer.x - other.x, pointer.y - other.y), after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
    viewer.zoom(viewer.scale * after / Math.max(1, before), (event.clientX + other.x) / 2, (event.clientY + other.y) / 2);
  } else if (viewer.scale > 1) { viewer.x += event.clientX - pointer.x; viewer.y += event.clientY - pointer.y; viewer.place(); }
  pointer.x = event.clientX; pointer.y = event.clientY;
});
for (const name of ['pointerup', 'pointercancel']) viewer.stage.addEventListener(name, event => {
  const pointer = viewer.pointers.get(event.pointerId); viewer.pointers.delete(event.pointerId);
  if (!pointer || viewer.scale > 1 || viewer.pointers.size || name === 'pointercancel') return;
  const across = event.clientX - pointer.startX, down = event.clientY - pointer.startY;
  if (Math.abs(across) > 50 && Math.abs(across) > Math.abs(down)) viewer.go(viewer.index + (across < 0 ? 1 : -1));
  else if (down > 100 && down > Math.abs(across)) viewer.close();
});
addEventListener('resize', () => viewer.place());
