import ThumbwheelCore

/// The colour profile in a PNG's `iCCP` chunk (W3C PNG, third edition, 11.3.2.3).
enum PNGProfile {
    private static let nameLimit = 79

    /// Reads the profile of a PNG.
    ///
    /// - Parameters:
    ///   - start: the offset of the `iCCP` chunk in the file.
    ///   - guardian: tells whether the reading must stop, because the decode was cancelled or takes too long.
    /// - Returns: the profile; nil if it is damaged, cannot be read, or is larger than
    ///   `ColorConversion.profileByteLimit`.
    static func contents(of source: any ByteSource, at start: Int, checking guardian: DecodeGuard) -> [UInt8]? {
        (try? read(PNGChunkReader(source, at: start, checking: guardian))) ?? nil
    }

    private static func read(_ chunks: PNGChunkReader) throws(RenderError) -> [UInt8]? {
        guard try chunks.next() else { return nil }
        // The chunk begins with a name, a zero byte that ends the name, and a byte for the compression method. Method 0
        // is the only one.
        var input = try chunks.piece()
        guard let nameLength = input.prefix(nameLimit + 1).firstIndex(of: 0), nameLength + 1 < input.count,
            input[nameLength + 1] == 0
        else { return nil }
        input = UnsafeRawBufferPointer(rebasing: input[(nameLength + 2)...])
        let stream = InflateStream()
        var profile: [UInt8] = []
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)
        defer { room.deallocate() }
        var hasInputEnded = false
        while true {
            var count = 0
            var pause = InflateStream.Pause.endOfInput
            while pause == .endOfInput {
                pause = stream.inflate(&input, hasMore: !hasInputEnded, into: room, after: &count)
                guard pause == .endOfInput else { break }
                if hasInputEnded { return nil }
                input = try chunks.piece()
                hasInputEnded = input.isEmpty
            }
            profile.append(contentsOf: room[..<count])
            guard profile.count <= ColorConversion.profileByteLimit else { return nil }
            if pause == .damaged { return nil }
            if pause == .complete { return try chunks.end() == true ? profile : nil }
        }
    }
}
