// The grid: justified rows, of which only those near the screen exist.

// A format costs much to make, and a text more than to look it up: each cell has one.
const texts = options => {
  const format = new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', ...options }), known = new Map();
  return day => {
    let text = known.get(day);
    if (text === undefined) known.set(day, text = day === -2147483648 ? 'Without a date' : format.format(day * 864e5));
    return text;
  };
};
const dayText = texts({ weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' }), monthText = texts({ month: 'long', year: 'numeric' });

const grid = {
  rows: [], tops: new Float64Array(0), height: 0, cells: new Map(), live: new Map(), heads: new Map(), focused: 0, entry: 0,
  box: $('grid'), sheet: $('sheet'), gap: 4, lastTop: 0, lastTime: 0, direction: 1, speed: 0, seen: [0, 0], isLeaping: false, timer: 0,
  // Cells of a list that was laid out before, by the paths of their photographs.
  spare: new Map(),

  // Measures how fast the grid moves, in pixels a millisecond.
  track() {
    const top = this.box.scrollTop, now = performance.now(), time = now - this.lastTime;
    const speed = time > 0 && time < 200 ? (top - this.lastTop) / time : 0;
    this.speed = time < 200 ? this.speed * .4 + speed * .6 : speed;
    if (top !== this.lastTop) this.direction = top > this.lastTop ? 1 : -1;
    this.isLeaping = Math.abs(top - this.lastTop) > this.box.clientHeight;
    this.lastTop = top; this.lastTime = now;
  },
  rest() { this.speed = 0; this.isLeaping = false; this.plan(); },
  isNear(i) { return i + 15 >= this.seen[0] - previews.near && i <= this.seen[1] + previews.near; },

  // Lays the list out. The cells of photographs that were there before are kept with what they show.
  //
  // - anchor: the photograph that is to lie at a distance from the top of the screen; none leaves the scroll where it is
  layOut(anchor) {
    const width = this.box.clientWidth - 8, target = width < 500 ? 120 : 190, gap = this.gap;
    this.rows = []; this.headings = [];
    let top = 4, i = 0, s = 0;
    const place = (from, to, height) => {
      this.rows.push({ from, to, top, height }); top += height + gap;
    };
    while (i < photos.count) {
      // Months run on in one section until it has enough for a few rows: a heading for each would leave most rows half empty.
      const first = monthText(photos.sections[s][0]);
      let end = i, last = first;
      while (s < photos.sections.length) {
        const month = monthText(photos.sections[s][0]);
        if (month !== last && (end - i >= 12 || photos.sections[s][0] === -2147483648)) break;
        last = month; end += photos.sections[s++][1];
      }
      this.headings.push({ top, text: order === 'album' ? albumTitle : last === first ? first : `${last} – ${first}` });
      top += 40;
      while (i < end) {
        let sum = 0, j = i;
        while (j < end && (sum === 0 || sum * target + (j - i) * gap < width)) sum += photos.aspects[j++];
        let height = (width - (j - i - 1) * gap) / sum;
        if (j === end && height > target * 1.3) height = target;
        place(i, j, Math.min(height, target * 2));
        i = j;
      }
      top += 8;
    }
    this.height = top + 8;
    this.sheet.style.height = this.height + 'px';
    this.box.setAttribute('aria-rowcount', this.rows.length);
    const hadFocus = this.sheet.contains(document.activeElement);
    for (const row of this.live.values()) row.remove();
    for (const head of this.heads.values()) head.remove();
    this.live.clear(); this.heads.clear();
    for (const cell of this.cells.values()) this.spare.set(cell.path, cell);
    this.cells.clear();
    this.note(photos.count ? '' : 'No photos here yet.');
    this.focused = Math.max(0, Math.min(this.focused, photos.count - 1));
    if (anchor) this.lastTop = this.box.scrollTop = this.rows[this.rowOf(anchor.index)].top + anchor.offset;
    this.plan();
    // The keyboard stays at its photograph, also where that is off the screen.
    if (hadFocus && photos.count) {
      if (!this.cells.has(this.focused)) this.makeRow(this.rowOf(this.focused));
      this.cells.get(this.focused).focus({ preventScroll: true });
    }
    for (const cell of this.spare.values()) this.release(cell);
    this.spare.clear();
  },

  // Shows a text where there are no photographs.
  note(text) {
    let note = this.sheet.querySelector('.empty');
    if (!text) { if (note) note.remove(); return; }
    if (!note) { note = document.createElement('p'); note.className = 'empty'; this.sheet.append(note); }
    note.textContent = text;
  },

  rowAt(y) {
    let low = 0, high = this.rows.length - 1;
    while (low < high) { const middle = low + high + 1 >> 1; if (this.rows[middle].top <= y) low = middle; else high = middle - 1; }
    return low;
  },
  rowOf(i) {
    let low = 0, high = this.rows.length - 1;
    while (low < high) { const middle = low + high + 1 >> 1; if (this.rows[middle].from <= i) low = middle; else high = middle - 1; }
    return low;
  },

  // Makes the rows near the screen, lets the others go, and asks for pictures. While the grid races, only previews are asked for: a
  // thumbnail would come when its cell has left. As it slows down, thumbnails come first where the scroll reveals, since those cells
  // stay longest. Where a tenth of a second takes the grid farther than previews are fetched ahead, as a drag of the scrollbar does,
  // nothing is asked for until it rests; and where each frame shows another screen, no row is made that is not seen.
  plan() {
    if (!photos) return;
    const top = this.box.scrollTop, view = this.box.clientHeight;
    if (performance.now() - this.lastTime > 200) this.speed = 0;
    const pace = Math.abs(this.speed), isMoving = pace > .1, isRacing = pace > view / 250;
    const isForward = this.direction > 0, ahead = this.isLeaping ? 0 : 1.5, behind = this.isLeaping ? 0 : isRacing ? .25 : .75;
    const isFleeting = pace * 100 > previews.reach * this.height / Math.max(1, photos.count);
    const from = top - view * (isForward ? behind : ahead), to = top + view * (1 + (isForward ? ahead : behind));
    const wanted = new Set(), keys = new Set();
    if (this.rows.length) {
      for (let r = this.rowAt(from); r < this.rows.length && this.rows[r].top < to; r++) wanted.add(r);
      this.seen = [this.rows[this.rowAt(top)].from, this.rows[this.rowAt(top + view)].to - 1];
    }
    for (const [r, row] of this.live) if (!wanted.has(r) && !row.contains(document.activeElement)) {
      for (let i = this.rows[r].from; i < this.rows[r].to; i++) { const cell = this.cells.get(i); this.cells.delete(i); if (cell) this.release(cell); }
      row.remove(); this.live.delete(r);
    }
    for (const r of wanted) {
      if (!this.live.has(r)) this.makeRow(r);
      const row = this.rows[r], above = top - row.top - row.height, below = row.top - top - view;
      let distance = above > 0 ? Math.ceil(above / 200) + 1 : below > 0 ? Math.ceil(below / 200) + 1
        : (isMoving && isForward ? top + view - row.top : row.top + row.height - top) / view / 2;
      if (isMoving && (isForward ? above > 0 : below > 0)) distance *= 2;
      for (let i = row.from; i < row.to; i++) {
        const cell = this.cells.get(i);
        if (!cell || cell.isHopeless || cell.picture && !cell.isSmall) continue;
        if (performance.now() < cell.againAt) { this.planLater(); continue; }
        if (isRacing && (distance >= 1 || !loader.running.has(cell.key))) continue;
        keys.add(cell.key);
        // A cell that shows a smaller thumbnail waits until the others have theirs.
        loader.want(cell.key, () => cell.url, cell.picture ? distance + 2 : distance, async (answer, _, status) => this.show(cell, answer && await answer.blob(), status));
      }
    }
    if (this.rows.length && !isFleeting) previews.plan(this.seen[0], this.seen[1], this.direction, isMoving, keys);
    for (const [k, head] of this.heads) if (this.headings[k].top < from - 40 || this.headings[k].top > to) { head.remove(); this.heads.delete(k); }
    this.headings.forEach((heading, k) => {
      if (heading.top < from - 40 || heading.top > to || this.heads.has(k)) return;
      const element = document.createElement('h2');
      element.className = 'day'; element.textContent = heading.text; element.style.top = heading.top + 'px';
      this.sheet.append(element); this.heads.set(k, element);
    });
    this.setEntry(this.cells.has(this.focused) ? this.focused : this.seen[0]);
    loader.keepOnly(keys);
    loader.pump();
  },

  // Makes one cell the one that Tab leads to: that which had the focus last, or the first one that is seen.
  setEntry(i) {
    if (i === this.entry && this.cells.get(i)?.tabIndex === 0) return;
    const old = this.cells.get(this.entry), cell = this.cells.get(i);
    if (old) old.tabIndex = -1;
    if (cell) cell.tabIndex = 0;
    this.entry = i;
  },

  makeRow(r) {
    const row = this.rows[r], element = document.createElement('div');
    element.className = 'row'; element.setAttribute('role', 'row'); element.setAttribute('aria-rowindex', r + 1);
    element.style.top = row.top + 'px'; element.style.height = row.height + 'px';
    let left = 4;
    for (let i = row.from; i < row.to; i++) {
      const width = photos.aspects[i] * row.height, path = photos.path(i), cell = this.spare.get(path) || this.makeCell(i, path);
      this.spare.delete(path);
      cell.index = cell.dataset.index = i;
      cell.setAttribute('aria-colindex', i - row.from + 1);
      cell.tabIndex = i === this.entry ? 0 : -1;
      cell.style.cssText = `left:${left}px;width:${width}px;height:${row.height}px`;
      const side = step(Math.max(width, row.height) * Math.min(2, devicePixelRatio || 1));
      if (!(cell.side >= side)) {
        cell.isSmall = Boolean(cell.picture);
        cell.side = side; cell.url = `/a/${path}/${side}x${side}.jpg?mode=fit`; cell.key = 'c' + cell.url;
      }
      element.append(cell);
      this.cells.set(i, cell);
      this.describe(i);
      left += width + this.gap;
    }
    // In the order of the photographs, so that reading and tabbing follow what is seen.
    let next = null;
    for (const [other, row] of this.live) if (other > r && (!next || other < next[0])) next = [other, row];
    this.sheet.insertBefore(element, next && next[1]);
    this.live.set(r, element);
  },

  makeCell(i, path) {
    const cell = document.createElement('div'), picture = previews.get(i), mark = document.createElement('span');
    cell.className = 'cell'; cell.path = path; cell.setAttribute('role', 'gridcell');
    mark.className = 'mark'; mark.setAttribute('aria-hidden', 'true'); cell.append(mark);
    if (picture) this.preview(cell, picture); else this.placehold(cell, i);
    return cell;
  },

  // Shows the placeholder of a cell that shows nothing, if the list has it.
  placehold(cell, i) {
    const hash = photos.hash(i);
    if (hash.length < 6 || cell.hasPlaceholder || cell.hasPreview || cell.isShown) return;
    const canvas = document.createElement('canvas');
    paintHash(canvas, hash, photos.aspects[i]); cell.prepend(canvas); cell.hasPlaceholder = true;
  },

  // Shows a small picture in a cell that has no thumbnail yet.
  preview(cell, picture) {
    if (cell.isShown) return;
    let canvas = cell.querySelector('canvas');
    if (!canvas) { canvas = document.createElement('canvas'); cell.prepend(canvas); }
    canvas.width = picture.width; canvas.height = picture.height;
    canvas.getContext('2d').drawImage(picture, 0, 0);
    cell.hasPreview = true;
  },

  show(cell, blob, status) {
    if (this.cells.get(cell.index) !== cell) return;
    const before = cell.picture;
    // A smaller thumbnail is better than none.
    if (!blob) { if (!loader.isFinal(status)) this.lose(cell); else if (before) cell.isSmall = false; else this.giveUp(cell); return; }
    const image = new Image();
    image.alt = ''; image.draggable = false;
    cell.picture = image; cell.isSmall = false; cell.losses = 0;
    image.src = URL.createObjectURL(blob);
    const remove = other => { if (other) { other.remove(); URL.revokeObjectURL(other.src); } };
    // It is decoded before it takes the place of what the cell shows. A larger one may have come meanwhile.
    image.decode().then(() => {
      remove(before);
      if (this.cells.get(cell.index) !== cell || cell.picture !== image) return;
      const canvas = cell.querySelector('canvas');
      cell.insertBefore(image, cell.querySelector('.mark'));
      if (canvas) canvas.remove();
      cell.isShown = true; stats.shown++;
    }, () => {
      URL.revokeObjectURL(image.src);
      const isWanted = this.cells.get(cell.index) === cell && cell.picture === image;
      if (!isWanted || !before || !before.isConnected) remove(before);
      if (!isWanted) return;
      cell.picture = before && before.isConnected ? before : null;
      if (!cell.picture) this.giveUp(cell);
    });
  },

  // Has a thumbnail asked for again after a pause, which is longer each time.
  lose(cell) {
    cell.losses = (cell.losses || 0) + 1;
    cell.againAt = performance.now() + 1000 * Math.min(60, 2 ** cell.losses / 2);
    this.planLater();
  },
  // Plans again while something that was lost is near: a grid that rests does not plan by itself.
  planLater() { this.timer ||= setTimeout(() => { this.timer = 0; this.plan(); }, 2000); },

  giveUp(cell) { cell.isHopeless = true; stats.hopeless++; },

  release(cell) {
    if (cell.picture) URL.revokeObjectURL(cell.picture.src);
    loader.drop(cell.key);
  },

  describe(i) {
    const cell = this.cells.get(i); if (!cell) return;
    const flags = photos.flags[i], place = selection.order.length ? selection.order.indexOf(photos.name(i)) : -1;
    const words = [flags & 1 ? 'Video' : 'Photo', days[i] !== undefined ? dayText(days[i]) : '', flags & 2 ? 'favourite' : ''];
    cell.setAttribute('aria-label', words.filter(Boolean).join(', '));
    if (selection.isOn) cell.setAttribute('aria-selected', place >= 0); else cell.removeAttribute('aria-selected');
    cell.querySelector('.mark').textContent = place >= 0 ? place + 1 : '';
    for (const [name, flag, sign] of [['heart', 2, '♥'], ['film', 1, '▶']]) {
      const old = cell.querySelector('.' + name);
      if (flags & flag && !old) { const span = document.createElement('span'); span.className = name; span.textContent = sign; span.setAttribute('aria-hidden', 'true'); cell.append(span); }
      if (!(flags & flag) && old) old.remove();
    }
  },
  describeAll() { for (const i of this.cells.keys()) this.describe(i); },

  focus(i) {
    if (!photos.count) return;
    i = Math.max(0, Math.min(photos.count - 1, i));
    this.focused = i;
    const row = this.rows[this.rowOf(i)], top = this.box.scrollTop, view = this.box.clientHeight;
    if (row.top - 44 < top) this.box.scrollTop = row.top - 44;
    if (row.top + row.height + 8 > top + view) this.box.scrollTop = row.top + row.height + 8 - view;
    this.plan();
    this.setEntry(i);
    this.cells.get(i)?.focus({ preventScroll: true });
  },

  // The cell of another row that lies under or over the middle of a cell.
  beside(i, rows) {
    const r = this.rowOf(i), other = this.rows[Math.max(0, Math.min(this.rows.length - 1, r + rows))];
    let x = 0; for (let k = this.rows[r].from; k < i; k++) x += photos.aspects[k] * this.rows[r].height;
    x += photos.aspects[i] * this.rows[r].height / 2;
    let k = other.from, left = 0;
    while (k < other.to - 1 && left + photos.aspects[k] * other.height < x) left += photos.aspects[k++] * other.height;
    return k;
  }
};
