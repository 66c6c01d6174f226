// The list: columns that came in one answer.

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
function text64(bytes) {
  let text = '', bits = 0, count = 0;
  for (const byte of bytes) {
    bits = (bits << 8 | byte) & 0xffff; count += 8;
    while (count >= 6) { count -= 6; text += base64[bits >> count & 63]; }
  }
  return count ? text + base64[bits << 6 - count & 63] : text;
}

const bytes64 = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0));

class Photos {
  constructor(buffer) {
    const view = new DataView(buffer);
    if (view.byteLength < 12 || view.getUint32(0) !== 0x54574731) throw new Error('not a grid');
    this.buffer = buffer;
    this.count = view.getUint32(4, true);
    const sections = view.getUint32(8, true);
    let at = 12;
    this.sections = [];
    for (let i = 0; i < sections; i++, at += 8) this.sections.push([view.getInt32(at, true), view.getUint32(at + 4, true)]);
    const take = count => { const part = new Uint8Array(buffer, at, count); at += count; return part; };
    // Sections have eight bytes, so names begin at a whole word.
    this.words = new Uint32Array(buffer, at, 4 * this.count);
    this.names = take(16 * this.count);
    this.versions = take(6 * this.count);
    // The grid shows the middle of what is very wide or very tall. The viewer shows all of it.
    this.ratios = new Float32Array(this.count);
    for (let i = 0; i < this.count; i++, at += 2) this.ratios[i] = Math.max(.001, view.getUint16(at, true) / 1000);
    this.aspects = this.ratios.map(ratio => Math.min(4, Math.max(.3, ratio)));
    this.flags = take(this.count).slice();
    const lengths = take(this.count);
    this.hashes = take(buffer.byteLength - at);
    this.hashStarts = new Uint32Array(this.count + 1);
    for (let i = 0; i < this.count; i++) this.hashStarts[i + 1] = this.hashStarts[i] + lengths[i];
  }
  // Returns the bytes of a list from those of the one before and the difference, which says of each column what is the same at its ends.
  static changed(before, bytes) {
    const view = new DataView(bytes);
    if (view.byteLength < 12 || view.getUint32(0) !== 0x54574431) return bytes;
    const old = new Uint8Array(before), head = new DataView(before), count = head.getUint32(4, true), sections = 8 * head.getUint32(8, true);
    const parts = [Uint8Array.of(0x54, 0x57, 0x47, 0x31), new Uint8Array(bytes, 4, 8)];
    let at = 12, from = 12;
    for (const length of [sections, 16 * count, 6 * count, 2 * count, count, count, old.length - 12 - sections - 26 * count]) {
      const start = view.getUint32(at, true), end = view.getUint32(at + 4, true), between = view.getUint32(at + 8, true);
      parts.push(old.subarray(from, from + start), new Uint8Array(bytes, at + 12, between), old.subarray(from + length - end, from + length));
      at += 12 + between; from += length;
    }
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let end = 0;
    for (const part of parts) { all.set(part, end); end += part.length; }
    return all.buffer;
  }
  name(i) { return text64(this.names.subarray(16 * i, 16 * i + 16)); }
  path(i) { return this.name(i) + '/' + text64(this.versions.subarray(6 * i, 6 * i + 6)); }
  hash(i) { return this.hashes.subarray(this.hashStarts[i], this.hashStarts[i + 1]); }
  // Half of a name in a number.
  static key(words, i) { return words[4 * i] * 0x200000 + (words[4 * i + 1] & 0x1fffff); }
  // The place of a photograph of another list in this one; -1 if it is not here.
  place(other, i) { return this.placeOf(Photos.key(other.words, i), other.name(i)); }
  // The place of the photograph of a name; -1 if it is not here.
  find(name) {
    // An address may say anything.
    if (!/^[\w-]{22}$/.test(name)) return -1;
    return this.placeOf(Photos.key(new Uint32Array(bytes64(name).buffer), 0), name);
  }
  placeOf(key, name) {
    if (!this.places) { this.places = new Map(); for (let k = 0; k < this.count; k++) this.places.set(Photos.key(this.words, k), k); }
    const place = this.places.get(key);
    return place === undefined || this.name(place) !== name ? -1 : place;
  }
  // Whether another list would be laid out the same, so that only hashes and flags differ.
  looksLike(other) {
    const isEqual = (one, two) => { if (one.length !== two.length) return false; for (let i = 0; i < one.length; i++) if (one[i] !== two[i]) return false; return true; };
    return this.count === other.count && isEqual(this.names, other.names) && isEqual(this.versions, other.versions)
      && isEqual(this.ratios, other.ratios) && isEqual(this.sections.flat(), other.sections.flat());
  }
}

let photos = null, days = [];
