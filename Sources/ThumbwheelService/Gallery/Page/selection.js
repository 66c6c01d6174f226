// Selection.

const selection = {
  // The names of what is selected, and whether each was a favourite when that was last known: it may lie in another album.
  isOn: pickerLimit > 0, order: [], wasFavorite: new Map(),
  set(isOn) {
    this.isOn = isOn; if (!isOn) { this.order = []; this.wasFavorite.clear(); }
    document.body.classList.toggle('selecting', isOn);
    $('select').textContent = isOn ? 'Cancel' : 'Select'; this.show();
  },
  toggle(i) {
    const name = photos.name(i), place = this.order.indexOf(name);
    if (place >= 0) { this.order.splice(place, 1); this.wasFavorite.delete(name); }
    else if (pickerLimit && this.order.length >= pickerLimit) { say(`No more than ${pickerLimit} can be chosen`); return; }
    else { this.order.push(name); this.wasFavorite.set(name, Boolean(photos.flags[i] & 2)); }
    this.show();
    say(this.order.length + ' selected');
  },
  note(name, isFavorite) { if (this.wasFavorite.has(name)) this.wasFavorite.set(name, isFavorite); },
  // Forgets photographs that are gone.
  drop(...names) {
    if (!names.length) return;
    this.order = this.order.filter(name => !names.includes(name));
    for (const name of names) this.wasFavorite.delete(name);
    this.show();
  },
  show() {
    $('done').hidden = !pickerLimit;
    $('done').textContent = this.order.length ? `Done (${this.order.length})` : 'Done';
    $('select').hidden = pickerLimit > 0;
    $('like').hidden = pickerLimit > 0 || !this.order.length;
    if (photos) { entitle(); grid.describeAll(); }
  }
};
$('select').onclick = () => selection.set(!selection.isOn);
$('like').onclick = () => favoriteSelected();
// Done hands the list over: to the page that has opened or framed the gallery, and as an event for whoever embeds the page.
$('done').onclick = () => {
  const list = selection.order.map(asset => ({ asset }));
  dispatchEvent(new CustomEvent('thumbwheel-picked', { detail: list }));
  window.picked = list;
  const target = window.opener || (window.parent !== window ? window.parent : null);
  if (target) target.postMessage({ thumbwheelPicked: list }, location.origin);
  say(list.length + ' handed over');
};

grid.sheet.addEventListener('click', event => {
  const cell = event.target.closest('.cell'); if (!cell) return;
  const i = +cell.dataset.index;
  if (selection.isOn) { grid.focus(i); selection.toggle(i); } else viewer.open(i);
});
// Tab may have led to a cell that had no focus before.
grid.sheet.addEventListener('focusin', event => {
  const cell = event.target.closest('.cell'); if (cell) grid.focused = +cell.dataset.index;
});
grid.sheet.addEventListener('keydown', event => {
  const cell = event.target.closest('.cell'); if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
  const i = +cell.dataset.index, page = Math.max(1, Math.floor(grid.box.clientHeight / 200) - 1);
  const moves = {
    ArrowLeft: () => grid.focus(i - 1), ArrowRight: () => grid.focus(i + 1),
    ArrowUp: () => grid.focus(grid.beside(i, -1)), ArrowDown: () => grid.focus(grid.beside(i, 1)),
    PageUp: () => grid.focus(grid.beside(i, -page)), PageDown: () => grid.focus(grid.beside(i, page)),
    Home: () => grid.focus(0), End: () => grid.focus(photos.count - 1),
    Enter: () => viewer.open(i), ' ': () => { if (!selection.isOn) selection.set(true); selection.toggle(i); },
    f: () => favorite(i), Escape: () => { if (selection.isOn && !pickerLimit) selection.set(false); }
  };
  const move = moves[event.key]; if (!move) return;
  event.preventDefault(); move();
});
