window.thumbwheel = { stats, grid, loader, previews, selection, viewer, load, photos: () => photos };
document.body.classList.toggle('selecting', selection.isOn);
loadAlbums().then(load);
