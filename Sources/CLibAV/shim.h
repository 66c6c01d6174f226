#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>

// Macros with casts, which Swift does not import.
static const int tw_averror_again = AVERROR(EAGAIN);
static const int tw_averror_memory = AVERROR(ENOMEM);
static const int tw_averror_eof = AVERROR_EOF;
static const int tw_averror_exit = AVERROR_EXIT;
static const int tw_averror_io = AVERROR(EIO);
static const int tw_averror_access = AVERROR(EACCES);
static const int tw_averror_invalid = AVERROR_INVALIDDATA;
static const int tw_averror_experimental = AVERROR_EXPERIMENTAL;
static const int64_t tw_no_timestamp = AV_NOPTS_VALUE;
static const int tw_input_padding = AV_INPUT_BUFFER_PADDING_SIZE;
static const int tw_flag_unaligned = AV_CODEC_FLAG_UNALIGNED;
static const int tw_flag_low_delay = AV_CODEC_FLAG_LOW_DELAY;
static const int tw_flag_global_header = AV_CODEC_FLAG_GLOBAL_HEADER;

