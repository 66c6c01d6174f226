"""Single operations beside what a program would use otherwise: Swift's and Foundation's types, and SQLite for the library."""
import json
import pathlib
import subprocess
import sys

GROUPS = ["scheduler", "cache", "assets"]
# Other rows are beside something of our own.
PEERS = {"OperationQueue", "NSCache", "Array<Asset>", "Array.firstIndex", "CollectionDifference", "Predicate.evaluate"}


def bench(command, scratch):
    """The rows of a `thumbwheel.bench/1` document."""
    result = scratch / "bench.json"
    subprocess.run([*command, "--json", str(result)], check=True, stderr=subprocess.DEVNULL)
    return json.loads(result.read_text())


def measure(thumbwheel, scratch, rounds, assets):
    """Rows of operation, unit, value, peer, peer's value and ratio.

    Swift's and Foundation's types are measured in turn with ours, in one process. SQLite is another process, run right after: its
    ratios are of medians.
    """
    scale = ["--rounds", str(rounds), "--assets", str(assets)]
    ours = bench([thumbwheel, "bench", *GROUPS, *scale], scratch)["results"]
    print("measured beside Foundation", file=sys.stderr)
    script = pathlib.Path(__file__).with_name("sqlite-assets.py")
    sqlite = bench([sys.executable, str(script), *scale], scratch)
    print("measured beside SQLite", file=sys.stderr)
    peer = f"SQLite {sqlite['settings']['engine']['version']}, in memory"
    keys = ("name", "unit", "value", "peer", "peerValue", "ratio")
    rows = [{key: row[key] for key in keys} for row in ours if row["peer"] in PEERS]
    by_name = {row["name"]: row for row in ours}
    for other in sqlite["results"]:
        own = by_name[other["name"]]
        rows.append({
            "name": own["name"], "unit": own["unit"], "value": own["value"], "peer": peer, "peerValue": other["value"],
            "ratio": own["value"] / other["value"]})
    return rows
