#pragma once
#include <zlib.h>

/* zlib's own are macros, which Swift does not see. */
static inline int tw_deflate_init(z_stream *stream, int level, int window_bits, int memory_level, int strategy) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, memory_level, strategy);
}

static inline int tw_inflate_init(z_stream *stream, int window_bits) { return inflateInit2(stream, window_bits); }
