// ThumbHash: a few coefficients of a cosine transform.

// The cosines of the first `count` waves at the middle of each of `size` pixels.
const waveTables = new Map();
function waves(count, size) {
  let table = waveTables.get(count << 8 | size);
  if (!table) {
    waveTables.set(count << 8 | size, table = new Float32Array(count * size));
    for (let x = 0; x < size; x++) for (let n = 0; n < count; n++) table[x * count + n] = Math.cos(Math.PI / size * (x + .5) * n);
  }
  return table;
}

// Paints few pixels, which is enough for seven waves: a drag of the scrollbar shows all its cells anew in each frame.
function paintHash(canvas, hash, aspect) {
  const head = hash[0] | hash[1] << 8 | hash[2] << 16, next = hash[3] | hash[4] << 8;
  const hasAlpha = head >> 23 & 1, isWide = next >> 15 & 1;
  const long = hasAlpha ? 5 : 7, short = next & 7;
  const nx = Math.max(3, isWide ? long : short), ny = Math.max(3, isWide ? short : long);
  let nibble = 0;
  const start = hasAlpha ? 6 : 5;
  const read = (width, height, average, scale) => {
    const waves = new Float32Array(width * height);
    waves[0] = average;
    for (let v = 0; v < height; v++) for (let u = v ? 0 : 1; u * height < width * (height - v); u++, nibble++) {
      const byte = hash[start + (nibble >> 1)];
      waves[v * width + u] = 2 * ((nibble & 1 ? byte >> 4 : byte & 15) / 7.5 - 1) * scale;
    }
    return waves;
  };
  const l = read(nx, ny, (head & 63) / 63, (head >> 18 & 31) / 31);
  const p = read(3, 3, (head >> 6 & 63) / 31.5 - 1, (next >> 3 & 63) / 63 * 1.25), q = read(3, 3, (head >> 12 & 63) / 31.5 - 1, (next >> 9 & 63) / 63 * 1.25);
  const w = aspect >= 1 ? 16 : Math.max(2, Math.round(16 * aspect)), h = aspect >= 1 ? Math.max(2, Math.round(16 / aspect)) : 16;
  canvas.width = w; canvas.height = h;
  const context = canvas.getContext('2d'), image = context.createImageData(w, h), data = image.data;
  const fx = waves(nx, w), fy = waves(ny, h), rowL = new Float32Array(nx), rowP = new Float32Array(3), rowQ = new Float32Array(3);
  // First the sums down the columns of waves, which all pixels of a row share.
  const addUp = (row, part, width, height, y) => {
    for (let u = 0; u < width; u++) { let sum = 0; for (let v = 0; v < height; v++) sum += part[v * width + u] * fy[y * ny + v]; row[u] = sum; }
  };
  for (let y = 0, i = 0; y < h; y++) {
    addUp(rowL, l, nx, ny, y); addUp(rowP, p, 3, 3, y); addUp(rowQ, q, 3, 3, y);
    for (let x = 0; x < w; x++, i += 4) {
      let L = 0, P = 0, Q = 0;
      for (let u = 0; u < nx; u++) L += rowL[u] * fx[x * nx + u];
      for (let u = 0; u < 3; u++) { P += rowP[u] * fx[x * nx + u]; Q += rowQ[u] * fx[x * nx + u]; }
      const b = L - 2 / 3 * P, r = (3 * L - b + Q) / 2;
      data[i] = 255 * r; data[i + 1] = 255 * (r - Q); data[i + 2] = 255 * b; data[i + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
}
