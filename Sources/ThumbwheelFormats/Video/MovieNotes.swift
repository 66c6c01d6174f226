/// The facts that the keys of a timed metadata track show (`mebx`; QuickTime File Format, "Timed metadata sample
/// descriptions").
struct MovieNotes {
    /// Whether a sample of the track marks the still of a Live Photo.
    private(set) var marksStill = false
    /// Whether the samples describe the rendering of a cinematic video.
    private(set) var rendersCinematic = false

    /// The number of bytes before the boxes in a sample description.
    private static let boxesOffset = 16

    /// - Parameter payload: the contents of the sample description box.
    init(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        let entry = try payload.suffix(at: 8)
        let start = try entry.subrange(at: 0, count: Self.boxesOffset).lowerBound
        guard try reader.code(at: start + 4) == "mebx" else { return }
        let boxes = try HEIFBoxes(&reader, in: entry.suffix(at: Self.boxesOffset))
        guard let keys = boxes["keys"] else { return }
        var walk = HEIFBoxWalk(keys)
        while let key = try walk.next(&reader) {
            try reader.enterPart()
            guard let declaration = try HEIFBoxes(&reader, in: key.payload)["keyd"] else { continue }
            // The key's name follows the four characters of its namespace.
            if try reader.has("com.apple.quicktime.still-image-time", in: declaration.suffix(at: 4)) {
                marksStill = true
            } else if try reader.has("com.apple.quicktime.cinematic-video.rendering", in: declaration.suffix(at: 4)) {
                rendersCinematic = true
            }
        }
    }
}

extension HeadReader {
    /// Whether the bytes of a range are exactly those of a text.
    mutating func has(_ text: StaticString, in range: Range<Int>) throws(HeadError) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return try matches(text, at: range.lowerBound)
    }
}
