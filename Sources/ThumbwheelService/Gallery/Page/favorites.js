// Favourites.

async function setFavorite(i, isOn) {
  const name = photos.name(i);
  const answer = await fetch('/api/favorite', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ asset: name, favorite: isOn }) }).catch(() => null);
  if (!answer || !answer.ok) { say('This cannot be changed'); return false; }
  // The list may have changed meanwhile, and the new one knows.
  if (photos.name(i) === name) {
    photos.flags[i] = isOn ? photos.flags[i] | 2 : photos.flags[i] & ~2;
    grid.describe(i); viewer.describe();
  }
  return true;
}
async function favorite(i) {
  const isOn = !(photos.flags[i] & 2);
  if (await setFavorite(i, isOn)) say(isOn ? 'Favourite' : 'No favourite any more');
}
// Makes favourites of all photographs of some names, or of none of them if all are favourites already.
async function favoriteAll(names) {
  const list = photos, wanted = new Set(names), places = [];
  for (let i = 0; i < list.count; i++) if (wanted.has(list.name(i))) places.push(i);
  const isOn = !places.every(i => list.flags[i] & 2);
  for (const place of places) {
    const i = photos === list ? place : photos.place(list, place);
    if (i >= 0 && !(photos.flags[i] & 2) === isOn && !await setFavorite(i, isOn)) return;
  }
  say(isOn ? `${places.length} favourites` : 'No favourites any more');
}
