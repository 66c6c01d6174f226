import CLibAV

/// The codecs of libavcodec that decode videos here. Other codecs, most of them for files of games and old computers, are
/// never used, because they are seldom tested.
enum VideoCodecs {
    private static let allowed: Set<UInt32> = Set(
        [
            AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1, AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_MPEG4,
            AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MJPEG, AV_CODEC_ID_H263, AV_CODEC_ID_PRORES,
            AV_CODEC_ID_DNXHD, AV_CODEC_ID_DVVIDEO, AV_CODEC_ID_THEORA, AV_CODEC_ID_MSMPEG4V2, AV_CODEC_ID_MSMPEG4V3,
            AV_CODEC_ID_VC1, AV_CODEC_ID_WMV3, AV_CODEC_ID_FFV1,
        ].map(\.rawValue))

    /// The decoder of a codec; nil if this build of libavcodec has none, or if it is not used here.
    static func decoder(of codec: AVCodecID) -> UnsafePointer<AVCodec>? {
        allowed.contains(codec.rawValue) ? avcodec_find_decoder(codec) : nil
    }
}
