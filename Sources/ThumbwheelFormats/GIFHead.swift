import ThumbwheelCore

/// Reads the size, the number of frames and the transparency of a GIF, by following its blocks (GIF89a specification).
struct GIFHead: HeadFormat {
    static let contentTypes: [ContentType] = [.gif]

    static func contentType(of start: FileStart) -> ContentType? {
        start.has("GIF87a") || start.has("GIF89a") ? .gif : nil
    }

    /// The number of pictures at which counting stops; it is more than a renderer accepts.
    static let frameLimit = 1001

    private var frameCount = 0
    private var hasTransparency = false
    // The right and lower edges of the first picture, and the furthest edges of all pictures.
    private var firstFrame = PixelSize.zero
    private var largestFrame = PixelSize.zero

    static func read(
        _ reader: inout HeadReader, as type: ContentType, noting metadata: inout ImageMetadata
    ) throws(HeadError) -> ImageHead {
        var size = PixelSize(
            width: try reader.integer(at: 6, width: 2, order: .little),
            height: try reader.integer(at: 8, width: 2, order: .little))
        let flags = try reader.byte(at: 10)
        var gif = GIFHead()
        do throws(HeadError) {
            try gif.readBlocks(&reader, from: 13 + Self.paletteSize(flags))
        } catch  where error.concernsBytes && (gif.frameCount > 0 || !size.isEmpty) {
            // The pictures that have been counted before a limit are the result. A picture is a chain of small blocks,
            // so counting all pictures of a long file would mean reading all of it.
        }
        // Some writers omit the size of the screen. Then the places and sizes of the pictures tell how large it must
        // be.
        if size.isEmpty { size = gif.largestFrame }
        // A screen that is too small for the first picture, the one that is shown, is enlarged, as in browsers.
        size.width = max(size.width, gif.firstFrame.width)
        size.height = max(size.height, gif.firstFrame.height)
        guard !size.isEmpty else { throw .malformed(reason: "an empty screen") }
        return ImageHead(
            contentType: .gif, storedSize: size, hasAlpha: gif.hasTransparency, frameCount: max(1, gif.frameCount))
    }

    private static func paletteSize(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    private mutating func readBlocks(_ reader: inout HeadReader, from start: Int) throws(HeadError) {
        var position = start
        while frameCount < Self.frameLimit {
            try reader.enterPart()
            switch try reader.byte(at: position) {
            case 0x2C:
                try readFrame(&reader, at: &position)
            case 0x21:
                if try reader.byte(at: position + 1) == 0xF9, try reader.byte(at: position + 3) & 1 == 1 {
                    hasTransparency = true
                }
                position += 2
                try skipSubblocks(&reader, at: &position)
            case 0x00:
                // Some writers leave padding bytes of 0 between blocks.
                position += 1
            default:
                return
            }
        }
    }

    private mutating func readFrame(_ reader: inout HeadReader, at position: inout Int) throws(HeadError) {
        let left = try reader.integer(at: position + 1, width: 2, order: .little)
        let top = try reader.integer(at: position + 3, width: 2, order: .little)
        let width = try reader.integer(at: position + 5, width: 2, order: .little)
        let height = try reader.integer(at: position + 7, width: 2, order: .little)
        let flags = try reader.byte(at: position + 9)
        frameCount += 1
        if width > 0, height > 0 {
            largestFrame.width = max(largestFrame.width, left + width)
            largestFrame.height = max(largestFrame.height, top + height)
            if frameCount == 1 { firstFrame = largestFrame }
        }
        // A picture consists of its descriptor, its palette, the code size, and subblocks with the compressed pixels.
        position += 10 + Self.paletteSize(flags) + 1
        try skipSubblocks(&reader, at: &position)
    }

    private func skipSubblocks(_ reader: inout HeadReader, at position: inout Int) throws(HeadError) {
        while true {
            let length = Int(try reader.byte(at: position))
            position += 1 + length
            if length == 0 { return }
        }
    }
}
