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
