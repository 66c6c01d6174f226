import ThumbwheelCore

/// The properties that are read from an XMP packet (ISO 16684-1), with their values.
struct XMPPacket {
    /// The values in the order of the packet. A property that is a list, or is part of several structures, has several
    /// values.
    private(set) var values: [XMPName: [String]] = [:]

    /// The greatest number of bytes of a packet that are read: more than a JPEG segment can hold.
    private static let byteLimit = 128 << 10
    /// The greatest number of values of a property that are stored, and the greatest number of bytes of a value.
    private static let valueLimit = 16
    static let lengthLimit = 128
    /// The number of bytes that are examined for one of the steps of work that `HeadReader` counts.
    private static let bytesPerStep = 4

    init() {}

    init(_ bytes: [UInt8]) {
        var scan = XMPScan(bytes)
        while let (name, value) = scan.next() {
            guard values[name, default: []].count < Self.valueLimit else { continue }
            values[name, default: []].append(String(decoding: value, as: UTF8.self))
        }
    }

    /// Reads the packet at `extent`, or only its beginning if it is too long. Fails only if the source cannot be read.
    init(_ reader: inout HeadReader, in extent: Range<Int>) throws(HeadError) {
        var bytes: [UInt8] = []
        do throws(HeadError) {
            let end = min(extent.upperBound, extent.lowerBound + Self.byteLimit, reader.byteCount)
            var position = extent.lowerBound
            while position < end {
                let run = position..<min(end, position + HeadReader.runLimit)
                try reader.spend(run.count / Self.bytesPerStep)
                bytes += try reader.bytes(in: run)
                position = run.upperBound
            }
        } catch  where error.concernsBytes {
            // The properties before the damage or the limit are still read.
        }
        self.init(bytes)
    }

    /// The first value of a property.
    subscript(name: XMPName) -> String? { values[name]?.first }
}

extension XMPPacket {
    /// The date when the photograph was taken, else when its contents were created, else when its file was created.
    var captureDate: CaptureDate? {
        for name in [XMPName.dateTimeOriginal, .dateCreated, .createDate] {
            if let date = self[name].flatMap({ CaptureDate(iso: [UInt8]($0.utf8)) }) { return date }
        }
        return nil
    }

    /// Where the photograph was taken, by the copies of EXIF's fields.
    var location: Location? {
        let altitude = self[.altitude].flatMap(Self.number)
        return Location(
            checking: self[.latitude].flatMap { Self.angle($0, "N", "S") },
            self[.longitude].flatMap { Self.angle($0, "E", "W") },
            altitude: self[.altitudeReference] == "1" ? altitude.map(-) : altitude)
    }

    /// The direction in which the camera looked.
    var heading: Heading? {
        Heading(
            checking: self[.imageDirection].flatMap(Self.number), isMagnetic: self[.imageDirectionReference] == "M")
    }

    /// Reads degrees and minutes, and perhaps seconds, with the side at the end: `51,30.5N` or `51,30,30N`.
    private static func angle(_ text: String, _ positive: Character, _ negative: Character) -> Double? {
        guard let side = text.last, side == positive || side == negative else { return nil }
        let parts = text.dropLast().split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard 2...3 ~= parts.count, let degrees = parts[0], let minutes = parts[1],
            let seconds = parts.count == 3 ? parts[2] : 0, min(degrees, minutes, seconds) >= 0
        else { return nil }
        let angle = degrees + minutes / 60 + seconds / 3600
        return side == negative ? -angle : angle
    }

    /// Reads a number or a fraction such as `1234/10`; nil if the denominator is zero.
    private static func number(_ text: String) -> Double? {
        let parts = text.split(separator: "/", maxSplits: 1).map { Double($0) }
        guard let first = parts.first, let numerator = first else { return nil }
        guard parts.count == 2 else { return numerator }
        guard let denominator = parts[1], denominator != 0 else { return nil }
        return numerator / denominator
    }
}
