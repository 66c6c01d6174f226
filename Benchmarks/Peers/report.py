"""The page that `compare-peers.py` writes for people."""

LABELS = {
    "thumbwheel": "**Thumbwheel, high quality**",
    "thumbwheel-fast": "**Thumbwheel, fast, previews off**",
    "vips": "vips_thumbnail, centre crop",
    "pillow-2x": "Pillow, decode at twice the target, Lanczos",
    "pillow-1x": "Pillow, decode at the target, Lanczos",
    "opencv-4": "OpenCV, decode at 1/4, area",
    "opencv-8": "OpenCV, decode at 1/8, area",
    "libjpeg-turbo": "libjpeg-turbo, smallest covering decode alone",
}

HEAD = """\
# Peers

{photographs} photographs to {size}, filled, one thread, bytes in memory, all engines in turn in each of {rounds} rounds. Times
are the median round's mean a photograph, ratios the median of the rounds' ratios. Quality is SSIMULACRA2 against a full
decode, cropped to the exact square, Lanczos-3, its embedded profile applied.

| engine | milliseconds | of vips | of OpenCV 1/8 | quality, mean | worst | peak resident MB | failed |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
"""


OPERATIONS = """
## Single operations

Beside what a program would use otherwise, each in turn with its peer in one process, medians of {rounds} rounds; SQLite in a
process of its own, right after. The library has {assets} assets; `thumbwheel bench` says what an operation is.

| operation | ours | peer | peer's | ratio |
| --- | ---: | --- | ---: | ---: |
"""


def number(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def operation(row):
    unit = row["unit"]
    cells = [
        f"`{row['name']}`", f"{number(row['value'])} {unit}", row["peer"], number(row["peerValue"]),
        f"{row['ratio']:.3g}"]
    return f"| {' | '.join(cells)} |\n"


def line(engine, row):
    score = row["quality"]
    mean, worst = (f"{score['mean']:.1f}", f"{score['worst']:.1f}") if score else ("–", "–")
    cells = [
        f"{LABELS[engine]} ({row['version']})", f"{row['medianMilliseconds']:.1f}", f"{row['ratioToVips']:.2f}",
        f"{row['ratioToOpenCV8']:.2f}", mean, worst, f"{row['peakResidentBytes'] / 1e6:.0f}", str(row["failed"])]
    return f"| {' | '.join(cells)} |\n"


def page(document):
    workload = document["settings"]["workload"]
    engines = "".join(line(engine, row) for engine, row in document["engines"].items())
    operations = "".join(operation(row) for row in document["operations"])
    return (
        HEAD.format(**workload) + engines + OPERATIONS.format(rounds=workload["rounds"], assets=f"{workload['assets']:,}")
        + operations + "\n`make peers PHOTOS=folder` writes this page.\n")
