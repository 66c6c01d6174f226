// Previews: small pictures for cells whose thumbnails are not there yet, by blocks of the list, one answer a block.

const previews = {
  blocks: new Map(), near: 0,
  // Blocks that are kept as files, about 2 KB a photograph, and cells on each side of the screen for which pictures are kept decoded,
  // about 25 KB a photograph, and for which files are fetched ahead.
  limit: 384, decodedReach: 500, reach: navigator.connection && navigator.connection.saveData ? 64 : 1024,

  get(i) { const block = this.blocks.get(i >> 4); return block && block.pictures[i & 15]; },

  // Asks for the blocks around the cells that are seen: first where the scroll goes. Decodes those that come next.
  plan(first, last, direction, isMoving, keys) {
    const seen = last - first + 1;
    // As far as the scroll goes in a third of a second.
    const near = Math.ceil(seen * Math.max(isMoving ? 8 : 4, Math.min(24, Math.abs(grid.speed) * 300 / Math.max(1, grid.box.clientHeight))));
    this.near = Math.min(near, this.decodedReach);
    const ahead = Math.max(this.reach, near), behind = isMoving ? seen : ahead;
    // The cells that will be seen when an answer comes: what will have left by then is worth less.
    const lead = isMoving ? direction * Math.round(seen * Math.min(4, Math.abs(grid.speed) * 120 / Math.max(1, grid.box.clientHeight))) : 0;
    const from = Math.max(0, first - (direction > 0 ? behind : ahead)) >> 4;
    const to = Math.min(photos.count - 1, last + (direction > 0 ? ahead : behind)) >> 4;
    for (let b = from; b <= to; b++) {
      const start = b << 4, end = start + 15;
      const cells = end < first ? first - end : start > last ? start - last : 0;
      const block = this.blocks.get(b);
      if (block && cells <= this.near) this.decode(b, block);
      if (block && block.asked === this.whole(b)) continue;
      if (block && performance.now() < block.againAt) { grid.planLater(); continue; }
      const rows = cells * (grid.rows.length / photos.count);
      const isAhead = direction > 0 ? end >= first + lead : start <= last + lead;
      const aim = end < first + lead ? first + lead - end : start > last + lead ? start - last - lead : 0;
      // What is seen goes before thumbnails, and what will be seen in a moment as well. While the grid rests, thumbnails go first
      // where there are placeholders.
      let distance = isMoving && isAhead && aim <= near ? -1 + aim / near / 2
        : cells === 0 ? (isMoving ? -.3 : this.hasHashes(b) ? .5 : -1) : 2 + rows * (isMoving && !isAhead ? 3 : 1);
      if (cells === 0 && this.isCovered(b)) distance = 2;
      keys.add('p' + b);
      loader.want('p' + b, () => this.url(b), distance, (answer, isWanted) => this.take(b, answer, isWanted));
    }
    for (const [b, block] of this.blocks) {
      const cells = Math.max((b << 4) - last, first - (b << 4) - 15);
      if (cells > Math.min(2 * near, this.decodedReach) && block.isDecoded) this.undecode(block);
    }
    if (this.blocks.size > this.limit) {
      const middle = (first + last) / 32;
      const far = [...this.blocks.keys()].sort((x, y) => Math.abs(y - middle) - Math.abs(x - middle));
      for (const b of far.slice(0, this.blocks.size - this.limit)) { this.undecode(this.blocks.get(b)); this.blocks.delete(b); }
    }
  },
  // Whether all cells of a block have their thumbnails already.
  isCovered(b) {
    for (let i = b << 4; i < Math.min(photos.count, (b << 4) + 16); i++) { const cell = grid.cells.get(i); if (!cell || !cell.isShown) return false; }
    return true;
  },
  hasHashes(b) {
    for (let i = b << 4; i < Math.min(photos.count, (b << 4) + 16); i++) if (photos.hash(i).length < 6) return false;
    return true;
  },
  // The cells of a block, as bits.
  whole(b) { return (1 << Math.min(16, photos.count - (b << 4))) - 1; },
  // Whether a block is of no use to what is seen, or will be seen soon.
  isFar(b) { return Math.max((b << 4) - grid.seen[1], grid.seen[0] - (b << 4) - 15) > 2 * this.near; },
  // Names the pictures that are missing: all, unless an answer broke off, or the list has changed.
  url(b) {
    const block = this.block(b), list = [];
    block.order = [];
    for (let k = 0; this.whole(b) >> k; k++) if (!(block.asked >> k & 1)) { block.order.push(k); list.push(photos.path((b << 4) + k).replace('/', '.')); }
    return '/api/previews?of=' + list.join(',');
  },
  // Takes each picture of a block as it comes.
  async take(b, answer, isWanted) {
    if (!answer) { this.lose(b); return; }
    const reader = answer.body.getReader();
    let rest = new Uint8Array(0);
    for (;;) {
      const { done, value } = await reader.read();
      if (!isWanted()) return;
      if (done) break;
      if (rest.length) { const both = new Uint8Array(rest.length + value.length); both.set(rest); both.set(value, rest.length); rest = both; } else rest = value;
      while (rest.length >= 4) {
        const count = rest[1] | rest[2] << 8 | rest[3] << 16;
        if (rest.length < 4 + count) break;
        const block = this.block(b), k = block.order[rest[0]];
        if (k !== undefined && !(block.asked >> k & 1)) {
          block.files[k] = new Blob([rest.slice(4, 4 + count)], { type: 'image/jpeg' });
          block.asked |= 1 << k;
          if (grid.isNear(b << 4)) this.decodeOne(b, block, k);
        }
        rest = rest.subarray(4 + count);
      }
    }
    stats.blocks++;
    // The service was too busy for some of the pictures.
    if ((answer.headers.get('cache-control') || '').includes('no-store')) { this.lose(b); return; }
    const block = this.block(b);
    block.asked = this.whole(b); block.losses = block.againAt = 0;
  },
  // Has a block asked for again after a pause, which is longer each time.
  lose(b) {
    const block = this.block(b);
    block.againAt = performance.now() + 1000 * Math.min(60, 2 ** ++block.losses);
    grid.planLater();
  },
  block(b) {
    let block = this.blocks.get(b);
    if (!block) this.blocks.set(b, block = { files: [], pictures: [], asked: 0, order: [], losses: 0, againAt: 0, isDecoded: false });
    return block;
  },
  decode(b, block) { for (let k = 0; k < block.files.length; k++) if (block.files[k] && block.pictures[k] === undefined) this.decodeOne(b, block, k); },
  // Decodes off the main thread, ahead of the cell, so that the cell has its picture in the frame in which it is made.
  decodeOne(b, block, k) {
    block.pictures[k] = null; block.isDecoded = true;
    createImageBitmap(block.files[k]).then(picture => {
      if (this.blocks.get(b) !== block || block.pictures[k] !== null) { picture.close(); return; }
      block.pictures[k] = picture;
      const cell = grid.cells.get((b << 4) + k);
      if (cell) grid.preview(cell, picture);
    }, () => {
      // It is no picture. It would be decoded again and again.
      if (this.blocks.get(b) !== block || block.pictures[k] !== null) return;
      block.pictures[k] = block.files[k] = undefined;
    });
  },
  undecode(block) {
    for (const picture of block.pictures) if (picture) picture.close();
    block.pictures = []; block.isDecoded = false;
  },
  // Takes the pictures that there are to the places that their photographs have in another list.
  keep(old) {
    for (const key of [...loader.waiting.keys(), ...loader.running.keys()]) if (key[0] === 'p') loader.drop(key);
    const before = this.blocks;
    this.blocks = new Map();
    for (const [b, block] of before) for (let k = 0; block.asked >> k; k++) {
      const from = (b << 4) + k;
      if (!(block.asked >> k & 1) || from >= old.count) continue;
      const to = photos.place(old, from);
      if (to < 0 || photos.path(to) !== old.path(from)) { if (block.pictures[k]) block.pictures[k].close(); continue; }
      const other = this.block(to >> 4);
      other.asked |= 1 << (to & 15); other.files[to & 15] = block.files[k];
      // One that is being decoded is decoded again.
      if (block.pictures[k]) { other.pictures[to & 15] = block.pictures[k]; other.isDecoded = true; }
    }
  }
};
