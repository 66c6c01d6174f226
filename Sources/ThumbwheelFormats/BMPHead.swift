import ThumbwheelCore

/// Reads the header of a Windows or OS/2 bitmap, in all lengths that exist (12, 16 to 64, 108 or 124 bytes).
struct BMPHead: HeadFormat {
    static let contentTypes: [ContentType] = [.bmp]

    /// Recognises a bitmap by "BM" and by the size of the header that follows. Many texts begin with "BM" as well, so
    /// the size must be one that is in use.
    static func contentType(of start: FileStart) -> ContentType? {
        let bytes = start.bytes.dropFirst(14).prefix(4)
        guard start.has("BM"), bytes.count == 4 else { return nil }
        let size = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
        return size == 12 || 16...64 ~= size || size == 108 || size == 124 ? .bmp : nil
    }

    private static let start = 14

    static func read(
        _ reader: inout HeadReader, as type: ContentType, noting metadata: inout ImageMetadata
    ) throws(HeadError) -> ImageHead {
        let headerSize = try reader.integer(at: start, width: 4, order: .little)
        let isCore = headerSize == 12
        let width: Int
        let height: Int
        let bitsPerPixel: Int
        if isCore {
            width = try reader.integer(at: start + 4, width: 2, order: .little)
            height = try reader.integer(at: start + 6, width: 2, order: .little)
            bitsPerPixel = try reader.integer(at: start + 10, width: 2, order: .little)
        } else {
            width = try signed(&reader, at: start + 4)
            // The height is negative if the rows run from the top down.
            height = abs(try signed(&reader, at: start + 8))
            bitsPerPixel = try reader.integer(at: start + 14, width: 2, order: .little)
        }
        guard width > 0, height > 0, height <= Int(Int32.max) else {
            throw .malformed(reason: "a size of \(width)x\(height)")
        }
        guard [0, 1, 2, 4, 8, 16, 24, 32, 64].contains(bitsPerPixel) else {
            throw .malformed(reason: "\(bitsPerPixel) bits per pixel")
        }
        var head = ImageHead(contentType: .bmp, storedSize: PixelSize(width: width, height: height))
        if bitsPerPixel == 64 { head.bitsPerChannel = 16 }
        // Only headers of 56 bytes and more contain a mask for the alpha channel. With shorter headers, the fourth byte
        // of a pixel is padding.
        if headerSize >= 56, headerSize != 64, bitsPerPixel == 16 || bitsPerPixel == 32 {
            head.hasAlpha = try reader.integer(at: start + 52, width: 4, order: .little) != 0
        }
        if headerSize == 124, try reader.integer(at: start + 56, width: 4, order: .little) == 0x4D42_4544 {
            let offset = try reader.integer(at: start + 112, width: 4, order: .little)
            let count = try reader.integer(at: start + 116, width: 4, order: .little)
            if let extent = try? reader.extent.subrange(at: start + offset, count: count) {
                head.profile = try ICCProfile(extents: [extent]).describe(&reader)
            }
        }
        return head
    }

    private static func signed(_ reader: inout HeadReader, at offset: Int) throws(HeadError) -> Int {
        let bits = try reader.integer(at: offset, width: 4, order: .little)
        return Int(Int32(truncatingIfNeeded: bits))
    }
}
