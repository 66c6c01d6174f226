import ThumbwheelCore

extension EXIF {
    /// Reads the GPS directory: where the camera was, and the direction in which it looked (EXIF 2.32, 4.6.6).
    func place(_ reader: inout HeadReader) throws(HeadError) -> (location: Location?, heading: Heading?) {
        guard let structure else { return (nil, nil) }
        do throws(HeadError) {
            guard let entries = try structure.directory(&reader, pointedAtBy: main.entries[Tag.gps])?.entries else {
                return (nil, nil)
            }
            let latitude = try angle(&reader, structure, entries[Tag.latitude])
            let longitude = try angle(&reader, structure, entries[Tag.longitude])
            // A latitude without its hemisphere could be either of two places.
            let south = try side(&reader, structure, entries[Tag.latitudeReference], "N", "S")
            let west = try side(&reader, structure, entries[Tag.longitudeReference], "E", "W")
            let reference = try structure.text(&reader, entries[Tag.imageDirectionReference], limit: 2)
            return (
                Location(
                    checking: south.flatMap { south in latitude.map { south ? -$0 : $0 } },
                    west.flatMap { west in longitude.map { west ? -$0 : $0 } },
                    altitude: try altitude(&reader, structure, entries)),
                Heading(
                    checking: try structure.number(&reader, entries[Tag.imageDirection]),
                    isMagnetic: reference?.first == UInt8(ascii: "M"))
            )
        } catch  where error.concernsBytes {
            return (nil, nil)
        }
    }

    private func altitude(
        _ reader: inout HeadReader, _ structure: TIFFStructure, _ entries: [Int: TIFFStructure.Entry]
    ) throws(HeadError) -> Double? {
        // The value 1 means below sea level. EXIF 3.0 adds 2 and 3, which mean above and below another surface.
        let reference = try structure.integer(&reader, entries[Tag.altitudeReference])
        return try structure.number(&reader, entries[Tag.altitude]).map { reference == 1 || reference == 3 ? -$0 : $0 }
    }

    /// Reads degrees, minutes and seconds. Cameras that write fractions of minutes may leave the seconds out, or write
    /// them as 0/0.
    private func angle(
        _ reader: inout HeadReader, _ structure: TIFFStructure, _ entry: TIFFStructure.Entry?
    ) throws(HeadError) -> Double? {
        guard let degrees = try structure.number(&reader, entry) else { return nil }
        let minutes = try structure.number(&reader, entry, at: 1) ?? 0
        let seconds = try structure.number(&reader, entry, at: 2) ?? 0
        return degrees + minutes / 60 + seconds / 3600
    }

    /// Returns whether the reference names the second of two sides, such as south; nil if it names neither side.
    private func side(
        _ reader: inout HeadReader, _ structure: TIFFStructure, _ entry: TIFFStructure.Entry?,
        _ first: Unicode.Scalar, _ second: Unicode.Scalar
    ) throws(HeadError) -> Bool? {
        guard let letter = try structure.text(&reader, entry, limit: 2)?.first else { return nil }
        return letter & 0xDF == UInt8(ascii: first) ? false : letter & 0xDF == UInt8(ascii: second) ? true : nil
    }
}

extension TIFFStructure {
    /// Returns the value of a field at `index` as a number, if it is an integer or a fraction; nil if the denominator
    /// is zero.
    func number(_ reader: inout HeadReader, _ entry: Entry?, at index: Int = 0) throws(HeadError) -> Double? {
        guard let entry, index < entry.count else { return nil }
        guard entry.kind == 5 || entry.kind == 10 else {
            return try integer(&reader, entry, at: index).map(Double.init)
        }
        let place = entry.position + 8 * index
        let numerator = UInt32(clamping: try reader.integer(at: place, width: 4, order: order))
        let denominator = UInt32(clamping: try reader.integer(at: place + 4, width: 4, order: order))
        guard denominator != 0 else { return nil }
        return entry.kind == 5
            ? Double(numerator) / Double(denominator)
            : Double(Int32(bitPattern: numerator)) / Double(Int32(bitPattern: denominator))
    }

    /// Returns the bytes of a field, at most `limit`.
    func bytes(_ reader: inout HeadReader, _ entry: Entry?, limit: Int) throws(HeadError) -> [UInt8]? {
        guard let entry, [1, 2, 7].contains(entry.kind) else { return nil }
        return try reader.bytes(in: entry.position..<entry.position + min(entry.count, limit))
    }
}
