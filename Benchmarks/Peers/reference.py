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


def reference(data, side):
    """What quality is measured against: the full decode, cropped to the exact square, Lanczos-3, in the encoded samples.

    An embedded profile is applied, by littleCMS: a renderer that delivers sRGB must not lose points for being right.
    Its name does not count, because some cameras call sRGB what has another curve.
    """
    image = ImageOps.exif_transpose(opened(data)).convert("RGB")
    thumbnail = image.resize((side, side), Image.Resampling.LANCZOS, box=centred_square(*image.size))
    embedded = opened(data).info.get("icc_profile")
    if embedded:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(embedded))
        thumbnail = ImageCms.profileToProfile(thumbnail, profile, ImageCms.createProfile("sRGB"))
    return numpy.asarray(thumbnail)
