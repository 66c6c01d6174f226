"""Gives the photographs of a folder many names, by hard links."""
import os
import pathlib
import sys

source, target, count = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
photographs = sorted(path for path in source.iterdir() if path.suffix in (".jpg", ".png", ".webp"))
for number in range(count):
    photograph = photographs[number % len(photographs)]
    folder = target / f"{number // 1000:03d}"
    if number % 1000 == 0:
        folder.mkdir()
    os.link(photograph, folder / f"{number:05d}-{photograph.name}")
