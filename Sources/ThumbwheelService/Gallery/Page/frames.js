// Each frame while the grid moves, the page counts the cells that are seen.
let quietFrames = 0, isCounting = false;
// The frame that has been seen until now.
const lastFrame = { time: 0, top: 0, cells: 0, blank: 0, leapt: 0 };
function countFrame() {
  const top = grid.box.scrollTop, bottom = top + grid.box.clientHeight, now = performance.now();
  const { cellFrames, blank } = stats, time = Math.min(1000, now - lastFrame.time);
  stats.cellTime += time * lastFrame.cells; stats.blankTime += time * lastFrame.blank; stats.leaptTime += time * lastFrame.leapt;
  if (recording) recording.push(top);
  stats.frames++;
  for (let r = grid.rowAt(top); r < grid.rows.length && grid.rows[r].top < bottom; r++) {
    const row = grid.rows[r];
    if (row.top + row.height <= top) continue;
    for (let i = row.from; i < row.to; i++) {
      const cell = grid.cells.get(i) || {};
      if (cell.isHopeless) continue;
      stats.cellFrames++;
      if (cell.isShown) continue;
      stats.waiting++;
      if (cell.hasPreview) stats.previews++; else if (cell.hasPlaceholder) stats.placeholders++; else stats.blank++;
    }
  }
  lastFrame.cells = stats.cellFrames - cellFrames; lastFrame.blank = stats.blank - blank;
  lastFrame.leapt = Math.abs(top - lastFrame.top) > grid.box.clientHeight ? lastFrame.blank : 0;
  lastFrame.time = now; lastFrame.top = top;
  // A grid that moves has a scroll in each frame. A browser tells of a scroll's end later than that, or not at all.
  if (quietFrames === 2) grid.rest();
  if (++quietFrames < 30) requestAnimationFrame(countFrame); else { isCounting = false; if (recording) recording.pause(); }
}
grid.box.addEventListener('scroll', () => {
  quietFrames = 0;
  if (!isCounting) {
    isCounting = true; lastFrame.time = performance.now(); lastFrame.top = grid.box.scrollTop; lastFrame.cells = lastFrame.blank = lastFrame.leapt = 0;
    requestAnimationFrame(countFrame);
  }
  grid.track();
  grid.plan();
}, { passive: true });
new ResizeObserver(() => {
  if (!photos) return;
  const index = grid.rows.length ? grid.rows[grid.rowAt(grid.box.scrollTop)].from : 0;
  grid.layOut(index ? { index, offset: 0 } : null);
}).observe(grid.box);
