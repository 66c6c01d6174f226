// What libjpeg makes of a JPEG, and JPEGs of kinds that few encoders write, for tests.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int horizontal, vertical;
    // Blocks that have samples of the image, and what is stored of them: 64 coefficients each, in natural order.
    int columns, rows;
    int16_t *blocks;
    // Natural order.
    uint16_t steps[64];
    // A decode to raw samples: side of a block's samples, and samples that belong to the image.
    int scale, width, height;
    uint8_t *samples;
} ReferenceComponent;

typedef struct {
    int count;
    ReferenceComponent components[4];
    int warningCount;
    char message[200];
} ReferenceImage;

// Reads all coefficients. Returns 0, or 1 where libjpeg refuses the file, with its message. To be freed in both cases.
int reference_read_coefficients(const uint8_t *bytes, size_t count, ReferenceImage *image);
// Decodes to planes at a scale of eighths.
int reference_read_planes(const uint8_t *bytes, size_t count, int eighths, ReferenceImage *image);
void reference_free(ReferenceImage *image);

typedef struct {
    int componentCount;
    int components[4];
    int first, last, high, low;
} ReferenceScan;

typedef struct {
    int width, height;
    // 1, 3, or 4 for CMYK.
    int componentCount;
    int horizontal[4], vertical[4];
    int quality, restartUnits;
    // Of one quantisation table for each component, and of Huffman tables for this image.
    int hasManyTables, isOptimized;
    // Of steps beyond 255, as the lowest qualities want them, and of arithmetic coding.
    int hasCoarseSteps, isArithmetic;
    int scanCount;
    const ReferenceScan *scans;
} ReferenceEncoding;

// Encodes interleaved samples, which libjpeg subsamples as it likes. Returns nothing where libjpeg refuses; to be freed by
// reference_release.
uint8_t *reference_encode(const uint8_t *samples, const ReferenceEncoding *encoding, size_t *count);
// Writes the same coefficients with other scans, or with one scan where none are given.
uint8_t *reference_transcode(const uint8_t *bytes, size_t byteCount, const ReferenceEncoding *encoding, size_t *count);
void reference_release(uint8_t *bytes);
