import ThumbwheelCore

/// The facts about one stream of an AVI file.
struct AVIStream {
    /// The kind of the stream: `vids` for video, `auds` for sound.
    private(set) var kind: FourCharacterCode = "    "
    private(set) var coding: FourCharacterCode?
    private(set) var size = PixelSize.zero
    /// The number of frames.
    private(set) var count = 0
    /// The number of frames per second.
    private(set) var rate: Double?
    /// The aspect ratio in which frames are shown, as a width and a height without a unit.
    private(set) var frameAspect: PixelSize?

    init(_ reader: inout HeadReader, in list: Range<Int>) throws(HeadError) {
        var walk = RIFFWalk(list)
        while let chunk = try walk.next(&reader) {
            try reader.enterPart()
            switch chunk.kind {
            case "strh": try readHeader(&reader, in: chunk.payload)
            case "strf" where kind == "vids": try readFormat(&reader, in: chunk.payload)
            case "vprp" where chunk.payload.count >= 24:
                let start = chunk.payload.lowerBound + 20
                frameAspect = PixelSize(
                    width: try reader.integer(at: start + 2, width: 2, order: .little),
                    height: try reader.integer(at: start, width: 2, order: .little))
            default: break
            }
        }
    }

    private mutating func readHeader(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        let start = try payload.subrange(at: 0, count: 36).lowerBound
        kind = try reader.code(at: start)
        let handler = try reader.code(at: start + 4)
        if handler.rawValue != 0 { coding = handler }
        let scale = try reader.integer(at: start + 20, width: 4, order: .little)
        let rate = try reader.integer(at: start + 24, width: 4, order: .little)
        if scale > 0 { self.rate = MovieTrack.rate(rate, Double(scale)) }
        count = try reader.integer(at: start + 32, width: 4, order: .little)
    }

    /// Reads the stream's format, a bitmap header. It names the codec more reliably than the stream's own header does.
    private mutating func readFormat(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        let start = try payload.subrange(at: 0, count: 20).lowerBound
        size.width = try reader.integer(at: start + 4, width: 4, order: .little)
        // The height is negative if the uppermost row of a frame is stored first.
        let height = UInt32(clamping: try reader.integer(at: start + 8, width: 4, order: .little))
        size.height = Int(Int32(bitPattern: height).magnitude)
        let compression = try reader.code(at: start + 16)
        // The code 0 means uncompressed pixels.
        coding = compression.rawValue == 0 ? "raw " : compression
    }
}

extension CaptureDate {

    /// Reads a date as the C function `asctime` writes it: `Mon Mar 10 15:04:43 2003`.
    init?(clock text: [UInt8]) {
        let words = text.split { $0 == 0x20 }.map { [UInt8]($0) }
        guard words.count == 5, 1...2 ~= words[2].count else { return nil }
        let name = String(decoding: words[1].prefix(3), as: UTF8.self).lowercased()
        var (days, clock, years) = (DigitCursor(words[2]), DigitCursor(words[3]), DigitCursor(words[4]))
        guard let month = Self.months.firstIndex(of: name), let day = days.number(words[2].count),
            let hour = clock.number(2), clock.skip(":"), let minute = clock.number(2), clock.skip(":"),
            let second = clock.number(2), let year = years.number(4)
        else { return nil }
        self.init(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
        guard isInCalendar else { return nil }
    }
}
