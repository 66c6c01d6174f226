"""How each peer makes a thumbnail that fills a square: bytes in memory in, RGB samples out, on one thread."""
import cv2
import numpy
import pyvips
import turbojpeg
from PIL import Image, ImageFile, ImageOps

from reference import centred_square, opened

pyvips.voperation.cache_set_max(0)
pyvips.vips_lib.vips_concurrency_set(1)
cv2.setNumThreads(1)
Image.MAX_IMAGE_PIXELS = None
ImageFile.LOAD_TRUNCATED_IMAGES = False
decoder = turbojpeg.TurboJPEG()


def vips(data, side):
    image = pyvips.Image.thumbnail_buffer(data, side, height=side, crop=pyvips.enums.Interesting.CENTRE)
    return image.numpy()


def pillow(data, side, oversampling):
    image = opened(data)
    # `draft` takes the smallest scale of libjpeg's that is not below the size, on both sides.
    image.draft("RGB", (side * oversampling, side * oversampling))
    image = ImageOps.exif_transpose(image).convert("RGB")
    return numpy.asarray(image.resize((side, side), Image.Resampling.LANCZOS, box=centred_square(*image.size)))


def opencv(data, side, flag):
    image = cv2.imdecode(numpy.frombuffer(data, numpy.uint8), flag)
    if image is None:
        raise ValueError("OpenCV cannot read it")
    height, width = image.shape[:2]
    left, upper, right, lower = (round(edge) for edge in centred_square(width, height))
    square = image[upper:lower, left:right]
    return cv2.resize(square, (side, side), interpolation=cv2.INTER_AREA)[:, :, ::-1]


def jpeg_floor(data, side):
    """libjpeg-turbo's decode at the smallest scale that covers the square, and nothing else: what no peer can pass."""
    width, height, _, _ = decoder.decode_header(data)
    scales = sorted(decoder.scaling_factors, key=lambda scale: scale[0] / scale[1])
    covering = next(scale for scale in scales if min(width, height) * scale[0] >= side * scale[1] or scale == (1, 1))
    decoder.decode(data, pixel_format=turbojpeg.TJPF_RGB, scaling_factor=covering)
    return None


ENGINES = {
    "vips": vips,
    "pillow-2x": lambda data, side: pillow(data, side, 2),
    "pillow-1x": lambda data, side: pillow(data, side, 1),
    "opencv-4": lambda data, side: opencv(data, side, cv2.IMREAD_REDUCED_COLOR_4),
    "opencv-8": lambda data, side: opencv(data, side, cv2.IMREAD_REDUCED_COLOR_8),
    "libjpeg-turbo": jpeg_floor,
}
VERSIONS = {
    "vips": f"pyvips {pyvips.__version__}, libvips {pyvips.version(0)}.{pyvips.version(1)}.{pyvips.version(2)}",
    "pillow-2x": f"Pillow {Image.__version__}",
    "pillow-1x": f"Pillow {Image.__version__}",
    "opencv-4": f"OpenCV {cv2.__version__}",
    "opencv-8": f"OpenCV {cv2.__version__}",
    "libjpeg-turbo": "libjpeg-turbo of the system",
}
