/// Turns the pictures of an MP4 or QuickTime file by the matrix of their track, as phones do. ffmpeg's options for it differ
/// between its versions.
enum ClipRotation {
    /// Rewrites a file.
    ///
    /// - Parameter quarters: clockwise quarters of a circle.
    static func turn(_ path: String, quarters: Int) throws(FixtureError) {
        guard var bytes = try FixtureFiles.read(path), let movie = box("moov", in: bytes[...], of: bytes),
            let track = box("trak", in: movie, of: bytes), let header = box("tkhd", in: track, of: bytes)
        else { throw .file(path, "not a movie") }
        // Version 1 has three fields of eight bytes in front of the matrix, version 0 has them of four.
        let place = header.startIndex + (bytes[header.startIndex] == 1 ? 52 : 40)
        let (one, minus): ([UInt8], [UInt8]) = ([0, 1, 0, 0], [0xFF, 0xFF, 0, 0])
        let zero: [UInt8] = [0, 0, 0, 0]
        let numbers: [[UInt8]] =
            switch (quarters % 4 + 4) % 4 {
            case 1: [zero, one, minus, zero]
            case 2: [minus, zero, zero, minus]
            case 3: [zero, minus, one, zero]
            default: [one, zero, zero, one]
            }
        for (number, offset) in zip(numbers, [0, 4, 12, 16]) {
            bytes.replaceSubrange(place + offset..<place + offset + 4, with: number)
        }
        try FixtureFiles.write(bytes, to: path)
    }

    /// The contents of the first box of a kind, all of whose sizes have 32 bits.
    private static func box(_ kind: String, in range: ArraySlice<UInt8>, of bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var position = range.startIndex
        while range.endIndex - position >= 8 {
            let size = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            guard size >= 8, size <= range.endIndex - position else { return nil }
            if bytes[position + 4..<position + 8].elementsEqual(kind.utf8) {
                return bytes[position + 8..<position + size]
            }
            position += size
        }
        return nil
    }
}
