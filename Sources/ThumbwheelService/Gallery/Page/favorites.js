// Favourites.

// Makes a favourite of the photograph of a name, or no longer one. Says so if that fails.
//
// Returns the status of the answer; 0 if there was none.
async function setFavorite(name, isOn) {
  const answer = await fetch('/api/favorite', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ asset: name, favorite: isOn }) }).catch(() => null);
  if (!answer || !answer.ok) { say('This cannot be changed'); return answer ? answer.status : 0; }
  // The list may have changed meanwhile, and may show another album.
  const i = photos.find(name);
  if (i >= 0) {
    photos.flags[i] = isOn ? photos.flags[i] | 2 : photos.flags[i] & ~2;
    grid.describe(i); viewer.describe();
  }
  selection.note(name, isOn);
  return answer.status;
}
async function favorite(i) {
  const isOn = !(photos.flags[i] & 2);
  if (await setFavorite(photos.name(i), isOn) === 200) say(isOn ? 'Favourite' : 'No favourite any more');
}
// Makes favourites of all that is selected, or of nothing of it if all are favourites already. What was selected in another album is
// known as it was then.
async function favoriteSelected() {
  const names = [...selection.order], isFavorite = new Map();
  for (const name of names) { const i = photos.find(name); isFavorite.set(name, i >= 0 ? Boolean(photos.flags[i] & 2) : selection.wasFavorite.get(name)); }
  const isOn = !names.every(name => isFavorite.get(name));
  let count = 0;
  for (const name of names) {
    const status = isFavorite.get(name) === isOn ? 200 : await setFavorite(name, isOn);
    if (status === 200) count++; else if (status === 404) selection.drop(name); else return;
  }
  if (!count) say('These photos are gone'); else say(isOn ? `${count} favourites` : 'No favourites any more');
}
