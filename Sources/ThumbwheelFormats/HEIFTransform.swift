import ThumbwheelCore

/// The transformative properties of a HEIF item (`clap`, `irot`, `imir`), combined into a region of the stored canvas
/// and its orientation.
package struct HEIFTransform: Sendable, Equatable {
    /// The first column and the first row of the canvas that are shown.
    package private(set) var x = 0
    package private(set) var y = 0
    /// The size of the region that is shown, in stored orientation.
    package private(set) var shownSize: PixelSize
    package private(set) var orientation = ImageOrientation.up

    /// Makes a transform that shows the whole canvas unchanged.
    init(_ canvas: PixelSize) {
        shownSize = canvas
    }

    /// Applies a property of the kinds `clap`, `irot` and `imir`; a property of another kind changes nothing.
    mutating func apply(_ reader: inout HeadReader, _ property: HEIFBoxes.Box) throws(HeadError) {
        let payload = property.payload
        switch property.kind {
        case "clap":
            let start = try payload.subrange(at: 0, count: 32).lowerBound
            let size = orientation.displaySize(of: shownSize)
            let columns = try Self.aperture(&reader, of: size.width, at: start, offsetAt: start + 16)
            let rows = try Self.aperture(&reader, of: size.height, at: start + 8, offsetAt: start + 24)
            crop(columns: columns, rows: rows, of: size)
        case "irot":
            let quarters = try reader.byte(at: payload.subrange(at: 0, count: 1).lowerBound) & 3
            for _ in 0..<quarters { orientation = orientation.turnedLeft }
        case "imir":
            let axis = try reader.byte(at: payload.subrange(at: 0, count: 1).lowerBound) & 1
            orientation = axis == 0 ? orientation.flippedVertically : orientation.flippedHorizontally
        default: break
        }
    }

    /// Crops the region that is shown so far; the columns and rows are counted in its present orientation.
    private mutating func crop(columns: Range<Int>, rows: Range<Int>, of size: PixelSize) {
        // The distances from the crop to the four edges, turned back to the stored orientation.
        var edges = (
            left: columns.lowerBound, top: rows.lowerBound, right: size.width - columns.upperBound,
            bottom: size.height - rows.upperBound
        )
        switch orientation {
        case .up: break
        case .upMirrored: swap(&edges.left, &edges.right)
        case .down: edges = (edges.right, edges.bottom, edges.left, edges.top)
        case .downMirrored: swap(&edges.top, &edges.bottom)
        case .leftMirrored: edges = (edges.top, edges.left, edges.bottom, edges.right)
        case .right: edges = (edges.top, edges.right, edges.bottom, edges.left)
        case .rightMirrored: edges = (edges.bottom, edges.right, edges.top, edges.left)
        case .left: edges = (edges.bottom, edges.left, edges.top, edges.right)
        }
        x += edges.left
        y += edges.top
        shownSize.width -= edges.left + edges.right
        shownSize.height -= edges.top + edges.bottom
    }

    /// Returns the pixels of one side that a clean aperture leaves (ISO/IEC 14496-12, 12.1.4.1): at least one, and none
    /// outside the side.
    private static func aperture(
        _ reader: inout HeadReader, of side: Int, at place: Int, offsetAt offsetPlace: Int
    ) throws(HeadError) -> Range<Int> {
        let length = try fraction(&reader, at: place, isSigned: false)
        let offset = try fraction(&reader, at: offsetPlace, isSigned: true)
        guard let length, length > 0 else { return 0..<side }
        let count = min(side, max(1, Int(length.rounded())))
        let first = ((offset ?? 0) + (Double(side) - length) / 2).rounded(.down)
        let start = min(max(0, first), Double(side - count))
        return Int(start)..<Int(start) + count
    }

    /// Reads a fraction of two 32-bit numbers; nil if the denominator is invalid.
    private static func fraction(
        _ reader: inout HeadReader, at place: Int, isSigned: Bool
    ) throws(HeadError) -> Double? {
        let numerator = UInt32(clamping: try reader.integer(at: place, width: 4))
        let denominator = UInt32(clamping: try reader.integer(at: place + 4, width: 4))
        guard denominator > 0, denominator < 1 << 31 else { return nil }
        return (isSigned ? Double(Int32(bitPattern: numerator)) : Double(numerator)) / Double(denominator)
    }
}
