/// The keys of a track that holds metadata with times (`mebx`; QuickTime File Format, "Timed metadata sample descriptions").
struct MovieNotes {
    /// Whether a sample of the track marks the still of a Live Photo.
    private(set) var marksStill = false
    /// Whether the samples tell how a cinematic video is to be rendered.
    private(set) var rendersCinematic = false

    /// The number of bytes from the beginning of a description to its boxes.
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
            // The name of the key follows the four characters of its namespace.
            if try reader.has("com.apple.quicktime.still-image-time", in: declaration.suffix(at: 4)) {
                marksStill = true
            } else if try reader.has("com.apple.quicktime.cinematic-video.rendering", in: declaration.suffix(at: 4)) {
                rendersCinematic = true
            }
        }
    }
}

extension HeadReader {
    /// Whether a range holds a text and nothing else.
    mutating func has(_ text: StaticString, in range: Range<Int>) throws(HeadError) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return try matches(text, at: range.lowerBound)
    }
}
