#pragma once
#include <vips/vips.h>
#include <vips/vector.h>

// Starts libvips. Where the host's own code is within vips_init on another thread, it returns at once, before there are any
// operations: those of mosaicing are the last that it registers. A libvips without them costs a second.
static inline int tw_vips_start(const char *name) {
    if (vips_init(name)) return -1;
    for (int tries = 0; tries < 5000 && g_type_from_name("VipsGlobalbalance") == 0; tries++) g_usleep(200);
    return 0;
}

// Swift cannot call variadic C functions: each one that is used has a wrapper here with its options spelled out. The
// wrappers are static inline so that no C target is needed. All return 0 on success, as libvips does.

// Loaders: sequential. Swift names them, and names none that is not on the allow-list.

// A loader without options of its own.
static inline VipsImage *tw_vips_open(const char *path) {
    return vips_image_new_from_file(path, NULL);
}

static inline int tw_vips_load(const char *operation, VipsSource *source, VipsImage **out, VipsFailOn failOn) {
    return vips_call(operation, source, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", failOn, NULL);
}

static inline int tw_vips_jpegload(VipsSource *source, VipsImage **out, int shrink, VipsFailOn failOn) {
    return vips_jpegload_source(
        source, out, "access", VIPS_ACCESS_SEQUENTIAL, "shrink", shrink, "fail_on", failOn, NULL);
}

static inline int tw_vips_webpload(VipsSource *source, VipsImage **out, double scale, VipsFailOn failOn) {
    return vips_webpload_source(
        source, out, "access", VIPS_ACCESS_SEQUENTIAL, "scale", scale, "fail_on", failOn, NULL);
}

// The first thumbnail item; the image itself where there is none of its aspect.
static inline int tw_vips_heifload_thumbnail(VipsSource *source, VipsImage **out, VipsFailOn failOn) {
    return vips_heifload_source(
        source, out, "access", VIPS_ACCESS_SEQUENTIAL, "thumbnail", TRUE, "fail_on", failOn, NULL);
}

// Pixels and colour.

static inline int tw_vips_colourspace_srgb(VipsImage *in, VipsImage **out) {
    return vips_colourspace(in, out, VIPS_INTERPRETATION_sRGB, NULL);
}

static inline int tw_vips_colourspace_lab(VipsImage *in, VipsImage **out) {
    return vips_colourspace(in, out, VIPS_INTERPRETATION_LAB, NULL);
}

// From CIELAB under D50, as ICC profiles have it.
static inline int tw_vips_icc_lab_to_srgb(VipsImage *in, VipsImage **out) {
    return vips_icc_export(
        in, out, "output_profile", "srgb", "pcs", VIPS_PCS_LAB, "intent", VIPS_INTENT_RELATIVE, "depth", 8, NULL);
}

static inline int tw_vips_cast_uchar(VipsImage *in, VipsImage **out, gboolean shift) {
    return vips_cast(in, out, VIPS_FORMAT_UCHAR, "shift", shift, NULL);
}

static inline int tw_vips_extract_bands(VipsImage *in, VipsImage **out, int first, int count) {
    return vips_extract_band(in, out, first, "n", count, NULL);
}

static inline int tw_vips_copy_as_srgb(VipsImage *in, VipsImage **out) {
    return vips_copy(in, out, "interpretation", VIPS_INTERPRETATION_sRGB, NULL);
}

// Through the embedded profile, or through the one libvips brings for CMYK and plain RGB where there is none.
static inline int tw_vips_icc_to_srgb(VipsImage *in, VipsImage **out, const char *fallback) {
    return vips_icc_transform(
        in, out, "srgb", "embedded", TRUE, "input_profile", fallback, "intent", VIPS_INTENT_RELATIVE, "depth", 8, NULL);
}

static inline int tw_vips_flatten_on_white(VipsImage *in, VipsImage **out) {
    double white[3] = {255, 255, 255};
    VipsArrayDouble *background = vips_array_double_new(white, 3);
    int result = vips_flatten(in, out, "background", background, NULL);
    vips_area_unref(VIPS_AREA(background));
    return result;
}

// Savers: no metadata.

static inline int tw_vips_pngsave(VipsImage *in, void **bytes, size_t *count) {
    return vips_pngsave_buffer(in, bytes, count, "strip", TRUE, NULL);
}

static inline int tw_vips_jpegsave(VipsImage *in, void **bytes, size_t *count, int quality) {
    return vips_jpegsave_buffer(in, bytes, count, "strip", TRUE, "Q", quality, "optimize_coding", TRUE, NULL);
}

static inline int tw_vips_webpsave(VipsImage *in, void **bytes, size_t *count, int quality) {
    return vips_webpsave_buffer(in, bytes, count, "strip", TRUE, "Q", quality, NULL);
}

// The effort of the encoder is low: thumbnails are small, and made while somebody waits.
static inline int tw_vips_avifsave(VipsImage *in, void **bytes, size_t *count, int quality) {
    return vips_heifsave_buffer(in, bytes, count, "strip", TRUE, "Q", quality, "compression", VIPS_FOREIGN_HEIF_COMPRESSION_AV1,
                                "effort", 1, NULL);
}

// Any saver, found by the end of a file's name, with its options in brackets after it.
static inline int tw_vips_save(VipsImage *in, const char *suffix, void **bytes, size_t *count) {
    return vips_image_write_to_buffer(in, suffix, bytes, count, NULL);
}
