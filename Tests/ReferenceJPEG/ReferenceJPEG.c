#include "ReferenceJPEG.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf place;
    char *message;
} Errors;

static void leave(j_common_ptr info) {
    Errors *errors = (Errors *)info->err;
    char message[JMSG_LENGTH_MAX];
    errors->base.format_message(info, message);
    if (errors->message) snprintf(errors->message, 200, "%s", message);
    longjmp(errors->place, 1);
}

static void ignore(j_common_ptr info) {}

static struct jpeg_error_mgr *prepare(Errors *errors, char *message) {
    struct jpeg_error_mgr *base = jpeg_std_error(&errors->base);
    base->error_exit = leave;
    base->output_message = ignore;
    errors->message = message;
    return base;
}

static void note_steps(const jpeg_component_info *component, ReferenceComponent *target) {
    for (int i = 0; i < 64; i++)
        target->steps[i] = component->quant_table ? component->quant_table->quantval[i] : 0;
}

int reference_read_coefficients(const uint8_t *bytes, size_t count, ReferenceImage *image) {
    memset(image, 0, sizeof *image);
    struct jpeg_decompress_struct info;
    Errors errors;
    info.err = prepare(&errors, image->message);
    jpeg_create_decompress(&info);
    if (setjmp(errors.place)) {
        jpeg_destroy_decompress(&info);
        return 1;
    }
    jpeg_mem_src(&info, bytes, count);
    jpeg_read_header(&info, TRUE);
    jvirt_barray_ptr *arrays = jpeg_read_coefficients(&info);
    image->count = info.num_components;
    for (int i = 0; i < info.num_components; i++) {
        jpeg_component_info *component = info.comp_info + i;
        ReferenceComponent *target = image->components + i;
        target->horizontal = component->h_samp_factor;
        target->vertical = component->v_samp_factor;
        target->columns = component->width_in_blocks;
        target->rows = component->height_in_blocks;
        note_steps(component, target);
        size_t rowSize = (size_t)target->columns * 64 * sizeof(int16_t);
        target->blocks = malloc(rowSize * target->rows);
        for (int row = 0; row < target->rows; row++) {
            JBLOCKARRAY line =
                info.mem->access_virt_barray((j_common_ptr)&info, arrays[i], row, 1, FALSE);
            memcpy((char *)target->blocks + rowSize * row, line[0], rowSize);
        }
    }
    image->warningCount = info.err->num_warnings;
    jpeg_destroy_decompress(&info);
    return 0;
}

int reference_read_planes(const uint8_t *bytes, size_t count, int eighths, ReferenceImage *image) {
    memset(image, 0, sizeof *image);
    struct jpeg_decompress_struct info;
    Errors errors;
    info.err = prepare(&errors, image->message);
    jpeg_create_decompress(&info);
    uint8_t *volatile spare = NULL;
    if (setjmp(errors.place)) {
        jpeg_destroy_decompress(&info);
        free(spare);
        return 1;
    }
    jpeg_mem_src(&info, bytes, count);
    jpeg_read_header(&info, TRUE);
    info.scale_num = eighths;
    info.scale_denom = 8;
    info.raw_data_out = TRUE;
    info.do_block_smoothing = FALSE;
    info.dct_method = JDCT_ISLOW;
    info.out_color_space = info.jpeg_color_space;
    jpeg_start_decompress(&info);
    image->count = info.num_components;
    // Room for whole units, whose rows come at once.
    size_t widest = (size_t)(info.image_width + 8 * 4 * 8) * 4;
    spare = malloc(widest * 64 * 4);
    JSAMPROW rows[4][64];
    JSAMPARRAY planes[4] = {rows[0], rows[1], rows[2], rows[3]};
    for (int i = 0; i < 4; i++)
        for (int row = 0; row < 64; row++) rows[i][row] = spare + widest * (64 * i + row);
    int done[4] = {0};
    for (int i = 0; i < info.num_components; i++) {
        jpeg_component_info *component = info.comp_info + i;
        ReferenceComponent *target = image->components + i;
        target->scale = component->DCT_scaled_size;
        target->width = component->downsampled_width;
        target->height = component->downsampled_height;
        target->samples = malloc((size_t)target->width * target->height);
    }
    while (info.output_scanline < info.output_height) {
        jpeg_read_raw_data(&info, planes, 64);
        for (int i = 0; i < info.num_components; i++) {
            ReferenceComponent *target = image->components + i;
            int height = info.comp_info[i].v_samp_factor * info.comp_info[i].DCT_scaled_size;
            for (int row = 0; row < height && done[i] < target->height; row++, done[i]++)
                memcpy(target->samples + (size_t)done[i] * target->width, rows[i][row], target->width);
        }
    }
    image->warningCount = info.err->num_warnings;
    free(spare);
    jpeg_destroy_decompress(&info);
    return 0;
}

void reference_free(ReferenceImage *image) {
    for (int i = 0; i < 4; i++) {
        free(image->components[i].blocks);
        free(image->components[i].samples);
    }
    memset(image, 0, sizeof *image);
}

static void set_scans(struct jpeg_compress_struct *info, const ReferenceEncoding *encoding, jpeg_scan_info *scans) {
    info->optimize_coding = encoding->isOptimized;
    info->arith_code = encoding->isArithmetic;
    info->restart_interval = encoding->restartUnits;
    for (int i = 0; i < encoding->scanCount && i < 64; i++) {
        const ReferenceScan *scan = encoding->scans + i;
        scans[i] = (jpeg_scan_info){.comps_in_scan = scan->componentCount, .Ss = scan->first, .Se = scan->last,
                                    .Ah = scan->high, .Al = scan->low};
        for (int c = 0; c < scan->componentCount; c++) scans[i].component_index[c] = scan->components[c];
    }
    if (encoding->scanCount > 0) {
        info->scan_info = scans;
        info->num_scans = encoding->scanCount;
    }
}

uint8_t *reference_encode(const uint8_t *samples, const ReferenceEncoding *encoding, size_t *count) {
    struct jpeg_compress_struct info;
    Errors errors;
    info.err = prepare(&errors, NULL);
    jpeg_create_compress(&info);
    unsigned char *bytes = NULL;
    unsigned long length = 0;
    if (setjmp(errors.place)) {
        jpeg_destroy_compress(&info);
        free(bytes);
        return NULL;
    }
    jpeg_mem_dest(&info, &bytes, &length);
    info.image_width = encoding->width;
    info.image_height = encoding->height;
    info.input_components = encoding->componentCount;
    info.in_color_space = encoding->componentCount == 1   ? JCS_GRAYSCALE
                          : encoding->componentCount == 4 ? JCS_CMYK
                                                          : JCS_YCbCr;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, encoding->quality, !encoding->hasCoarseSteps);
    jpeg_scan_info scans[64];
    for (int i = 0; i < info.num_components; i++) {
        info.comp_info[i].h_samp_factor = encoding->horizontal[i];
        info.comp_info[i].v_samp_factor = encoding->vertical[i];
    }
    if (encoding->hasManyTables && info.num_components == 3) {
        unsigned int steps[64];
        for (int i = 0; i < 64; i++) steps[i] = info.quant_tbl_ptrs[1]->quantval[i];
        jpeg_add_quant_table(&info, 2, steps, 80, TRUE);
        info.comp_info[2].quant_tbl_no = 2;
    }
    set_scans(&info, encoding, scans);
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        JSAMPROW row = (JSAMPROW)samples + (size_t)info.next_scanline * info.image_width * info.input_components;
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    *count = length;
    return bytes;
}

uint8_t *reference_transcode(const uint8_t *source, size_t byteCount, const ReferenceEncoding *encoding, size_t *count) {
    struct jpeg_decompress_struct from;
    struct jpeg_compress_struct to;
    Errors errors;
    from.err = to.err = prepare(&errors, NULL);
    jpeg_create_decompress(&from);
    jpeg_create_compress(&to);
    unsigned char *bytes = NULL;
    unsigned long length = 0;
    if (setjmp(errors.place)) {
        jpeg_destroy_decompress(&from);
        jpeg_destroy_compress(&to);
        free(bytes);
        return NULL;
    }
    jpeg_mem_src(&from, source, byteCount);
    jpeg_read_header(&from, TRUE);
    jvirt_barray_ptr *arrays = jpeg_read_coefficients(&from);
    jpeg_mem_dest(&to, &bytes, &length);
    jpeg_copy_critical_parameters(&from, &to);
    jpeg_scan_info scans[64];
    set_scans(&to, encoding, scans);
    jpeg_write_coefficients(&to, arrays);
    jpeg_finish_compress(&to);
    jpeg_destroy_compress(&to);
    jpeg_destroy_decompress(&from);
    *count = length;
    return bytes;
}

void reference_release(uint8_t *bytes) { free(bytes); }
