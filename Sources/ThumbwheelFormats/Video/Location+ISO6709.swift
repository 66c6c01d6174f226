import ThumbwheelCore

extension Location {
    /// Reads a location as videos state it (ISO 6709, annex H): `+27.5916+086.5640+8850/`. The angles may be in
    /// degrees, in degrees and minutes (`+2735.50+08633.84/`), or in degrees, minutes and seconds. The altitude in
    /// metres may be missing. Nil for coordinates that do not exist.
    init?(iso6709 text: [UInt8]) {
        var parts: [ArraySlice<UInt8>] = []
        var start: Int?
        for (index, byte) in text.enumerated() {
            let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            guard isSign || !Self.isPartOfNumber(byte) else { continue }
            if let start { parts.append(text[start..<index]) }
            start = isSign ? index : nil
            // A slash ends the location. Before it, the name of a coordinate system may follow the numbers.
            if !isSign { break }
        }
        if let start { parts.append(text[start...]) }
        guard 2...3 ~= parts.count else { return nil }
        self.init(
            checking: Self.angle(parts[0], degreeDigits: 2), Self.angle(parts[1], degreeDigits: 3),
            altitude: parts.count == 3 ? Self.number(parts[2]) : nil)
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || byte == UInt8(ascii: ".")
    }

    private static func number(_ text: ArraySlice<UInt8>) -> Double? {
        Double(String(decoding: text, as: UTF8.self))
    }

    /// Reads an angle. The number of digits before the decimal point shows whether it includes minutes and seconds.
    private static func angle(_ text: ArraySlice<UInt8>, degreeDigits: Int) -> Double? {
        guard let number = number(text) else { return nil }
        let magnitude = abs(number)
        let digits = text.dropFirst().prefix { $0 != UInt8(ascii: ".") }.count
        let angle: Double
        switch digits - degreeDigits {
        case 2:
            let degrees = (magnitude / 100).rounded(.down)
            angle = degrees + (magnitude - degrees * 100) / 60
        case 4:
            let degrees = (magnitude / 10_000).rounded(.down)
            let minutes = ((magnitude - degrees * 10_000) / 100).rounded(.down)
            angle = degrees + minutes / 60 + (magnitude - degrees * 10_000 - minutes * 100) / 3600
        default: angle = magnitude
        }
        return text.first == UInt8(ascii: "-") ? -angle : angle
    }
}
