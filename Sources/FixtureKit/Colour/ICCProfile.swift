/// A display profile of the matrix kind, small enough to read by eye (ICC.1:2001-04 and ICC.1:2010).
package struct ICCProfile: Sendable, Hashable {
    /// Which edition's tag types are used: they differ in how names and curves are written, and readers meet both.
    package enum Version: Sendable, Hashable, CaseIterable {
        /// `desc` and `curv`, as in Adobe's and the older sRGB profiles.
        case two
        /// `mluc` and `para`, as in the profiles on phones.
        case four
    }

    package var space: RGBSpace
    package var version: Version

    package init(_ space: RGBSpace, version: Version) {
        self.space = space
        self.version = version
    }

    /// The profile as it is embedded.
    package var bytes: [UInt8] {
        let adapted = RGBSpace.adaptation * space.toXYZ
        var tags: [(signature: String, data: [UInt8])] = [
            ("desc", description(space.name)),
            ("cprt", copyright("Public domain")),
            ("wtpt", xyz(RGBSpace.profileWhite)),
            ("rXYZ", xyz(adapted.first)),
            ("gXYZ", xyz(adapted.second)),
            ("bXYZ", xyz(adapted.third)),
        ]
        let curve = version == .two ? space.curve.curvType : space.curve.paraType
        for signature in ["rTRC", "gTRC", "bTRC"] { tags.append((signature, curve)) }
        if version == .four { tags.append(("chad", chromaticAdaptation)) }
        return assembled(tags)
    }

    private func assembled(_ tags: [(signature: String, data: [UInt8])]) -> [UInt8] {
        var table = ByteWriter(.bigEndian)
        var data = ByteWriter(.bigEndian)
        let dataOffset = 128 + 4 + 12 * tags.count
        var places: [[UInt8]: Int] = [:]
        table.write(UInt32(tags.count))
        for tag in tags {
            // The three curves are one: tags may share their data.
            let place = places[tag.data] ?? dataOffset + data.bytes.count
            if places.updateValue(place, forKey: tag.data) == nil {
                data.write(tag.data)
                data.pad(toMultipleOf: 4)
            }
            table.write(tag.signature)
            table.write(UInt32(place))
            table.write(UInt32(tag.data.count))
        }
        return header(byteCount: dataOffset + data.bytes.count) + table.bytes + data.bytes
    }

    private func header(byteCount: Int) -> [UInt8] {
        var writer = ByteWriter(.bigEndian)
        writer.write(UInt32(byteCount))
        writer.write(UInt32(0))
        writer.write(version == .two ? UInt32(0x0240_0000) : UInt32(0x0430_0000))
        writer.write("mntrRGB XYZ ")
        for field: UInt16 in [2024, 1, 1, 0, 0, 0] { writer.write(field) }
        writer.write("acsp")
        writer.write(repeatElement(0, count: 28))
        writer.write(Self.xyzNumber(RGBSpace.profileWhite))
        writer.write(repeatElement(0, count: 48))
        return writer.bytes
    }
}
