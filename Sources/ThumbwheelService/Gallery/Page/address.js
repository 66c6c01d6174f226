// The address: the album that is shown and the photograph that is viewed stand in it. So a reload keeps both, and the browser's own
// ways back and forth lead through them.

const address = {
  // The photograph that is to be viewed as soon as the list is there.
  awaited: '',
  read() {
    const words = new URLSearchParams(location.hash.slice(1));
    return { album: words.get('album') || '', photo: words.get('photo') || '' };
  },
  text(photo) {
    const words = new URLSearchParams();
    if (albums.length && album !== albums[0].album) words.set('album', album);
    if (photo) words.set('photo', photo);
    return location.pathname + location.search + (words.size ? '#' + words : '');
  },
  // The viewer opens: the way back leads to the grid.
  enter(photo) { history.pushState({ isViewer: true }, '', this.text(photo)); },
  // Another album is shown: the way back leads to the one before.
  enterAlbum() { history.pushState(null, '', this.text('')); },
  // Another photograph is viewed, which is no step on the way.
  move(photo) { history.replaceState(history.state, '', this.text(photo)); },
  // The viewer closes. A page that was opened with a photograph has no grid to go back to.
  leave() { if (history.state && history.state.isViewer) history.back(); else this.move(''); },
  // Shows what the address says.
  follow() {
    const { album: wanted, photo } = this.read(), next = albums.find(each => each.album === wanted) || albums[0];
    if (!next) return;
    if (next.album !== album) {
      if (viewer.index >= 0) viewer.hide();
      this.awaited = photo;
      choose(next);
    } else this.view(photo);
  },
  view(photo) {
    const i = photo && photos ? photos.find(photo) : -1;
    if (i < 0) { if (viewer.index >= 0) viewer.hide(); }
    else if (viewer.index < 0) viewer.reveal(i);
    else if (viewer.index !== i) viewer.go(i);
  },
  // The list is there.
  settle() {
    const photo = this.awaited;
    this.awaited = '';
    if (photo) this.view(photo);
    this.move(viewer.index >= 0 ? photos.name(viewer.index) : '');
  }
};
addEventListener('popstate', () => address.follow());
