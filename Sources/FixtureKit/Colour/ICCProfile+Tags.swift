extension ICCProfile {
    /// A name: in version 2 ASCII with empty Unicode and Macintosh parts, in version 4 Unicode.
    func description(_ text: String) -> [UInt8] {
        guard version == .two else { return unicode(text) }
        var writer = ByteWriter(.bigEndian)
        writer.write("desc")
        writer.write(UInt32(0))
        writer.write(UInt32(text.utf8.count + 1))
        writer.write(text)
        writer.write(repeatElement(0, count: 1 + 8 + 3 + 67))
        return writer.bytes
    }

    func copyright(_ text: String) -> [UInt8] {
        guard version == .two else { return unicode(text) }
        var writer = ByteWriter(.bigEndian)
        writer.write("text")
        writer.write(UInt32(0))
        writer.write(text)
        writer.write(UInt8(0))
        return writer.bytes
    }

    private func unicode(_ text: String) -> [UInt8] {
        var writer = ByteWriter(.bigEndian)
        writer.write("mluc")
        for field: UInt32 in [0, 1, 12] { writer.write(field) }
        writer.write("enUS")
        writer.write(UInt32(text.utf16.count * 2))
        writer.write(UInt32(28))
        for unit in text.utf16 { writer.write(unit) }
        return writer.bytes
    }

    func xyz(_ value: Vector3) -> [UInt8] { Array("XYZ ".utf8) + [0, 0, 0, 0] + Self.xyzNumber(value) }

    static func xyzNumber(_ value: Vector3) -> [UInt8] {
        var writer = ByteWriter(.bigEndian)
        for number in [value.x, value.y, value.z] { writer.write(fixed(number)) }
        return writer.bytes
    }

    /// s15Fixed16Number.
    static func fixed(_ value: Double) -> UInt32 { UInt32(bitPattern: Int32((value * 65536).rounded())) }

    /// How D65 became D50, which version 4 wants told.
    var chromaticAdaptation: [UInt8] {
        var writer = ByteWriter(.bigEndian)
        writer.write("sf32")
        writer.write(UInt32(0))
        let matrix = RGBSpace.adaptation
        for row in [\Vector3.x, \Vector3.y, \Vector3.z] {
            for column in [matrix.first, matrix.second, matrix.third] { writer.write(Self.fixed(column[keyPath: row])) }
        }
        return writer.bytes
    }
}

extension TransferCurve {
    /// A version 2 curve: one exponent in 1/256, or else a table of 1024 values.
    var curvType: [UInt8] {
        var writer = ByteWriter(.bigEndian)
        writer.write("curv")
        writer.write(UInt32(0))
        if segments == nil {
            writer.write(UInt32(1))
            writer.write(UInt16(gamma / 256))
        } else {
            writer.write(UInt32(1024))
            for step in 0..<1024 { writer.write(UInt16((linear(Double(step) / 1023) * 65535).rounded())) }
        }
        return writer.bytes
    }

    /// A version 4 curve: type 0 is a power, type 3 has a straight part near black.
    var paraType: [UInt8] {
        var writer = ByteWriter(.bigEndian)
        writer.write("para")
        writer.write(UInt32(0))
        writer.write(UInt16(segments == nil ? 0 : 3))
        writer.write(UInt16(0))
        writer.write(UInt32(gamma))
        if let segments {
            for number in [segments.a, segments.b, segments.c, segments.knee] { writer.write(ICCProfile.fixed(number)) }
        }
        return writer.bytes
    }
}
