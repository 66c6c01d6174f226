#!/usr/bin/env python3
"""Scores Thumbwheel's images of photographs in other formats: SSIMULACRA2 beside a full decode of the same file by Pillow.

    compare-format-quality.py FOLDER [--side 256] [--thumbwheel EXECUTABLE] [--format NAME]... [--unrounded]

FOLDER has a folder for each format, as `FixtureTool --formats` writes them. Pillow's decode is cropped to the exact square
and reduced by Lanczos-3, and an embedded profile is applied. Transparent pictures are laid on grey. Prints a table: mean, 5th
percentile and worst of high quality and of fast; an image that is missing scores 0.
With --unrounded, opaque pictures are compared with the full decode before its colours were rounded to bytes (see reference.py).
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

import pillow_avif  # registers itself
import pillow_heif
from PIL import Image
from ssimulacra2 import compute_ssimulacra2

from reference import centred_square, opened
from reference import reference as reduced

parser = argparse.ArgumentParser()
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--side", type=int, default=256)
parser.add_argument("--thumbwheel", default=".build/release/thumbwheel")
parser.add_argument("--format", action="append", default=[])
parser.add_argument("--unrounded", action="store_true")
arguments = parser.parse_args()
pillow_heif.register_heif_opener()


def reference(file):
    """The full decode by Pillow, reduced; what is transparent shows grey."""
    data = file.read_bytes()
    image = opened(data)
    if image.mode not in ("RGBA", "LA"):
        return Image.fromarray(reduced(data, arguments.side, arguments.unrounded))
    box = centred_square(*image.size)
    return image.convert("RGBA").resize((arguments.side, arguments.side), Image.Resampling.LANCZOS, box=box)


def on_grey(image):
    grey = Image.new("RGBA", image.size, (128, 128, 128, 255))
    return Image.alpha_composite(grey, image.convert("RGBA")).convert("RGB")


def scores(files, delivery, scratch):
    command = [arguments.thumbwheel, "render", *map(str, files), "--workers", "1", "--resize", "exact", "--size",
               f"{arguments.side}x{arguments.side}", "--no-previews", "--delivery", delivery, "--format", "png", "--out",
               str(scratch / delivery), "--json", "-"]
    document = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    for image in document["images"]:
        name = pathlib.Path(image["file"]).name
        if not image.get("output"):
            yield 0.0
            continue
        made = scratch / "made.png"
        on_grey(Image.open(image["output"])).save(made)
        yield compute_ssimulacra2(str(scratch / f"{name}.png"), str(made))


def summary(values):
    ordered = sorted(values)
    tail = ordered[round(0.05 * (len(ordered) - 1))]
    return f"{statistics.fmean(ordered):.1f} | {tail:.1f} | {ordered[0]:.1f}"


print("| format | files | high: mean | 5th percentile | worst | fast: mean | 5th percentile | worst |")
print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
for folder in sorted(arguments.folder.iterdir()):
    files = sorted(folder.iterdir())
    if not files or arguments.format and folder.name not in arguments.format:
        continue
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        for file in files:
            on_grey(reference(file)).save(scratch / f"{file.name}.png")
        rows = [summary(scores(files, delivery, scratch)) for delivery in ("high", "fast")]
    print(f"| {folder.name} | {len(files)} | {' | '.join(rows)} |", flush=True)
