import ThumbwheelCore

/// Whether a file whose decoder asked for more is really too short.
///
/// Decoders of JPEG, PNG and TIFF read as they go: that they asked is proof enough. Those of WebP, GIF, HEIC and AVIF
/// begin by reading the whole file to its end, so the container's own lengths must speak.
func isCutShort(_ bytes: any ByteSource, type: ContentType) -> Bool {
    do throws(ByteSourceError) {
        switch type {
        case .webp:
            let head = try bytes.bytes(in: 4..<8)
            guard head.count == 4 else { return true }
            let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
            return length + 8 > bytes.byteCount
        case .gif:
            return try bytes.bytes(in: max(0, bytes.byteCount - 1)..<bytes.byteCount) != [0x3B]
        case .heic, .avif:
            return try lastBoxEnd(in: bytes) > bytes.byteCount
        default:
            return true
        }
    } catch {
        return false
    }
}

/// Where the last top-level box of an ISO media file claims to end (ISO/IEC 14496-12, 4.2).
private func lastBoxEnd(in bytes: any ByteSource) throws(ByteSourceError) -> Int {
    var offset = 0
    // Files have a handful of boxes; the bound keeps hostile ones from being walked for long.
    for _ in 0..<256 where offset < bytes.byteCount {
        let head = try bytes.bytes(in: offset..<offset + 16)
        guard head.count >= 8 else { return bytes.byteCount + 1 }
        var size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
        if size == 0 { return bytes.byteCount }
        if size == 1 {
            guard head.count == 16 else { return bytes.byteCount + 1 }
            size = head[8...].reduce(0) { ($0 & 0x00FF_FFFF_FFFF_FFFF) << 8 | Int($1) }
        }
        guard size >= 8, size < .max - offset else { return offset }
        offset += size
    }
    return offset
}
