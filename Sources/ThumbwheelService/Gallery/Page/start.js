'use strict';
const $ = id => document.getElementById(id);
const parameters = new URLSearchParams(location.search);
const pickerLimit = parameters.has('picker') ? Math.max(1, Math.min(999, parseInt(parameters.get('picker')) || 1)) : 0;
const ladder = [64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048];
const step = side => ladder.find(each => each >= side) || 2048;
const say = text => { $('status').textContent = text; };

// What the tests, and whoever is curious, may read. Of the cell-frames that were visible while the page scrolled: those without a
// thumbnail (waiting), which had a small picture (previews) or a placeholder instead, or nothing (blank). Cells that no picture
// can be made of are not counted among these, but for themselves when they are given up (hopeless). A frame counts once, however long it
// is seen; the times weigh each by its milliseconds: of all cells, of blank ones, and of blank ones in frames that show nothing of the screen
// before, which nobody could have asked for (leapt).
const stats = { frames: 0, cellFrames: 0, waiting: 0, previews: 0, placeholders: 0, blank: 0, cellTime: 0, blankTime: 0, leaptTime: 0, begun: 0, cancelled: 0, shown: 0, blocks: 0, hopeless: 0 };
