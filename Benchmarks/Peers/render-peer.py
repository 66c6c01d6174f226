#!/usr/bin/env python3
"""Renders photographs with one peer and writes the document that `thumbwheel render --json` writes.

    render-peer.py ENGINE FOLDER [--side 256] [--out DIR] [--json FILE]
"""
import argparse
import json
import pathlib
import re
import statistics
import sys
import time

import engines
from PIL import Image

parser = argparse.ArgumentParser()
parser.add_argument("engine", choices=engines.ENGINES)
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--side", type=int, default=256)
parser.add_argument("--out", type=pathlib.Path)
parser.add_argument("--json", default="-")
arguments = parser.parse_args()



def peak_resident_bytes():
    """Of this process alone: `getrusage` would count what its parent had before it started this one."""
    return int(re.search(r"VmHWM:\s*(\d+) kB", pathlib.Path("/proc/self/status").read_text())[1]) * 1024


render = engines.ENGINES[arguments.engine]
images = []
started = time.process_time()
for path in sorted(path for path in arguments.folder.iterdir() if path.is_file()):
    data = path.read_bytes()
    start = time.perf_counter()
    try:
        pixels, error = render(data, arguments.side), None
    except Exception as failure:  # A peer's own error types: what it cannot render is a row of its document.
        pixels, error = None, {"code": type(failure).__name__, "message": str(failure).split("\n")[0]}
    milliseconds = (time.perf_counter() - start) * 1e3
    output = None
    if arguments.out is not None and pixels is not None:
        arguments.out.mkdir(parents=True, exist_ok=True)
        output = arguments.out / f"{path.stem}.png"
        Image.fromarray(pixels[:, :, :3]).save(output)
    images.append({
        "file": str(path), "output": None if output is None else str(output), "milliseconds": milliseconds,
        "error": error})

times = [image["milliseconds"] for image in images if image["error"] is None]
document = {
    "schema": "thumbwheel.render/1",
    "settings": {
        "workload": {"size": f"{arguments.side}x{arguments.side}", "content": "fill"},
        "engine": {"tool": arguments.engine, "version": engines.VERSIONS[arguments.engine], "workers": 1}},
    "images": images,
    "summary": {
        "images": len(images), "failed": len(images) - len(times), "cpuSeconds": time.process_time() - started,
        "milliseconds": {"mean": statistics.fmean(times), "max": max(times)},
        "peakResidentBytes": peak_resident_bytes()}}
with sys.stdout if arguments.json == "-" else open(arguments.json, "w") as file:
    json.dump(document, file, indent=2)
