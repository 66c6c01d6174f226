#!/usr/bin/env python3
"""Renders copies of photographs in other formats with Thumbwheel and its peers, in turn, on one processor.

    compare-formats.py FOLDER [--rounds 3] [--side 256] [--format NAME]... [--thumbwheel EXECUTABLE]
                       [--with OPTION OF RENDER...]

FOLDER has a folder for each format, as `FixtureTool --formats` writes them. Prints a table: medians of the ratios of single
renders to 256x256, fill, previews off. libheif decodes tiles on threads of its own, so all run on the first processor. No peer
makes hashes, for which the whole picture is decoded, so they are off; `--with --delivery fast` and the like, as the last words, change our renders.
With THUMBWHEEL_HEVC=libde265 in the environment, HEVC is decoded as by hosts without `ThumbwheelMedia`.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time


def by_vips(path):
    import pyvips
    side = arguments.side
    pyvips.Image.thumbnail(path, side, height=side, crop="centre", size="both").write_to_memory()


def by_pillow(path):
    from PIL import Image, ImageOps
    import pillow_heif
    import pillow_avif  # registers itself
    pillow_heif.register_heif_opener()
    Image.MAX_IMAGE_PIXELS = None
    image = Image.open(path)
    if image.mode not in ("RGB", "RGBA"):
        image = image.convert("RGB")
    ImageOps.fit(image, (arguments.side, arguments.side), Image.LANCZOS).load()


def by_opencv(path):
    import cv2
    cv2.setNumThreads(1)
    image = cv2.imread(path, cv2.IMREAD_UNCHANGED)
    height, width = image.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    cv2.resize(image[top:top + side, left:left + side], (arguments.side, arguments.side), interpolation=cv2.INTER_AREA)


PEERS = {"vips": by_vips, "Pillow": by_pillow, "OpenCV": by_opencv}


def time_peer(name, files):
    """Milliseconds by file, of a warm process; files that the peer does not open are left out."""
    times = {}
    for file in [files[0], *files]:
        try:
            start = time.perf_counter()
            PEERS[name](file)
            times[file] = (time.perf_counter() - start) * 1000
        except Exception:
            times.pop(file, None)
    return times


def run(command):
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


parser = argparse.ArgumentParser()
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--thumbwheel", default=".build/release/thumbwheel")
parser.add_argument("--side", type=int, default=256)
parser.add_argument("--format", action="append", default=[])
parser.add_argument("--previews", action="store_true", help="let our renders use previews in the files")
parser.add_argument("--peer", nargs="+", help=argparse.SUPPRESS)
parser.add_argument("--with", dest="options", nargs=argparse.REMAINDER, default=[])
arguments = parser.parse_args()
os.environ["VIPS_CONCURRENCY"] = "1"
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
if arguments.peer:
    print(json.dumps(time_peer(arguments.peer[0], arguments.peer[1:])))
    sys.exit()

print("| format | thumbwheel | vips | of vips | of the best peer |")
print("| --- | ---: | ---: | ---: | ---: |")
for folder in sorted(arguments.folder.iterdir()):
    files = [str(file) for file in sorted(folder.iterdir())]
    if not files or arguments.format and folder.name not in arguments.format:
        continue
    ours, vips, of_vips, of_best = [], [], [], []
    for _ in range(arguments.rounds):
        previews = [] if arguments.previews else ["--no-previews"]
        document = run([arguments.thumbwheel, "render", *files, "--workers", "1", "--resize", "exact", "--size",
                        f"{arguments.side}x{arguments.side}", "--no-hashes", *previews, "--rounds", "3", *arguments.options,
                        "--json", "-"])
        times = {image["file"]: image["milliseconds"] for image in document["images"]}
        peers = {name: run([sys.executable, __file__, str(arguments.folder), "--side", str(arguments.side), "--peer",
                            name, *files]) for name in PEERS}
        for file in files:
            if times[file] is None or file not in peers["vips"]:
                print(f"{file}: not rendered by both", file=sys.stderr)
                continue
            ours.append(times[file])
            vips.append(peers["vips"][file])
            of_vips.append(times[file] / peers["vips"][file])
            of_best.append(times[file] / min(peer[file] for peer in peers.values() if file in peer))
    if not ours:
        continue
    middle = statistics.median
    print(f"| {folder.name} | {middle(ours):.1f} ms | {middle(vips):.0f} ms | {middle(of_vips):.2f} | {middle(of_best):.2f} |",
          flush=True)
