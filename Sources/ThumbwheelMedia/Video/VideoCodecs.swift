import CLibAV
import ThumbwheelCore
import ThumbwheelRendering

/// The codecs of libavcodec that decode videos here. Other codecs, most of them for files of games and old computers,
/// are never used, because they are seldom tested.
enum VideoCodecs {
    private static let allowed: Set<UInt32> = Set(
        [
            AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1, AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_MPEG4,
            AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MJPEG, AV_CODEC_ID_H263, AV_CODEC_ID_PRORES,
            AV_CODEC_ID_DNXHD, AV_CODEC_ID_DVVIDEO, AV_CODEC_ID_THEORA, AV_CODEC_ID_MSMPEG4V2, AV_CODEC_ID_MSMPEG4V3,
            AV_CODEC_ID_VC1, AV_CODEC_ID_WMV3, AV_CODEC_ID_FFV1,
        ].map(\.rawValue))

    /// The names of the decoders that may be used to find out facts about streams, separated by commas.
    static let analysed =
        "h264,hevc,av1,libdav1d,libaom-av1,vp8,libvpx,vp9,libvpx-vp9,mpeg4,mpeg2video,mpeg1video,mjpeg,h263,prores,"
        + "dnxhd,dvvideo,theora,msmpeg4v2,msmpeg4,vc1,wmv3,ffv1,aac,aac_fixed,mp3,mp3float,mp2,mp2float,ac3,ac3_fixed,"
        + "eac3,opus,libopus,vorbis,libvorbis,flac,alac,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_f32le,pcm_u8,"
        + "pcm_alaw,pcm_mulaw,amrnb,libopencore_amrnb"

    /// Opens the decoder of a stream of frames. Frames of more pixels than those of `codedSize` are refused.
    ///
    /// - Parameters:
    ///   - codedSize: the size of the frames as the container states it.
    ///   - threadCount: the number of threads, each of which holds frames of its own.
    ///   - isPrompt: whether frames come out as soon as they are decoded, which concerns single key frames.
    static func open(
        _ stream: UnsafeMutablePointer<AVStream>, codedSize: PixelSize, threadCount: Int, isPrompt: Bool
    ) throws(RenderError) -> UnsafeMutablePointer<AVCodecContext> {
        guard let parameters = stream.pointee.codecpar, let codec = decoder(of: parameters.pointee.codec_id) else {
            throw .unsupportedFormat
        }
        var made = avcodec_alloc_context3(codec)
        guard let context = made else { throw .limitExceeded(limit: .memory) }
        var isOpen = false
        defer { if !isOpen { avcodec_free_context(&made) } }
        guard avcodec_parameters_to_context(context, parameters) >= 0 else {
            throw .malformed(reason: "libavcodec does not take the parameters of a video")
        }
        context.pointee.pkt_timebase = stream.pointee.time_base
        context.pointee.thread_count = Int32(threadCount)
        context.pointee.flags |= tw_flag_unaligned | (isPrompt ? tw_flag_low_delay : 0)
        context.pointee.error_concealment = 0
        context.pointee.max_pixels =
            Int64(codedSize.width + padding) * Int64(codedSize.height + padding)
        guard avcodec_open2(context, codec, nil) == 0 else {
            throw .malformed(reason: "libavcodec does not take the configuration of a video")
        }
        isOpen = true
        return context
    }

    /// The greatest number of pixels by which a decoder's buffer is wider and higher than the frame.
    private static let padding = 128

    /// The decoder of a codec; nil if this build of libavcodec has none, or if it is not used here.
    static func decoder(of codec: AVCodecID) -> UnsafePointer<AVCodec>? {
        allowed.contains(codec.rawValue) ? avcodec_find_decoder(codec) : nil
    }
}
