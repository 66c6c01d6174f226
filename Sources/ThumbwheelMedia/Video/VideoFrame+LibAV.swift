import CLibAV
import ThumbwheelRendering

extension VideoFrame {
    /// Makes the value of a frame, which must live as long as the value.
    init(_ frame: UnsafeMutablePointer<AVFrame>) throws(RenderError) {
        let decoded = frame.pointee
        guard decoded.decode_error_flags == 0, decoded.flags & AV_FRAME_FLAG_CORRUPT == 0 else {
            throw .malformed(reason: "a damaged frame of a video")
        }
        self.init(
            try DecodedPicture(frame), primaries: UInt16(clamping: decoded.color_primaries.rawValue),
            transfer: UInt16(clamping: decoded.color_trc.rawValue),
            fieldOrder: decoded.interlaced_frame == 0 ? nil : decoded.top_field_first != 0 ? .topFirst : .bottomFirst)
    }
}
