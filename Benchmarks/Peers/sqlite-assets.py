#!/usr/bin/env python3
"""The rows of `thumbwheel bench assets` in SQLite, in memory, with the indexes that a good engineer would add.

Writes a `thumbwheel.bench/1` document: sqlite-assets.py [--assets N] [--rounds N] [--json FILE]
"""
import argparse
import json
import random
import sqlite3
import statistics
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--assets", type=int, default=1_000_000)
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--json", default="-")
arguments = parser.parse_args()

chance = random.Random(arguments.seed)
count = arguments.assets


def rows():
    for number in range(count):
        created = 300_000_000 + number / count * 15 * 365 * 86_400 + chance.random() * 30 * 86_400
        yield (
            number, chance.randbytes(16), 2 if chance.random() < 0.12 else 1, float(round(created)),
            int(chance.random() < 0.02), 0, chance.choice([4032, 3024, 6000, 1920]),
            500_000 + chance.randrange(6_000_000), f"IMG_{number}.JPG")


base = sqlite3.connect(":memory:")
base.execute(
    "create table asset (row integer primary key, identifier blob, type integer, created real, favorite integer,"
    " hidden integer, width integer, size integer, name text)")
base.executemany("insert into asset values (?,?,?,?,?,?,?,?,?)", rows())
# Covering: a fetch of identifiers never touches the table.
base.execute("create index by_type on asset (type, hidden, created desc, row, identifier)")
base.execute("create index by_favorite on asset (created desc, row, identifier) where favorite = 1 and hidden = 0")
base.execute("create index by_date on asset (hidden, created desc, row, identifier)")
base.execute("create index by_width on asset (width, size, hidden, row, identifier)")
base.execute("create unique index by_identifier on asset (identifier)")
base.execute("analyze")

QUERIES = {
    "assets.fetchImagesNewestFirst":
        "select identifier from asset where type = 1 and hidden = 0 order by created desc, row",
    "assets.fetchFavouritesOfAYear":
        "select identifier from asset where favorite = 1 and hidden = 0 and created >= 500000000"
        " and created < 531536000 order by created desc, row",
    "assets.fetchNewest100": "select identifier from asset where hidden = 0 order by created desc, row limit 100",
    "assets.fetchTwoKeyPredicate":
        "select identifier from asset where width > 4000 and size < 3000000 and hidden = 0",
}

results = []
for name, query in QUERIES.items():
    times = []
    for _ in range(arguments.rounds):
        start = time.perf_counter()
        base.execute(query).fetchall()
        times.append((time.perf_counter() - start) * 1000)
    results.append({
        "name": name, "unit": "milliseconds", "value": statistics.median(times), "rounds": times, "operations": 1,
        "peer": None, "peerValue": None, "ratio": None})

document = {
    "schema": "thumbwheel.bench/1",
    "host": {"libraries": {"sqlite": sqlite3.sqlite_version}},
    "settings": {
        "workload": {"groups": ["assets"], "assets": count, "seed": arguments.seed},
        "engine": {"tool": "sqlite-assets.py", "version": sqlite3.sqlite_version, "rounds": arguments.rounds}},
    "results": results,
}
text = json.dumps(document, indent=2, sort_keys=True) + "\n"
if arguments.json == "-":
    sys.stdout.write(text)
else:
    with open(arguments.json, "w") as file:
        file.write(text)
