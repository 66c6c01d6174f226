// Favourites.

async function favorite(i) {
  const isOn = !(photos.flags[i] & 2), name = photos.name(i);
  const answer = await fetch('/api/favorite', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ asset: name, favorite: isOn }) }).catch(() => null);
  if (!answer || !answer.ok) { say('This cannot be changed'); return; }
  if (photos.name(i) !== name) return;
  photos.flags[i] = isOn ? photos.flags[i] | 2 : photos.flags[i] & ~2;
  grid.describe(i); viewer.describe();
  say(isOn ? 'Favourite' : 'No favourite any more');
}
