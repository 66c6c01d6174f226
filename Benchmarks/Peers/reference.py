"""What quality is measured against, without the libraries of the peers: pyvips's libheif and Pillow's do not go together."""
import io

import numpy
from PIL import Image, ImageCms, ImageOps

Image.MAX_IMAGE_PIXELS = None


def centred_square(width, height):
    """The largest square in the middle, in fractions of a pixel: left, upper, right, lower."""
    side = min(width, height)
    left, upper = (width - side) / 2, (height - side) / 2
    return left, upper, left + side, upper + side


def opened(data):
    return Image.open(io.BytesIO(data))


def unrounded(pixels):
    """The colours of a full decode as they were before its decoder rounded them to bytes: an array of floats.

    The luma and chroma of BT.601 in full range are whole numbers, so those that give a pixel's bytes tell the rest. Pixels
    that no luma and chroma give, such as clipped ones, are left as they are.
    """
    pixels = pixels.astype(numpy.float32)
    nearest = numpy.rint(pixels @ numpy.array([0.299, 0.587, 0.114], numpy.float32))
    found = pixels.copy()
    for luma in (nearest, nearest - 1, nearest + 1):
        blueness = numpy.rint((pixels[..., 2] - luma) / 1.772)
        redness = numpy.rint((pixels[..., 0] - luma) / 1.402)
        exact = numpy.stack([luma + 1.402 * redness, luma - 0.344136 * blueness - 0.714136 * redness, luma + 1.772 * blueness], 2)
        gives = (numpy.rint(exact) == pixels).all(2) & (found == pixels).all(2)
        found[gives] = exact[gives]
    return found


def reduced_floats(pixels, side):
    """An array of floats, cropped to the exact square and reduced by Lanczos-3, and only then rounded to bytes."""
    box = centred_square(pixels.shape[1], pixels.shape[0])
    planes = [Image.fromarray(numpy.ascontiguousarray(pixels[..., index])).resize((side, side), Image.Resampling.LANCZOS, box=box)
              for index in range(3)]
    return Image.fromarray(numpy.stack(planes, 2).clip(0, 255).round().astype(numpy.uint8))


def reference(data, side, is_unrounded=False):
    """What quality is measured against: the full decode, cropped to the exact square, Lanczos-3, in the encoded samples.

    An embedded profile is applied, by littleCMS: a renderer that delivers sRGB must not lose points for being right.
    Its name does not count, because some cameras call sRGB what has another curve.

    If is_unrounded, the rounding of the full decode to bytes is undone first. In grey areas it is the same for most pixels, so
    no reduction averages it out: it alone costs photographs of grey things up to four points.
    """
    image = ImageOps.exif_transpose(opened(data)).convert("RGB")
    if is_unrounded:
        thumbnail = reduced_floats(unrounded(numpy.asarray(image)), side)
    else:
        thumbnail = image.resize((side, side), Image.Resampling.LANCZOS, box=centred_square(*image.size))
    embedded = opened(data).info.get("icc_profile")
    if embedded:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(embedded))
        thumbnail = ImageCms.profileToProfile(thumbnail, profile, ImageCms.createProfile("sRGB"))
    return numpy.asarray(thumbnail)
