import ThumbwheelCore

/// The contents of a JPEG's frame header (ITU-T T.81, B.2.2), for the frames that this decoder covers.
struct JPEGFrame {
    struct Component {
        let identifier: UInt8
        let horizontal: Int
        let vertical: Int
        let quantizationSlot: Int
        /// The component's size in samples, as the file stores it.
        let size: PixelSize
        /// The number of blocks, across and down, that contain samples of the image.
        let blocks: PixelSize
        /// The number of blocks across and down, padded to whole minimum coded units as interleaved scans store them.
        let paddedBlocks: PixelSize
    }

    let size: PixelSize
    let isProgressive: Bool
    let components: [Component]
    let maximumHorizontal: Int
    let maximumVertical: Int
    /// The number of minimum coded units, across and down, in an interleaved scan.
    let units: PixelSize

    /// - Parameter contents: the header's segment.
    /// - Returns: nil for frames that this decoder does not cover: those whose samples do not have 8 bits, those with
    ///   another number of components than 1 or 3, and those with a height of 0, which means that the height is given
    ///   later in the file.
    init?(marker: UInt8, contents: [UInt8]) throws(RenderError) {
        guard contents.count >= 6, contents.count == 6 + 3 * Int(contents[5]) else {
            throw .malformed(reason: "a frame header of \(contents.count) bytes")
        }
        let height = Int(contents[1]) << 8 | Int(contents[2])
        let width = Int(contents[3]) << 8 | Int(contents[4])
        let count = Int(contents[5])
        guard (0xC0...0xC2).contains(marker), contents[0] == 8, count == 1 || count == 3, width > 0, height > 0 else {
            return nil
        }
        // An image of a single component has no interleaved scans, so the component's sampling factors are ignored.
        let factors = (0..<count).map { index -> (Int, Int) in
            let factor = contents[7 + 3 * index]
            return count == 1 ? (1, 1) : (Int(factor >> 4), Int(factor & 15))
        }
        guard factors.allSatisfy({ (1...4).contains($0.0) && (1...4).contains($0.1) }) else {
            throw .malformed(reason: "sampling factors out of range")
        }
        let horizontal = factors.map(\.0).max() ?? 1
        let vertical = factors.map(\.1).max() ?? 1
        let size = PixelSize(width: width, height: height)
        let units = Self.units(of: size, horizontal, vertical)
        self.size = size
        isProgressive = marker == 0xC2
        maximumHorizontal = horizontal
        maximumVertical = vertical
        self.units = units
        components = factors.enumerated().map { index, factor in
            let own = PixelSize(
                width: Self.length(width, factor.0, of: horizontal), height: Self.length(height, factor.1, of: vertical)
            )
            return Component(
                identifier: contents[6 + 3 * index], horizontal: factor.0, vertical: factor.1,
                quantizationSlot: Int(contents[8 + 3 * index]), size: own,
                blocks: PixelSize(width: (own.width + 7) / 8, height: (own.height + 7) / 8),
                paddedBlocks: PixelSize(width: units.width * factor.0, height: units.height * factor.1))
        }
    }

    /// The number of minimum coded units, across and down, that contain samples of a part of the image, which begins in
    /// the upper left corner.
    func units(of part: PixelSize) -> PixelSize { Self.units(of: part, maximumHorizontal, maximumVertical) }

    /// A component's size in samples, in a part of the image that begins in the upper left corner.
    func size(of component: Component, in part: PixelSize) -> PixelSize {
        PixelSize(
            width: Self.length(part.width, component.horizontal, of: maximumHorizontal),
            height: Self.length(part.height, component.vertical, of: maximumVertical))
    }

    private static func units(of size: PixelSize, _ horizontal: Int, _ vertical: Int) -> PixelSize {
        PixelSize(
            width: (size.width + 8 * horizontal - 1) / (8 * horizontal),
            height: (size.height + 8 * vertical - 1) / (8 * vertical))
    }

    private static func length(_ length: Int, _ factor: Int, of maximum: Int) -> Int {
        (length * factor + maximum - 1) / maximum
    }
}
