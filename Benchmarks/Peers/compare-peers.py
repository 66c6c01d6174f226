#!/usr/bin/env python3
"""Renders the same photographs with Thumbwheel and its peers, in turn, round by round, and compares time, memory, quality.

    compare-peers.py FOLDER --thumbwheel EXECUTABLE [--rounds 5] [--side 256] [--assets 1000000] [--out perf-reports/peers]

Writes OUT.json and OUT.md. A first round, which is not timed, makes the thumbnails that quality is measured on. Single
operations beside Foundation's and SQLite's come last.
"""
import argparse
import json
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

import engines
import operations
import quality
import report

OURS = {
    "thumbwheel": ["--delivery", "high", "--no-previews"],
    "thumbwheel-fast": ["--delivery", "fast", "--no-previews"],
}
parser = argparse.ArgumentParser()
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--thumbwheel", default=".build/release/thumbwheel")
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--side", type=int, default=256)
parser.add_argument("--assets", type=int, default=1_000_000)
parser.add_argument("--out", default="perf-reports/peers")
arguments = parser.parse_args()


def render(engine, scratch, writes_thumbnails):
    """One engine over all photographs, in a process of its own."""
    result = scratch / "document.json"
    if engine in OURS:
        command = [arguments.thumbwheel, "render", str(arguments.folder), "--workers", "1", "--resize", "exact",
                   "--size", f"{arguments.side}x{arguments.side}", "--format", "png", *OURS[engine]]
    else:
        command = [sys.executable, str(pathlib.Path(__file__).with_name("render-peer.py")), engine,
                   str(arguments.folder), "--side", str(arguments.side)]
    if writes_thumbnails:
        command += ["--out", str(scratch / engine)]
    subprocess.run([*command, "--json", str(result)], check=True, stderr=subprocess.DEVNULL)
    return json.loads(result.read_text())


def means(document, names):
    """The mean over the photographs that every engine renders."""
    return statistics.fmean(
        image["milliseconds"] for image in document["images"] if pathlib.Path(image["file"]).name in names)


with tempfile.TemporaryDirectory() as name:
    scratch = pathlib.Path(name)
    references = quality.write_references(arguments.folder, scratch / "reference", arguments.side)
    print(f"{len(references)} references", file=sys.stderr)
    rows = {}
    for engine in [*OURS, *engines.ENGINES]:
        document = render(engine, scratch, writes_thumbnails=True)
        by_name = {} if engine == "libjpeg-turbo" else quality.scores(document, references)
        rows[engine] = {
            "version": document["settings"]["engine"]["version"], "milliseconds": [], "peakResidentBytes": 0,
            "failed": document["summary"]["failed"], "quality": quality.summary(by_name) if by_name else None,
            "scores": by_name}
    for round_number in range(arguments.rounds):
        for engine, row in rows.items():
            document = render(engine, scratch, writes_thumbnails=False)
            row["milliseconds"].append(means(document, references))
            row["peakResidentBytes"] = max(row["peakResidentBytes"], document["summary"]["peakResidentBytes"])
        print(f"round {round_number + 1} of {arguments.rounds}", file=sys.stderr)
    measured = operations.measure(arguments.thumbwheel, scratch, arguments.rounds, arguments.assets)


def ratio(row, peer):
    """The median over rounds of the two means' ratio: what disturbs a round disturbs both."""
    pairs = zip(row["milliseconds"], rows[peer]["milliseconds"])
    return statistics.median(ours / theirs for ours, theirs in pairs)


for row in rows.values():
    row["medianMilliseconds"] = statistics.median(row["milliseconds"])
    row["ratioToVips"] = ratio(row, "vips")
    row["ratioToOpenCV8"] = ratio(row, "opencv-8")
document = {
    "schema": "thumbwheel.peers/1",
    "settings": {"workload": {
        "photographs": len(references), "size": f"{arguments.side}x{arguments.side}", "content": "fill",
        "rounds": arguments.rounds, "assets": arguments.assets}},
    "host": {"processor": platform.machine(), "system": platform.system()},
    "engines": rows,
    "operations": measured}

for suffix, text in [(".json", json.dumps(document, indent=2) + "\n"), (".md", report.page(document))]:
    target = pathlib.Path(arguments.out + suffix)
    written_aside = target.with_name(target.name + ".part")
    written_aside.write_text(text)
    written_aside.replace(target)
print(report.page(document))
