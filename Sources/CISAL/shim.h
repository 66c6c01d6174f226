#pragma once
#include <isa-l/crc.h>
#include <isa-l/crc64.h>
#include <isa-l/igzip_lib.h>

/* The library's AVX code leaves the upper halves of vector registers as they are. Until they are cleared, the processor has
 * each SSE instruction preserve them, and wait for whatever wrote the register before: loops behind take several times as
 * long. */
static inline void tw_clear_upper_halves(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx")) __asm__ volatile("vzeroupper");
#endif
}

static inline int tw_isal_inflate(struct inflate_state *state) {
    int status = isal_inflate(state);
    tw_clear_upper_halves();
    return status;
}

/* Compresses bytes into the form of gzip, at igzip's highest level: the tables of the lowest make bytes without a pattern longer.
 * Returns the number of bytes written; 0 if they do not fit. */
static inline uint64_t tw_isal_gzip(
    const unsigned char *bytes, uint32_t count, unsigned char *result, uint32_t capacity, unsigned char *tables,
    uint32_t tables_size) {
    struct isal_zstream stream;
    isal_deflate_stateless_init(&stream);
    stream.gzip_flag = IGZIP_GZIP;
    stream.end_of_stream = 1;
    stream.level = 3;
    stream.level_buf = tables;
    stream.level_buf_size = tables_size;
    stream.next_in = (unsigned char *)bytes;
    stream.avail_in = count;
    stream.next_out = result;
    stream.avail_out = capacity;
    int status = isal_deflate_stateless(&stream);
    tw_clear_upper_halves();
    return status == COMP_OK ? stream.total_out : 0;
}

static inline uint32_t tw_isal_gzip_tables_size(void) { return ISAL_DEF_LVL3_DEFAULT; }

/* CRC-64 as XZ has it (ECMA-182, reflected). */
static inline uint64_t tw_crc64(uint64_t initial, const unsigned char *bytes, uint64_t count) {
    uint64_t sum = crc64_ecma_refl(initial, bytes, count);
    tw_clear_upper_halves();
    return sum;
}

static inline uint32_t tw_crc32(uint32_t initial, const unsigned char *bytes, uint64_t count) {
    uint32_t sum = crc32_gzip_refl(initial, bytes, count);
    tw_clear_upper_halves();
    return sum;
}
