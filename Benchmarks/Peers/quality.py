"""SSIMULACRA2 of delivered thumbnails against `reference.reference`."""
import pathlib
import statistics

from PIL import Image
from ssimulacra2 import compute_ssimulacra2

from reference import opened, reference


def write_references(folder, out, side):
    """Writes the reference of every photograph that Pillow reads to its end and that is large enough."""
    out.mkdir(parents=True, exist_ok=True)
    references = {}
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        data = path.read_bytes()
        try:
            if min(opened(data).size) < side:
                continue
            pixels = reference(data, side)
        except (OSError, SyntaxError, ValueError):  # What Pillow raises for damaged files.
            continue
        references[path.name] = out / f"{path.stem}.png"
        Image.fromarray(pixels).save(references[path.name])
    return references


def scores(document, references):
    """A score for each reference: 0 where the document has no thumbnail for it."""
    outputs = {pathlib.Path(image["file"]).name: image.get("output") for image in document["images"]}
    return {
        name: compute_ssimulacra2(str(reference), outputs[name]) if outputs.get(name) else 0.0
        for name, reference in references.items()}


def summary(by_name):
    worst = min(by_name, key=by_name.get)
    return {"mean": statistics.fmean(by_name.values()), "worst": by_name[worst], "worstFile": worst}
