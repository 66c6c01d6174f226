/// A picture coded as HEVC or AV1, taken from a file that an encoder has written.
package struct CodedPicture: Sendable {
    /// `hvc1` or `av01`.
    package let kind: String
    /// The contents of the picture's item.
    package let data: [UInt8]
    /// The box with the decoder's configuration.
    package let configuration: [UInt8]
    package let width: Int
    package let height: Int

    /// Encodes a picture.
    ///
    /// - Parameters:
    ///   - codec: `hevc` or `av1`.
    ///   - options: more options of libvips's HEIF saver.
    package init(_ raster: Raster, codec: String = "hevc", options: String = "Q=70") throws(FixtureError) {
        let file = try VipsEncoder(
            suffix: codec == "av1" ? ".heif" : ".heic", options: "\(options),compression=\(codec)"
        ).encode(raster)
        let meta = try Self.box("meta", file, 0..<file.count)
        let parts = meta.lowerBound + 4..<meta.upperBound
        kind = codec == "av1" ? "av01" : "hvc1"
        configuration = Self.whole(
            try Self.box(
                codec == "av1" ? "av1C" : "hvcC", file, Self.box("ipco", file, Self.box("iprp", file, parts))), file)
        // libheif writes the picture as the first item, in one piece, with offsets of four bytes.
        let places = try Self.box("iloc", file, parts)
        let entry = places.lowerBound + 8
        let hasMethod = file[places.lowerBound] > 0
        let base = Int(file[places.lowerBound + 5] >> 4)
        var position = entry + 2 + (hasMethod ? 2 : 0) + 2
        let baseOffset = base == 0 ? 0 : Self.number(file, position, base)
        position += base + 2
        let offset = baseOffset + Self.number(file, position, 4)
        let length = Self.number(file, position + 4, 4)
        data = Array(file[offset..<offset + length])
        (width, height) = (raster.width, raster.height)
    }

    /// The property with the picture's size.
    package var extent: [UInt8] {
        ItemFile.fullBox("ispe", ItemFile.number(width, 4) + ItemFile.number(height, 4))
    }

    /// The picture as an item.
    package func item(_ more: [[UInt8]] = []) -> ItemFile.Item {
        ItemFile.Item(kind, data, properties: [configuration, extent] + more)
    }

    private static func number(_ file: [UInt8], _ place: Int, _ width: Int) -> Int {
        file[place..<place + width].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The contents of the first box of a kind.
    private static func box(_ kind: String, _ file: [UInt8], _ range: Range<Int>) throws(FixtureError) -> Range<Int> {
        var position = range.lowerBound
        while position + 8 <= range.upperBound {
            let size = number(file, position, 4)
            guard size >= 8, size <= range.upperBound - position else { break }
            if Array(file[position + 4..<position + 8]) == ItemFile.text(kind) { return position + 8..<position + size }
            position += size
        }
        throw .encoder("libheif", "a file without \(kind)")
    }

    private static func whole(_ payload: Range<Int>, _ file: [UInt8]) -> [UInt8] {
        Array(file[payload.lowerBound - 8..<payload.upperBound])
    }
}
