import ThumbwheelCore

/// Reads the header of a WebP file by following its RIFF chunks (RFC 9649).
struct WebPHead: HeadFormat {
    static let contentTypes: [ContentType] = [.webp]

    static func contentType(of start: FileStart) -> ContentType? {
        start.has("RIFF") && start.has("WEBP", at: 8) ? .webp : nil
    }

    /// The number of frames of an animation at which counting stops; it is more than a renderer accepts.
    static let frameLimit = 1001

    static func read(
        _ reader: inout HeadReader, as type: ContentType, noting metadata: inout ImageMetadata
    ) throws(HeadError) -> ImageHead {
        let declared = try reader.integer(at: 4, width: 4, order: .little)
        let file = 0..<min(reader.byteCount, 8 + declared)
        let first = try file.subrange(at: 12, count: 8).lowerBound
        let length = try reader.integer(at: first + 4, width: 4, order: .little)
        // The chunk may be cut short, because it begins with the size of the picture.
        let payload = first + 8..<max(first + 8, min(file.upperBound, first + 8 + length))
        switch try reader.code(at: first) {
        case "VP8 ":
            return try lossy(&reader, payload)
        case "VP8L":
            return try lossless(&reader, payload)
        case "VP8X":
            return try extended(&reader, payload, in: file, noting: &metadata)
        default:
            throw .malformed(reason: "a WebP that begins with chunk \(try reader.code(at: first).text)")
        }
    }

    /// Reads a VP8 key frame (RFC 6386, 9.1).
    private static func lossy(_ reader: inout HeadReader, _ payload: Range<Int>) throws(HeadError) -> ImageHead {
        let start = try payload.subrange(at: 0, count: 10).lowerBound
        guard try reader.byte(at: start) & 1 == 0, try reader.integer(at: start + 3, width: 3) == 0x9D012A else {
            throw .malformed(reason: "no VP8 key frame")
        }
        return try head(
            width: reader.integer(at: start + 6, width: 2, order: .little) & 0x3FFF,
            height: reader.integer(at: start + 8, width: 2, order: .little) & 0x3FFF)
    }

    private static func lossless(_ reader: inout HeadReader, _ payload: Range<Int>) throws(HeadError) -> ImageHead {
        let start = try payload.subrange(at: 0, count: 5).lowerBound
        let bits = try reader.integer(at: start + 1, width: 4, order: .little)
        guard try reader.byte(at: start) == 0x2F, bits >> 29 == 0 else { throw .malformed(reason: "no VP8L stream") }
        var head = try head(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
        head.hasAlpha = bits >> 28 & 1 == 1
        head.isLossless = true
        return head
    }

    private static func head(width: Int, height: Int) throws(HeadError) -> ImageHead {
        guard width > 0, height > 0 else { throw .malformed(reason: "a size of \(width)x\(height)") }
        return ImageHead(contentType: .webp, storedSize: PixelSize(width: width, height: height))
    }

    private static func extended(
        _ reader: inout HeadReader, _ payload: Range<Int>, in file: Range<Int>, noting metadata: inout ImageMetadata
    ) throws(HeadError) -> ImageHead {
        let start = try payload.subrange(at: 0, count: 10).lowerBound
        let flags = try reader.byte(at: start)
        var head = try head(
            width: reader.integer(at: start + 4, width: 3, order: .little) + 1,
            height: reader.integer(at: start + 7, width: 3, order: .little) + 1)
        guard head.storedSize.pixelCount <= Int(UInt32.max) else {
            throw .malformed(reason: "a canvas of \(head.storedSize)")
        }
        head.hasAlpha = flags & 0x10 != 0
        do throws(HeadError) {
            try readChunks(
                &reader, file, from: payload.upperBound, isAnimated: flags & 2 != 0, into: &head, noting: &metadata)
        } catch  where error.concernsBytes {
            // The size of the canvas comes first in the file, so the facts read before the damage are enough.
        }
        return head
    }

    /// Returns whether the picture of an animation's frame is coded without loss (RFC 9649, 2.7.1.1). After 16 bytes,
    /// the frame holds the chunks of a still picture.
    private static func isLossless(
        _ reader: inout HeadReader, frame: Int, length: Int
    ) throws(HeadError) -> Bool {
        var position = frame + 16
        while position + 8 <= min(frame + length, reader.byteCount) {
            try reader.enterPart()
            switch try reader.code(at: position) {
            case "VP8L": return true
            case "VP8 ": return false
            default:
                let length = try reader.integer(at: position + 4, width: 4, order: .little)
                position += 8 + length + length % 2
            }
        }
        return false
    }

    private static func readChunks(
        _ reader: inout HeadReader, _ file: Range<Int>, from start: Int, isAnimated: Bool, into head: inout ImageHead,
        noting metadata: inout ImageMetadata
    ) throws(HeadError) {
        var position = start + start % 2
        var frameCount = 0
        // Only the first chunk of a kind counts (RFC 9649, 2.7).
        var hasEXIF = false
        var hasProfile = false
        var hasPicture = false
        while file.upperBound - position >= 8 {
            try reader.enterPart()
            let length = try reader.integer(at: position + 4, width: 4, order: .little)
            switch try reader.code(at: position) {
            case "EXIF" where !hasEXIF:
                hasEXIF = true
                let exif = try EXIF(&reader, in: file.subrange(at: position + 8, count: length))
                head.orientation = exif.orientation
                head.captureDate = exif.captureDate
                head.exifColorSpace = exif.colorSpace
                metadata.exif = exif
            case "XMP " where metadata.xmp == nil:
                metadata.xmp = try file.subrange(at: position + 8, count: length)
            case "ICCP" where !hasProfile:
                hasProfile = true
                let profile = ICCProfile(extents: [try file.subrange(at: position + 8, count: length)])
                head.profile = try profile.describe(&reader)
            case "ANMF" where isAnimated:
                frameCount = min(frameCount + 1, frameLimit)
                head.frameCount = frameCount
                if !hasPicture { head.isLossless = try isLossless(&reader, frame: position + 8, length: length) }
                hasPicture = true
            case "VP8 ":
                hasPicture = true
            case "VP8L" where !hasPicture:
                hasPicture = true
                head.isLossless = true
            default:
                break
            }
            // Chunks are padded to even lengths.
            position = try file.subrange(at: position + 8, count: length).upperBound + length % 2
        }
    }
}
