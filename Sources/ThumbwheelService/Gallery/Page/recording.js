// Recording: one sample a frame while the grid scrolls, in the form that `replay --trace` plays.

const recording = parameters.has('record') ? {
  lines: [], start: 0, timer: 0, top: -1,
  push(top) {
    clearTimeout(this.timer);
    if (top === this.top && this.lines.length) return;
    this.top = top;
    if (!this.lines.length) {
      this.start = performance.now();
      const cell = grid.box.clientWidth < 500 ? 120 : 190, columns = Math.max(1, Math.round(grid.box.clientWidth / (cell * 1.33)));
      this.lines.push(JSON.stringify({ thumbwheelTrace: 1, columns, cell, viewport: [grid.box.clientWidth, grid.box.clientHeight], layout: 'justified', spacing: [grid.gap, grid.gap] }));
    }
    this.lines.push(JSON.stringify({ t: Math.round((performance.now() - this.start) * 10) / 10, y: Math.round(top) }));
    // A scroll of many minutes is several traces, since the service takes no more of one.
    if (this.lines.length > 20000) this.send();
  },
  // A pause belongs to a scroll, unless it is long.
  pause() { this.timer = setTimeout(() => this.send(), 3000); },
  send() {
    clearTimeout(this.timer);
    const lines = this.lines; this.lines = [];
    if (lines.length <= 2) return;
    fetch('/api/trace', { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: lines.join('\n') + '\n' })
      .then(answer => answer.ok, () => false).then(isKept => { if (!isKept) say('The scroll could not be recorded'); });
  }
} : null;
